"""Times meniscus against SPlisHSPlasH and splashsurf on the same scenes, and prints a table in Markdown.

    python -m venv peers && peers/bin/pip install pysplishsplash==2.19.0 pysplashsurf==0.14.1.0
    cargo build --release --bin meniscus
    peers/bin/python tests/peers/compare.py --meniscus target/release/meniscus

Run it on an idle machine: OpenMP, which SPlisHSPlasH uses, loses most beside other work. The programs run in turn, and
each figure is the median of `--runs` runs. It replaces the OpenGL libraries in the wheel of pysplishsplash, which
crash on import, by links to the system's (Debian: libopengl0, libglx0, libglu1-mesa).
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

HERE = pathlib.Path(__file__).parent
SITE = pathlib.Path(sysconfig.get_paths()["purelib"])
# Seconds of a simulation at steps of 2 ms; steps of the scenes with more particles.
WHOLE, QUICK = (1.0, 12), (0.02, 3)


def mend_wheel():
    """Links the wheel's OpenGL libraries to the system's."""
    for name, number in [("GLU", 1), ("GLX", 0), ("GLdispatch", 0), ("OpenGL", 0)]:
        system = located(f"lib{name}.so.{number}")
        for bundled in (SITE / "pysplishsplash.libs").glob(f"lib{name}-*"):
            if not bundled.is_symlink():
                bundled.unlink()
                bundled.symlink_to(system)


def located(library):
    """Path of a system library, from the linker's cache."""
    lines = subprocess.run(["ldconfig", "-p"], check=True, capture_output=True, text=True).stdout.splitlines()
    found = [line.split()[-1] for line in lines if line.split()[:1] == [library] and "x86-64" in line]
    if not found:
        sys.exit(f"error: {library} is not installed, which pysplishsplash needs")
    return found[0]


def run(command, **environment):
    """Standard output of a command; stops with its errors if it fails."""
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def splishsplash(scene, until, threads):
    """Times of the steps in s. The first step is left out: it includes the set-up."""
    text = run([sys.executable, HERE / "splishsplash.py", scene, "--until", until], OMP_NUM_THREADS=str(threads))
    return json.loads(text.splitlines()[-1])["steps"][1:]


