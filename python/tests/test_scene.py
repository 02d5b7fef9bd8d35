"""Scenes: keys, lists, arrays of particles, errors."""

import pathlib

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import tank


def test_keys_are_set_by_path_and_read_with_defaults():
    scene = mf.Scene(particle_radius=np.float32(0.5), solver="dfsph")
    assert scene["particle_radius"] == 0.5 and scene["time.fps"] == 60
    scene["time"] = dict(fps=25, cfl=0.5)
    scene["gravity"] = np.array([1, -9.81, 0])
    assert (scene["time.fps"], scene["time.cfl"], scene["gravity"]) == (25, 0.5, [1, -9.81, 0])
    scene["dfsph.max_iterations"] = 7
    assert scene["dfsph"]["max_iterations"] == 7


def test_lists_take_elements_by_number_and_name():
    scene = tank()
    scene.materials.append(name="honey", rest_density=1400, viscosity=10)
    scene.bodies.append(box=dict(min=(0.6, 0.1), max=(0.7, 0.2)), density=500, name="boat")
    assert [one["name"] for one in scene.materials] == ["water", "honey"]
    scene.bodies["boat"]["density"] = 300
    assert scene["body.boat.density"] == scene["body[0].density"] == 300
    scene.fluids[0]["box.max"] = (0.2, 0.2)
    assert scene["fluid[0].shape.box.max"] == [0.2, 0.2, 0.0]
    del scene.bodies[0]
    assert len(scene.bodies) == 0 and not scene.check()
    with pytest.raises(KeyError, match="there is no body 'boot'"):
        scene.bodies["boot"]
    with pytest.raises(IndexError, match=r"there is no fluid\[3\]: the scene has 1"):
        scene.fluids[3]


def test_a_scene_is_written_and_read(tmp_path):
    scene = tank()
    scene.save(tmp_path / "tank.toml")
    assert mf.Scene.load(tmp_path / "tank.toml").to_toml() == scene.to_toml()
    copy = scene.copy()
    copy["title"] = "another"
    assert scene["title"] == ""


def test_errors_name_key_and_line(tmp_path):
    file = tmp_path / "tank.toml"
    file.write_text("particle_radius = 0.05\n[[material]]\nname = 'water'\nrest_density = -1\n", encoding="utf-8")
    with pytest.raises(mf.SceneError) as caught:
        mf.Simulation(mf.Scene.load(file))
    assert (caught.value.key, caught.value.line) == ("material[0].rest_density", 4)
    assert f"{file}:4:" in str(caught.value) and isinstance(caught.value, ValueError)
    file.write_text("particle_radius = 0.05\nsolvr = 'dfsph'\n", encoding="utf-8")
    with pytest.raises(mf.SceneError, match="did you mean `solver`") as caught:
        mf.Scene.load(file)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "key, value, message",
    [
        ("time.clf", 1, "did you mean `cfl`"),
        ("solver", "dfsf", "did you mean `dfsph`"),
        ("particle_radius", -1, "must be greater than 0"),
        ("particle_radius", float("nan"), "particle_radius"),
        ("particle_radius", "wide", "particle_radius"),
        ("gravity", [0, 1, 2, 3], "gravity: expected 3 components, not 4"),
        ("fluid[7]", {}, "there is no element 7"),
        ("fluid[1]", dict(shape={}), r"fluid\[1\]"),
        ("wcsph.gamma", -3, "wcsph.gamma"),
        ("", 1, "expected a key"),
        ("[0]", 1, "expected a key"),
    ],
)
def test_wrong_keys_and_values_are_refused_at_once_and_change_nothing(key, value, message):
    scene = tank()
    before = scene.to_toml()
    with pytest.raises(mf.SceneError, match=message) as caught:
        scene[key] = value
    assert scene.to_toml() == before and caught.value.key.startswith(key)


@pytest.mark.parametrize("value", [None, object(), {1: 2}, [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]], 2**70])
def test_what_no_scene_has_is_refused(value):
    with pytest.raises(TypeError, match="^title"):
        tank()["title"] = value


def test_unknown_scenes_and_files_are_named():
    assert "dam_break" in mf.scenes()
    with pytest.raises(KeyError, match="did you mean 'dam_break'"):
        mf.Scene.bundled("dam_brek")
    with pytest.raises(mf.SceneError, match="no_such.toml"):
        mf.Scene.load("no_such.toml")
    with pytest.raises(TypeError, match="Scene.load"):
        mf.Simulation("dam_break")
    scene = mf.Scene(particle_radius=0.05)
    scene.fluids.append(mesh=pathlib.Path("no_such.obj"))
    with pytest.raises(mf.SceneError, match="no_such.obj") as caught:
        mf.Simulation(scene)
    assert caught.value.key == "fluid[0].shape.mesh.file" and caught.value.line is None


def test_arrays_are_initial_particles():
    scene = mf.Scene(particle_radius=0.02, solver="wcsph", gravity=(0, 0, 0))
    points = np.stack(np.meshgrid(*3 * [0.3 + 0.04 * np.arange(3)]), -1).reshape(-1, 3)
    velocities = np.linspace(0, 1, 81).reshape(-1, 3)
    scene.fluids.append(points=points, velocities=velocities)
    scene.fluids.append(points=(points + (0.3, 0, 0)).astype(np.float32))
    scene.boundaries.append(box=dict(min=(0, 0, 0), max=(1, 1, 1)))
    with mf.Simulation(scene) as sim:
        assert np.allclose(sim.positions[:27], points, atol=1e-6)
        assert (sim.velocities[:27] == velocities.astype(np.float32)).all() and not sim.velocities[27:].any()
        # A copy has the arrays, too, and another array is another scene.
        assert len(mf.Simulation(scene.copy())) == 54


@pytest.mark.parametrize(
    "points, velocities, message",
    [
        (np.zeros((4, 2)), None, r"points: expected an array of shape \(N, 3\), not \(4, 2\)"),
        (np.zeros(3), None, r"not \(3,\)"),
        (np.zeros((0, 3)), None, "no particles"),
        (np.full((1, 3), np.nan), None, "invalid position"),
        (np.zeros((2, 3)), np.zeros((3, 3)), r"velocities: expected an array of shape \(2, 3\)"),
        (np.zeros((1, 3)), np.full((1, 3), np.inf), "invalid velocity"),
    ],
)
def test_wrong_arrays_are_refused(points, velocities, message):
    scene = mf.Scene(particle_radius=0.02)
    with pytest.raises(ValueError, match=message):
        scene.fluids.append(points=points, velocities=velocities)
    assert len(scene.fluids) == 0
