"""Batches: worlds in one step beside simulations of their own."""

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import tank


def dam(**keys):
    """A dam and a paddle, by fixed steps."""
    scene = tank(**{"time.fps": 50, "time.step": 5e-4, "wcsph.sound_speed": 30.0, **keys})
    scene.bodies.append(box=dict(min=(0.6, 0.1), max=(0.64, 0.3)), name="paddle", fixed=True)
    return scene


def push(sim, strength):
    """What makes a world differ: its fluid and its paddle move."""
    ids = np.arange(len(sim))
    sim.set_particles(velocities=np.stack([np.full(len(sim), strength), 0.001 * ids, 0 * ids], axis=1))
    sim.bodies["paddle"].set_pose((0.62 - 0.02 * strength, 0.2, 0))
    sim.next_frame()


def test_worlds_have_the_bits_of_simulations_of_their_own():
    strengths = np.array([0.0, 0.5, 1.0])
    with mf.Batch(dam(), 3) as batch:
        n, count, _ = batch.positions.shape
        assert (n, len(batch)) == (3, 3) and batch.velocities.shape == (3, count, 3)
        assert batch.densities.shape == batch.pressures.shape == batch["speed"].shape == (3, count)
        velocities = np.zeros((3, count, 3))
        velocities[:, :, 0] = strengths[:, None]
        velocities[:, :, 1] = 0.001 * np.arange(count)
        batch.set_particles(velocities=velocities)
        batch.set_pose("paddle", np.stack([0.62 - 0.02 * strengths, 0.2 + 0 * strengths, 0 * strengths], axis=1))
        batch.next_frame()
        batch.next_frame()
        report, forces = batch.report, batch.force("paddle")
        for world, strength in enumerate(strengths):
            with mf.Simulation(dam()) as sim:
                push(sim, strength)
                sim.next_frame()
                assert np.array_equal(sim.positions, batch.positions[world])
                assert np.array_equal(sim.velocities, batch.velocities[world])
                assert np.allclose(batch.pose("paddle").position[world], sim.bodies["paddle"].pose.position)
                for name in "mass", "kinetic_energy", "max_speed", "momentum", "center_of_mass", "bounds_min", "bounds_max":
                    assert np.allclose(getattr(report, name)[world], getattr(sim.report, name), rtol=1e-5, atol=1e-6), name
        assert forces.shape == batch.torque("paddle").shape == (3, 3)


def test_worlds_go_back_and_on():
    with mf.Batch(dam(), 4) as batch:
        start = batch.positions
        state = batch.state()
        batch.next_frame()
        once = batch.positions
        batch.next_frame()
        later = batch.positions
        batch.reset([False, True, False, True])
        assert np.array_equal(batch.positions[1::2], start[1::2]) and np.array_equal(batch.positions[::2], later[::2])
        batch.next_frame()
        assert np.array_equal(batch.positions[1::2], once[1::2])
        batch.restore(state)
        assert batch.time == 0 and np.array_equal(batch.positions, start)
        batch.next_frame()
        batch.reset()
        assert np.array_equal(batch.positions, start)
        seen = []
        batch.run_until(batch.time + 0.04, each_frame=lambda batch: seen.append(batch.time))
        assert len(seen) == 2


def test_worlds_have_gravities_of_their_own():
    gravities = np.array([(0, -9.81, 0), (3, -2, 0)])
    with mf.Batch(dam(), 2) as batch:
        batch.set("gravity", gravities)
        state = batch.state()
        batch.next_frame()
        for world, gravity in enumerate(gravities):
            with mf.Simulation(dam()) as sim:
                sim.set("gravity", gravity.tolist())
                sim.next_frame()
                assert np.array_equal(sim.positions, batch.positions[world])
        once = batch.positions
        batch.set("gravity", (0, -9.81, 0))
        batch.restore(state)
        batch.next_frame()
        assert np.array_equal(batch.positions, once)
        for key, values, message in [
            ("viscosity", [1, 2], "'viscosity' is the same in all worlds: only \"gravity\" can differ"),
            ("gravity", np.zeros((3, 3)), "expected an array of shape"),
            ("gravity", [(0, 0, 0), (0, float("nan"), 0)], "three finite numbers in m/s"),
            ("gravity", [(0, 0, 0), (0, 0, 1)], "leaves the plane"),
        ]:
            with pytest.raises(ValueError, match=message):
                batch.set(key, values)


