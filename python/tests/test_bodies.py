"""Bodies, forces, and what changes while a simulation runs."""

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import tank


@pytest.fixture
def pool():
    """Water with a paddle that is steered and a boat that floats."""
    scene = mf.Scene(particle_radius=0.02, dimensions=2, solver="iisph")
    scene["time.fps"] = 50
    scene.fluids.append(box=dict(min=(0, 0), max=(1, 0.3)))
    scene.boundaries.append(box=dict(min=(0, 0), max=(1, 0.8)), name="tank")
    scene.bodies.append(box=dict(min=(0.2, 0.1), max=(0.28, 0.4)), name="paddle", fixed=True)
    scene.bodies.append(sphere=dict(center=(0.7, 0.34), radius=0.08), name="boat", density=400)
    with mf.Simulation(scene) as simulation:
        yield simulation


def test_bodies_are_steered_and_pushed(pool):
    paddle, boat = pool.bodies["paddle"], pool.bodies["boat"]
    assert list(pool.bodies) == ["paddle", "boat"] and list(pool.boundaries) == ["tank"]
    assert boat.is_free and not paddle.is_free
    start = paddle.pose.position
    half = np.deg2rad(10) / 2
    quaternion = (np.cos(half), 0, 0, np.sin(half))
    paddle.set_pose(start + (0.01, 0, 0), quaternion, velocity=(0.5, 0, 0))
    boat.push((40, 0, 0))
    pool.next_frame()
    assert np.allclose(paddle.pose.position, start + (0.01, 0, 0), atol=1e-6)
    assert np.allclose(paddle.pose.quaternion, quaternion, atol=1e-6)
    assert np.allclose(paddle.velocity, (0.5, 0, 0), atol=1e-5)
    # A mass of 8 kg/m by 40 N/m for 0.02 s: 0.1 m/s, less the water's resistance.
    assert 0.03 < boat.velocity[0] < 0.11
    with pytest.raises(ValueError, match="'boat' moves freely: push it"):
        boat.set_pose(start)
    with pytest.raises(ValueError, match="'paddle' does not move freely: set_pose"):
        paddle.push((1, 0, 0))
    with pytest.raises(ValueError, match="not finite"):
        paddle.set_pose((np.nan, 0, 0))
    with pytest.raises(ValueError, match=r"force: expected 3 numbers, not an array of shape \(2,\)"):
        boat.push((1, 0))
    with pytest.raises(KeyError, match="there is no body 'boot': 'paddle', 'boat'"):
        pool.bodies["boot"]


def test_impulses_are_those_since_the_last_call(pool):
    boat = pool.bodies["boat"]
    total = np.zeros(6)
    for _ in range(3):
        pool.step(2)
        total += boat.impulse()
    pool.run_until(0.1)
    total += boat.impulse()
    assert not boat.impulse().any()
    # Momentum: the water's impulse and gravity's make the boat's velocity.
    mass = 400 * np.pi * 0.08**2
    change = total[1] - mass * 9.81 * pool.time
    assert np.isclose(change, mass * boat.velocity[1], atol=0.02 * mass * 9.81 * pool.time)
    with pytest.raises(ValueError, match="not measured"):
        pool.boundaries["tank"].force


def test_keys_change_while_it_runs(sim):
    before = sim.report.momentum[0]
    sim.set("gravity", (20, 0, 0))
    sim.step(5)
    assert sim.report.momentum[0] > before
    sim.set("material.water.viscosity", 0.5)
    sim.set("time.cfl", 0.25)
    with pytest.raises(ValueError, match="particle_radius cannot change while the simulation runs; what can: gravity"):
        sim.set("particle_radius", 0.03)
    with pytest.raises(mf.SceneError, match="did you mean `gravity`"):
        sim.set("gravty", (0, 0, 0))
    with pytest.raises(mf.SceneError):
        sim.set("time.cfl", -1)


def test_force_fields_come_and_go():
    sim = mf.Simulation(tank(gravity=(0, 0, 0)))
    field = sim.add_force(uniform=dict(acceleration=(5, 0, 0)))
    sim.step(3)
    pushed = sim.report.momentum[0]
    assert pushed > 0
    field.set(uniform=dict(acceleration=(0, 5, 0)))
    field.remove()
    with pytest.raises(ValueError, match="has been removed"):
        field.remove()
    with pytest.raises(ValueError, match="expected one force field"):
        sim.add_force()
    for force, message in [
        (dict(uniformly=dict(acceleration=(5, 0, 0))), "did you mean `uniform`"),
        (dict(uniform=dict(acc=(5, 0, 0))), r"force\[0\]: unexpected keys in table: acc"),
        (dict(uniform=dict(acceleration=(np.nan, 0))), "must be a finite number"),
        (dict(uniform=dict(acceleration=(5, 0, 0, 0))), r"expected 3 components, not 4"),
    ]:
        with pytest.raises(mf.SceneError, match=message):
            sim.add_force(**force)
    # As in scenes, z may be left out in 2-D.
    sim.add_force(uniform=dict(acceleration=(5, 0)))


def test_joints_carry_and_are_driven():
    scene = tank()
    scene.bodies.append(box=dict(min=(0.45, 0.5), max=(0.5, 0.7)), name="arm", density=800)
    scene.joints.append(name="elbow", bodies=["arm"], kind=dict(hinge=dict(at=(0.475, 0.7), axis=(0, 0, 1))))
    sim = mf.Simulation(scene)
    elbow = sim.joints["elbow"]
    elbow.drive(speed=1.0, most=1e4)
    sim.step(3)
    elbow = sim.joints["elbow"]
    assert elbow.way == pytest.approx(sim.time, rel=0.05)
    # It carries the arm's 8 kg/m.
    assert elbow.force[1] == pytest.approx(8 * 9.81, rel=0.1)
    with pytest.raises(ValueError, match="finite speed"):
        elbow.drive(speed=float("nan"), most=1.0)
