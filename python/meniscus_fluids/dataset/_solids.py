"""Walls and obstacles as particles that the scene moves."""

from __future__ import annotations

import json
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

from .._scene import Scene
from .._simulation import Simulation

_Depth = Callable[[np.ndarray], np.ndarray]


class Solid:
    """A boundary of a scene: how deep points are in it, and particles in three layers at its surface."""

    def __init__(self, boundary: Any, number: int, dim: int) -> None:
        self.number, self.dim, self.boundary = number, dim, boundary
        self.is_container = boundary.get("side") == "inside"
        self.moves = bool(boundary["motion"]) or any(boundary["velocity"])
        [(kind, shape)] = boundary["shape"].items()
        make = getattr(self, f"_{kind}", None)
        if make is None or (kind == "polygon" and "file" in shape):
            raise ValueError(f"boundary[{number}]: a {kind} has no particles in a data set; boxes, balls, cylinders, capsules and polygons have")
        #: Depth in m in the shape, below 0 outside, and the shape's corners.
        self.depth, self.low, self.high = make(shape)

    def _vector(self, values: Any) -> np.ndarray:
        return np.array(values[: self.dim], dtype=float)

    def _box(self, shape: Any) -> Tuple[_Depth, np.ndarray, np.ndarray]:
        low, high = self._vector(shape["min"]), self._vector(shape["max"])
        return lambda points: np.minimum(points - low, high - points).min(-1), low, high

    def _sphere(self, shape: Any) -> Tuple[_Depth, np.ndarray, np.ndarray]:
        center, radius = self._vector(shape["center"]), shape["radius"]
        return lambda points: radius - np.linalg.norm(points - center, axis=-1), center - radius, center + radius

    def _capsule(self, shape: Any) -> Tuple[_Depth, np.ndarray, np.ndarray]:
        start, end, radius = self._vector(shape["start"]), self._vector(shape["end"]), shape["radius"]
        low, high = np.minimum(start, end) - radius, np.maximum(start, end) + radius
        return lambda points: radius - _distance(points, start, end), low, high

    def _cylinder(self, shape: Any) -> Tuple[_Depth, np.ndarray, np.ndarray]:
        start, end, radius = self._vector(shape["start"]), self._vector(shape["end"]), shape["radius"]
        length = np.linalg.norm(end - start)
        axis = (end - start) / length
        reach = radius * np.sqrt(np.maximum(0, 1 - axis**2))

        def depth(points: np.ndarray) -> np.ndarray:
            along = (points - start) @ axis
            across = np.linalg.norm(points - start - along[..., None] * axis, axis=-1)
            return np.minimum(radius - across, np.minimum(along, length - along))

        return depth, np.minimum(start, end) - reach, np.maximum(start, end) + reach

    def _polygon(self, shape: Any) -> Tuple[_Depth, np.ndarray, np.ndarray]:
        angle = np.radians(shape["rotation"])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        corners = np.array(shape["points"], dtype=float)[:, :2] * shape["scale"] @ turn.T + self._vector(shape["translation"])
        edges = list(zip(corners, np.roll(corners, -1, 0)))

        def depth(points: np.ndarray) -> np.ndarray:
            inside = np.zeros(points.shape[:-1], dtype=bool)
            for a, b in edges:
                if a[1] != b[1]:
                    crossing = a[0] + (points[..., 1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                    inside ^= ((points[..., 1] < a[1]) != (points[..., 1] < b[1])) & (points[..., 0] < crossing)
            away = np.min([_distance(points, a, b) for a, b in edges], 0)
            return np.where(inside, away, -away)

        return depth, corners.min(0), corners.max(0)

    def particles(self, spacing: float) -> np.ndarray:
        """Lattice of particles, three layers: inwards from the surface of an obstacle, outwards from that of a container."""
        # The outermost layer is half a spacing within.
        counts = np.maximum(1, np.round((self.high - self.low) / spacing)).astype(int)
        more = 3 if self.is_container else 0
        axes = [
            low + (np.arange(-more, count + more) + 0.5) * (high - low) / count
            for low, high, count in zip(self.low, self.high, counts)
        ]
        points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, self.dim)
        depth = self.depth(points) * (-1 if self.is_container else 1)
        return points[(depth > 0.25 * spacing) & (depth < 3 * spacing)]


def _distance(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distances from a straight line between two points."""
    way = end - start
    share = np.clip((points - start) @ way / max(way @ way, 1e-30), 0, 1)
    return np.linalg.norm(points - start - share[..., None] * way, axis=-1)


class Places:
    """Places of walls that move, frame by frame: those of a simulation of the walls alone, once for equal ones."""

    def __init__(self) -> None:
        self._known: Dict[str, Dict[int, Tuple[np.ndarray, np.ndarray]]] = {}

    def trajectory(self, scene: Scene, solid: Solid, points: np.ndarray, frames: int) -> np.ndarray:
        """Positions of a solid's particles: (frames, particles, dimensions)."""
        if not solid.moves:
            return np.repeat(points[None], frames, 0)
        turns, centers = self._of(scene, frames)[solid.number]
        turns, centers = turns[:, : solid.dim, : solid.dim], centers[:, : solid.dim]
        return np.einsum("fij,pj->fpi", turns, points - centers[0]) + centers[:, None]

    def _of(self, scene: Scene, frames: int) -> Dict[int, Tuple[np.ndarray, np.ndarray]]:
        solids = [Solid(one, number, scene["dimensions"]) for number, one in enumerate(scene["boundary"])]
        moving = [solid for solid in solids if solid.moves]
        key = json.dumps([solid.boundary for solid in moving] + [scene["time.fps"], frames])
        if key not in self._known:
            dim, radius = scene["dimensions"], scene["particle_radius"]
            # A single particle, beside them, and steps as long as a frame.
            alone = Scene(particle_radius=radius, dimensions=dim, solver="pic", gravity=(0, 0, 0))
            alone["time.fps"], alone["time.step"] = scene["time.fps"], 1 / scene["time.fps"]
            for solid in moving:
                keys = {key: solid.boundary[key] for key in ("shape", "velocity", "motion")}
                alone.boundaries.append(name=f"wall {solid.number}", side="outside", **keys)
            top = np.max([solid.high for solid in moving], 0) + 8 * radius
            alone.fluids.append(points=[[*top, 0.0][:3]])
            poses: Dict[int, List[Any]] = {solid.number: [] for solid in moving}
            with Simulation(alone) as sim:
                for frame in range(frames):
                    if frame:
                        sim.next_frame()
                    for number, found in poses.items():
                        found.append(sim.boundaries[f"wall {number}"].pose)
            self._known[key] = {
                number: (_turns(np.array([one.quaternion for one in found])), np.array([one.position for one in found]))
                for number, found in poses.items()
            }
        return self._known[key]


def _turns(quaternions: np.ndarray) -> np.ndarray:
    """Matrices of rotations (w, x, y, z)."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)
