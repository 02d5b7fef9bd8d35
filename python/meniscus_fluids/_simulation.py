"""Simulations: steps, arrays, bodies, pictures."""

from __future__ import annotations

import base64
import dataclasses
import operator
import os
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._progress import Progress
from ._region import Region
from ._scene import Scene, _rows, _shaped
from ._surface import Surface

Path = Union[str, "os.PathLike[str]"]
Vector = Sequence[float]


class Quantity(NamedTuple):
    """A number of each particle, or of each cell of a grid."""

    unit: str
    help: str
    of: str


@dataclasses.dataclass(frozen=True)
class Loop:
    """Iterations of a loop of the solver in the current frame; residuals in percent."""

    iterations: int
    not_converged: int
    residual_mean: float
    residual_max: float
    #: After each of the first 127 iterations of the last step; none after a state was restored.
    residuals: Tuple[float, ...]


class FoamReport(NamedTuple):
    """Numbers of particles of foam by kind, and of births and deaths since the start."""

    spray: int
    foam: int
    bubbles: int
    born: int
    died: int


@dataclasses.dataclass(frozen=True)
class Report:
    """Sums over the fluid, in SI units; errors of density and of volume in percent."""

    time: float
    frame: int
    steps: int
    dt: float
    particles: int
    lost: int
    left: int
    mass: float
    kinetic_energy: float
    potential_energy: float
    momentum: np.ndarray
    angular_momentum: np.ndarray
    center_of_mass: np.ndarray
    bounds_min: np.ndarray
    bounds_max: np.ndarray
    max_speed: float
    density_error_mean: float
    density_error_max: float
    smoke: float
    divergence: float
    #: Share of the particles nearer than half a spacing to another one; None without SPH.
    close: Optional[float]
    #: Of each material in Pa s, that of the method where the scene gives none.
    viscosity: Dict[str, float]
    loops: Dict[str, Loop]
    #: None in a scene without foam.
    foam: Optional[FoamReport]

    @classmethod
    def _of(cls, values: Dict[str, Any]) -> "Report":
        loops = {name: Loop(**{**one, "residuals": tuple(one["residuals"])}) for name, one in values.pop("loops").items()}
        foam = values.pop("foam")
        arrays = {k: np.array(v) for k, v in values.items() if isinstance(v, list)}
        return cls(**{**values, **arrays, "loops": loops, "foam": foam and FoamReport(*foam)})


def _whole(name: str, value: Any, most: int = 2**32 - 1) -> int:
    number = operator.index(value)
    if not 0 <= number <= most:
        raise ValueError(f"{name} is {number}, expected 0 to {most}")
    return number


def _vector(name: str, value: Any, count: int = 3) -> List[float]:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != (count,):
        raise ValueError(f"{name}: expected {count} numbers, not an array of shape {array.shape}")
    return array.tolist()


class State:
    """A simulation between two steps, in memory: :meth:`Simulation.state` makes one, and it can be pickled."""

    def __init__(self, data: Union[bytes, bytearray, memoryview]) -> None:
        self._native = _native.State(bytes(data))

    @classmethod
    def _of(cls, native: Any) -> "State":
        state = cls.__new__(cls)
        state._native = native
        return state

    @property
    def time(self) -> float:
        """Simulated time in s."""
        return self._native.clock()[0]

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._native.clock()[1]

    def bytes(self) -> bytes:
        """Bytes, of which ``State(data)`` makes it again: those of the file that :meth:`Simulation.save` writes."""
        return self._native.bytes()

    def __bytes__(self) -> bytes:
        return self._native.bytes()

    def __reduce__(self) -> Tuple[Any, ...]:
        return State, (self._native.bytes(),)

    def __repr__(self) -> str:
        return f"<State: t = {self.time:.4f} s, step {self.steps}>"


