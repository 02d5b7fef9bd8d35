"""Surfaces, cells, probes."""

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import tank


def test_a_surface_encloses_the_water(tmp_path):
    sim = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.1))
    mesh = sim.surface(smoothing=4, velocities=True)
    a, b, c = (mesh.vertices[mesh.faces[:, k]].astype(float) for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    # The block of 1 x 2 x 1 m, ten particles wide.
    assert abs(volume / 2 - 1) < 0.1
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-5)
    assert mesh.velocities.shape == mesh.vertices.shape and mesh.outside == 0
    for name in ("a.glb", "a.ply", "a.obj", "a.vtp"):
        mesh.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(ValueError, match="expected a file that ends in"):
        mesh.save(tmp_path / "a.fbx")
    with pytest.raises(OSError, match="cannot write"):
        mesh.save(tmp_path / "no folder" / "a.glb")
    with pytest.raises(ValueError, match="fineness is 9"):
        sim.surface(fineness=9)
    with pytest.raises(ValueError, match="2-D"):
        mf.Simulation(tank()).surface()


def test_cells_have_fields():
    sim = mf.Simulation(mf.Scene.bundled("ink", **{"smoke.cell": 0.08}))
    sim.next_frame()
    grid = sim.grid
    assert grid["velocity"].shape == (*reversed(grid.size), 3)
    assert {"velocity", "pressure"} < set(grid) and grid.edge == pytest.approx(0.08, rel=0.5)
    assert len(sim.positions) == 0 and sim.grid is grid
    with pytest.raises(KeyError, match="there is no field 'velocty'"):
        grid["velocty"]
    with pytest.raises(ValueError, match="no fields on cells"):
        mf.Simulation(tank()).grid


def test_probes_have_names():
    scene = tank()
    scene.probes.append(gauge=dict(at=(0.2, 0), name="level"))
    sim = mf.Simulation(scene)
    assert sim.probes["level"] == pytest.approx(0.4, abs=0.02)


def test_wrong_pictures_are_refused(sim):
    for options, message in [
        (dict(size=(0, 10)), "size"),
        (dict(view="sideways"), "view: \"sideways\" is none of"),
        (dict(color="colour"), "unknown quantity"),
        (dict(camera=dict(eye=(0, 0))), "camera: expected 3 numbers"),
        (dict(camera=dict(eye=(0, 0, 1), target=(0, 0, 1))), "camera"),
        (dict(camera=dict(from_=1)), "it has eye, target, fov"),
        (dict(range=(2, 1)), "range"),
    ]:
        with pytest.raises(ValueError, match=message):
            sim.render(**options)
    dam = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.1))
    for options, message in [
        (dict(color="speed"), "the view surface shows no quantity"),
        (dict(view="smoke"), "smoke does not show this scene; particles"),
        (dict(path="a.jpg"), r"a.jpg: expected a file that ends in .png"),
        (dict(size=(16000, 16000)), "1 to 8192"),
    ]:
        with pytest.raises(ValueError, match=message):
            dam.render(**{"size": (32, 32), **options})
    with pytest.raises(ValueError, match="material: there is no number 7"):
        dam.surface(material=7)
    with pytest.raises(ValueError, match="smoothing is -1"):
        dam.surface(smoothing=-1)


def test_a_film_is_a_file_or_shows_itself(tmp_path):
    sim = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.1))
    film = sim.film(until=0.2, fps=20, size=(64, 48), view="particles")
    # 0, 0.05, 0.1, 0.15 and 0.2 s: each picture begins with its control block.
    assert film.gif.startswith(b"GIF89a") and film.gif.count(b"\x21\xf9\x04") == 5
    assert film._repr_html_().startswith('<img src="data:image/gif;base64,R0lGOD')
    film.save(tmp_path / "a.gif")
    assert sim.time == pytest.approx(0.2)
    film = sim.film(tmp_path / "b.gif", until=0.25, size=(64, 48), legend=False)
    assert film.path == str(tmp_path / "b.gif") and (tmp_path / "b.gif").read_bytes().startswith(b"GIF")
    with pytest.raises(ValueError, match="expected .png for an image"):
        sim.film(tmp_path / "b.avi")
    with pytest.raises(ValueError, match="fps is 0"):
        sim.film(fps=0)
