"""Data sets for learned simulators, from the runs of a plan."""

from __future__ import annotations

import hashlib
import json
import math
import os
import pathlib
import random
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._scene import Scene
from ._simulation import Simulation
from .ensemble import Plan

__all__ = ["random_scenes", "write"]

_Path = Union[str, "os.PathLike[str]"]
_SPLITS = ("train", "valid", "test")


#: Materials and solvers of the kinds of random scenes.
_KINDS: Dict[str, Dict[str, Any]] = {
    "water": {"solver": "dfsph", "material": {"name": "water"}},
    "sand": {"solver": "mls_mpm", "material": {"name": "sand", "model": "sand", "rest_density": 1600}},
    "goop": {"solver": "mls_mpm", "material": {"name": "goop", "model": "paste", "yield_stress": 400, "consistency": 20, "viscosity": 200}},
}


def random_scenes(
    kind: str,
    seeds: Union[int, Iterable[int]],
    dimensions: int = 2,
    particle_radius: float = 0.01,
    obstacles: int = 0,
    until: float = 2.0,
    fps: float = 50.0,
) -> List[Scene]:
    """Scenes of blocks that fall and splash in a box of 1 m, as the public data sets of learned simulators have them.

    ``kind`` is ``"water"`` (DFSPH), ``"sand"`` or ``"goop"`` (material points); ``seeds`` is a number of scenes or their seeds.
    Each scene has one to three blocks with velocities of up to 2 m/s, and ``obstacles`` balls and boxes that stand still. The same
    seed is the same scene: what is random follows Python's own generator, whose numbers do not change.
    """
    if kind not in _KINDS:
        raise ValueError(f"kind: expected one of {', '.join(map(repr, _KINDS))}, not {kind!r}")
    if dimensions not in (2, 3):
        raise ValueError(f"dimensions: expected 2 or 3, not {dimensions!r}")
    return [
        _random_scene(kind, seed, dimensions, particle_radius, obstacles, until, fps)
        for seed in (range(seeds) if isinstance(seeds, int) else seeds)
    ]


def _random_scene(
    kind: str, seed: int, dimensions: int, radius: float, obstacles: int, until: float, fps: float
) -> Scene:
    chance = random.Random(f"{kind} {dimensions} {seed}")
    about = _KINDS[kind]
    scene = Scene(particle_radius=radius, dimensions=dimensions, solver=about["solver"])
    scene["title"] = f"{kind} {seed}"
    scene["time.until"], scene["time.fps"] = until, fps
    scene.materials.append(**about["material"])
    scene.boundaries.append(box=_block([0.0] * dimensions, [1.0] * dimensions))
    if about["solver"] == "mls_mpm":
        # The grid of cells ends there.
        scene["domain"] = _block([-0.1] * dimensions, [1.1] * dimensions)
    taken: List[Tuple[List[float], List[float]]] = []
    gap = 4 * radius
    for _ in range(obstacles):
        size = chance.uniform(0.1, 0.25)
        low = _place(chance, taken, [size] * dimensions, gap, 0.35)
        if low is None:
            break
        high = [start + size for start in low]
        if chance.random() < 0.5:
            center = [start + size / 2 for start in low]
            scene.boundaries.append(sphere=dict(center=_three(center), radius=size / 2), side="outside")
        else:
            scene.boundaries.append(box=_block(low, high), side="outside")
    for number in range(chance.randint(1, 3)):
        size = [chance.uniform(0.2, 0.4) for _ in range(dimensions)]
        low = _place(chance, taken, size, gap, 1.0)
        if low is None:
            break
        velocity = [chance.uniform(-2, 2) for _ in range(dimensions)]
        high = [start + edge for start, edge in zip(low, size)]
        scene.fluids.append(box=_block(low, high), velocity=_three(velocity), material=about["material"]["name"])
    return scene


def _three(values: Sequence[float]) -> List[float]:
    return [*map(float, values), 0.0, 0.0][:3]


def _block(low: Sequence[float], high: Sequence[float]) -> Dict[str, List[float]]:
    return {"min": _three(low), "max": _three(high)}


