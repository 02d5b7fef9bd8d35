"""Data sets for learned simulators, from the runs of a plan."""

from __future__ import annotations

import json
import math
import os
import pathlib
import random
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._scene import Scene
from .ensemble import Plan

__all__ = ["write"]

_Path = Union[str, "os.PathLike[str]"]
_SPLITS = ("train", "valid", "test")


def write(
    plan: Union[Plan, _Path],
    folder: _Path,
    format: str = "lagrangebench",
    evaluation: float = 0.1,
    seed: int = 0,
) -> None:
    """Writes the finished runs of a plan with ``particles="ply"`` as a data set, with h5py.

    The format is that of LagrangeBench (Toshev et al. 2023): ``train.h5``, ``valid.h5`` and ``test.h5`` have a group for each
    run, 00000, …, with ``position`` (frames, particles, dimensions), 32-bit floats in m, and ``particle_type``, 0 for fluid;
    ``metadata.json`` the rest. ``evaluation`` is the share of the runs in ``valid``, and in ``test``; ``seed`` chooses them. The
    same plan on the same device gives the same bytes.

    Fluid in a box or in a periodic domain is what the format describes without particles of walls: other solids, emitters,
    drains and several materials are refused, as are particles that leave.
    """
    import h5py

    if format != "lagrangebench":
        raise ValueError(f"format: expected 'lagrangebench', not {format!r}")
    if not 0 < evaluation < 0.5:
        raise ValueError(f"evaluation: expected a share greater than 0 and less than 0.5, not {evaluation}")
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    if any(one.get("particles") != "ply" for one in plan.runs):
        raise ValueError(f"{plan.folder}: expected a plan with particles=\"ply\"")
    order = list(range(len(plan)))
    random.Random(seed).shuffle(order)
    held = math.ceil(evaluation * len(order))
    if len(order) <= 2 * held:
        raise ValueError(f"{plan.folder}: {len(order)} runs are too few for train, valid and test; 3 are the least")
    train = len(order) - 2 * held
    parts = dict(zip(_SPLITS, (order[:train], order[train : train + held], order[train + held :])))

    scenes = [_Case(plan, index) for index in range(len(plan))]
    for case in scenes[1:]:
        case.compare(scenes[0])
    for index in range(len(plan)):
        if not plan.is_finished(index):
            raise ValueError(f"{plan.folder}: the run {index} is not finished")
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
                if frames is not None and len(position) != frames:
                    raise ValueError(f"run {index} has {len(position)} frames, others have {frames}")
                frames, most = len(position), max(most, position.shape[1])
                statistics.add(position)
                group = file.create_group(f"{number:05d}")
                types = np.zeros(position.shape[1], dtype=np.int32)
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
        boundaries = scene["boundary"]
        if not boundaries and all(periodic):
            box = domain
        else:
            box = boundaries[0]["shape"].get("box", {}) if len(boundaries) == 1 else {}
            still = bool(box) and not boundaries[0]["motion"] and not any(boundaries[0]["velocity"])
            if not still or boundaries[0]["side"] != "inside" or not set(box) <= {"min", "max"} or any(periodic):
                raise self._error("expected a single [[boundary]], a box around the fluid at rest, or a periodic domain")
        return box["min"][: self.dim], box["max"][: self.dim], periodic

    def compare(self, other: "_Case") -> None:
        for key, value in self.metadata.items():
            if value != other.metadata[key] and key != "case":
                raise self._error(f"all runs of a data set have one {key}: {value!r} is not {other.metadata[key]!r}")


class _Statistics:
    """Means and standard deviations of displacements from frame to frame, and of their changes; of all runs alike."""

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


def _get(scene: Scene, key: str) -> Optional[Any]:
    """Value of a key that may have none."""
    try:
        return scene[key]
    except KeyError:
        return None


def _trajectory(results: pathlib.Path, dim: int) -> np.ndarray:
    """Positions of a run: (frames, particles, dimensions)."""
    first, frames = None, []
    files = sorted(results.glob("particles_*.ply"), key=lambda path: int(path.stem.split("_")[1]))
    if len(files) < 3:
        raise ValueError(f"{results}: {len(files)} frames are too few, 3 are the least")
    for path in files:
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
