"""Batches: many copies of a scene in one step."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._region import Region
from ._scene import Scene
from ._simulation import Pose, Simulation, State, _whole


@dataclasses.dataclass(frozen=True)
class BatchReport:
    """Sums over the fluid of each world, in SI units."""

    time: float
    #: (n,)
    mass: np.ndarray
    #: (n,)
    kinetic_energy: np.ndarray
    #: (n, 3)
    momentum: np.ndarray
    #: (n, 3)
    center_of_mass: np.ndarray
    #: (n, 3)
    bounds_min: np.ndarray
    #: (n, 3)
    bounds_max: np.ndarray
    #: (n,)
    max_speed: np.ndarray


class Batch:
    """``n`` worlds: copies of a scene that do not meet and advance by the same steps.

    A step costs as many dispatches as one world's. Arrays have the world as their first axis. With ``time.step`` and fixed numbers of
    iterations each world has the bits of its run alone; adaptive steps are the shortest that a world needs, and iterations end by the mean
    of all.
    """

    def __init__(self, scene: Scene, n: int, adapter: Union[None, int, str] = None) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"expected a Scene, not {type(scene).__name__}: Scene.load(path) reads one")
        n = _whole("n", n)
        if n == 0:
            raise ValueError("n is 0, expected at least 1")
        scene = scene.copy()
        scene["worlds"] = n
        #: The simulation of all worlds, for steps, quantities and checkpoints; its solids are those of the first world.
        self.simulation = Simulation(scene, adapter)
        self._masses = np.array(self.simulation._native.worlds()[1])
        self._n = n

    def __len__(self) -> int:
        return self._n

    # It is no sequence: its length is the number of worlds.
    __iter__ = None

    @property
    def time(self) -> float:
        """Simulated time in s."""
        return self.simulation.time

    def step(self, count: int = 1) -> None:
        """Makes ``count`` steps."""
        self.simulation.step(count)

    def next_frame(self) -> None:
        """Runs to the end of the frame, or of the next one."""
        self.simulation.next_frame()

    def run_until(
        self, time: Optional[float] = None, progress: bool = False, each_frame: Optional[Callable[["Batch"], Any]] = None
    ) -> None:
        """Runs whole frames until ``time`` in s, the end of the scene by default; ``each_frame`` is called after each."""
        self.simulation.run_until(time, progress, None if each_frame is None else lambda _: each_frame(self))

    # Arrays.

    def _split(self, all: np.ndarray) -> np.ndarray:
        return all.reshape(self._n, -1, *all.shape[1:])

    @property
    def positions(self) -> np.ndarray:
        """(n, N, 3) float32: positions in m, in the scene's own place in each world."""
        return self._split(self.simulation.positions)

    @property
    def velocities(self) -> np.ndarray:
        """(n, N, 3) float32: velocities in m/s."""
        return self._split(self.simulation.velocities)

    @property
    def densities(self) -> np.ndarray:
        """(n, N) float32: densities in kg/m³ (kg/m² in 2-D)."""
        return self._split(self.simulation.densities)

    @property
    def pressures(self) -> np.ndarray:
        """(n, N) float32: pressures in Pa."""
        return self._split(self.simulation.pressures)

    @property
    def materials(self) -> np.ndarray:
        """(N,) uint32: numbers of the particles' materials in the scene, the same in each world."""
        return self._split(self.simulation.materials)[0]

    def __getitem__(self, name: str) -> np.ndarray:
        """(n, N) float32: a quantity of the particles."""
        return self._split(self.simulation[name])

    @property
    def report(self) -> BatchReport:
        """Energies, momentum, centre of mass of each world."""
        x, v = (np.asarray(all, np.float64) for all in (self.positions, self.velocities))
        mass = np.broadcast_to(self._masses[self.materials], x.shape[:2])
        total = mass.sum(axis=1)
        speed2 = (v * v).sum(axis=2)
        sums = [(mass[:, :, None] * all).sum(axis=1) for all in (x, v)]
        return BatchReport(
            time=self.time,
            mass=total,
            kinetic_energy=0.5 * (mass * speed2).sum(axis=1),
            momentum=sums[1],
            center_of_mass=sums[0] / total[:, None],
            bounds_min=x.min(axis=1),
            bounds_max=x.max(axis=1),
            max_speed=np.sqrt(speed2.max(axis=1)),
        )

    def set_particles(self, positions: Any = None, velocities: Any = None) -> None:
        """Moves the fluid of all worlds: (n, N, 3) positions in m, velocities in m/s, or both."""
        count = len(self.simulation) // self._n
        rows = [self._rows(name, all, (count, 3)) for name, all in (("positions", positions), ("velocities", velocities))]
        self.simulation.set_particles(*(None if all is None else all.reshape(-1, 3) for all in rows))

    def set(self, key: str, values: Any) -> None:
        """Changes a number of the scene in each world from the next step on: "gravity", (n, 3) in m/s². One row stands for all worlds.

        It is part of a state, and stays when a world is reset.
        """
        if key != "gravity":
            raise ValueError(f"{key!r} is the same in all worlds: only \"gravity\" can differ; simulation.set sets others for all")
        self.simulation._native.set_gravities(self._rows(key, values, (3,)).tolist())

    def reset(self, mask: Union[None, Sequence[bool], np.ndarray] = None) -> None:
        """Puts worlds back to their start, all or those with True in ``mask`` (n,); nothing is compiled, and the others keep their bits.

        Time goes on, and so do motions of the scene; solids that :meth:`set_pose` moved are back at their first place.
        """
        chosen = np.ones(self._n, bool) if mask is None else np.asarray(mask)
        if chosen.shape != (self._n,) or chosen.dtype != np.bool_:
            raise ValueError(f"mask: expected {self._n} of True and False, not an array of {chosen.dtype} of shape {chosen.shape}")
        self.simulation._cache.clear()
        self.simulation._native.reset_worlds(np.flatnonzero(chosen).tolist())

    def state(self) -> State:
        """All that the worlds go on from, in memory."""
        return self.simulation.state()

    def restore(self, state: State) -> None:
        """Goes back to a state of this batch, or of another one of the scene with as many worlds."""
        self.simulation.restore(state)

    def render(self, path: Union[None, str, "os.PathLike[str]"] = None, *, world: int = 0, **options: Any) -> np.ndarray:
        """A picture of a world, as :meth:`Simulation.render` makes it; there are no views surface and splats."""
        return self.simulation.render(path, world=world, **options)

    # Solids.

    def _rows(self, name: str, values: Any, shape: Tuple[int, ...]) -> Optional[np.ndarray]:
        if values is None:
            return None
        array = np.asarray(values, dtype=np.float64)
        if array.shape not in (shape, (self._n, *shape)):
            raise ValueError(f"{name}: expected an array of shape {(self._n, *shape)}, or {shape} for all worlds, not {array.shape}")
        return np.broadcast_to(array, (self._n, *shape))

    def _solid(self, name: str) -> List[int]:
        found = self.simulation._native.solids_in_worlds(name)
        if found is None:
            known = ", ".join(repr(known) for known, *_ in self.simulation._native.solids()) or "none has a name"
            raise KeyError(f"there is no body or boundary {name!r}: {known}")
        return found

    def pose(self, name: str) -> Pose:
        """Where a body or boundary is: positions (n, 3) in m, quaternions (n, 4) as (w, x, y, z)."""
        found = self.simulation._native.places(self._solid(name))
        return Pose(np.array([place for place, _ in found]), np.array([turn for _, turn in found]))

    def set_pose(
        self, name: str, positions: Any, quaternions: Any = None, velocities: Any = None, angular_velocities: Any = None
    ) -> None:
        """Moves a fixed or driven solid in the next frame: (n, 3) positions in m, (n, 4) quaternions (w, x, y, z).

        The velocities are the frame's means if they are not given. One row stands for all worlds.
        """
        numbers = self._solid(name)
        positions = self._rows("positions", positions, (3,))
        turns = self._rows("quaternions", (1.0, 0.0, 0.0, 0.0) if quaternions is None else quaternions, (4,))
        moves = self._rows("velocities", velocities, (3,))
        spins = self._rows("angular_velocities", angular_velocities, (3,))
        for world, number in enumerate(numbers):
            v, w = (None if all is None else all[world].tolist() for all in (moves, spins))
            self.simulation._native.steer(number, positions[world].tolist(), turns[world].tolist(), v, w)

    def region(self, solid: Optional[str] = None, **shape: Any) -> Region:
        """The fluid of each world within a shape, as :meth:`Simulation.region`."""
        return Region(self.simulation, lambda: None if solid is None else self.pose(solid), shape, (self._n,))

    def push(self, name: str, forces: Any, torques: Any = None) -> None:
        """Forces in N (n, 3) and torques in N m on a body that moves freely, from the next step until the next call."""
        numbers = self._solid(name)
        forces = self._rows("forces", forces, (3,))
        torques = self._rows("torques", (0.0, 0.0, 0.0) if torques is None else torques, (3,))
        for number, force, torque in zip(numbers, forces, torques):
            self.simulation._native.push(number, force.tolist(), torque.tolist())

    def _forces(self, name: str) -> np.ndarray:
        self._solid(name)
        found = self.simulation._native.forces_in_worlds(name)
        if found is None:
            raise ValueError(
                f"forces on {name!r} are not measured: those on bodies are, and on boundaries with response.particles"
            )
        return np.array(found)

    def force(self, name: str) -> np.ndarray:
        """(n, 3): mean force of the fluid in N on a body or boundary in the frame."""
        return self._forces(name)[:, 0]

    def torque(self, name: str) -> np.ndarray:
        """(n, 3): mean torque of the fluid in N m about its centre in the frame."""
        return self._forces(name)[:, 1]

    # Closing.

    def close(self) -> None:
        """Frees the memory on the GPU."""
        self.simulation.close()

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Batch of {self._n} worlds: {self.simulation!r}>"