def _place(
    chance: random.Random, taken: List[Tuple[List[float], List[float]]], size: Sequence[float], gap: float, top: float
) -> Optional[List[float]]:
    """Lowest corner of a block in the box that touches no other, with its top at most at ``top``; None if none was found."""
    for _ in range(200):
        tops = [1.0] * len(size)
        tops[1] = max(top, size[1] + 2 * gap)
        low = [chance.uniform(gap, end - gap - edge) for end, edge in zip(tops, size)]
        high = [start + edge for start, edge in zip(low, size)]
        apart = (
            any(a > d + gap or c > b + gap for a, b, c, d in zip(low, high, *other)) for other in taken
        )
        if all(apart):
            taken.append((low, high))
            return low
    return None


def write(
    plan: Union[Plan, _Path],
    folder: _Path,
    format: str = "lagrangebench",
    evaluation: float = 0.1,
    seed: int = 0,
) -> None:
    """Writes the runs of a plan as a data set, with h5py.

    ``format="well"``: grids and smoke in the layout of The Well (Ohana et al. 2024), for which the runs are simulated here, once
    more: ``data/train/``, ``valid/`` and ``test/`` have a file of HDF5 each with the fields of all runs and frames.

    ``format="lagrangebench"``: particles of finished runs with ``particles="ply"``, as LagrangeBench (Toshev et al. 2023) has them: ``train.h5``, ``valid.h5`` and ``test.h5`` have a group for each
    run, 00000, …, with ``position`` (frames, particles, dimensions), 32-bit floats in m, and ``particle_type``, 0 for fluid, 1 for obstacles;
    ``metadata.json`` the rest. ``evaluation`` is the share of the runs in ``valid``, and in ``test``; ``seed`` chooses them. The
    same plan on the same device gives the same bytes.

    Fluid in a box or in a periodic domain is what the latter describes without particles of walls; balls and boxes in it that stand
    still have some. Other solids, emitters, drains and several materials are refused, as are particles that leave.
    """
    import h5py

    if format not in ("lagrangebench", "well"):
        raise ValueError(f"format: expected 'lagrangebench' or 'well', not {format!r}")
    if not 0 < evaluation < 0.5:
        raise ValueError(f"evaluation: expected a share greater than 0 and less than 0.5, not {evaluation}")
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    if format == "lagrangebench" and any(one.get("particles") != "ply" for one in plan.runs):
        raise ValueError(f"{plan.folder}: expected a plan with particles=\"ply\"")
    order = list(range(len(plan)))
    random.Random(seed).shuffle(order)
    held = math.ceil(evaluation * len(order))
    if len(order) <= 2 * held:
        raise ValueError(f"{plan.folder}: {len(order)} runs are too few for train, valid and test; 3 are the least")
    train = len(order) - 2 * held
    parts = dict(zip(_SPLITS, (order[:train], order[train : train + held], order[train + held :])))

    if format == "well":
        _write_well(plan, parts, pathlib.Path(folder))
        return
    scenes = [_Case(plan, index) for index in range(len(plan))]
    for case in scenes[1:]:
        case.compare(scenes[0])
    for index in range(len(plan)):
        if not plan.is_finished(index):
            raise ValueError(f"{plan.folder}: the run {index} is not finished")
    distinct = _Distinct()
    for index in range(len(plan)):
        files = _frames(plan.path(index))
        distinct.add(index, (path.read_bytes() for path in (files[0], files[-1])))
    statistics = _Statistics(scenes[0])
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    frames, most = None, 0
    for split, indices in parts.items():
        path = folder / f"{split}.h5"
        partial = path.with_name(path.name + ".partial")
        with h5py.File(partial, "w", libver="earliest") as file:
            for number, index in enumerate(indices):
                position = _trajectory(plan.path(index), scenes[0].dim)
                walls = scenes[index].walls
                if frames is not None and len(position) != frames:
                    raise ValueError(f"run {index} has {len(position)} frames, others have {frames}")
                frames, most = len(position), max(most, position.shape[1] + len(walls))
                if split == "train":
                    statistics.add(position)
                group = file.create_group(f"{number:05d}")
                types = np.repeat(np.array([0, 1], dtype=np.int32), [position.shape[1], len(walls)])
                position = np.concatenate([position, np.repeat(walls[None], len(position), 0)], 1)
                group.create_dataset("particle_type", data=types, track_times=False)
                group.create_dataset("position", data=position, compression="gzip", track_times=False)
        os.replace(partial, path)
    about = {
        **scenes[0].metadata,
        "sequence_length_train": frames - 1,
        "num_trajs_train": train,
        "sequence_length_test": frames - 1,
        "num_trajs_test": held,
        "num_particles_max": most,
        **statistics.metadata(),
    }
    partial = folder / "metadata.json.partial"
    partial.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    os.replace(partial, folder / "metadata.json")


