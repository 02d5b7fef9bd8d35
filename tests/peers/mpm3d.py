"""Times material points against Taichi's example mpm3d, in turn, and prints a table in Markdown.

    python -m venv peers && peers/bin/pip install taichi==1.7.4
    cargo build --release --bin meniscus
    peers/bin/python tests/peers/mpm3d.py --meniscus target/release/meniscus

Taichi's example has a block of weakly compressible water, four particles a cell, that falls in a box of --cells³ nodes;
meniscus runs `mls_mpm` with a block of as many particles, eight a cell and so half as large, that falls in the same box. Steps are those of either program. Run it on an idle machine. Taichi's file is read from the installed
package; only its number of cells and the start of Taichi are replaced.
"""

import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
# Steps that are not measured, and those that are.
WARM_UP, STEPS = 20, 100

# The block's corner is that of mpm3d.
SCENE = """solver = "mls_mpm"
particle_radius = {radius}
[mpm]
cell = {cell}
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.15, 0.15, 0.15], max = [{end}, {end}, {end}] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }}
"""


def taichi_steps(arch, threads, cells):
    """Particle-steps a second of mpm3d; in a process of its own, since Taichi starts once."""
    import taichi

    source = pathlib.Path(taichi.__file__).parent / "examples/simulation/mpm3d.py"
    start = f"ti.init(arch=ti.{arch}, cpu_max_num_threads={threads})"
    text = re.sub(r"^ti\.init\(.*\)$", start, source.read_text(), flags=re.MULTILINE)
    text = re.sub(r"^dim, n_grid.*$", f"dim, n_grid, steps, dt = 3, {cells}, 25, {0.0128 / cells}", text, flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        # Taichi reads the source of its kernels from a file.
        (pathlib.Path(folder) / "example.py").write_text(text.split("def main")[0].split("if __name__")[0])
        sys.path.insert(0, folder)
        import example

        example.init()
        for count in (WARM_UP, STEPS):
            begin = time.perf_counter()
            for _ in range(count):
                example.substep()
            taichi.sync()
            elapsed = time.perf_counter() - begin
    return STEPS * example.n_particles / elapsed, example.n_particles


def meniscus_steps(program, cells, count):
    """Particle-steps a second of meniscus, with about as many particles, and the adapter."""
    with tempfile.TemporaryDirectory() as folder:
        scene, file = pathlib.Path(folder) / "scene.toml", pathlib.Path(folder) / "profile.json"
        cell = 1.0 / cells
        end = 0.15 + cell * (count / 8) ** (1 / 3)
        scene.write_text(SCENE.format(radius=cell / 4, cell=cell, end=end))
        command = [program, "profile", scene, "--steps", STEPS, "--json", file]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"error: {done.stderr}")
        found = json.loads(file.read_text())
    return found["particles"] / found["step_median_us"] * 1e6, found["particles"], f"{found['adapter']}, {found['driver']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meniscus", type=pathlib.Path, default=HERE.parents[1] / "target/release/meniscus",
                        help="the command meniscus")
    parser.add_argument("--arch", default="cpu", help="Taichi's backend: cpu, cuda, vulkan")
    parser.add_argument("--threads", type=int, default=2, help="Taichi's threads on the CPU")
    parser.add_argument("--cells", type=int, default=64, help="nodes along each axis")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program, of which the median counts")
    parser.add_argument("--taichi-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.taichi_only:
        print(json.dumps(taichi_steps(options.arch, options.threads, options.cells)))
        return
    if not options.meniscus.exists():
        sys.exit(f"error: there is no {options.meniscus}: cargo build --release --bin meniscus")
    peer, ours = [], []
    for _ in range(options.runs):
        command = [sys.executable, __file__, "--taichi-only", *[f"--{name}={getattr(options, name)}" for name in ("arch", "threads", "cells")]]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"error: Taichi failed:\n{done.stderr[-2000:]}")
        peer.append(json.loads(done.stdout.splitlines()[-1]))
        ours.append(meniscus_steps(options.meniscus, options.cells, peer[0][1]))
    rates = [[run[0] / 1e6 for run in runs] for runs in (peer, ours)]
    print(f"meniscus on {ours[0][2]}; {options.runs} runs in turn.\n")
    print("| program | particles | M particle-steps/s | median |\n|---|---|---|---|")
    for name, count, runs in [(f"Taichi, {options.arch}", peer[0][1], rates[0]), ("meniscus, mls_mpm", ours[0][1], rates[1])]:
        print(f"| {name} | {count} | {', '.join(f'{run:.3g}' for run in runs)} | {statistics.median(runs):.3g} |")
    print(f"\nmeniscus / Taichi: {statistics.median(rates[1]) / statistics.median(rates[0]):.2f}")


main()
