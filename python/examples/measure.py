"""The front of a dam break against time, for several viscosities, as arrays.

    python python/examples/measure.py
"""

import numpy as np

import meniscus_fluids as mf

for viscosity in (0.5, 5.0, 50.0):
    scene = mf.Scene(particle_radius=0.02, dimensions=2, solver="wcsph")
    scene.materials.append(name="syrup", rest_density=1400, viscosity=viscosity)
    scene.fluids.append(box=dict(min=(0, 0), max=(0.3, 0.3)))
    scene.boundaries.append(box=dict(min=(0, 0), max=(1.2, 0.6)))
    times, fronts = [], []

    def measure(sim):
        times.append(sim.time)
        fronts.append(sim.positions[:, 0].max())

    with mf.Simulation(scene) as sim:
        sim.run_until(0.2, each_frame=measure)
    speed = np.polyfit(times[6:], fronts[6:], 1)[0]
    print(f"{viscosity:5.1f} Pa s: the front is at {fronts[-1]:.3f} m after {times[-1]:.2f} s, {speed:.2f} m/s")
