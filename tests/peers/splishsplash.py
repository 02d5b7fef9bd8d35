"""Height of the centre of mass and front of SPlisHSPlasH's DamBreakModel, as CSV on standard output:
solver, time / s, height / m, front / m. Used once, with version 2.19, for
tests/src/physics/splishsplash.csv; docs/validation.md says how.

    OMP_NUM_THREADS=1 python splishsplash.py DamBreakModel.json > splishsplash.csv
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import pysplishsplash as sph

# simulationMethod, time step in s.
SOLVERS = {"wcsph": (0, 0.0005), "pcisph": (1, 0.001), "iisph": (3, 0.002), "dfsph": (4, 0.002)}
END, EVERY, LEFT = 2.0, 0.02, -2.0


def record(scene, solver):
    """Runs the scene in this process; prints a row every EVERY seconds."""
    method, step = SOLVERS[solver]
    with open(scene, encoding="utf-8") as file:
        data = json.load(file)
    data["Configuration"].update(
        simulationMethod=method, timeStepSize=step, cflMethod=0, boundaryHandlingMethod=0
    )
    name = solver.upper()
    data["Configuration"][name] = {"minIterations": 2, "maxIterations": 100, "maxError": 0.01}
    if solver == "dfsph":
        data["Configuration"][name].update(maxIterationsV=100, maxErrorV=0.1, enableDivergenceSolver=True)
    if solver == "wcsph":
        data["Configuration"][name] = {"stiffness": 50000.0, "exponent": 7.0}
    folder = os.path.dirname(os.path.abspath(scene))
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder, delete=False) as file:
        json.dump(data, file)
    base = sph.Exec.SimulatorBase()
    output = tempfile.mkdtemp()
    base.init([sys.argv[0], "--no-gui", "--output-dir", output, file.name], "peer")
    rows = []

    def look():
        time = sph.TimeManager.getCurrent().getTime()
        if time + 1e-6 < len(rows) * EVERY:
            return
        model = sph.Simulation.getCurrent().getFluidModel(0)
        x = np.array([model.getPosition(i) for i in range(model.numActiveParticles())])
        rows.append((time, x[:, 1].mean(), np.quantile(x[:, 0], 0.995) - LEFT))

    base.setTimeStepCB(look)
    base.setValueFloat(base.STOP_AT, END)
    base.initSimulation()
    base.runSimulation()
    base.cleanup()
    os.unlink(file.name)
    for time, height, front in rows:
        print(f"{solver},{time:.4f},{height:.5f},{front:.5f}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        record(sys.argv[1], sys.argv[2])
    else:
        # A process each: it keeps its state in globals. Its log is on standard output.
        for solver in SOLVERS:
            child = subprocess.run(
                [sys.executable, __file__, sys.argv[1], solver], capture_output=True, text=True, check=True
            )
            print("".join(line + "\n" for line in child.stderr.splitlines() if line.startswith(solver)), end="")
