"""Reconstructs the surface of particles with splashsurf and prints the times.

    python splashsurf.py PARTICLES.csv --radius METRES --cube RADII [--runs N]

Run it with a Python that has the packages pysplashsurf and numpy. PARTICLES.csv is written by `meniscus run --particles
csv`. Prints one JSON object: `particles`, `triangles`, and `seconds`, one number for each run.
"""

import argparse
import json
import time

import numpy
import pysplashsurf


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("particles")
    parser.add_argument("--radius", type=float, required=True, help="radius of the particles in m")
    parser.add_argument("--cube", type=float, required=True, help="edge of the mesh's cells, in radii")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    table = numpy.genfromtxt(arguments.particles, delimiter=",", names=True)
    points = numpy.stack([table[axis] for axis in "xyz"], axis=1)
    seconds, triangles = [], 0
    for _ in range(arguments.runs):
        begin = time.perf_counter()
        surface = pysplashsurf.reconstruct_surface(
            points,
            particle_radius=arguments.radius,
            smoothing_length=2.0,
            cube_size=arguments.cube,
            iso_surface_threshold=0.6,
        )
        seconds.append(time.perf_counter() - begin)
        triangles = len(surface.mesh.triangles)
    print(json.dumps({"particles": len(points), "triangles": triangles, "seconds": seconds}))


main()
