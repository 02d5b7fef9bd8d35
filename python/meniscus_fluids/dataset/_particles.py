"""Data sets of particles: what of a scene can be written, statistics, and the files of three formats."""

from __future__ import annotations

import json
import os
import pathlib
import zipfile
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from .._scene import Scene
from ..ensemble import Plan
from ._distinct import Distinct
from ._solids import Places, Solid

#: Numbers of neighbours on a lattice that learned simulators work with.
FEWEST, MOST = 4, 25
#: Types of particles of Sanchez-Gonzalez et al. 2020. Further materials take what is free in both formats.
_TYPES = {None: 5, "water": 5, "sand": 6, "paste": 7}
_FURTHER = (8, 4, 0, 7, 6, 5)
_OBSTACLE = 3
#: Types of LagrangeBench: a single fluid, walls that stand still, and that move.
_FLUID, _STILL, _MOVING = 0, 1, 2


def get(scene: Scene, key: str) -> Optional[Any]:
    """Value of a key that may have none."""
    try:
        return scene[key]
    except KeyError:
        return None


class Case:
    """A run's scene as a data set of particles can have it; what it cannot have is an error."""

    def __init__(self, plan: Plan, index: int, connectivity_radius: Optional[float] = None) -> None:
        self.index = index
        self.scene = scene = Scene.load(plan.folder / plan.runs[index]["folder"] / "scene.toml")
        self.dim = scene["dimensions"]
        for key in ("body", "emitter", "drain", "source"):
            if scene[key]:
                raise self._error(f"a data set of fluid particles cannot have [[{key}]]")
        if scene["worlds"] > 1:
            raise self._error("a data set has a run for each world: worlds must be 1")
        fps, radius = scene["time.fps"], scene["particle_radius"]
        if round(scene["time.until"] * fps) < 2:
            raise self._error("too few frames, 3 are the least: a longer time.until, or a larger time.fps")
        #: Types of the format's materials by their numbers in the scene, of those that the fluids have.
        self.types = self._types()
        bounds, periodic = self._bounds()
        spacing = 2 * radius
        step = get(scene, "time.step")
        every = 1 if step is None else max(1, round(1 / (fps * step)))
        # About 1.5 dx, as the public sets have, to two digits.
        reach = float(f"{1.45 * spacing:.1e}") if connectivity_radius is None else connectivity_radius
        around = lattice_neighbors(reach / spacing, self.dim)
        if not FEWEST <= around <= MOST:
            raise self._error(
                f"a connectivity radius of {reach} m has {around} neighbours of particles {spacing:.3g} m apart; "
                f"learned simulators work with {FEWEST} to {MOST}"
            )
        self.metadata: Dict[str, Any] = {
            "case": scene["title"] or "meniscus",
            "solver": scene["solver"],
            "dim": self.dim,
            "dx": spacing,
            # Of adaptive steps, only the frames are regular.
            "dt": 1 / (fps * every),
            "t_end": scene["time.until"],
            "write_every": every,
            "periodic_boundary_conditions": periodic,
            # Those of all positions where no wall at rest says them.
            "bounds": bounds,
            "default_connectivity_radius": reach,
            "particle_types": {scene["material"][number]["name"]: kind for number, kind in self.types.items()},
        }

    def _error(self, text: str) -> ValueError:
        return ValueError(f"run {self.index}: {text}")

    def _types(self) -> Dict[int, int]:
        materials = self.scene["material"]
        names = [one["name"] for one in materials]
        used = {one.get("material", names[0]) for one in self.scene["fluid"]}
        # All that the scene lists, so that runs without one of them have the same types.
        types: Dict[int, int] = {}
        for number, one in enumerate(materials):
            free = [kind for kind in (_TYPES.get(one.get("model")), *_FURTHER) if kind not in (None, *types.values())]
            if not free:
                raise self._error(f"{len(names)} materials are more than there are types of particles")
            types[number] = free[0]
        return types if len(names) > 1 else {number: kind for number, kind in types.items() if names[number] in used}

    def _bounds(self) -> Tuple[Optional[List[List[float]]], List[bool]]:
        """The box around the fluid if it stands still, and which axes are periodic; the other solids become particles."""
        domain = get(self.scene, "domain") or {}
        periodic = domain.get("periodic", [False] * 3)[: self.dim]
        try:
            solids = [Solid(one, number, self.dim) for number, one in enumerate(self.scene["boundary"])]
        except ValueError as error:
            raise self._error(str(error)) from None
        containers = [solid for solid in solids if solid.is_container]
        if not containers and all(periodic):
            box = [list(pair) for pair in zip(domain["min"][: self.dim], domain["max"][: self.dim])]
        elif len(containers) != 1 or any(periodic):
            raise self._error("expected a single [[boundary]] around the fluid, or a periodic domain")
        elif "box" in containers[0].boundary["shape"] and not containers[0].moves:
            box = [list(pair) for pair in zip(containers[0].low.tolist(), containers[0].high.tolist())]
            solids.remove(containers[0])
        else:
            box = None
        self._solids = [(solid, solid.particles(2 * self.scene["particle_radius"])) for solid in solids]
        return box, periodic

    def walls(self, places: Places, frames: int) -> Tuple[np.ndarray, np.ndarray]:
        """Positions of the solids' particles, (frames, particles, dimensions), and whether each moves."""
        parts = [places.trajectory(self.scene, solid, points, frames) for solid, points in self._solids]
        moves = [np.full(len(points), solid.moves) for solid, points in self._solids]
        none = np.zeros((frames, 0, self.dim))
        return np.concatenate([none, *parts], 1).astype(np.float32), np.concatenate([np.zeros(0, dtype=bool), *moves])

    def compare(self, other: "Case") -> None:
        for key, value in self.metadata.items():
            if value != other.metadata[key] and key != "case":
                raise self._error(f"all runs of a data set have one {key}: {value!r} is not {other.metadata[key]!r}")


