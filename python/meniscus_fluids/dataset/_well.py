"""Data sets of fields on grids, as The Well (Ohana et al. 2024) has them, and runs that keep these fields."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

from .._scene import Scene
from .._simulation import Simulation
from ..ensemble import Plan
from ._distinct import Distinct
from ._particles import get
from ._solids import Solid

#: What the grids and the frames of runs follow from, and sides that are closed: equal in all runs of a data set.
_SAME = ("solver", "dimensions", "particle_radius", "domain", "smoke.cell", "liquid.cell", "mpm.cell", "time.fps", "time.until")


def _scene(plan: Plan, index: int) -> Scene:
    return Scene.load(plan.folder / plan.runs[index]["folder"] / "scene.toml")


def check(plan: Plan) -> None:
    """Whether a data set of grids can have the runs: the first one is compiled."""
    first = _scene(plan, 0)
    with Simulation(first) as sim:
        try:
            if not len(sim.grid):
                raise ValueError("there are no fields on a grid")
        except ValueError as error:
            raise ValueError(f"run 0: {error}; format=\"well\" is for grids and smoke") from None
    for index, one in enumerate(plan.runs):
        scene = _scene(plan, index)
        for key in _SAME:
            if get(scene, key) != get(first, key):
                raise ValueError(f"run {index}: all runs of a data set have one {key}")
        for key, value in one["values"].items():
            _scalars(key, value)


def _scalars(key: str, value: Any) -> Iterator[Tuple[str, float]]:
    """A varied value as numbers with names."""
    if isinstance(value, list) and value and all(isinstance(part, (int, float)) for part in value):
        return iter([(f"{key}.{axis}", float(part)) for axis, part in zip("xyz", value)])
    if not isinstance(value, (int, float)):
        raise ValueError(f"vary: {key}: The Well has numbers for what varies, not {value!r}")
    return iter([(key, float(value))])


def run(plan: Plan, index: int, adapter: Any, every: int) -> None:
    """Does a run, or the rest of it from its checkpoint, and keeps the fields of each frame in a file."""
    folder = plan.folder / plan.runs[index]["folder"]
    work, scene = folder / "work", _scene(plan, index)
    if plan.is_finished(index):
        return
    work.mkdir(exist_ok=True)
    log, checkpoint = work / "log.jsonl", work / "checkpoint"
    lines: List[str] = []
    if checkpoint.exists():
        sim = Simulation.resume(scene, checkpoint, adapter)
        lines = log.read_text(encoding="utf-8").splitlines()[: sim.frame + 1]
    else:
        sim = Simulation(scene, adapter)
    with sim:
        last = round(scene["time.until"] * scene["time.fps"])
        while True:
            if len(lines) <= sim.frame:
                _keep(sim, work)
                lines.append(json.dumps(_line(sim)))
                if sim.frame % every == 0 or sim.frame == last:
                    _replace(log, lambda path: path.write_text("\n".join(lines) + "\n", encoding="utf-8"))
                    _replace(checkpoint, sim.save)
            if sim.frame >= last:
                break
            sim.next_frame()
    (work / "report.json").write_text(lines[-1] + "\n", encoding="utf-8")
    checkpoint.unlink()
    os.replace(work, folder / "results")


def _replace(path: pathlib.Path, write: Any) -> None:
    partial = path.with_name(path.name + ".partial")
    write(partial)
    os.replace(partial, path)


def _keep(sim: Simulation, work: pathlib.Path) -> None:
    grid = sim.grid
    about = {"low": grid.low.tolist(), "edge": grid.edge, "size": list(grid.size)}
    if sim.frame == 0:
        (work / "grid.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    partial = work / "fields.partial"
    with open(partial, "wb") as file:
        np.savez(file, **{key: grid[key] for key in grid})
    os.replace(partial, work / f"fields_{sim.frame:05d}.npz")


def _line(sim: Simulation) -> Dict[str, Any]:
    """The report of a frame, of numbers and vectors, as a line of a log has it."""
    values = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in vars(sim.report).items()}
    return {key: value for key, value in values.items() if isinstance(value, (int, float, list))}


def write(plan: Plan, parts: Dict[str, List[int]], folder: pathlib.Path) -> None:
    """Writes finished runs, a file for each split, a frame at a time."""
    import h5py

    distinct = Distinct()
    for index in range(len(plan)):
        if not plan.is_finished(index):
            raise ValueError(f"{plan.folder}: the run {index} is not finished")
        files = _fields(plan, index)
        distinct.add(index, (path.read_bytes() for path in (files[0], files[-1])))
    for split, indices in parts.items():
        target = folder / "data" / split / f"{folder.name}.hdf5"
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(target.name + ".partial")
        with h5py.File(partial, "w", libver="earliest") as file:
            _write_file(file, folder.name, plan, indices)
        os.replace(partial, target)


def _fields(plan: Plan, index: int) -> List[pathlib.Path]:
    files = sorted(plan.path(index).glob("fields_*.npz"), key=lambda path: int(path.stem.split("_")[1]))
    if not files:
        raise ValueError(f"run {index}: no fields were kept: mf.ensemble.run keeps them, meniscus sweep does not")
    return files


def _write_file(file: Any, name: str, plan: Plan, indices: List[int]) -> None:
    scenes = [_scene(plan, index) for index in indices]
    dim, scene = scenes[0]["dimensions"], scenes[0]
    axes = "xyz"[:dim]
    periodic = ((get(scene, "domain") or {}).get("periodic") or [False] * 3)[:dim]
    grid = json.loads((plan.path(indices[0]) / "grid.json").read_text(encoding="utf-8"))
    low, edge, size = grid["low"], grid["edge"], grid["size"]
    files = [_fields(plan, index) for index in indices]

    def dataset(group: Any, key: str, data: np.ndarray, **about: Any) -> None:
        made = group.create_dataset(key, data=data, track_times=False)
        made.attrs.update(about)

    file.attrs.update(
        dataset_name=name, grid_type="cartesian", n_spatial_dims=dim, n_trajectories=len(indices), simulation_parameters=[]
    )
    place = file.create_group("dimensions")
    place.attrs["spatial_dims"] = list(axes)
    lines = (plan.path(indices[0]) / "log.jsonl").read_text(encoding="utf-8").splitlines()
    times = np.array([json.loads(line)["time"] for line in lines], dtype=np.float32)
    dataset(place, "time", times, sample_varying=False)
    centers = [start + (np.arange(count) + 0.5) * edge for start, count in zip(low[:dim], size)]
    for axis, values in zip(axes, centers):
        dataset(place, axis, values.astype(np.float32), sample_varying=False, time_varying=False)
    _write_sides(file.create_group("boundary_conditions"), dataset, scenes, periodic, (low, edge, size))

    scalars = file.create_group("scalars")
    columns: Dict[str, List[float]] = {}
    for index in indices:
        for key, value in plan.runs[index]["values"].items():
            for part, number in _scalars(key, value):
                columns.setdefault(part, []).append(number)
    for key, numbers in columns.items():
        dataset(scalars, key, np.array(numbers, dtype=np.float32), sample_varying=True, time_varying=False)
    scalars.attrs["field_names"] = list(columns)

    groups = [file.create_group(f"t{rank}_fields") for rank in range(3)]
    names: List[List[str]] = [[], [], []]
    with np.load(files[0][0]) as first:
        shapes = {key: first[key].shape for key in first}
    # (nz, ny, nx) to (nx, ny, nz).
    order = [2, 1, 0] if dim == 3 else [1, 0]
    for key, shape in shapes.items():
        rank = int(len(shape) == 4)
        whole = (len(indices), len(times), *size[:dim], *([dim] if rank else []))
        made = groups[rank].create_dataset(key, whole, np.float32, track_times=False)
        made.attrs.update(dim_varying=[True] * dim, sample_varying=True, time_varying=True)
        names[rank].append(key)
    for number, paths in enumerate(files):
        if len(paths) != len(times):
            raise ValueError(f"run {indices[number]} has {len(paths)} frames, others have {len(times)}")
        for frame, path in enumerate(paths):
            with np.load(path) as fields:
                for key, shape in shapes.items():
                    rank = int(len(shape) == 4)
                    values = fields[key] if dim == 3 else fields[key][0]
                    values = values.transpose(order + ([dim] if rank else []))
                    groups[rank][key][number, frame] = values[..., :dim] if rank else values
    solid = _solid(scenes, centers)
    if solid is not None:
        dataset(groups[0], "solid", solid, dim_varying=[True] * dim, sample_varying=True, time_varying=False)
        names[0].append("solid")
    for group, found in zip(groups, names):
        group.attrs["field_names"] = found


def _write_sides(group: Any, dataset: Any, scenes: List[Scene], periodic: List[bool], grid: Any) -> None:
    """Which sides of the grid are walls, open or periodic."""
    low, edge, size = grid
    all_closed = [scene._native.closed_sides(low, edge, size) for scene in scenes]
    if any(closed != all_closed[0] for closed in all_closed):
        raise ValueError("all runs of a data set have the same walls at the sides of the grid")
    for number, axis in enumerate("xyz"[: len(periodic)]):
        kinds = ["PERIODIC" if periodic[number] else "WALL" if side else "OPEN" for side in all_closed[0][number]]
        for kind in sorted(set(kinds)):
            side = group.create_group(f"{axis}_{kind.lower()}")
            side.attrs.update(
                associated_dims=[axis], associated_fields=[], bc_type=kind, sample_varying=False, time_varying=False
            )
            mask = np.zeros(size[number], dtype=bool)
            for end, own in zip((0, -1), kinds):
                mask[end] |= own == kind
            dataset(side, "mask", mask)


def _solid(scenes: List[Scene], centers: List[np.ndarray]) -> Any:
    """1 in cells whose centres are in an obstacle, 0 elsewhere, of each run; None if none has an obstacle of a known shape at rest."""
    points = np.stack(np.meshgrid(*centers, indexing="ij"), -1)
    masks = []
    for scene in scenes:
        mask = np.zeros(points.shape[:-1], dtype=np.float32)
        for number, one in enumerate(scene["boundary"]):
            if one.get("side") != "outside":
                continue
            try:
                solid = Solid(one, number, len(centers))
            except ValueError:
                return None
            if solid.moves:
                return None
            mask[solid.depth(points) > 0] = 1
        masks.append(mask)
    return np.stack(masks) if any(mask.any() for mask in masks) else None