class Simulation:
    """A scene that runs on the GPU.

    Arrays are copies of one read-back, made once per state and kept until the next step; they cannot be written to. Calls
    from several threads wait for each other.
    """

    def __init__(self, scene: Scene, adapter: Union[None, int, str] = None) -> None:
        self._start(scene, adapter, None)

    def _start(self, scene: Scene, adapter: Union[None, int, str], path: Optional[str]) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"expected a Scene, not {type(scene).__name__}: Scene.load(path) reads one")
        name = None if adapter is None else str(adapter)
        self._native = _native.Simulation(scene._native, name, path)
        self._cache: Dict[Any, Any] = {}
        #: The scene as it was at the start.
        self.scene = scene.copy()
        self._frame, self._end, self._adapter, self._solver = self._native.about()

    @classmethod
    def resume(cls, scene: Scene, path: Path, adapter: Union[None, int, str] = None) -> "Simulation":
        """A simulation that goes on from a checkpoint of :meth:`save`, or of ``meniscus run --checkpoint``, with the same bits."""
        simulation = cls.__new__(cls)
        simulation._start(scene, adapter, os.fspath(path))
        return simulation

    # Time.

    @property
    def time(self) -> float:
        """Simulated time in s."""
        return self._native.clock()[0]

    @property
    def frame(self) -> int:
        """Number of the frame; frame n ends at n / fps."""
        return self._native.clock()[1]

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return self._native.clock()[2]

    @property
    def adapter(self) -> str:
        """Name of the GPU that it runs on."""
        return self._adapter

    def step(self, count: int = 1) -> None:
        """Makes ``count`` steps."""
        count = _whole("count", count)
        self._cache.clear()
        self._native.step(count)

    def next_frame(self) -> None:
        """Runs to the end of the frame, or of the next one."""
        self._cache.clear()
        self._native.next_frame()

    def run_until(
        self,
        time: Optional[float] = None,
        progress: bool = False,
        each_frame: Optional[Callable[["Simulation"], Any]] = None,
    ) -> None:
        """Runs whole frames until ``time`` in s, the end of the scene by default.

        ``progress`` shows a bar in a terminal or notebook. ``each_frame`` is called after each frame. Ctrl-C raises
        ``KeyboardInterrupt``; the simulation can go on after it.
        """
        end = self._end if time is None else float(time)
        if not np.isfinite(end):
            raise ValueError(f"time is {end}, expected a number of seconds")
        with Progress(self.time, end, progress) as bar:
            while self.time < end - 1e-6 * self._frame:
                self.next_frame()
                if each_frame is not None:
                    each_frame(self)
                bar.show(self.time, self.steps)

    # Arrays.

    def _kept(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    def _particles(self) -> Dict[str, np.ndarray]:
        def read() -> Dict[str, np.ndarray]:
            ids, positions, velocities, densities, pressures, materials = self._native.particles()
            return {
                "ids": np.frombuffer(ids, np.uint32),
                "positions": np.frombuffer(positions, np.float32).reshape(-1, 3),
                "velocities": np.frombuffer(velocities, np.float32).reshape(-1, 3),
                "densities": np.frombuffer(densities, np.float32),
                "pressures": np.frombuffer(pressures, np.float32),
                "materials": np.frombuffer(materials, np.uint32),
            }

        return self._kept("particles", read)

    @property
    def positions(self) -> np.ndarray:
        """(N, 3) float32: positions in m of the fluid's particles, in the order of :attr:`ids`."""
        return self._particles()["positions"]

    @property
    def velocities(self) -> np.ndarray:
        """(N, 3) float32: velocities in m/s."""
        return self._particles()["velocities"]

    @property
    def ids(self) -> np.ndarray:
        """(N,) uint32: numbers of the particles, ascending; each keeps its own, new ones get the next."""
        return self._particles()["ids"]

    @property
    def densities(self) -> np.ndarray:
        """(N,) float32: densities in kg/m³ (kg/m² in 2-D)."""
        return self._particles()["densities"]

    @property
    def pressures(self) -> np.ndarray:
        """(N,) float32: pressures in Pa."""
        return self._particles()["pressures"]

    @property
    def materials(self) -> np.ndarray:
        """(N,) uint32: numbers of the particles' materials in the scene."""
        return self._particles()["materials"]

    @property
    def foam(self) -> "Foam":
        """Foam, spray and bubbles, of a scene that has some."""

        def read() -> "Foam":
            found = self._native.foam()
            if found is None:
                raise ValueError('the scene has no foam: scene["foam.enabled"] = True gives it some')
            return Foam(*found)

        return self._kept("foam", read)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def quantities(self) -> Dict[str, Quantity]:
        """What ``simulation[name]`` gives, with unit and meaning."""
        of = {True: "particles", False: "cells"}
        return {name: Quantity(unit, help, of[is_particle]) for name, unit, help, is_particle in self._native.quantities()}

    # It is no sequence: its length is the number of particles.
    __iter__ = None

    def __getitem__(self, name: str) -> np.ndarray:
        """(N,) float32: a quantity of the particles in the order of :attr:`ids`, or of the cells without solids."""
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a quantity, as in simulation['speed'], not {name!r}")
        return self._kept(("quantity", name), lambda: np.frombuffer(self._native.quantity(name), np.float32))

    @property
    def grid(self) -> "Grid":
        """Fields on the cells of grids and smoke."""
        return self._kept("grid", lambda: Grid(*self._native.cells()))

    @property
    def report(self) -> Report:
        """Energies, momentum, centre of mass, errors of the current state."""
        return self._kept("report", lambda: Report._of(self._native.report()))

    @property
    def probes(self) -> Dict[str, float]:
        """Values of the scene's probes by name; NaN where there is no fluid."""
        return self._kept("probes", lambda: {name: value for name, value, _ in self._native.probes()})

    # Solids and forces.

    @property
    def bodies(self) -> "Solids":
        """Rigid bodies by name."""
        return Solids(self, True)

    @property
    def joints(self) -> Dict[str, "Joint"]:
        """Joints and mooring lines by name, with what they carry in this frame."""
        return {name: Joint(self, name, *found) for name, *found in self._native.joints()}

    @property
    def boundaries(self) -> "Solids":
        """Boundaries that have a name, by it."""
        return Solids(self, False)

    def set(self, key: str, value: Any) -> None:
        """Changes a key from the next step on: gravity, time.cfl, time.max_step, properties of materials, keys of methods."""
        self._native.set(key, value)

    def add_force(self, **force: Any) -> "ForceField":
        """Adds a force field: ``uniform=dict(acceleration=(1, 0, 0))``, or ``attract``, ``rotation``, ``wind``."""
        kind, values = _one(force)
        return ForceField(self, self._native.set_force(kind, values))

    # Results.

    def surface(
        self,
        anisotropic: bool = False,
        smoothing: int = 0,
        fineness: int = 1,
        value: Optional[float] = None,
        velocities: bool = False,
        material: Optional[int] = None,
    ) -> Surface:
        """The fluid's surface as triangles: ``fineness`` 1 to 4, ``smoothing`` up to 32 iterations (Taubin)."""
        fineness, smoothing = _whole("fineness", fineness), _whole("smoothing", smoothing)
        number = None if material is None else _whole("material", material)
        made = self._native.surface(fineness, value, anisotropic, smoothing, velocities, number)
        return Surface._of(*made)

    def render(
        self,
        path: Optional[Path] = None,
        *,
        size: Tuple[int, int] = (1280, 720),
        camera: Optional[Mapping[str, Any]] = None,
        view: Optional[str] = None,
        color: Optional[str] = None,
        range: Optional[Tuple[float, float]] = None,
        legend: bool = True,
        boundaries: bool = True,
        world: int = 0,
    ) -> np.ndarray:
        """A picture, (height, width, 3) uint8; written to ``path`` (.png) as well if there is one.

        ``camera`` is a dict of ``eye`` and ``target`` in m and ``fov`` in degrees, each of which may be left out; ``view`` is
        surface, particles, splats, screen_space, or slice and smoke; ``color`` a quantity; ``world`` the number of one of several.
        """
        if path is not None and not os.fspath(path).lower().endswith(".png"):
            raise ValueError(f"{os.fspath(path)}: expected a file that ends in .png")
        width, height, pixels = self._picture(size, camera, view, color, range, legend, boundaries, world)
        if path is not None:
            _native.write_png(os.fspath(path), width, height, pixels)
        return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)

    def _picture(
        self,
        size: Tuple[int, int] = (640, 360),
        camera: Optional[Mapping[str, Any]] = None,
        view: Optional[str] = None,
        color: Optional[str] = None,
        range: Optional[Tuple[float, float]] = None,
        legend: bool = True,
        boundaries: bool = True,
        world: int = 0,
    ) -> Tuple[int, int, bytes]:
        options = dict(camera or {})
        eye, target, fov = (options.pop(key, None) for key in ("eye", "target", "fov"))
        if options:
            raise ValueError(f"camera: unknown {', '.join(options)}; it has eye, target, fov")
        eye, target = (None if at is None else _vector("camera", at) for at in (eye, target))
        width, height = _size(size)
        ends = None if range is None else [float(end) for end in range]
        if ends is not None and not (len(ends) == 2 and ends[0] < ends[1]):
            raise ValueError("range: expected two numbers, the smaller one first")
        worlds = self._native.worlds()[0]
        pixels = self._native.picture(
            [width, height], view, color, ends, eye, target, fov, legend, boundaries, _whole("world", world, worlds - 1)
        )
        return width, height, pixels

    def film(
        self,
        path: Optional[Path] = None,
        *,
        until: Optional[float] = None,
        fps: float = 30.0,
        size: Tuple[int, int] = (640, 360),
        progress: bool = False,
        **options: Any,
    ) -> "Film":
        """Runs until a time in s, the end of the scene by default, and films it; a notebook shows the film.

        ``path`` is a file .gif, .mp4 or .webp, the last two by ffmpeg; without it the film is a GIF in memory. ``fps`` is the
        number of pictures per second of simulated time, at most one a frame of the scene; ``options`` are those of
        :meth:`render`.
        """
        if not (np.isfinite(fps) and fps > 0.0):
            raise ValueError(f"fps is {fps}, expected a number greater than 0")
        every = max(1, round(1.0 / (self._frame * fps)))
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "film.gif") if path is None else os.fspath(path)
            film = _native.Film(file, _size(size), 1.0 / (self._frame * every))
            first = self.frame

            def shoot(simulation: "Simulation") -> None:
                if (simulation.frame - first) % every == 0:
                    film.add(simulation._picture(size, **options)[2])

            shoot(self)
            self.run_until(until, progress, shoot)
            written = film.finish()
            if path is not None:
                return Film(str(written), None)
            with open(written, "rb") as gif:
                return Film(None, gif.read())

    def save(self, path: Path) -> None:
        """Writes a checkpoint, from which :meth:`resume` goes on."""
        self._native.save(os.fspath(path))

    def state(self) -> State:
        """The state between two steps: particles, solids and their loads, gravity, solver; not targets of the next frame."""
        return State._of(self._native.state())

    def restore(self, state: State) -> None:
        """Goes on from a state of this or another simulation of the same scene, with the same bits.

        What :meth:`set` has changed apart from gravity stays, and so do force fields.
        """
        if not isinstance(state, State):
            raise TypeError(f"expected a State, not {type(state).__name__}: State(data) makes one of its bytes")
        self._cache.clear()
        self._native.restore(state._native)

    def set_particles(self, positions: Any = None, velocities: Any = None, ids: Any = None) -> None:
        """Gives particles other positions in m and velocities in m/s: (N, 3) arrays in the order of ``ids``, all by default.

        Neighbours and pressures begin anew; time, materials, deformations and solids stay.
        """
        numbers = None
        if ids is not None:
            numbers = np.asarray(ids)
            if numbers.ndim != 1 or not np.issubdtype(numbers.dtype, np.integer):
                raise ValueError(f"ids: expected an array of whole numbers, not {numbers.dtype} of shape {numbers.shape}")
            if len(numbers) and not (0 <= numbers.min() and numbers.max() < 2**32):
                raise ValueError("ids: expected numbers of 0 to 4294967295")
        count = len(self) if numbers is None else len(numbers)
        rows = []
        for name, values in (("positions", positions), ("velocities", velocities)):
            if values is not None:
                values = _rows(name, values)
                if len(values) != count:
                    raise ValueError(f"{name}: expected an array of shape ({count}, 3), not {values.shape}")
                values = values.tobytes()
            rows.append(values)
        self._native.set_particles(None if numbers is None else numbers.astype(np.uint32).tobytes(), *rows)
        self._cache.clear()

    def add_fluid(self, **keys: Any) -> int:
        """Adds fluid from the next step on where there is neither fluid nor a solid: ``box=dict(min=…, max=…)``, with the keys
        of ``scene.fluids.append``. The scene needs ``capacity.particles``. Returns the most particles that come of it.
        """
        count = self._native.add_fluid(_shaped(keys))
        self._cache.clear()
        return count

    def remove_fluid(self, **shape: Any) -> None:
        """Removes the fluid in a shape: ``box=dict(min=…, max=…)``. The scene needs ``capacity.particles``."""
        self._native.remove_fluid(_shaped(shape))
        self._cache.clear()

    def region(self, solid: Optional[str] = None, **shape: Any) -> Region:
        """The fluid within a shape, ``box=dict(min=…, max=…)``, which goes along with a body or boundary if it is named."""

        def pose() -> Optional[Pose]:
            if solid is None:
                return None
            one = self.bodies[solid] if solid in self.bodies else self.boundaries[solid]
            return Pose(*(own[None] for own in one.pose))

        return Region(self, pose, shape, ())

    def set_emitter(
        self,
        emitter: int,
        speed: float,
        position: Optional[Vector] = None,
        quaternion: Vector = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Lets an emitter, by its number in the scene, flow at a speed in m/s from the next step on; 0 stops it.

        Its mouth goes to the position, if there is one, turned by the quaternion from how the scene has it.
        """
        mouth = None
        if position is not None:
            mouth = (_vector("position", position), _vector("quaternion", quaternion, 4))
        self._native.set_emitter(_whole("emitter", emitter), speed, mouth)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a Simulation is on a device, and cannot be pickled or copied: save() or state() has what it is in")

    def close(self) -> None:
        """Frees the memory of the GPU; arrays that were read stay."""
        self._cache.clear()
        self._native.close()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if "_native" not in self.__dict__:
            return "<Simulation: not started>"
        if self._native.is_closed():
            return f"<Simulation of {self.scene.name!r}: closed>"
        return f"<Simulation of {self.scene.name!r} by {self._solver}: t = {self.time:.4f} s, step {self.steps}, on {self._adapter}>"


def _size(size: Tuple[int, int]) -> Tuple[int, int]:
    width, height = (int(pixels) for pixels in size)
    if not (1 <= width <= 16384 and 1 <= height <= 16384):
        raise ValueError(f"size: {width} × {height} pixels, expected 1 to 16384")
    return width, height


class Film:
    """A film: a file, or a GIF in memory. Notebooks show it."""

    def __init__(self, path: Optional[str], gif: Optional[bytes]) -> None:
        #: Path of the file; of a folder of pictures if ffmpeg is missing.
        self.path = path
        #: Bytes of the GIF, without a file.
        self.gif = gif

    def save(self, path: Path) -> None:
        """Writes a GIF that is in memory to a file."""
        if self.gif is None:
            raise ValueError(f"the film is in {self.path}")
        with open(path, "wb") as file:
            file.write(self.gif)

    def _repr_html_(self) -> Optional[str]:
        gif = self.gif
        if gif is None and self.path is not None and self.path.endswith(".gif"):
            with open(self.path, "rb") as file:
                gif = file.read()
        if gif is None:
            return None
        return f'<img src="data:image/gif;base64,{base64.b64encode(gif).decode()}">'

    def __repr__(self) -> str:
        return f"<Film: {self.path}>" if self.gif is None else f"<Film: {len(self.gif)} bytes of GIF>"


def _one(force: Dict[str, Any]) -> Tuple[str, Any]:
    if len(force) != 1:
        raise ValueError("expected one force field, as in uniform=dict(acceleration=(1, 0, 0))")
    return next(iter(force.items()))


class Grid(Mapping[str, np.ndarray]):
    """Fields at the centres of a grid's cells: arrays of shape (nz, ny, nx), or (nz, ny, nx, 3) of vectors."""

    def __init__(self, low: List[float], edge: float, size: List[int], fields: List[Tuple[str, int, bytes]]) -> None:
        #: Lowest corner of the box in m.
        self.low = np.array(low)
        #: Edge of a cell in m.
        self.edge = edge
        #: Numbers of cells along x, y, z.
        self.size = tuple(size)
        shape = tuple(reversed(self.size))
        self._fields = {
            name: np.frombuffer(values, np.float32).reshape(shape + ((count,) if count > 1 else ()))
            for name, count, values in fields
        }

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._fields:
            raise KeyError(f"there is no field {name!r}: {', '.join(self._fields)}")
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"<Grid of {' × '.join(map(str, self.size))} cells of {self.edge:.4g} m: {', '.join(self._fields)}>"


class Foam:
    """Foam, spray and bubbles in the order of :attr:`ids`; arrays cannot be written to."""

    #: Values of :attr:`kinds`.
    SPRAY, FOAM, BUBBLE = 0, 1, 2

    def __init__(self, ids: bytes, positions: bytes, velocities: bytes, kinds: bytes, ages: bytes) -> None:
        #: (M,) uint32: numbers of the particles by birth, ascending; each keeps its own.
        self.ids = np.frombuffer(ids, np.uint32)
        #: (M, 3) float32: positions in m.
        self.positions = np.frombuffer(positions, np.float32).reshape(-1, 3)
        #: (M, 3) float32: velocities in m/s.
        self.velocities = np.frombuffer(velocities, np.float32).reshape(-1, 3)
        #: (M,) uint32: what each is, SPRAY, FOAM or BUBBLE.
        self.kinds = np.frombuffer(kinds, np.uint32)
        #: (M,) float32: times since birth in s.
        self.ages = np.frombuffer(ages, np.float32)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        spray, foam, bubbles = ((self.kinds == kind).sum() for kind in (self.SPRAY, self.FOAM, self.BUBBLE))
        return f"<Foam: {spray} spray, {foam} foam, {bubbles} bubbles>"


class Solids(Mapping[str, "Solid"]):
    """Solids of a simulation by name."""

    def __init__(self, simulation: Simulation, bodies: bool) -> None:
        self._word = "body" if bodies else "boundary with a name"
        self._all = {
            name: Solid(simulation, name, number, is_free)
            for name, number, is_body, is_free in simulation._native.solids()
            if is_body == bodies
        }

    def __getitem__(self, name: str) -> "Solid":
        if name not in self._all:
            known = ", ".join(repr(known) for known in self._all) or "there is none"
            raise KeyError(f"there is no {self._word} {name!r}: {known}")
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"<{list(self._all.values())!r}>"


class Pose(NamedTuple):
    """Position in m of the centre (of mass, of bodies), and rotation from its own axes as a quaternion (w, x, y, z)."""

    position: np.ndarray
    quaternion: np.ndarray


class Solid:
    """A body or boundary of a simulation."""

    def __init__(self, simulation: Simulation, name: str, number: int, is_free: bool) -> None:
        self._simulation, self._number = simulation, number
        #: Name in the scene.
        self.name = name
        #: Whether forces move it.
        self.is_free = is_free

    def _place(self) -> Tuple[List[float], List[float], List[float], List[float]]:
        return self._simulation._native.place(self._number)

    @property
    def pose(self) -> Pose:
        """Where it is."""
        position, quaternion, _, _ = self._place()
        return Pose(np.array(position), np.array(quaternion))

    @property
    def velocity(self) -> np.ndarray:
        """Velocity in m/s."""
        return np.array(self._place()[2])

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocity in rad/s."""
        return np.array(self._place()[3])

    def _forces(self) -> List[np.ndarray]:
        found = self._simulation._native.forces(self.name)
        if found is None:
            raise ValueError(self._unmeasured())
        return [np.array(one) for one in found]

    def _unmeasured(self) -> str:
        return f"forces on {self.name!r} are not measured: those on bodies are, and on boundaries with response.particles"

    @property
    def force(self) -> np.ndarray:
        """Force of the fluid in N in the last step."""
        return self._forces()[0]

    @property
    def torque(self) -> np.ndarray:
        """Torque of the fluid in N m about the centre in the last step."""
        return self._forces()[1]

    def impulse(self) -> np.ndarray:
        """(6,): impulse of the fluid in N s and angular impulse in N m s since the last call, or since the start."""
        found = self._simulation._native.impulse(self.name)
        if found is None:
            raise ValueError(self._unmeasured())
        return np.array(found)

    def set_pose(
        self,
        position: Vector,
        quaternion: Vector = (1.0, 0.0, 0.0, 0.0),
        velocity: Optional[Vector] = None,
        angular_velocity: Optional[Vector] = None,
    ) -> None:
        """Moves a fixed or driven solid in the next frame: at its end it is there, with these velocities.

        The velocities are the frame's means if they are not given. A body that moves freely is pushed instead.
        """
        if self.is_free:
            raise ValueError(f"{self.name!r} moves freely: push it, or make it a body with fixed = true")
        self._simulation._native.steer(
            self._number,
            _vector("position", position),
            _vector("quaternion", quaternion, 4),
            None if velocity is None else _vector("velocity", velocity),
            None if angular_velocity is None else _vector("angular_velocity", angular_velocity),
        )

    def push(self, force: Vector, torque: Vector = (0.0, 0.0, 0.0)) -> None:
        """Force in N and torque in N m on a body that moves freely, from the next step until the next call."""
        if not self.is_free:
            raise ValueError(f"{self.name!r} does not move freely: set_pose moves it")
        self._simulation._native.push(self._number, _vector("force", force), _vector("torque", torque))

    def __repr__(self) -> str:
        x, y, z = self.pose.position
        return f"<Solid {self.name!r} at ({x:.4g}, {y:.4g}, {z:.4g}) m>"


class Joint:
    """A joint or mooring line of a simulation, as it is when asked for."""

    def __init__(self, simulation: Simulation, name: str, force: Vector, torque: Vector, way: float) -> None:
        self._simulation = simulation
        #: Name in the scene.
        self.name = name
        #: (3,): mean force in N in the frame on its first body's point.
        self.force = np.array(force)
        #: (3,): mean torque in N m in the frame on its first body, beside that of the force.
        self.torque = np.array(torque)
        #: Angle of a hinge in rad, way of a slider in m, length of a spring, rope or mooring line in m.
        self.way = way

    def drive(self, speed: float, most: float) -> None:
        """Gives a hinge or slider a motor from the next step on: rad/s and N m, or m/s and N; ``most=0`` lets it go."""
        self._simulation._native.drive(self.name, speed, most)

    def __repr__(self) -> str:
        return f"<Joint {self.name!r}: {np.linalg.norm(self.force):.4g} N, at {self.way:.4g}>"


class ForceField:
    """A force field that was added to a simulation."""

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation, self._number = simulation, number

    def set(self, **force: Any) -> None:
        """Puts another field in its place, as to move it."""
        kind, values = _one(force)
        self._simulation._native.set_force(kind, values, self._number)

    def remove(self) -> None:
        """Removes it."""
        self._simulation._native.remove_force(self._number)

    def __repr__(self) -> str:
        return f"<ForceField {self._number}>"
