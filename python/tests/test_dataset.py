"""Data sets, read back by the layout that LagrangeBench documents."""

import json

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import tank

h5py = pytest.importorskip("h5py")


def water(folder):
    scene = tank(**{"time.until": 0.1, "time.fps": 50, "particle_radius": 0.03, "solver": "dfsph"})
    scene["fluid[0].jitter"] = 0.1
    plan = mf.ensemble.plan(scene, folder, seeds=4, particles="ply")
    mf.ensemble.run(plan, table=False)
    return plan


def test_a_data_set_has_the_layout_of_lagrangebench_and_the_same_bytes_twice(tmp_path):
    for name in ("a", "b"):
        plan = water(tmp_path / name)
        mf.dataset.write(plan, tmp_path / f"{name}.set", format="lagrangebench")
    files = {path.name: path.read_bytes() for path in (tmp_path / "a.set").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "b.set").iterdir()}
    assert sorted(files) == ["metadata.json", "test.h5", "train.h5", "valid.h5"]

    about = json.loads(files["metadata.json"])
    runs, moves = {}, []
    for split, count in (("train", 2), ("valid", 1), ("test", 1)):
        with h5py.File(tmp_path / "a.set" / f"{split}.h5") as file:
            assert list(file) == [f"{number:05d}" for number in range(count)]
            for name, group in file.items():
                position, types = group["position"], group["particle_type"]
                assert position.dtype == np.float32 and position.compression == "gzip"
                assert position.shape == (6, about["num_particles_max"], 2) and types.shape == position.shape[1:2]
                assert not types[:].any()
                runs[split, name] = position[:]
                if split == "train":
                    moves.append(np.diff(position[:].astype(float), axis=0))
    # Each run is there once, as the simulation gives it.
    starts = {one[0].tobytes() for one in runs.values()}
    assert len(starts) == 4
    with mf.Simulation(mf.Scene.load(plan.folder / "00000" / "scene.toml")) as sim:
        own = [sim.positions[:, :2]]
        for _ in range(5):
            sim.next_frame()
            own.append(sim.positions[:, :2])
    assert any(np.array_equal(np.stack(own), one) for one in runs.values())

    assert (about["dim"], about["dx"], about["write_every"]) == (2, 0.06, 1) and about["dt"] == pytest.approx(0.02)
    assert about["bounds"] == [[0, 1], [0, 0.8]] and about["periodic_boundary_conditions"] == [False, False]
    assert about["sequence_length_train"] == about["sequence_length_test"] == 5
    assert (about["num_trajs_train"], about["num_trajs_test"]) == (2, 1)
    assert about["default_connectivity_radius"] == 0.087
    moves = np.stack(moves)
    for name, values in (("vel", moves), ("acc", np.diff(moves, axis=1))):
        assert np.allclose(about[f"{name}_mean"], values.mean((0, 1, 2)), rtol=1e-9, atol=1e-12)
        assert np.allclose(about[f"{name}_std"], values.std((0, 1, 2)), rtol=1e-9)
    assert about["vel_mean"][1] < 0


def test_displacements_are_the_short_way_through_a_periodic_side():
    class Case:
        metadata = {"bounds": [[0, 1], [0, 1]], "periodic_boundary_conditions": [True, False]}

    statistics = mf.dataset._Statistics(Case)
    x = np.array([0.8, 0.9, 0.0, 0.1])
    statistics.add(np.stack([x, np.zeros(4)], -1)[:, None, :])
    about = statistics.metadata()
    assert about["vel_mean"] == pytest.approx([0.1, 0]) and about["vel_std"] == [1.0, 1.0]


