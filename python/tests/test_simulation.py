"""Runs, arrays, pictures, checkpoints."""

import warnings
import csv
import subprocess
import threading

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import COMMAND, tank


def test_arrays_are_of_one_state_and_kept_until_the_next_step(sim):
    count = len(sim)
    assert sim.positions.shape == sim.velocities.shape == (count, 3)
    assert sim.positions.dtype == sim.velocities.dtype == np.float32
    assert (np.diff(sim.ids.astype(int)) > 0).all() and (sim.materials == 0).all()
    assert sim.positions is sim.positions and not sim.positions.flags.writeable
    before = sim.positions
    sim.step(3)
    assert sim.positions is not before and (sim.positions != before).any()


def test_files_of_the_command_have_the_bits_of_arrays(tmp_path):
    until = 0.1
    run = ["run", "dam_break", "--set", "particle_radius=0.08", "--until", str(until), "--particles", "csv", "--quiet"]
    subprocess.run([*COMMAND, *run, "--out", str(tmp_path)], check=True)
    sim = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.08))
    for frame in range(7):
        sim.run_until(frame / 60)
        with open(tmp_path / f"particles_{frame:05}.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        column = lambda *names: np.array([[row[name] for name in names] for row in rows], np.float32)
        assert (sim.ids == [int(row["id"]) for row in rows]).all()
        assert (sim.positions == column("x", "y", "z")).all()
        assert (sim.velocities == column("vx", "vy", "vz")).all()
        assert (sim.densities == column("density")[:, 0]).all()


def test_foam_has_the_bits_of_files_and_the_counts_of_the_report(tmp_path):
    keys = {"particle_radius": 0.08, "foam.amount": 20.0}
    until = 1.0
    run = ["run", "dam_break", *(word for key, value in keys.items() for word in ("--set", f"{key}={value}"))]
    run += ["--until", str(until), "--foam", "csv", "--quiet", "--out", str(tmp_path)]
    subprocess.run([*COMMAND, *run], check=True)
    sim = mf.Simulation(mf.Scene.bundled("dam_break", **keys))
    assert len(sim.foam) == 0 and sim.foam.positions.shape == (0, 3)
    sim.run_until(until)
    foam = sim.foam
    assert sim.foam is foam and not foam.positions.flags.writeable
    with open(tmp_path / "foam_00060.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    column = lambda *names: np.array([[row[name] for name in names] for row in rows], np.float32)
    assert len(foam) > 100 and (foam.ids == [int(row["id"]) for row in rows]).all()
    assert (np.diff(foam.ids.astype(int)) > 0).all()
    assert (foam.positions == column("x", "y", "z")).all()
    assert (foam.velocities == column("vx", "vy", "vz")).all()
    assert (foam.kinds == column("kind")[:, 0]).all() and (foam.ages == column("age")[:, 0]).all()
    counts = sim.report.foam
    assert [(foam.kinds == kind).sum() for kind in (foam.SPRAY, foam.FOAM, foam.BUBBLE)] == list(counts[:3])
    assert counts.born - counts.died == len(foam)


def test_a_scene_without_foam_says_how_to_get_some(sim):
    assert sim.report.foam is None
    with pytest.raises(ValueError, match="foam.enabled"):
        sim.foam


def test_quantities_are_in_the_order_of_ids(sim):
    assert sim.quantities["pressure"].unit == "Pa"
    assert (sim["pressure"] == sim.pressures).all()
    assert np.allclose(sim["speed"], np.linalg.norm(sim.velocities, axis=1), rtol=1e-6)
    with pytest.raises(ValueError, match="unknown quantity `presure`"):
        sim["presure"]


def test_the_report_agrees_with_the_arrays(sim):
    report = sim.report
    assert report.particles == len(sim) and report.time == sim.time and report.steps == sim.steps
    # Sums of 100 particles in 32-bit floats.
    assert np.allclose(report.center_of_mass, sim.positions.mean(axis=0, dtype=float), atol=1e-5)
    speeds = np.linalg.norm(sim.velocities.astype(float), axis=1)
    assert np.isclose(report.kinetic_energy, 0.5 * report.mass * (speeds**2).mean(), rtol=1e-5)


def test_a_picture_is_an_array_and_a_file(tmp_path):
    sim = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.1))
    image = sim.render(tmp_path / "dam.png", size=(96, 64))
    assert image.shape == (64, 96, 3) and image.dtype == np.uint8 and image.std() > 5
    assert (tmp_path / "dam.png").read_bytes().startswith(b"\x89PNG")
    # Another place of the camera shows another picture.
    assert (sim.render(size=(96, 64), camera=dict(eye=(5, 3, 8), target=(1, 1, 0))) != image).any()