class _Case:
    """What the metadata tell of a run's scene."""

    def __init__(self, plan: Plan, index: int) -> None:
        self.index = index
        scene = Scene.load(plan.folder / plan.runs[index]["folder"] / "scene.toml")
        self.dim = scene["dimensions"]
        for key in ("body", "emitter", "drain", "source"):
            if scene[key]:
                raise self._error(f"a data set of fluid particles cannot have [[{key}]]")
        if len({one.get("material") for one in scene["fluid"]}) > 1:
            raise self._error("a data set of one kind of fluid cannot have several materials")
        low, high, periodic = self._box(scene)
        #: Particles of obstacles: (particles, dimensions), 32-bit floats.
        self.walls = self._obstacles(scene)
        fps, radius = scene["time.fps"], scene["particle_radius"]
        step = _get(scene, "time.step")
        every = 1 if step is None else max(1, round(1 / (fps * step)))
        self.metadata: Dict[str, Any] = {
            "case": scene["title"] or "meniscus",
            "solver": scene["solver"],
            "dim": self.dim,
            "dx": 2 * radius,
            # Of adaptive steps, only the frames are regular.
            "dt": 1 / (fps * every),
            "t_end": scene["time.until"],
            "write_every": every,
            "periodic_boundary_conditions": periodic,
            "bounds": [list(pair) for pair in zip(low, high)],
            # About 1.5 dx, as the public sets have, to two digits.
            "default_connectivity_radius": float(f"{1.45 * 2 * radius:.1e}"),
        }

    def _error(self, text: str) -> ValueError:
        return ValueError(f"run {self.index}: {text}")

    def _box(self, scene: Scene) -> Tuple[List[float], List[float], List[bool]]:
        domain = _get(scene, "domain") or {}
        periodic = domain.get("periodic", [False] * 3)[: self.dim]
        boundaries = [one for one in scene["boundary"] if one["side"] == "inside" or not self._is_obstacle(one)]
        if not boundaries and all(periodic):
            box = domain
        else:
            box = boundaries[0]["shape"].get("box", {}) if len(boundaries) == 1 else {}
            still = bool(box) and not boundaries[0]["motion"] and not any(boundaries[0]["velocity"])
            if not still or boundaries[0]["side"] != "inside" or not set(box) <= {"min", "max"} or any(periodic):
                raise self._error("expected a single [[boundary]], a box around the fluid at rest, or a periodic domain")
        return box["min"][: self.dim], box["max"][: self.dim], periodic

    @staticmethod
    def _is_obstacle(boundary: Any) -> bool:
        """Whether it is a ball or a box that stands still in the fluid."""
        shape = boundary["shape"]
        plain = set(shape.get("box", {})) == {"min", "max"} or set(shape.get("sphere", {})) == {"center", "radius"}
        return boundary["side"] == "outside" and plain and not boundary["motion"] and not any(boundary["velocity"])

    def _obstacles(self, scene: Scene) -> np.ndarray:
        """Lattice of particles in each, three layers from its surface inwards."""
        spacing = 2 * scene["particle_radius"]
        found = [np.zeros((0, self.dim))]
        for one in filter(self._is_obstacle, scene["boundary"]):
            box, ball = one["shape"].get("box"), one["shape"].get("sphere")
            if box is not None:
                low, high = (np.array(box[name][: self.dim], dtype=float) for name in ("min", "max"))
            else:
                center = np.array(ball["center"][: self.dim], dtype=float)
                low, high = center - ball["radius"], center + ball["radius"]
            # The outermost layer is half a spacing within.
            counts = np.maximum(1, np.round((high - low) / spacing)).astype(int)
            axes = [a + (np.arange(n) + 0.5) * (b - a) / n for a, b, n in zip(low, high, counts)]
            points = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, self.dim)
            if box is not None:
                depth = np.minimum(points - low, high - points).min(-1)
            else:
                depth = ball["radius"] - np.linalg.norm(points - center, axis=-1)
            found.append(points[(depth > 0.25 * spacing) & (depth < 3 * spacing)])
        return np.concatenate(found).astype(np.float32)

    def compare(self, other: "_Case") -> None:
        for key, value in self.metadata.items():
            if value != other.metadata[key] and key != "case":
                raise self._error(f"all runs of a data set have one {key}: {value!r} is not {other.metadata[key]!r}")


