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
    statistics = mf.dataset._particles._Statistics([[0, 1], [0, 1]], [True, False])
    x = np.array([0.8, 0.9, 0.0, 0.1])
    statistics.add(np.stack([x, np.zeros(4)], -1)[:, None, :], 1, 0.1)
    about = statistics.metadata()
    assert about["vel_mean"] == pytest.approx([0.1, 0]) and about["vel_std"] == [1.0, 1.0]


def test_what_a_data_set_cannot_have_is_refused_at_plan(tmp_path):
    runs = tmp_path / "runs"

    def refuse(text, scene, vary=None, **options):
        with pytest.raises((ValueError, mf.SceneError), match=text):
            mf.dataset.plan(scene, runs, {"gravity[1]": [-9, -8, -7]} if vary is None else vary, **options)
        assert not runs.exists()

    keys = {"time.until": 0.1, "time.fps": 50, "particle_radius": 0.04}

    def scene(**more):
        return tank(**{**keys, **more})

    refuse("format: expected", scene(), format="csv")
    refuse("2 runs are too few", scene(), {"gravity[1]": [-9, -8]})
    refuse("run 0: too few frames", scene(**{"time.until": 0.02}))
    refuse("no fluid has jitter", scene(), {}, seeds=3)
    refuse("the runs 0 and 1 are equal", scene(), {"title": ["a", "b", "c"]})
    refuse("run 1: all runs of a data set have one dt", scene(), {"time.fps": [30, 40, 50]})
    refuse("radius of 0.3 m has 44 neighbours of particles 0.08 m apart", scene(), connectivity_radius=0.3)
    refuse("radius of 0.07 m has 0 neighbours", scene(), connectivity_radius=0.07)
    refuse("run 0: boundary.1.: a plane has no particles", with_part("boundaries", plane=dict(point=[0, 0.01], normal=[0, 1])))
    refuse("run 0: expected a single ..boundary.. around", with_part("boundaries", sphere=dict(center=[0.3, 0.3], radius=2)))
    refuse("fluid particles cannot have ..body", with_part("bodies", box=dict(min=[0.6, 0.3], max=[0.8, 0.5]), density=500))
    refuse("fluid particles cannot have ..drain", with_part("drains", box=dict(min=[0.6, 0.3], max=[0.8, 0.5])))
    refuse("for grids and smoke", scene(), format="well")
    ink = mf.Scene.bundled("ink", **{"smoke.cell": 0.1, "time.until": 0.1})
    refuse("smoke.trace: The Well has numbers", ink, {"smoke.trace": ["rk1", "rk2", "rk3"]}, format="well")
    refuse("run 1: all runs of a data set have one smoke.cell", ink, {"smoke.cell": [0.1, 0.2, 0.3]}, format="well")

    plan = mf.dataset.plan(scene(), runs, {"gravity[1]": [-9, -8, -7]})
    for text, options in {
        "the run 0 is not finished": {},
        "format: expected": dict(format="csv"),
        "evaluation: expected": dict(evaluation=0.5),
        "evaluation: 0.4 of 3 runs leaves none": dict(evaluation=0.4),
        "its runs keep no fields": dict(format="well"),
    }.items():
        with pytest.raises(ValueError, match=text):
            mf.dataset.write(plan, tmp_path / "set", **options)
    with pytest.raises(ValueError, match="its runs keep no particles"):
        mf.dataset.write(mf.ensemble.plan(scene(), tmp_path / "other", {"gravity[1]": [-9, -8, -7]}), tmp_path / "set")
    assert not (tmp_path / "set").exists()


def with_part(parts, **keys):
    scene = tank(**{"time.until": 0.1, "time.fps": 50, "particle_radius": 0.04})
    getattr(scene, parts).append(**keys)
    return scene


