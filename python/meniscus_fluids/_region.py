"""The fluid within a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple

import numpy as np

from ._scene import _shaped

if TYPE_CHECKING:
    from ._simulation import Pose, Simulation


def _turned(quaternions: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Points (n, N, 3) turned by quaternions (n, 4) as (w, x, y, z)."""
    w, axis = quaternions[:, None, :1], quaternions[:, None, 1:]
    across = 2.0 * np.cross(axis, x)
    return x + w * across + np.cross(axis, across)


class Region:
    """The fluid within a shape, now: of a Simulation numbers, of a Batch arrays with an element for each world.

    The shape goes along with a solid if it has one, from where both are when the region is made.
    """

    def __init__(
        self, simulation: "Simulation", poses: Callable[[], Optional["Pose"]], shape: Dict[str, Any], worlds: Tuple[int, ...]
    ) -> None:
        self._simulation, self._poses, self._shape = simulation, poses, _shaped(shape)
        self._worlds = worlds
        self._first = poses()
        self._masses = np.array(simulation._native.worlds()[1])
        self.inside()

    def _places(self) -> np.ndarray:
        return np.asarray(self._simulation.positions, np.float64).reshape(*(self._worlds or (1,)), -1, 3)

    def inside(self) -> np.ndarray:
        """(N,) or (n, N) bool: which particles are within."""
        x, now = self._places(), self._poses()
        if now is not None and self._first is not None:
            back = _turned(now.quaternion * (1.0, -1.0, -1.0, -1.0), x - now.position[:, None])
            x = _turned(self._first.quaternion, back) + self._first.position[:, None]
        found = self._simulation._native.within(self._shape, np.ascontiguousarray(x).tobytes())
        return np.frombuffer(found, bool).reshape(*self._worlds, -1)

    def _mass(self) -> Tuple[np.ndarray, np.ndarray]:
        all = self._masses[self._simulation.materials].reshape(*self._worlds, -1)
        return all * self.inside(), all

    @property
    def mass(self) -> np.ndarray:
        """Mass in kg (kg/m in 2-D) within."""
        return self._mass()[0].sum(axis=-1)

    @property
    def fraction(self) -> np.ndarray:
        """Share of the fluid's mass that is within."""
        within, all = self._mass()
        return within.sum(axis=-1) / np.maximum(all.sum(axis=-1), 1e-300)

    @property
    def center(self) -> np.ndarray:
        """(3,) or (n, 3): centre of mass in m of what is within; NaN if there is nothing. Its height is the mean height there."""
        within, _ = self._mass()
        sums = (within[..., None] * self._places().reshape(*self._worlds, -1, 3)).sum(axis=-2)
        total = within.sum(axis=-1, keepdims=True)
        return np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0.0)

    def __repr__(self) -> str:
        return f"<Region {self._shape['shape']}>"