class _Statistics:
    """Means and standard deviations of displacements from frame to frame, and of their changes; of all runs of train alike."""

    def __init__(self, case: _Case) -> None:
        bounds = np.array(case.metadata["bounds"])
        self._period = np.where(case.metadata["periodic_boundary_conditions"], bounds[:, 1] - bounds[:, 0], np.inf)
        self._moments: List[List[np.ndarray]] = []

    def add(self, position: np.ndarray) -> None:
        move = np.diff(position.astype(np.float64), axis=0)
        wrapped = np.isfinite(self._period)
        move[..., wrapped] -= self._period[wrapped] * np.round(move[..., wrapped] / self._period[wrapped])
        moments = []
        for values in (move, np.diff(move, axis=0)):
            moments += [values.mean((0, 1)), values.var((0, 1))]
        self._moments.append(moments)

    def metadata(self) -> Dict[str, List[float]]:
        about = {}
        for place, name in ((0, "vel"), (2, "acc")):
            means = np.stack([one[place] for one in self._moments])
            variances = np.stack([one[place + 1] for one in self._moments])
            mean = means.mean(0)
            deviation = np.sqrt((variances + (means - mean) ** 2).mean(0))
            about[f"{name}_mean"] = mean.tolist()
            # A learned simulator divides by it.
            about[f"{name}_std"] = np.where(deviation < 1e-7, 1.0, deviation).tolist()
        return about


def _write_well(plan: Plan, parts: Dict[str, List[int]], folder: pathlib.Path) -> None:
    """Fields of grids, simulated frame by frame, as The Well has them: a file for each split."""
    import h5py

    name, distinct = folder.name, _Distinct()
    for split, indices in parts.items():
        runs, grid, times, scene = [], None, None, None
        for index in indices:
            scene = Scene.load(plan.folder / plan.runs[index]["folder"] / "scene.toml")
            frames = round(scene["time.until"] * scene["time.fps"])
            with Simulation(scene) as sim:
                try:
                    first = sim.grid
                except ValueError as error:
                    raise ValueError(f"run {index}: {error}; format=\"well\" is for grids and smoke") from None
                if not len(first):
                    raise ValueError(f"run {index}: there are no fields on a grid; format=\"well\" is for grids and smoke")
                if grid is not None and (first.size, first.edge) != (grid.size, grid.edge):
                    raise ValueError(f"run {index}: all runs of a data set have one grid")
                grid, seen = first, [{key: first[key] for key in first}]
                times = [sim.time]
                for _ in range(frames):
                    sim.next_frame()
                    times.append(sim.time)
                    now = sim.grid
                    seen.append({key: now[key] for key in now})
            if runs and len(seen) != len(runs[0]):
                raise ValueError(f"run {index} has {len(seen)} frames, others have {len(runs[0])}")
            distinct.add(index, (np.ascontiguousarray(one[key]) for one in seen for key in one))
            runs.append(seen)
        target = folder / "data" / split / f"{name}.hdf5"
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + ".partial")
        with h5py.File(partial, "w", libver="earliest") as file:
            _well_file(file, name, runs, grid, times, scene)
        os.replace(partial, target)