def profile(options, scene, *arguments):
    """The measurements of `meniscus profile`."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "profile.json"
        run([options.meniscus, "profile", scene, *arguments, "--json", file])
        return json.loads(file.read_text())


def scene_of_peer(folder, name, **configuration):
    """A variant of DamBreakModel.json, written into a folder, with these values of its configuration."""
    source = pathlib.Path(sys.prefix) / "bin/data/Scenes/DamBreakModel.json"
    if not source.exists():
        sys.exit(f"error: {source} is missing: is pysplishsplash installed in this environment?")
    scene = json.loads(source.read_text())
    solver = scene["Configuration"].get("DFSPH", {})
    solver.update(configuration.pop("DFSPH", {}))
    scene["Configuration"].update(configuration, cflMethod=0, DFSPH=solver)
    for body in scene["RigidBodies"]:
        body["geometryFile"] = str((source.parent / body["geometryFile"]).resolve())
    file = pathlib.Path(folder) / f"{name}.json"
    file.write_text(json.dumps(scene))
    return file


def cases(options, folder):
    """Rows of the table: description, unit, and functions that measure one run of the peer with a number of threads
    (None without a peer) and of meniscus."""
    until, steps = QUICK if options.quick else WHOLE
    dfsph = {"maxError": 0.01}

    def whole(scene, until, dt):
        def ours():
            command = [options.meniscus, "run", scene, "--solver", "dfsph", "--until", until]
            for setting in [f"time.step={dt}", "time.fps=50", "dfsph.max_error=0.01"]:
                command += ["--set", setting]
            begin = time.perf_counter()
            run(command)
            return time.perf_counter() - begin

        return lambda threads: sum(splishsplash(scene, until, threads)), ours

    def step(scene, dt, *arguments):
        ours = lambda: profile(options, scene, "--set", f"time.step={dt}", "--steps", steps, *arguments)["step_median_us"] / 1e3
        return lambda threads: 1e3 * statistics.median(splishsplash(scene, dt * (steps + 3), threads)), ours

    def surface(fineness):
        particles = pathlib.Path(folder) / "surface"
        if not particles.exists():
            run([options.meniscus, "run", "dam_break", "--until", "0.001", "--particles", "csv", "--out", particles])
        file = sorted(particles.rglob("*.csv"))[0]
        peer = [sys.executable, HERE / "splashsurf.py", file, "--radius", "0.0125", "--cube", 1 / fineness, "--runs", 1]
        ours = ["--steps", 2, "--surface", "--surface-fineness", fineness]
        return (lambda threads: 1e3 * json.loads(run(peer, RAYON_NUM_THREADS=str(threads)).splitlines()[-1])["seconds"][0],
                lambda: profile(options, "dam_break", *ours)["surface"]["median_us"] / 1e3)

    coarse = scene_of_peer(folder, "coarse", timeStepSize=0.002, DFSPH=dfsph)
    wcsph = scene_of_peer(folder, "wcsph", particleRadius=0.0105, timeStepSize=0.0002, simulationMethod=0)
    limited = {**dfsph, "maxIterations": 2, "maxIterationsV": 2}
    deep = scene_of_peer(folder, "deep", particleRadius=0.0105, timeStepSize=0.001, DFSPH=dfsph)
    fine = scene_of_peer(folder, "dfsph", particleRadius=0.0105, timeStepSize=0.001, DFSPH=limited)
    yield f"DamBreakModel, DFSPH, steps of 2 ms, {until} s simulated", "s", *whole(coarse, until, 0.002)
    yield "the same at a radius of 0.0105, WCSPH, a step of 0.2 ms", "ms", *step(wcsph, 0.0002, "--solver", "wcsph")
    yield "the same, DFSPH, 0.04 s in steps of 1 ms from rest", "s", *whole(deep, 0.04, 0.001)
    yield "the same, DFSPH, at most 2 iterations, a step of 1 ms", "ms", *step(
        fine, 0.001, "--solver", "dfsph", "--set", "dfsph.max_iterations=2")
    yield "dam_break, Müller, a step", "ms", None, lambda: profile(
        options, "dam_break", "--solver", "muller", "--steps", steps)["step_median_us"] / 1e3
    yield "its surface, cube of a radius", "ms", *surface(1)
    yield "its surface, cube of half a radius", "ms", *surface(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meniscus", type=pathlib.Path, default=HERE.parents[1] / "target/release/meniscus",
                        help="the command meniscus")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program, of which the median counts")
    parser.add_argument("--quick", action="store_true", help="short runs, to try the script")
    options = parser.parse_args()
    if not options.meniscus.exists():
        sys.exit(f"error: there is no {options.meniscus}: cargo build --release --bin meniscus")
    mend_wheel()
    adapter = profile(options, "dam_break", "--set", "particle_radius=0.05", "--steps", 1)
    print(f"{datetime.date.today()}, meniscus on {adapter['adapter']} ({adapter['driver']}), medians of {options.runs} runs.\n")
    print("| work | peer, 1 thread | 2 threads | meniscus | peer with 2 threads / meniscus |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for work, unit, peer, ours in cases(options, folder):
            figures = {"one": [], "two": [], "meniscus": []}
            for _ in range(options.runs):
                if peer:
                    figures["one"].append(peer(1))
                    figures["two"].append(peer(2))
                figures["meniscus"].append(ours())
            medians = {name: statistics.median(values) for name, values in figures.items() if values}
            cells = [f"{medians[name]:.3g} {unit}" if name in medians else "" for name in figures]
            ratio = f"{medians['two'] / medians['meniscus']:.2f}" if peer else ""
            print(f"| {work} | {' | '.join(cells)} | {ratio} |", flush=True)


main()
