"""Meshes of the fluid's surface."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Optional, Union

import numpy as np

from . import _native


@dataclasses.dataclass(frozen=True, repr=False)
class Surface:
    """A triangle mesh; triangles are counter-clockwise as seen from outside the fluid."""

    #: (V, 3) float32: positions in m.
    vertices: np.ndarray
    #: (F, 3) uint32: three vertices of each triangle.
    faces: np.ndarray
    #: (V, 3) float32: outward unit normals.
    normals: np.ndarray
    #: (V, 3) float32: the fluid's velocity in m/s, if it was asked for.
    velocities: Optional[np.ndarray]
    #: Number of particles beyond the domain, which the surface leaves out.
    outside: int

    @classmethod
    def _of(cls, positions: bytes, normals: bytes, triangles: bytes, velocities: Optional[bytes], outside: int) -> "Surface":
        def rows(values: bytes) -> np.ndarray:
            return np.frombuffer(values, np.float32).reshape(-1, 3)

        faces = np.frombuffer(triangles, np.uint32).reshape(-1, 3)
        speeds = None if velocities is None else rows(velocities)
        return cls(rows(positions), faces, rows(normals), speeds, outside)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file: .glb, .ply, .obj or .vtp."""
        speeds = None if self.velocities is None else self.velocities.tobytes()
        _native.write_mesh(
            os.fspath(path), self.vertices.tobytes(), self.normals.tobytes(), self.faces.tobytes(), speeds
        )

    def to_trimesh(self) -> Any:
        """The mesh as a ``trimesh.Trimesh``."""
        import trimesh

        return trimesh.Trimesh(self.vertices, self.faces, vertex_normals=self.normals, process=False)

    def to_pyvista(self) -> Any:
        """The mesh as a ``pyvista.PolyData``."""
        import pyvista

        mesh = pyvista.PolyData.from_regular_faces(self.vertices, self.faces)
        mesh.point_data["normals"] = self.normals
        if self.velocities is not None:
            mesh.point_data["velocity"] = self.velocities
        return mesh

    def __repr__(self) -> str:
        return f"<Surface: {len(self.vertices)} vertices, {len(self.faces)} faces>"
