"""The periodic Navier-Stokes problems of Mosaic (github.com/pasteurlabs/mosaic), forward only, by stable fluids with viscosity.

    python python/examples/mosaic.py [--full]

Its definitions are those of ns-grid and ns-3d-grid: Taylor-Green vortices in a box of 2 pi m with periodic sides, fixed steps, and the
relative L2 error of the velocities at the end. In 2-D the exact solution is known; in 3-D its reference is spectral, as is the one here.
``--full`` runs the resolutions that Mosaic takes the seconds of as well: up to 256 squared, and 64 cubed.
"""

import pathlib
import sys
import tempfile
import time

import numpy as np

import meniscus_fluids as mf

VTI = """<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
<ImageData WholeExtent="{extent}" Origin="{low} {low} {low}" Spacing="{edge} {edge} {edge}"><Piece Extent="{extent}"><CellData>
<DataArray type="Float32" Name="velocity" NumberOfComponents="3" format="ascii">{values}</DataArray>
</CellData></Piece></ImageData></VTKFile>
"""


def points(count, dimensions):
    return np.meshgrid(*dimensions * [np.arange(count) * 2 * np.pi / count], indexing="ij")


def vortex(count, dimensions):
    """Taylor and Green's vortex at Mosaic's points: (N, N, 2) or (N, N, N, 3)."""
    x, y, *z = points(count, dimensions)
    height = np.cos(z[0]) if z else 1
    return np.stack([np.sin(x) * np.cos(y) * height, -np.cos(x) * np.sin(y) * height, *(0 * x for _ in z)], -1)


def simulate(start, viscosity, step, steps):
    """Velocities after some steps, and the seconds that they took."""
    count, dimensions = len(start), start.ndim - 1
    # Cells have Mosaic's points as their centres.
    edge = 2 * np.pi / count
    low, size = -edge / 2, [count] * dimensions + [1] * (3 - dimensions)
    values = np.zeros((*size, 3), dtype=np.float32)
    values[..., :dimensions] = start.reshape(*size, dimensions)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "start.vti"
        extent = " ".join(f"0 {cells}" for cells in size)
        text = " ".join(map(repr, values.transpose(2, 1, 0, 3).ravel().tolist()))
        file.write_text(VTI.format(extent=extent, low=low, edge=edge, values=text))
        scene = mf.Scene(solver="stable_fluids", dimensions=dimensions)
        scene["domain"] = dict(
            min=[low] * dimensions, max=[low + 2 * np.pi] * dimensions, periodic=[True] * dimensions + [False] * (3 - dimensions)
        )
        scene["smoke"] = dict(cell=edge, viscosity=viscosity, splitting="reflect", preconditioner="multigrid")
        scene["time"] = dict(step=step, fps=1 / step, until=steps * step)
        scene["initial"] = dict(file=str(file))
        with mf.Simulation(scene) as sim:
            begin = time.perf_counter()
            sim.step(steps)
            velocity = sim.grid["velocity"]
            seconds = time.perf_counter() - begin
    velocity = velocity if dimensions == 3 else velocity[0]
    return velocity.transpose(*reversed(range(dimensions)), dimensions)[..., :dimensions], seconds


def spectral(start, viscosity, step, steps):
    """The same by Fourier's series, Runge and Kutta's fourth order and two thirds of the waves: 2e-4 from Mosaic's reference."""
    count = len(start)
    waves = np.array(np.meshgrid(*3 * [np.fft.fftfreq(count, 1 / count)], indexing="ij"))
    square = (waves**2).sum(0)
    kept = (np.abs(waves) < count / 3).all(0)
    decay = np.exp(-viscosity * square * step / 2)

    def change(velocity):
        real = np.fft.ifftn(velocity, axes=(1, 2, 3)).real
        gradient = np.fft.ifftn(1j * waves[:, None] * velocity, axes=(2, 3, 4)).real
        carried = -np.fft.fftn(np.einsum("jxyz,jixyz->ixyz", real, gradient), axes=(1, 2, 3)) * kept
        return carried - waves * (waves * carried).sum(0) / np.maximum(square, 1)

    velocity = np.fft.fftn(np.moveaxis(start, -1, 0), axes=(1, 2, 3))
    for _ in range(steps):
        a = step * change(velocity)
        b = step * change(decay * (velocity + a / 2))
        c = step * change(decay * velocity + b / 2)
        d = step * change(decay * (decay * velocity + c))
        velocity = decay**2 * (velocity + a / 6) + decay * (b + c) / 3 + d / 6
    return np.moveaxis(np.fft.ifftn(velocity, axes=(1, 2, 3)).real, 0, -1)


def error(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


def main(full):
    print("forward/agreement, 2-D: 64 x 64, 20 steps of 0.05 s")
    for viscosity in (0.001, 0.005, 0.01, 0.02, 0.05) if full else (0.001, 0.05):
        start = vortex(64, 2)
        found, seconds = simulate(start, viscosity, 0.05, 20)
        print(f"  viscosity {viscosity}: error {error(found, start * np.exp(-2 * viscosity)):.1e}, {seconds:.2f} s")
    print("forward/agreement, 3-D: 16 x 16 x 16, 50 steps of 0.01 s")
    for viscosity in (0.001, 0.01, 0.05) if full else (0.01,):
        start = vortex(16, 3)
        found, seconds = simulate(start, viscosity, 0.01, 50)
        print(f"  viscosity {viscosity}: error {error(found, spectral(start, viscosity, 0.01, 50)):.1e}, {seconds:.2f} s")
    if full:
        for dimensions, steps, counts in ((2, 100, (64, 128, 192, 256)), (3, 50, (16, 32, 48, 64))):
            print(f"cost/spatial_cost, {dimensions}-D: {steps} steps of 0.01 s, viscosity 0.01")
            for count in counts:
                start = vortex(count, dimensions)
                found, seconds = simulate(start, 0.01, 0.01, steps)
                if dimensions == 2:
                    exact = start * np.exp(-2 * 0.01 * 0.01 * steps)
                else:
                    # At the points that all resolutions have.
                    found = found[tuple(3 * [slice(None, None, count // 16)])]
                    exact = spectral(vortex(16, 3), 0.01, 0.01, steps)
                print(f"  {count}: error {error(found, exact):.1e}, {seconds:.2f} s")


if __name__ == "__main__":
    main("--full" in sys.argv[1:])
