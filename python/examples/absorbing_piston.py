"""A piston sends waves to a wall, and takes those that come back; with "stay" it sends them out again.

    python python/examples/absorbing_piston.py [RADIUS [stay]]

Beside that of its own motion it has the velocity √(g/d) (η_due − η), which takes a long wave of the height η − η_due at its face
(Schäffer, Jakobsen 2003). What is due is its own wave and the water that it heaps in front of itself, by linear theory.
"""

import sys

import numpy as np

import meniscus_fluids as mf

DEPTH, HEIGHT, PERIOD, PERIODS, LENGTH = 0.3, 0.04, 1.2, 4, 4.0
OMEGA, G, FPS = 2 * np.pi / PERIOD, 9.81, 50
GAUGES = np.linspace(1.2, 2.4, 5)


def root(function, low, high):
    """Where an increasing function is 0."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return low


# k d of the wave and of what decays in front of the piston, and heights of both over the piston's displacement.
K = root(lambda kd: kd * np.tanh(kd) - OMEGA**2 * DEPTH / G, 0, 50)
DECAYING = [root(lambda kd: kd * np.tan(kd) + OMEGA**2 * DEPTH / G, (n - 0.5) * np.pi + 1e-9, n * np.pi) for n in range(1, 20)]
FAR = 4 * np.sinh(K) ** 2 / (2 * K + np.sinh(2 * K))
NEAR = sum(4 * np.sin(kd) ** 2 / (2 * kd + np.sin(2 * kd)) for kd in DECAYING)


def run(absorbs, radius):
    """Heights in m of the waves that leave the piston, of those that come back, and of those that leave it again."""
    scene = mf.Scene(particle_radius=radius, dimensions=2, solver="flip")
    scene["time.fps"] = FPS
    scene.fluids.append(box=dict(min=(0, 0), max=(LENGTH, DEPTH)))
    scene.boundaries.append(box=dict(min=(-0.25, 0), max=(LENGTH, 0.55)))
    scene.boundaries.append(box=dict(min=(-0.2, 0), max=(0, 0.5)), side="outside", name="piston")
    for k, x in enumerate([0.06, *GAUGES]):
        scene.probes.append(gauge=dict(name=f"gauge_{k}", at=(x, 0)))
    times, heights = [], []
    with mf.Simulation(scene) as sim:
        piston = sim.boundaries["piston"]
        start, rest, moved = piston.pose.position, sim.probes["gauge_0"], 0.0
        for frame in range(round(12.4 * FPS)):
            t = (frame + 0.5) / FPS
            share = np.clip(min(t, PERIODS * PERIOD - t) / PERIOD, 0, 1) * HEIGHT / FAR / 2
            speed = share * OMEGA * np.cos(OMEGA * t)
            if absorbs:
                due = share * (FAR * np.cos(OMEGA * t) + NEAR * np.sin(OMEGA * t))
                speed += np.sqrt(G / DEPTH) * (due - (sim.probes["gauge_0"] - rest))
            moved += speed / FPS
            piston.set_pose(start + (moved, 0, 0))
            sim.next_frame()
            times.append(sim.time)
            heights.append([sim.probes[f"gauge_{k}"] for k in range(1, len(GAUGES) + 1)])
    times, heights = np.array(times), np.array(heights)
    ways = np.exp(np.outer(GAUGES, [-1j, 1j]) * K / DEPTH)
    found = []
    for time, way in (4.0, 0), (8.0, 1), (11.2, 0):
        near = abs(times - time) < PERIOD
        wave = 4 * np.mean((heights[near] - heights[near].mean(axis=0)).T * np.exp(-1j * OMEGA * times[near]), axis=1)
        found.append(abs(np.linalg.lstsq(ways, wave, rcond=None)[0][way]))
    return found


radius = float(sys.argv[1]) if len(sys.argv) > 1 else 0.02
absorbs = "stay" not in sys.argv
out, back, again = run(absorbs, radius)
print(f"waves of {1e3 * out:.1f} mm leave the piston")
print(f"waves of {1e3 * back:.1f} mm come back from the wall")
print(f"waves of {1e3 * again:.1f} mm leave the piston again")
assert not absorbs or again < 0.25 * back, "the piston takes the waves"