def check(plan: Plan, connectivity_radius: Optional[float]) -> List[Case]:
    """The runs' cases, if a data set can have all of them."""
    cases = [Case(plan, index, connectivity_radius) for index in range(len(plan))]
    for case in cases[1:]:
        case.compare(cases[0])
    return cases


def lattice_neighbors(reach: float, dim: int) -> int:
    """Number of points of a cubic lattice within ``reach`` spacings of one of them."""
    axis = np.arange(-int(reach) - 1, int(reach) + 2)
    squares = sum(part**2 for part in np.meshgrid(*dim * [axis]))
    return int((squares <= reach**2 * (1 + 1e-9)).sum()) - 1


def write(
    plan: Plan, parts: Dict[str, List[int]], folder: pathlib.Path, format: str, connectivity_radius: Optional[float]
) -> None:
    """Writes finished runs in one of the formats of particles."""
    cases = check(plan, connectivity_radius)
    for index in range(len(plan)):
        if not plan.is_finished(index):
            raise ValueError(f"{plan.folder}: the run {index} is not finished")
    distinct = Distinct()
    for index in range(len(plan)):
        files = _frames(plan.path(index))
        distinct.add(index, (path.read_bytes() for path in (files[0], files[-1])))
    case, places, writer = cases[0], Places(), _WRITERS[format]
    statistics = _Statistics(case.metadata["bounds"], case.metadata["periodic_boundary_conditions"])
    frames, most, low, high = 0, 0, np.inf, -np.inf
    folder.mkdir(parents=True, exist_ok=True)

    def runs(indices: Sequence[int], is_train: bool) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
        nonlocal frames, most, low, high
        for index in indices:
            position, materials = _trajectory(plan.path(index), case.dim)
            if frames and len(position) != frames:
                raise ValueError(f"run {index} has {len(position)} frames, others have {frames}")
            frames = len(position)
            walls, moves = cases[index].walls(places, frames)
            fluid = position.shape[1]
            position = np.concatenate([position, walls], 1)
            if is_train:
                statistics.add(position, fluid, case.metadata["default_connectivity_radius"])
            most = max(most, position.shape[1])
            low, high = np.minimum(low, position.min((0, 1))), np.maximum(high, position.max((0, 1)))
            types = np.array([case.types[number] for number in materials], dtype=np.int64)
            yield position, writer.types(types, moves, len(case.types))

    for split, indices in parts.items():
        writer.write(folder, split, runs(indices, split == "train"))
    about = {**case.metadata, **statistics.metadata(), "num_particles_max": most}
    about["bounds"] = about["bounds"] or [list(pair) for pair in zip(low.tolist(), high.tolist())]
    about = writer.metadata(about, frames, {split: len(indices) for split, indices in parts.items()})
    partial = folder / "metadata.json.partial"
    partial.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, folder / "metadata.json")