def test_a_force_moves_the_ball_of_its_world():
    scene = dam()
    scene.bodies.append(sphere=dict(center=(0.8, 0.5), radius=0.06), name="ball", density=400)
    with mf.Batch(scene, 2) as batch:
        batch.push("ball", [(0, 0, 0), (40, 0, 0)])
        for _ in range(2):
            batch.next_frame()
        place = batch.pose("ball").position
        # F t² / 2 m, in air.
        way = 0.5 * 40 / (400 * np.pi * 0.06**2) * batch.time**2
        assert place[1, 0] - place[0, 0] == pytest.approx(way, rel=0.05) and abs(place[0, 0] - 0.8) < 1e-6
        with pytest.raises(ValueError, match="does not move freely"):
            batch.push("paddle", (1, 0, 0))


def test_a_picture_shows_one_world():
    with mf.Batch(dam(), 2) as batch, mf.Simulation(dam()) as alone:
        count = batch.positions.shape[1]
        velocities = np.zeros((2, count, 3))
        velocities[1, :, 0] = 1.0
        batch.set_particles(velocities=velocities)
        for sim in batch, alone:
            sim.next_frame()
        size = dict(size=(160, 96), view="particles", range=(0, 1))
        first, second, own = batch.render(**size), batch.render(world=1, **size), alone.render(**size)
        assert np.array_equal(first, own) and not np.array_equal(first, second)
        with pytest.raises(ValueError, match="world is 2"):
            batch.render(world=2)


def test_what_is_wrong_is_said_and_nothing_lost():
    with pytest.raises(ValueError, match="n is 0"):
        mf.Batch(dam(), 0)
    with pytest.raises(mf.SceneError, match="one world only"):
        mf.Batch(tank(solver="eulerian"), 2)
    with mf.Batch(dam(), 2) as batch:
        before = batch.positions
        for mask in [True], [0, 1], [True, False, True]:
            with pytest.raises(ValueError, match="mask: expected 2"):
                batch.reset(mask)
        with pytest.raises(ValueError, match=r"positions: expected an array of shape \(2, 3\)"):
            batch.set_pose("paddle", np.zeros((3, 3)))
        with pytest.raises(KeyError, match="paddle"):
            batch.pose("padle")
        with pytest.raises(ValueError, match="velocities: expected an array of shape"):
            batch.set_particles(velocities=np.zeros((2, 3, 3)))
        wrong = np.zeros((2, before.shape[1], 3))
        wrong[1, 5] = np.nan
        with pytest.raises(ValueError, match="invalid value"):
            batch.set_particles(velocities=wrong)
        with pytest.raises(ValueError, match="surface mesh"):
            batch.simulation.surface()
        assert np.array_equal(batch.positions, before)
        assert "2 worlds" in repr(batch)


def test_a_region_goes_along_with_a_solid_in_each_world():
    with mf.Batch(dam(), 2) as batch:
        whole = batch.region(box=dict(min=(-1, -1), max=(2, 2)))
        left = batch.region(box=dict(min=(-1, -1), max=(0.15, 2)))
        assert np.array_equal(whole.fraction, [1.0, 1.0])
        x = batch.positions
        counted = (x[:, :, 0] < 0.15).mean(axis=1)
        assert np.allclose(left.fraction, counted, atol=1e-12) and 0.1 < counted[0] < 0.9
        assert np.allclose(left.mass, counted * batch.report.mass)
        assert np.allclose(whole.center, batch.report.center_of_mass, atol=1e-6)
        nothing = batch.region(box=dict(min=(5, 5), max=(6, 6)))
        assert np.array_equal(nothing.mass, [0.0, 0.0]) and np.isnan(nothing.center).all()
        # It moves with the paddle of the second world, onto the water.
        there = batch.pose("paddle").position
        beside = batch.region("paddle", box=dict(min=there[0, :2] - 0.05, max=there[0, :2] + 0.05))
        before = beside.mass
        batch.set_pose("paddle", [there[0], there[1] - (0.25, 0.1, 0.0)])
        batch.next_frame()
        after = beside.mass
        assert after[0] == before[0] and after[1] > before[1]
        with pytest.raises(mf.SceneError, match="points"):
            batch.region(points=[[0.0, 0.0, 0.0]])
