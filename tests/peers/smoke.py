"""Stable fluids in NumPy and SciPy, as a peer of meniscus: the same step on the same grid.

    python -m venv peers && peers/bin/pip install numpy scipy
    peers/bin/python tests/peers/smoke.py --cells 64 --iterations 50

A closed box of air with a hot source: velocities on faces, paths of third order (Ralston), cubic interpolation
(`scipy.ndimage.map_coordinates`, splines), buoyancy, and a projection by conjugate gradients with Jacobi's
preconditioner on a sparse matrix, in 32 bits, for a fixed number of iterations or, with `--error 0.1`, until the largest
error of volume in a step is that many percent of a cell, from the last step's pressure, as in meniscus. Prints the seconds
of a step, those of its advection and those of an iteration per cell. NumPy and SciPy run these on one thread.
"""

import argparse
import statistics
import time

import numpy
from scipy import ndimage, sparse

REAL = numpy.float32


def laplacian(n):
    """The matrix of the pressure's equation in a closed box of n³ cells."""
    line = sparse.diags([-numpy.ones(n - 1), numpy.ones(n), -numpy.ones(n - 1)], [-1, 0, 1], format="lil")
    line.setdiag([1.0] + [2.0] * (n - 2) + [1.0])
    one, line = sparse.identity(n), line.tocsr()
    parts = [(line, one, one), (one, line, one), (one, one, line)]
    return sum(sparse.kron(sparse.kron(a, b), c) for a, b, c in parts).tocsr().astype(REAL)


class Air:
    """Fields with indices [z, y, x]; u, v, w on faces, n + 1 along their own axis."""

    def __init__(self, n, step):
        self.n, self.edge, self.step = n, REAL(1.0 / n), REAL(step)
        shapes = [(n, n, n + 1), (n, n + 1, n), (n + 1, n, n)]
        self.faces = [numpy.zeros(shape, REAL) for shape in shapes]
        self.smoke, self.heat = numpy.zeros((n, n, n), REAL), numpy.zeros((n, n, n), REAL)
        self.shifts = [(0.5, 0.5, 0.0), (0.5, 0.0, 0.5), (0.0, 0.5, 0.5)]
        places = [numpy.indices(shape, REAL) + REAL(0.5) * 0 for shape in shapes + [(n, n, n)]]
        for place, shift in zip(places, self.shifts + [(0.5, 0.5, 0.5)]):
            place += numpy.array(shift, REAL).reshape(3, 1, 1, 1)
        self.places, center = places, places[3] * self.edge
        away = numpy.sqrt((center[0] - 0.5) ** 2 + (center[1] - 0.25) ** 2 + (center[2] - 0.5) ** 2)
        self.source = away < 0.12
        self.matrix = laplacian(n)
        self.diagonal = self.matrix.diagonal()
        self.pressure = numpy.zeros(n**3, REAL)

    def sample(self, field, shift, place, order):
        at = [place[a] - REAL(shift[a]) for a in range(3)]
        return ndimage.map_coordinates(field, at, order=order, mode="nearest", output=REAL)

    def flow(self, place):
        """Velocity in cells per step, in the order of the indices."""
        u = [self.sample(face, shift, place, 1) for face, shift in zip(self.faces, self.shifts)]
        return numpy.stack(u[::-1]) * (self.step / self.edge)

    def origin(self, place):
        first = self.flow(place)
        second = self.flow(place - REAL(0.5) * first)
        third = self.flow(place - REAL(0.75) * second)
        return place - (2 * first + 3 * second + 4 * third) / REAL(9.0)

    def advect(self):
        origins = [self.origin(place) for place in self.places]
        faces = [self.sample(f, s, at, 3) for f, s, at in zip(self.faces, self.shifts, origins)]
        self.smoke, self.heat = (self.sample(field, (0.5, 0.5, 0.5), origins[3], 3) for field in (self.smoke, self.heat))
        self.faces = faces

    def project(self, iterations, error):
        u, v, w = self.faces
        u[:, :, [0, -1]], v[:, [0, -1], :], w[[0, -1], :, :] = 0, 0, 0
        divergence = numpy.diff(u, axis=2) + numpy.diff(v, axis=1) + numpy.diff(w, axis=0)
        b = -self.edge * divergence.ravel()
        b -= b.mean()
        x = self.pressure if error else numpy.zeros_like(b)
        r = b - self.matrix @ x
        z = r / self.diagonal
        p, gamma = z, r @ z
        start = time.perf_counter()
        most = 0.01 * error * self.edge**2 / self.step
        self.iterations = 0
        while self.iterations < iterations and numpy.abs(r).max() > most:
            self.iterations += 1
            q = self.matrix @ p
            alpha = gamma / (p @ q)
            x = x + alpha * p
            r = r - alpha * q
            z = r / self.diagonal
            gamma, last = r @ z, gamma
            p = z + (gamma / last) * p
        self.solving = time.perf_counter() - start
        self.pressure = x
        x = x.reshape(self.n, self.n, self.n) / self.edge
        u[:, :, 1:-1] -= numpy.diff(x, axis=2)
        v[:, 1:-1, :] -= numpy.diff(x, axis=1)
        w[1:-1, :, :] -= numpy.diff(x, axis=0)

    def advance(self, iterations, error):
        start = time.perf_counter()
        self.smoke[self.source], self.heat[self.source] = 1.0, 60.0
        weight = REAL(-9.81) * (REAL(0.1) * self.smoke - self.heat / REAL(293.0))
        self.faces[1][:, 1:-1, :] += self.step * REAL(0.5) * (weight[:, 1:, :] + weight[:, :-1, :])
        before = time.perf_counter()
        self.advect()
        self.carrying = time.perf_counter() - before
        self.project(iterations, error)
        return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=64)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--error", type=float, default=0.0, help="largest error of volume in percent of a cell")
    parser.add_argument("--step", type=float, default=0.005, help="in s")
    parser.add_argument("--warm-up", type=int, default=1, help="steps before those that are timed")
    parser.add_argument("--steps", type=int, default=3)
    chosen = parser.parse_args()
    air = Air(chosen.cells, chosen.step)
    for _ in range(chosen.warm_up):
        air.advance(chosen.iterations, chosen.error)
    times = []
    for _ in range(chosen.steps):
        total = air.advance(chosen.iterations, chosen.error)
        cell = air.solving / max(air.iterations, 1) / chosen.cells**3 * 1e9
        times.append((total, air.carrying, air.iterations, cell))
    step, carrying, iterations, iteration = (statistics.median(column) for column in zip(*times))
    print(f"{chosen.cells}³: {step:.3f} s a step, {carrying:.3f} s of advection, {iterations:.0f} iterations, "
          f"{iteration:.1f} ns a cell and iteration")


if __name__ == "__main__":
    main()
