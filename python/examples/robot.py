"""A paddle stirs a tank, and a boat holds its place by its thruster: each frame the program says what they do.

    python python/examples/robot.py
"""

import numpy as np

import meniscus_fluids as mf

RATE = 8.0  # of the paddle, in rad/s

scene = mf.Scene(particle_radius=0.0125, dimensions=2, solver="iisph")
scene["time.fps"] = 50
scene.fluids.append(box=dict(min=(0, 0), max=(1, 0.3)))
scene.boundaries.append(box=dict(min=(0, 0), max=(1, 0.8)))
scene.bodies.append(box=dict(min=(0.2, 0.1), max=(0.24, 0.45)), name="paddle", fixed=True)
scene.bodies.append(sphere=dict(center=(0.7, 0.31), radius=0.06), name="boat", density=400)

with mf.Simulation(scene) as sim:
    paddle, boat = sim.bodies["paddle"], sim.bodies["boat"]
    start = paddle.pose.position
    for frame in range(1, 21):
        phase = RATE * frame / 50
        # 10 cm to and fro.
        paddle.set_pose(
            start + (0.05 * (1 - np.cos(phase)), 0, 0), velocity=(0.05 * RATE * np.sin(phase), 0, 0)
        )
        # The thruster is a spring with a damper.
        away = boat.pose.position[0] - 0.7
        boat.push((-80 * away - 20 * boat.velocity[0], 0, 0))
        sim.next_frame()
        x, y, _ = boat.pose.position
        print(f"t = {sim.time:.2f} s: boat at ({x:.3f}, {y:.3f}) m, {paddle.impulse()[0]:.3f} N s/m on the paddle")
    way = paddle.pose.position[0] - start[0]
    assert abs(way - 0.05 * (1 - np.cos(0.4 * RATE))) < 1e-6, "the paddle is where it was told to be"