_Runs = Iterator[Tuple[np.ndarray, np.ndarray]]


class _LagrangeBench:
    """LagrangeBench (Toshev et al. 2023): a file of HDF5 for each split, with a group for each run."""

    @staticmethod
    def types(materials: np.ndarray, moves: np.ndarray, kinds: int) -> np.ndarray:
        fluid = materials if kinds > 1 else np.full(len(materials), _FLUID)
        return np.concatenate([fluid, np.where(moves, _MOVING, _STILL)]).astype(np.int32)

    @staticmethod
    def write(folder: pathlib.Path, split: str, runs: _Runs) -> None:
        import h5py

        path = folder / f"{split}.h5"
        partial = path.with_name(path.name + ".partial")
        with h5py.File(partial, "w", libver="earliest") as file:
            for number, (position, types) in enumerate(runs):
                group = file.create_group(f"{number:05d}")
                group.create_dataset("particle_type", data=types, track_times=False)
                group.create_dataset("position", data=position, compression="gzip", track_times=False)
        os.replace(partial, path)

    @staticmethod
    def metadata(about: Dict[str, Any], frames: int, counts: Dict[str, int]) -> Dict[str, Any]:
        if len(about["particle_types"]) == 1:
            about["particle_types"] = dict.fromkeys(about["particle_types"], _FLUID)
        about["particle_types"] = {**about["particle_types"], "wall": _STILL, "moving wall": _MOVING}
        for split in ("train", "test"):
            about[f"sequence_length_{split}"] = frames - 1
            about[f"num_trajs_{split}"] = counts[split]
        return about