def test_a_resumed_simulation_has_the_same_bits(tmp_path, sim):
    sim.save(tmp_path / "state")
    again = mf.Simulation.resume(tank(), tmp_path / "state")
    for one in (sim, again):
        one.run_until(0.1)
    assert again.time == sim.time and (again.positions == sim.positions).all()
    with pytest.raises(ValueError, match="another scene"):
        mf.Simulation.resume(tank(particle_radius=0.03), tmp_path / "state")


def test_a_checkpoint_of_the_command_goes_on(tmp_path):
    tank().save(tmp_path / "tank.toml")
    run = ["run", str(tmp_path / "tank.toml"), "--until", "0.05", "--checkpoint", str(tmp_path / "state"), "--quiet"]
    subprocess.run([*COMMAND, *run], check=True)
    scene = mf.Scene.load(tmp_path / "tank.toml")
    whole, rest = mf.Simulation(scene), mf.Simulation.resume(scene, tmp_path / "state")
    assert rest.time == 0.05
    for one in (whole, rest):
        one.run_until(0.1)
    assert (whole.positions == rest.positions).all()


def test_simulations_in_threads_have_the_bits_of_those_alone():
    alone = mf.Simulation(tank())
    alone.run_until(0.1)
    both = [mf.Simulation(tank()) for _ in range(2)]
    threads = [threading.Thread(target=one.run_until, args=(0.1,)) for one in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in both:
        assert one.time == alone.time and (one.positions == alone.positions).all()


def test_steps_in_any_number_give_the_same_bits():
    one, other = mf.Simulation(tank()), mf.Simulation(tank())
    one.step(40)
    for count in (1, 2, 7, 30):
        other.step(count)
    assert one.steps == other.steps == 40 and (one.positions == other.positions).all()


def test_threads_take_turns(sim):
    failures = []

    def work():
        try:
            for _ in range(5):
                sim.step(2)
                assert np.isfinite(sim["speed"]).all()
        except Exception as error:
            failures.append(error)

    before = sim.steps
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and sim.steps == before + 30


def test_other_threads_run_while_the_device_works(sim):
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(sim.scene.name)

    thread = threading.Thread(target=tick)
    thread.start()
    sim.run_until(0.3)
    done.set()
    thread.join()
    assert len(ticks) >= 5


def test_wrong_arguments_are_refused(sim, tmp_path):
    for count, error in [(-1, ValueError), (2**32, ValueError), (2.5, TypeError), ("2", TypeError)]:
        with pytest.raises(error):
            sim.step(count)
    with pytest.raises(ValueError, match="time is nan"):
        sim.run_until(float("nan"))
    with pytest.raises(TypeError, match="expected the name of a quantity"):
        sim[0]
    with pytest.raises(TypeError, match="not iterable"):
        list(sim)
    with pytest.raises(OSError, match="no_such"):
        mf.Simulation.resume(tank(), tmp_path / "no_such")
    with pytest.raises(OSError, match="cannot write"):
        sim.save(tmp_path / "no folder" / "state")
    with pytest.raises(mf.SceneError) as caught:
        mf.Simulation(mf.Scene())
    assert [one.line for one in caught.value.problems] == [None, None]
    assert str(caught.value).startswith("material: no material")


def test_a_closed_simulation_says_so(sim):
    positions = sim.positions
    sim.close()
    assert np.isfinite(positions).all() and "closed" in repr(sim)
    for use in (lambda: sim.step(), lambda: sim.positions, lambda: sim.time):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_energy_that_grows_is_warned_of_once_and_the_viscosity_is_told():
    keys = {
        "dimensions": 2, "particle_radius": 0.02, "time.fps": 20.0, "gravity": [0.0, -9.81, 0.0],
        "fluid": [{"shape": {"box": {"min": [0.0, 0.0], "max": [0.8, 0.4]}}}],
        "boundary": [{"shape": {"box": {"min": [0.0, 0.0], "max": [0.8, 0.8]}}}],
    }
    boiling = mf.Scene(solver="muller", kernel="muller", material=[{"name": "water", "viscosity": 0.001}], **keys)
    with mf.Simulation(boiling) as sim, warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for _ in range(20):
            sim.next_frame()
        assert sim.report.viscosity == {"water": pytest.approx(0.001)}
    assert [w.category for w in found if "more than at the start" in str(w.message)] == [RuntimeWarning]
    # What a field has brought is not from nowhere.
    with mf.Simulation(boiling) as sim, warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        sim.add_force(uniform={"acceleration": [0.1, 0.0]})
        for _ in range(20):
            sim.next_frame()
    assert not [w for w in found if "more than at the start" in str(w.message)]
    plain = mf.Scene(solver="wcsph", material=[{"name": "water"}], **keys)
    with mf.Simulation(plain) as sim:
        used = sim.report.viscosity["water"]
    assert used > 1.0 and plain["material.water.viscosity"] == used