def test_sand_and_goop_keep_their_area():
    """Particles in a window within what settles, to those of a lattice.

    The union of discs of 0.6 spacings is 0.75 of a lattice's once the lattice is lost, of water as well, and says nothing of volume.
    """
    low, high, dx = np.array([0.05, 0.03]), np.array([0.25, 0.17]), 0.02
    for kind in ("sand", "goop"):
        scene = mf.dataset.random_scenes(kind, [0], until=0.6)[0]
        scene["boundary"] = [{"shape": {"box": {"min": [0, 0], "max": [0.3, 0.5]}}}]
        block = {"box": {"min": [0.02, 0.05], "max": [0.24, 0.4]}}
        scene["fluid"] = [{"shape": block, "velocity": [1, -1, 0], "material": kind}]
        with mf.Simulation(scene) as sim:
            sim.run_until()
            inside = ((sim.positions[:, :2] > low) & (sim.positions[:, :2] < high)).all(1).sum()
        assert abs(inside * dx**2 / np.prod(high - low) - 1) < 0.1, (kind, inside)


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
    scene.boundaries.append(sphere=dict(center=(0.5, 0.3, 0), radius=0.15), side="outside")
    plan = mf.dataset.plan(scene, tmp_path / "runs", {"smoke.viscosity": [0.0, 0.001, 0.01]}, format="well")
    mf.ensemble.run(plan, table=False)
    mf.dataset.write(plan, tmp_path / "a" / "ink")
    with mf.Simulation(mf.Scene.load(plan.folder / "00000" / "scene.toml")) as sim:
        for _ in range(round(scene["time.until"] * scene["time.fps"])):
            sim.next_frame()
        grid, density, velocity = sim.grid, sim.grid["density"][0], sim.grid["velocity"][0]
    found, varied = False, []
    for split in ("train", "valid", "test"):
        with h5py.File(tmp_path / "a" / "ink" / "data" / split / "ink.hdf5") as file:
            assert file.attrs["n_trajectories"] == 1 and file.attrs["n_spatial_dims"] == 2
            assert list(file["dimensions"].attrs["spatial_dims"]) == ["x", "y"]
            frames, (nx, ny, _) = len(file["dimensions/time"]), grid.size
            field = file["t0_fields/density"]
            assert field.shape == (1, frames, nx, ny) and field.dtype == np.float32
            assert file["t1_fields/velocity"].shape == (1, frames, nx, ny, 2)
            assert list(file["scalars"].attrs["field_names"]) == ["smoke.viscosity"]
            varied.append(float(file["scalars/smoke.viscosity"][0]))
            solid = file["t0_fields/solid"]
            assert solid.shape == (1, nx, ny) and not solid.attrs["time_varying"] and 0 < solid[:].mean() < 0.3
            same = varied[-1] == 0.0 and np.array_equal(field[0, -1].T, density)
            found |= same and np.array_equal(file["t1_fields/velocity"][0, -1].transpose(1, 0, 2), velocity[..., :2])
    assert np.allclose(sorted(varied), [0, 0.001, 0.01])
    assert found, "one of the runs is that of the simulation"
    del scene.boundaries[-1]
    # The ink's box is closed; without a lid and with a floor alone, other sides are open.
    def sides(scene, folder):
        scene["time.until"] = 0.02
        plan = mf.dataset.plan(scene, tmp_path / folder, {"smoke.viscosity": [0.0, 0.001, 0.01]}, format="well")
        mf.ensemble.run(plan, table=False)
        mf.dataset.write(plan, tmp_path / folder / "w")
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


def test_equal_runs_are_refused(tmp_path):
    scene = tank(**{"time.until": 0.06, "time.fps": 50})
    plan = mf.ensemble.plan(scene, tmp_path / "runs", {"title": ["a", "b", "c"]}, particles="ply")
    mf.ensemble.run(plan, table=False)
    with pytest.raises(ValueError, match="the runs 0 and 1 are equal"):
        mf.dataset.write(plan, tmp_path / "set")
    assert not (tmp_path / "set").exists()


def moves_of(runs, fluid):
    """Displacements per frame, and their changes, of all fluid particles of runs: (values, dimensions)."""
    moves = [np.diff(position[:, fluid(types)].astype(float), axis=0) for position, types in runs]
    return {"vel": flat(moves), "acc": flat([np.diff(one, axis=0) for one in moves])}


def flat(parts):
    return np.concatenate([one.reshape(-1, one.shape[-1]) for one in parts])


