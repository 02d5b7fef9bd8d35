"""Data sets for learned simulators: scenes, plans that are checked before they are run, and files of their runs."""

from __future__ import annotations

import json
import math
import os
import pathlib
import random
import shutil
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from .. import ensemble
from .._scene import Scene
from ..ensemble import Plan
from . import _particles, _well
from ._distinct import Distinct
from ._scenes import NamedScenes, named, random_scenes

__all__ = ["NamedScenes", "named", "plan", "random_scenes", "write"]

_Path = Union[str, "os.PathLike[str]"]
_SPLITS = ("train", "valid", "test")
_FORMATS = (*_particles.FORMATS, "well")


def _format(format: str) -> str:
    if format not in _FORMATS:
        raise ValueError(f"format: expected one of {', '.join(map(repr, _FORMATS))}, not {format!r}")
    return format


def plan(
    scene: Union[Scene, _Path, Sequence[Scene]],
    folder: _Path,
    vary: Optional[Mapping[str, Iterable[Any]]] = None,
    seeds: Optional[int] = None,
    keys: Optional[Mapping[str, Any]] = None,
    format: str = "lagrangebench",
    connectivity_radius: Optional[float] = None,
) -> Plan:
    """Writes the plan of a data set, whose runs :func:`ensemble.run` does and :func:`write` puts together.

    It is that of :func:`ensemble.plan`, and refuses at once what the format cannot have. Runs keep the particles of every frame, with
    ``format="well"`` the fields on the grid. ``connectivity_radius`` in m is that of the scenes of :func:`named`, else 1.45 particle
    spacings; between 4 and 25 particles of a lattice must be within it.
    """
    _format(format)
    existed = pathlib.Path(folder).exists()
    made = ensemble.plan(scene, folder, vary, seeds, keys, particles=None if format == "well" else "ply")
    if connectivity_radius is None and isinstance(scene, NamedScenes):
        connectivity_radius = scene.connectivity_radius
    about = {"format": format, "connectivity_radius": connectivity_radius}
    try:
        _least(made)
        if format == "well":
            _well.check(made)
        else:
            _particles.check(made, connectivity_radius)
        _differ(made)
        (made.folder / ensemble.DATASET).write_text(json.dumps(about) + "\n", encoding="utf-8")
    except BaseException:
        if not existed:
            shutil.rmtree(made.folder)
        raise
    return Plan(folder)


def _least(plan: Plan) -> None:
    if len(plan) < 3:
        raise ValueError(f"{plan.folder}: {len(plan)} runs are too few for train, valid and test; 3 are the least")


def _differ(plan: Plan) -> None:
    """Refuses scenes that will run alike: they have other titles or, without jitter, other seeds."""
    distinct = Distinct()
    for index, one in enumerate(plan.runs):
        scene = Scene.load(plan.folder / one["folder"] / "scene.toml", title="")
        if not any(fluid.get("jitter") for fluid in scene["fluid"]):
            scene["seed"] = 0
        distinct.add(index, [scene.to_toml().encode()])


def write(
    plan: Union[Plan, _Path],
    folder: _Path,
    format: Optional[str] = None,
    evaluation: float = 0.1,
    seed: int = 0,
) -> None:
    """Writes the finished runs of a plan as a data set.

    ``format`` is that of :func:`plan`, or another for particles: ``"lagrangebench"`` (Toshev et al. 2023) has ``train.h5``,
    ``valid.h5`` and ``test.h5`` with a group for each run, with h5py; ``"gns"`` (Kumar and Vantassel 2023) ``train.npz``, …, with an
    array for each run; ``"tfrecord"`` the files of Sanchez-Gonzalez et al. 2020, with the package tfrecord. Each has positions
    (frames, particles, dimensions) as 32-bit floats in m, a type of each particle, and ``metadata.json`` with the rest. ``"well"``
    (Ohana et al. 2024) has the fields of grids and smoke in ``data/train/``, ``valid/`` and ``test/``, with h5py.

    ``evaluation`` is the share of the runs in valid, and in test; ``seed`` chooses them. The same plan on the same device gives the
    same bytes.
    """
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    about = plan.dataset
    format = _format(about.get("format", "lagrangebench") if format is None else format)
    if not 0 < evaluation < 0.5:
        raise ValueError(f"evaluation: expected a share greater than 0 and less than 0.5, not {evaluation}")
    if format == "well" and about.get("format") != "well":
        raise ValueError(f"{plan.folder}: its runs keep no fields: plan them with mf.dataset.plan(…, format=\"well\")")
    if format != "well" and any(one.get("particles") != "ply" for one in plan.runs):
        raise ValueError(f"{plan.folder}: its runs keep no particles: plan them with mf.dataset.plan(…), or particles=\"ply\"")
    _least(plan)
    order = list(range(len(plan)))
    random.Random(seed).shuffle(order)
    held = math.ceil(evaluation * len(order))
    if len(order) <= 2 * held:
        raise ValueError(f"evaluation: {evaluation} of {len(order)} runs leaves none for train")
    train = len(order) - 2 * held
    parts = dict(zip(_SPLITS, (order[:train], order[train : train + held], order[train + held :])))
    if format == "well":
        _well.write(plan, parts, pathlib.Path(folder))
    else:
        _particles.write(plan, parts, pathlib.Path(folder), format, about.get("connectivity_radius"))