class _Gns:
    """The port of GNS to PyTorch (Kumar, Vantassel 2023): an archive of NumPy for each split, with an array for each run."""

    @staticmethod
    def types(materials: np.ndarray, moves: np.ndarray, kinds: int) -> np.ndarray:
        return np.concatenate([materials, np.full(len(moves), _OBSTACLE)]).astype(np.int64)

    @staticmethod
    def write(folder: pathlib.Path, split: str, runs: _Runs) -> None:
        path = folder / f"{split}.npz"
        partial = path.with_name(path.name + ".partial")
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, run in enumerate(runs):
                # What np.savez_compressed writes, one run at a time and without the date.
                both = np.empty(2, dtype=object)
                both[:] = run
                entry = zipfile.ZipInfo(f"simulation_{number:05d}.npy")
                entry.compress_type = zipfile.ZIP_DEFLATED
                with archive.open(entry, "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, both, allow_pickle=True)
        os.replace(partial, path)

    @staticmethod
    def metadata(about: Dict[str, Any], frames: int, counts: Dict[str, int]) -> Dict[str, Any]:
        # Its roll-outs compare all frames of a file with this number.
        about["sequence_length"] = frames
        about["dt"] *= about["write_every"]
        about["particle_types"] = {**about["particle_types"], "obstacle": _OBSTACLE}
        return about


class _TfRecord(_Gns):
    """The format of Sanchez-Gonzalez et al. 2020: a record of TensorFlow for each run."""

    @staticmethod
    def write(folder: pathlib.Path, split: str, runs: _Runs) -> None:
        from tfrecord import TFRecordWriter

        path = folder / f"{split}.tfrecord"
        partial = path.with_name(path.name + ".partial")
        writer = TFRecordWriter(str(partial))
        try:
            for number, (position, types) in enumerate(runs):
                context = {"key": (number, "int"), "particle_type": (types.tobytes(), "byte")}
                writer.write(context, {"position": ([frame.tobytes() for frame in position], "byte")})
        finally:
            writer.close()
        os.replace(partial, path)

    @staticmethod
    def metadata(about: Dict[str, Any], frames: int, counts: Dict[str, int]) -> Dict[str, Any]:
        # The first frame is there for the first velocity alone.
        return {**_Gns.metadata(about, frames, counts), "sequence_length": frames - 1}


_WRITERS: Dict[str, Any] = {"lagrangebench": _LagrangeBench, "gns": _Gns, "tfrecord": _TfRecord}
FORMATS = tuple(_WRITERS)


class _Statistics:
    """Means and standard deviations of displacements from frame to frame, and of their changes; of all particles of train alike."""

    def __init__(self, bounds: Any, periodic: Sequence[bool]) -> None:
        edges = np.array([high - low for low, high in bounds or [[0, 1]] * len(periodic)])
        self._period = np.where(periodic, edges, np.inf)
        self._moments: List[List[np.ndarray]] = []
        self._counts: List[int] = []
        self._neighbors: List[float] = []

    def add(self, position: np.ndarray, fluid: int, radius: float) -> None:
        """Adds a run's particles, of which the first ``fluid`` are no walls."""
        move = self._short(np.diff(position[:, :fluid].astype(np.float64), axis=0))
        moments = []
        for values in (move, np.diff(move, axis=0)):
            moments += [values.mean((0, 1)), values.var((0, 1))]
        self._moments.append(moments)
        self._counts.append(fluid)
        # Of some particles in some frames: the distances of all take longer than the rest.
        for frame in position[[0, len(position) // 2, -1]]:
            some = frame[: fluid : fluid // 500 + 1]
            near = (self._short(some[:, None] - frame[None]) ** 2).sum(-1) <= (radius * (1 + 1e-5)) ** 2
            self._neighbors.append(near.sum() / len(some) - 1)

    def _short(self, way: np.ndarray) -> np.ndarray:
        """Displacements by the short way through periodic sides."""
        wrapped = np.isfinite(self._period)
        way[..., wrapped] -= self._period[wrapped] * np.round(way[..., wrapped] / self._period[wrapped])
        return way

    def metadata(self) -> Dict[str, Any]:
        about: Dict[str, Any] = {}
        for place, name in ((0, "vel"), (2, "acc")):
            means = np.stack([one[place] for one in self._moments])
            variances = np.stack([one[place + 1] for one in self._moments])
            mean = np.average(means, 0, self._counts)
            deviation = np.sqrt(np.average(variances + (means - mean) ** 2, 0, self._counts))
            about[f"{name}_mean"] = mean.tolist()
            # A learned simulator divides by it.
            about[f"{name}_std"] = np.where(deviation < 1e-7, 1.0, deviation).tolist()
        about["num_neighbors_mean"] = float(np.mean(self._neighbors))
        return about


def _frames(results: pathlib.Path) -> List[pathlib.Path]:
    """Particle files of a run in order."""
    files = sorted(results.glob("particles_*.ply"), key=lambda path: int(path.stem.split("_")[1]))
    if len(files) < 3:
        raise ValueError(f"{results}: {len(files)} frames are too few, 3 are the least")
    return files


def _trajectory(results: pathlib.Path, dim: int) -> Tuple[np.ndarray, np.ndarray]:
    """Positions of a run, (frames, particles, dimensions), and the particles' numbers of materials."""
    first, frames = None, []
    for path in _frames(results):
        table = _particles(path)
        if first is None:
            first = table
        elif not np.array_equal(first["id"], table["id"]):
            raise ValueError(f"{path}: the particles are not those of the first frame")
        frames.append(np.stack([table[axis] for axis in "xyz"[:dim]], -1))
    materials = first["material"] if "material" in first.dtype.names else np.zeros(len(first))
    return np.stack(frames).astype(np.float32), materials.astype(int)


def _particles(path: pathlib.Path) -> np.ndarray:
    """Rows of a particle file, in the order of ids."""
    head, end, body = path.read_bytes().partition(b"end_header\n")
    if not end:
        raise ValueError(f"{path}: expected a particle file of meniscus")
    words: Sequence[List[str]] = [line.split() for line in head.decode().splitlines()]
    kinds = {"uint": "<u4", "float": "<f4"}
    fields = [(line[2], kinds[line[1]]) for line in words if line and line[0] == "property"]
    return np.frombuffer(body, dtype=np.dtype(fields))