def _well_file(file: Any, name: str, runs: List[List[Dict[str, np.ndarray]]], grid: Any, times: Any, scene: Scene) -> None:
    dim = scene["dimensions"]
    axes = "xyz"[:dim]
    periodic = ((_get(scene, "domain") or {}).get("periodic") or [False] * 3)[:dim]

    def dataset(group: Any, key: str, data: np.ndarray, **about: Any) -> None:
        made = group.create_dataset(key, data=data, track_times=False)
        made.attrs.update(about)

    file.attrs.update(
        dataset_name=name, grid_type="cartesian", n_spatial_dims=dim, n_trajectories=len(runs), simulation_parameters=[]
    )
    place = file.create_group("dimensions")
    place.attrs["spatial_dims"] = list(axes)
    dataset(place, "time", np.array(times, dtype=np.float32), sample_varying=False)
    for axis, low, count in zip(axes, grid.low, grid.size):
        centers = (low + (np.arange(count) + 0.5) * grid.edge).astype(np.float32)
        dataset(place, axis, centers, sample_varying=False, time_varying=False)
    sides = file.create_group("boundary_conditions")
    closed = scene._native.closed_sides(list(grid.low), grid.edge, list(grid.size))
    for number, axis in enumerate(axes):
        kinds = ["PERIODIC" if periodic[number] else "WALL" if side else "OPEN" for side in closed[number]]
        for kind in sorted(set(kinds)):
            group = sides.create_group(f"{axis}_{kind.lower()}")
            group.attrs.update(
                associated_dims=[axis], associated_fields=[], bc_type=kind, sample_varying=False, time_varying=False
            )
            mask = np.zeros(grid.size[number], dtype=bool)
            for end, own in zip((0, -1), kinds):
                mask[end] |= own == kind
            dataset(group, "mask", mask)
    file.create_group("scalars").attrs["field_names"] = []
    groups = [file.create_group(f"t{rank}_fields") for rank in range(3)]
    names: List[List[str]] = [[], [], []]
    for key, sample in runs[0][0].items():
        rank = int(sample.ndim == 4)
        # (nz, ny, nx) to (nx, ny, nz).
        order = [2, 1, 0][:dim] if dim == 3 else [1, 0]
        stacked = np.stack([np.stack([frame[key] if dim == 3 else frame[key][0] for frame in run]) for run in runs])
        moved = stacked.transpose([0, 1] + [2 + axis for axis in order] + ([2 + dim] if rank else []))
        if rank:
            moved = moved[..., :dim]
        dataset(
            groups[rank],
            key,
            np.ascontiguousarray(moved, dtype=np.float32),
            dim_varying=[True] * dim,
            sample_varying=True,
            time_varying=True,
        )
        names[rank].append(key)
    for group, found in zip(groups, names):
        group.attrs["field_names"] = found


def _get(scene: Scene, key: str) -> Optional[Any]:
    """Value of a key that may have none."""
    try:
        return scene[key]
    except KeyError:
        return None


class _Distinct:
    """Runs so far, of which no two may be equal: one would be in train and in test."""

    def __init__(self) -> None:
        self._known: Dict[bytes, int] = {}

    def add(self, index: int, parts: Iterable[Any]) -> None:
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
        other = self._known.setdefault(digest.digest(), index)
        if other != index:
            raise ValueError(
                f"the runs {other} and {index} are equal: vary what changes them, or give fluids jitter, which seeds change"
            )


def _frames(results: pathlib.Path) -> List[pathlib.Path]:
    """Particle files of a run in order."""
    files = sorted(results.glob("particles_*.ply"), key=lambda path: int(path.stem.split("_")[1]))
    if len(files) < 3:
        raise ValueError(f"{results}: {len(files)} frames are too few, 3 are the least")
    return files


def _trajectory(results: pathlib.Path, dim: int) -> np.ndarray:
    """Positions of a run: (frames, particles, dimensions)."""
    first, frames = None, []
    for path in _frames(results):
        table = _particles(path)
        if first is None:
            first = table["id"]
        elif not np.array_equal(first, table["id"]):
            raise ValueError(f"{path}: the particles are not those of the first frame")
        frames.append(np.stack([table[axis] for axis in "xyz"[:dim]], -1))
    return np.stack(frames).astype(np.float32)


def _particles(path: pathlib.Path) -> np.ndarray:
    """Rows of a particle file, in the order of ids."""
    head, end, body = path.read_bytes().partition(b"end_header\n")
    if not end:
        raise ValueError(f"{path}: expected a particle file of meniscus")
    words: Sequence[List[str]] = [line.split() for line in head.decode().splitlines()]
    kinds = {"uint": "<u4", "float": "<f4"}
    fields = [(line[2], kinds[line[1]]) for line in words if line and line[0] == "property"]
    return np.frombuffer(body, dtype=np.dtype(fields))
