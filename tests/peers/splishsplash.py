"""Runs a scene in SPlisHSPlasH and prints the times of its steps.

    python splishsplash.py SCENE.json --until SECONDS

Run it with a Python that has the package pysplishsplash. Prints one JSON object: `particles` of fluid, `seconds` from
the first step to the last, and `steps`, the seconds of each step.
"""

import argparse
import json
import tempfile
import time

import pysplishsplash as sph


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene")
    parser.add_argument("--until", type=float, required=True, help="simulated time in s")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base = sph.Exec.SimulatorBase()
        base.init(useGui=False, sceneFile=arguments.scene, outputDir=folder, initialPause=False)
        base.initSimulation()
        particles = sph.Simulation.getCurrent().getFluidModel(0).numActiveParticles()
        times = [time.perf_counter()]
        base.setTimeStepCB(lambda: times.append(time.perf_counter()))
        base.setValueFloat(base.STOP_AT, arguments.until)
        base.runSimulation()
        steps = [later - earlier for earlier, later in zip(times, times[1:])]
        base.cleanup()
    print("\n" + json.dumps({"particles": particles, "seconds": times[-1] - times[0], "steps": steps}))


main()