@pytest.mark.parametrize("name", ["WaterRamps", "MultiMaterial"])
def test_named_sets_are_written_as_gns_has_them(tmp_path, name):
    scenes = mf.dataset.named(name, runs=4, seed=1, scale=4, frames=12)
    assert [one.to_toml() for one in mf.dataset.named(name, runs=4, seed=1, scale=4, frames=12)] == [one.to_toml() for one in scenes]
    plan = mf.dataset.plan(scenes, tmp_path / "runs", format="gns")
    mf.ensemble.run(plan, table=False)
    mf.dataset.write(plan, tmp_path / "gns")
    mf.dataset.write(plan, tmp_path / "lb", format="lagrangebench")
    mf.dataset.write(plan, tmp_path / "again")
    assert (tmp_path / "gns/train.npz").read_bytes() == (tmp_path / "again/train.npz").read_bytes()

    about = json.loads((tmp_path / "gns/metadata.json").read_text())
    assert about["bounds"] == [[0.1, 0.9], [0.1, 0.9]] and about["dt"] == 0.0025 and about["sequence_length"] == 13
    assert about["default_connectivity_radius"] == 0.06 and 4 < about["num_neighbors_mean"] < 25
    for split, count in (("train", 2), ("valid", 1), ("test", 1)):
        # As the port's data_loader.py reads them.
        with np.load(tmp_path / "gns" / f"{split}.npz", allow_pickle=True) as file:
            runs = [item for _, item in file.items()]
        assert len(runs) == count
        with h5py.File(tmp_path / "lb" / f"{split}.h5") as file:
            for (position, types), group in zip(runs, file.values()):
                assert np.array_equal(position, group["position"]) and position.dtype == np.float32
                others = group["particle_type"][:]
                assert np.array_equal(others, np.where(types == 3, 1, 0) if name == "WaterRamps" else types)
                assert position.shape == (13, len(types), 2) and set(types) <= ({3, 5} if name == "WaterRamps" else {5, 6, 7})
                walls = position[:, types == 3]
                assert (walls == walls[0]).all() and walls.size == 0 or name == "WaterRamps"
        if split == "train":
            assert name == "MultiMaterial" or any((types == 3).any() for _, types in runs)
            for key, values in moves_of(runs, lambda types: types != 3).items():
                assert np.allclose(about[f"{key}_mean"], values.mean(0), rtol=1e-3, atol=1e-9)
                deviation = values.std(0)
                assert np.allclose(about[f"{key}_std"], np.where(deviation < 1e-7, 1, deviation), rtol=1e-3)
            position, types = runs[0]
            apart = np.linalg.norm(position[0][:, None] - position[0][None], axis=-1)
            near = (apart < 0.06 * (1 + 1e-5)).sum(1)[types != 3].mean() - 1
            assert abs(near - about["num_neighbors_mean"]) < 3


def test_records_of_tensorflow_have_the_positions_of_each_frame(tmp_path):
    tfrecord = pytest.importorskip("tfrecord")
    plan = mf.dataset.plan(mf.dataset.named("Sand", 3, scale=5, frames=4), tmp_path / "runs", format="tfrecord")
    mf.ensemble.run(plan, table=False)
    mf.dataset.write(plan, tmp_path / "set")
    mf.dataset.write(plan, tmp_path / "gns", format="gns")
    assert json.loads((tmp_path / "set/metadata.json").read_text())["sequence_length"] == 4
    with np.load(tmp_path / "gns/test.npz", allow_pickle=True) as file:
        position, types = file["simulation_00000"]
    read = tfrecord.tfrecord_loader(str(tmp_path / "set/test.tfrecord"), None, {"key": "int", "particle_type": "byte"}, sequence_description={"position": "byte"})
    [(context, features)] = read
    assert np.array_equal(np.frombuffer(context["particle_type"], np.int64), types) and (types == 6).all()
    frames = [np.frombuffer(one, np.float32).reshape(-1, 2) for one in np.ravel(features["position"])]
    assert np.array_equal(np.stack(frames), position)