def test_what_a_data_set_cannot_have_is_refused(tmp_path):
    def refuse(text, scene, seeds=3, particles="ply", **options):
        folder = tmp_path / text[:8].replace(" ", "")
        scene["fluid[0].jitter"] = 0.1
        plan = mf.ensemble.plan(scene, folder, seeds=seeds, particles=particles)
        with pytest.raises(ValueError, match=text):
            mf.dataset.write(plan, tmp_path / "set", **options)
        assert not (tmp_path / "set").exists()

    start = {"time.until": 0, "particle_radius": 0.04}
    refuse("expected a plan with particles", tank(**start), particles=None)
    refuse("the run 0 is not finished", tank(**start))
    refuse("2 runs are too few", tank(**start), seeds=2)
    refuse("format: expected", tank(**start), format="csv")
    refuse("evaluation: expected", tank(**start), evaluation=0.5)
    scene = tank(**start)
    scene.boundaries.append(capsule=dict(start=[0.6, 0.1], end=[0.8, 0.1], radius=0.05), side="outside")
    refuse("run 0: expected a single", scene)
    plan = mf.ensemble.plan(tank(**start), tmp_path / "times", {"time.fps": [30, 40, 50]}, particles="ply")
    with pytest.raises(ValueError, match="run 1: all runs of a data set have one dt"):
        mf.dataset.write(plan, tmp_path / "set")
    scene = tank(**start)
    scene.bodies.append(box=dict(min=[0.6, 0.3], max=[0.8, 0.5]), density=500)
    refuse("fluid particles cannot have ..body", scene)


def test_goop_keeps_its_area():
    """By the union of discs of 0.6 spacings, 0.97 of a lattice's area and 0.85 of a heap's; what collapses has a third."""
    scene = mf.dataset.random_scenes("goop", [3], particle_radius=0.02, until=0.8, fps=10)[0]
    dx = 0.04
    grid = (np.stack(np.meshgrid(*2 * [np.arange(0, 1, dx / 4)]), -1) + dx / 8).reshape(-1, 2)
    with mf.Simulation(scene) as sim:
        sim.run_until()
        apart = np.linalg.norm(grid[:, None] - sim.positions[None, :, :2], axis=-1).min(1)
        area = (apart < 0.6 * dx).mean() / (len(sim) * dx * dx)
    assert 0.8 < area < 1, area


def test_random_scenes_are_those_of_their_seeds(tmp_path):
    for kind in ("water", "sand", "goop"):
        first = mf.dataset.random_scenes(kind, 2, particle_radius=0.02, until=0.04, obstacles=1)
        again = mf.dataset.random_scenes(kind, [1], particle_radius=0.02, until=0.04, obstacles=1)
        assert first[1].to_toml() == again[0].to_toml() != first[0].to_toml()
        for scene in first + mf.dataset.random_scenes(kind, 2, dimensions=3, particle_radius=0.04):
            scene.check()
    with pytest.raises(ValueError, match="kind: expected one of 'water', 'sand', 'goop'"):
        mf.dataset.random_scenes("honey", 1)

    plan = mf.ensemble.plan(mf.dataset.random_scenes("water", 3, particle_radius=0.03, until=0.04, obstacles=2), tmp_path / "runs", particles="ply")
    assert [one["folder"] for one in plan.runs] == ["00000", "00001", "00002"]
    with pytest.raises(ValueError, match="exists already"):
        mf.ensemble.plan([tank()], tmp_path / "runs")
    mf.ensemble.run(plan, table=False)
    mf.dataset.write(plan, tmp_path / "set")
    with h5py.File(tmp_path / "set" / "train.h5") as file:
        position, types = file["00000/position"][:], file["00000/particle_type"][:]
    walls = position[:, types == 1]
    assert set(types) == {0, 1} and (walls == walls[0]).all()
    # None of the fluid is in an obstacle.
    apart = np.linalg.norm(position[0][types == 0][:, None] - walls[0][None], axis=-1)
    assert apart.min() > 0.7 * 0.06