def test_walls_that_move_have_their_places_in_each_frame(tmp_path):
    scene = mf.Scene(particle_radius=0.02, dimensions=2, solver="mls_mpm", **{"time.fps": 40, "time.until": 0.15})
    scene["domain"] = dict(min=(-0.2, -0.2), max=(1.2, 1.2))
    sway = dict(sway=dict(amplitude=(0.1, 0, 0), period=0.5))
    rock = dict(rock=dict(axis=(0, 0, 1), angle=20, period=0.6))
    scene.boundaries.append(box=dict(min=(0.1, 0.1), max=(0.9, 0.9)), motion=[sway])
    scene.boundaries.append(polygon=[(0.6, 0.2), (0.8, 0.2), (0.8, 0.4)], side="outside", motion=[rock])
    scene.boundaries.append(capsule=dict(start=(0.2, 0.6), end=(0.4, 0.7), radius=0.06), side="outside")
    scene.fluids.append(box=dict(min=(0.2, 0.15), max=(0.4, 0.4)))
    plan = mf.dataset.plan(scene, tmp_path / "runs", {"gravity[1]": [-9, -8, -7]})
    mf.ensemble.run(plan, table=False)
    mf.dataset.write(plan, tmp_path / "set")
    with h5py.File(tmp_path / "set/train.h5") as file:
        position, types = file["00000/position"][:], file["00000/particle_type"][:]
    still, moving, fluid = (position[:, types == kind].astype(float) for kind in (1, 2, 0))
    assert still.shape[1] > 10 and (still == still[0]).all()
    assert ((still > (0.13, 0.53)) & (still < (0.47, 0.77))).all()
    times = np.arange(7) / 40
    outer = moving[:, ((moving[0] < 0.1) | (moving[0] > 0.9)).any(-1)]
    assert np.allclose(outer - outer[0], (0.1 * np.sin(2 * np.pi * times / 0.5))[:, None, None] * (1, 0), atol=1e-6)
    # The polygon turns about the middle of its box.
    angles = np.radians(20) * np.sin(2 * np.pi * times / 0.6)
    inner = moving[:, ((moving[0] > 0.1) & (moving[0] < 0.9)).all(-1)] - (0.7, 0.3)
    turned = [inner[0] @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) for a in angles]
    assert inner.shape[1] == 10 and np.allclose(inner, turned, atol=1e-5)
    # Fluid keeps away from walls, which it meets.
    walls = np.concatenate([still, moving], 1)
    apart = np.linalg.norm(fluid[:, :, None] - walls[:, None], axis=-1).min((1, 2)) / 0.04
    assert apart.min() > 0.4 and apart.min() < 1.5
    about = json.loads((tmp_path / "set/metadata.json").read_text())
    assert np.allclose(about["bounds"][1], [0, 1], atol=1e-6) and abs(about["bounds"][0][0]) < 1e-6 and about["bounds"][0][1] > 1.09


def test_runs_of_grids_go_on_from_their_checkpoints(tmp_path):
    scene = mf.Scene.bundled("ink", **{"smoke.cell": 0.1, "time.until": 0.2})
    folders = []
    for name in ("a", "b"):
        plan = mf.dataset.plan(scene, tmp_path / name, {"smoke.viscosity": [0.0, 0.001, 0.01]}, format="well")
        if name == "b":
            # Ends in the midst of a run, as a worker that dies.
            keep, seen = mf.dataset._well._keep, []

            def fail(sim, work):
                if len(seen) == 5:
                    raise KeyboardInterrupt
                seen.append(sim.frame)
                keep(sim, work)

            mf.dataset._well._keep = fail
            try:
                with pytest.raises(KeyboardInterrupt):
                    mf.ensemble.run(plan, every=2, table=False)
            finally:
                mf.dataset._well._keep = keep
            assert (plan.folder / "00000/work/checkpoint").exists() and not plan.is_finished(0)
        rows = mf.ensemble.run(plan, every=2, table=False)
        assert [row["smoke.viscosity"] for row in rows] == [0.0, 0.001, 0.01] and not any(row["error"] for row in rows)
        assert sorted(path.name for path in plan.path(0).iterdir())[-1] == "report.json"
        mf.dataset.write(plan, tmp_path / f"{name}.set" / "ink")
        folders.append(tmp_path / f"{name}.set" / "ink" / "data")
    for split in ("train", "valid", "test"):
        assert len({(folder / split / "ink.hdf5").read_bytes() for folder in folders}) == 1