def test_grids_have_the_layout_of_the_well(tmp_path):
    scene = mf.Scene.bundled("ink", **{"smoke.cell": 0.1, "time.until": 0.1})
    plan = mf.ensemble.plan(scene, tmp_path / "runs", {"smoke.viscosity": [0.0, 0.001, 0.01]})
    for name in ("a", "b"):
        mf.dataset.write(plan, tmp_path / name / "ink", format="well")
    files = [tmp_path / name / "ink" / "data" / "train" / "ink.hdf5" for name in ("a", "b")]
    assert files[0].read_bytes() == files[1].read_bytes()
    with mf.Simulation(mf.Scene.load(plan.folder / "00000" / "scene.toml")) as sim:
        for _ in range(round(scene["time.until"] * scene["time.fps"])):
            sim.next_frame()
        grid, density, velocity = sim.grid, sim.grid["density"][0], sim.grid["velocity"][0]
    found = False
    for split in ("train", "valid", "test"):
        with h5py.File(tmp_path / "a" / "ink" / "data" / split / "ink.hdf5") as file:
            assert file.attrs["n_trajectories"] == 1 and file.attrs["n_spatial_dims"] == 2
            assert list(file["dimensions"].attrs["spatial_dims"]) == ["x", "y"]
            frames, (nx, ny, _) = len(file["dimensions/time"]), grid.size
            field = file["t0_fields/density"]
            assert field.shape == (1, frames, nx, ny) and field.dtype == np.float32
            assert file["t1_fields/velocity"].shape == (1, frames, nx, ny, 2)
            same = np.array_equal(field[0, -1].T, density)
            found |= same and np.array_equal(file["t1_fields/velocity"][0, -1].transpose(1, 0, 2), velocity[..., :2])
    assert found, "one of the runs is that of the simulation"
    # The ink's box is closed; without a lid and with a floor alone, other sides are open.
    def sides(scene, folder):
        mf.dataset.write(mf.ensemble.plan(scene, tmp_path / folder, {"smoke.viscosity": [0.0, 0.001, 0.01]}), tmp_path / folder / "w", format="well")
        with h5py.File(tmp_path / folder / "w" / "data" / "train" / "w.hdf5") as file:
            found = file["boundary_conditions"]
            return {key: (found[key].attrs["bc_type"], found[key]["mask"][[0, 1, -1]].tolist()) for key in found}

    ends, first, last = [True, False, True], [True, False, False], [False, False, True]
    assert sides(scene, "closed") == {"x_wall": ("WALL", ends), "y_wall": ("WALL", ends)}
    keys = {"time.until": 0.1, "boundary": [{"shape": {"plane": {"point": [0.0, 0.0, 0.0], "normal": [0.0, 1.0, 0.0]}}}]}
    floor = mf.Scene.bundled("ink", **{"smoke.cell": 0.1, **keys})
    assert sides(floor, "floor") == {"x_open": ("OPEN", ends), "y_wall": ("WALL", first), "y_open": ("OPEN", last)}
    round_x = mf.Scene.bundled("ink", **{"smoke.cell": 0.1, **keys, "domain.periodic": [True, False, False]})
    assert sides(round_x, "round") == {"x_periodic": ("PERIODIC", ends), "y_wall": ("WALL", first), "y_open": ("OPEN", last)}
    with pytest.raises(ValueError, match="for grids and smoke"):
        mf.dataset.write(mf.ensemble.plan(tank(), tmp_path / "dam", {"time.cfl": [0.5, 0.7, 0.9]}), tmp_path / "c", format="well")


def test_equal_runs_are_refused(tmp_path):
    scene = tank(**{"time.until": 0.06, "time.fps": 50})
    plan = mf.ensemble.plan(scene, tmp_path / "runs", {"title": ["a", "b", "c"]}, particles="ply")
    mf.ensemble.run(plan, table=False)
    with pytest.raises(ValueError, match="the runs 0 and 1 are equal"):
        mf.dataset.write(plan, tmp_path / "set")
    assert not (tmp_path / "set").exists()
