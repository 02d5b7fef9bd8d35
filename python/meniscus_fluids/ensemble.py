"""Many runs of one scene: a plan in a folder, and the processes that do its runs.

A run is done as a whole or goes on from its checkpoint, so it does not matter how often a worker dies. The folder is that of
the command ``meniscus sweep``, which can go on with it.
"""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _native
from ._errors import SimulationError
from ._progress import is_watched
from ._scene import Scene, scenes

__all__ = ["Plan", "pinned_adapter", "plan", "run"]

_Path = Union[str, "os.PathLike[str]"]
#: A run's number, and why it failed if it did.
_Outcome = Tuple[int, Optional[str]]
#: File in the folder of a plan that tells what data set it is for.
DATASET = "dataset.json"
#: Deaths of a worker in the same run after which it is not tried again.
_RETRIES = 3


class Plan:
    """A folder of runs, as :func:`plan` or ``meniscus sweep plan`` wrote it."""

    def __init__(self, folder: _Path) -> None:
        self.folder = pathlib.Path(folder)
        path = self.folder / "runs.jsonl"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise ValueError(f"{self.folder} is no folder of a plan: cannot read {path}: {error}") from None
        #: A dict for each run: index, folder, seed, values.
        self.runs: List[Dict[str, Any]] = [json.loads(line) for line in text.splitlines()]

    @property
    def dataset(self) -> Dict[str, Any]:
        """What :func:`dataset.plan` was told: format, connectivity radius; empty for other plans."""
        path = self.folder / DATASET
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def path(self, index: int) -> pathlib.Path:
        """Folder of the results of a run, which is there when the run is finished."""
        return self.folder / self.runs[index]["folder"] / "results"

    def is_finished(self, index: int) -> bool:
        """Whether a run is finished."""
        return (self.path(index) / "report.json").is_file()

    def result(self, index: int) -> Dict[str, Any]:
        """Index, seed and values of a run, and the last line of its log if it is finished; vectors by their components."""
        one = self.runs[index]
        row = {"index": one["index"], "seed": one["seed"], **one["values"]}
        if self.is_finished(index):
            report = json.loads((self.path(index) / "report.json").read_text(encoding="utf-8"))
            for key, value in report.items():
                if isinstance(value, list):
                    row.update({f"{key}_{axis}": part for axis, part in zip("xyz", value)})
                else:
                    row[key] = value
        return row

    def save(self, path: _Path) -> None:
        """Writes the logs of all finished runs into one file of HDF5, with h5py.

        Each run is a group, 00000, …, with its seed and values as attributes and an array for each quantity of the log: one
        number, or vector, a frame.
        """
        import h5py
        import numpy as np

        path = pathlib.Path(path)
        partial = path.with_name(path.name + ".partial")
        with h5py.File(partial, "w", libver="earliest") as file:
            for index, one in enumerate(self.runs):
                if not self.is_finished(index):
                    continue
                group = file.create_group(f"{index:05d}")
                group.attrs["seed"] = one["seed"]
                for key, value in one["values"].items():
                    # Tables and mixed lists are no values of HDF5.
                    group.attrs[key] = value if isinstance(value, (int, float, str)) else json.dumps(value)
                text = (self.path(index) / "log.jsonl").read_text(encoding="utf-8")
                lines = [json.loads(line) for line in text.splitlines()]
                for key in dict.fromkeys(key for line in lines for key in line):
                    sample = next(line[key] for line in lines if line.get(key) is not None)
                    none = np.full(np.shape(sample), np.nan)
                    column = np.array([none if line.get(key) is None else line[key] for line in lines])
                    if column.dtype.kind in "fiub":
                        group.create_dataset(key, data=column, track_times=False)
        os.replace(partial, path)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        done = sum(self.is_finished(index) for index in range(len(self)))
        return f"<Plan {str(self.folder)!r}: {len(self)} runs, {done} finished>"


def _literal(value: Any) -> str:
    """A value as ``--vary`` takes it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    # Strings, numbers and booleans of JSON are TOML, too.
    return json.dumps(value, ensure_ascii=False)


def plan(
    scene: Union[Scene, _Path, Sequence[Scene]],
    folder: _Path,
    vary: Optional[Mapping[str, Iterable[Any]]] = None,
    seeds: Optional[int] = None,
    keys: Optional[Mapping[str, Any]] = None,
    particles: Optional[str] = None,
) -> Plan:
    """Writes a plan with a run for each combination of the values, as ``meniscus sweep plan`` does.

    ``scene`` is a :class:`Scene` without arrays of particles, a file, the name of a bundled scene, or a list of scenes
    (:func:`dataset.random_scenes`), each of which has a run for each combination; ``vary`` has the values
    of each key, as ``{"material[0].viscosity": [0.001, 0.01]}``; ``seeds`` is a number of runs of each, which differ in the
    random displacements of fluids with jitter; ``keys`` are set in all. With ``particles="ply"`` (vtk, csv, bgeo), runs
    keep the particles of every frame.
    """
    if isinstance(scene, (list, tuple)):
        return _plan_of_many(scene, folder, vary, seeds, keys, particles)
    text = None
    if isinstance(scene, Scene):
        # A name that ends in .json would say that the text is of another program.
        source, text = scene.name + ("" if scene.name in scenes() else ".toml"), scene.to_toml()
    else:
        source = os.fspath(scene)
    axes = []
    for key, values in (vary or {}).items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise ValueError(f"vary: {key}: expected a list of values, not {values!r}")
        axes.append(f"{key}=" + ",".join(map(_literal, values)))
    fixed = [f"{key}={_literal(value)}" for key, value in (keys or {}).items()]
    _native.plan(source, text, os.fspath(folder), axes, fixed, seeds, particles)
    return Plan(folder)


def _plan_of_many(scenes: Sequence[Any], folder: _Path, *more: Any) -> Plan:
    """One plan of the plans of several scenes, whose runs are numbered on."""
    if not scenes:
        raise ValueError("scene: expected a scene at least, not an empty list")
    folder = pathlib.Path(folder)
    if folder.exists():
        raise ValueError(f"{folder} exists already: name a new folder")
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    lines = []
    for scene in scenes:
        part = plan(scene, partial / "part", *more)
        for one in part.runs:
            name = f"{len(lines):05d}"
            os.replace(part.folder / one["folder"], partial / name)
            lines.append(json.dumps({**one, "index": len(lines), "folder": name}) + "\n")
        shutil.rmtree(part.folder)
    (partial / "runs.jsonl").write_text("".join(lines), encoding="utf-8")
    os.replace(partial, folder)
    return Plan(folder)


def run(
    plan: Union[Plan, _Path],
    on: str = "serial",
    workers: int = 2,
    adapter: Union[None, int, str] = None,
    num_gpus: float = 0,
    every: int = 60,
    progress: bool = False,
    table: Optional[bool] = None,
) -> Any:
    """Does all runs of a plan that are not finished, and returns the results of all.

    ``on="serial"`` does them in this process, ``"processes"`` in ``workers`` processes of this machine, ``"ray"`` in as many
    actors of the Ray that is connected (or else of ``RAY_ADDRESS``, or of a local one), each with ``num_gpus`` GPUs,
    ``"dask"`` in the workers of the current client of ``dask.distributed`` or in ``workers`` local ones. The folder must be
    the same on all machines. The results do not depend on it, nor on workers that die, whose runs others continue from the last
    checkpoint, which is written after each ``every`` frames.

    A result is a dict: index, seed, values of the keys, the last line of the run's log, and ``error``, which is None unless
    the simulation failed. With pandas, the results are a DataFrame; ``table=False`` always makes a list.

    Without ``adapter``, a worker takes the one that ``CUDA_VISIBLE_DEVICES`` names (:func:`pinned_adapter`), or the system's.
    """
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    if on not in _WAYS:
        raise ValueError(f"on: expected one of {', '.join(map(repr, _WAYS))}, not {on!r}")
    if workers < 1:
        raise ValueError(f"workers: expected 1 or more, not {workers}")
    if every < 1:
        raise ValueError(f"every: expected 1 or more, not {every}")
    left = [index for index in range(len(plan)) if not plan.is_finished(index)]
    job = _Job(os.path.abspath(plan.folder), None if adapter is None else str(adapter), every)
    errors: Dict[int, Optional[str]] = {}
    shown = progress and is_watched()
    ways = {"ray": lambda: _ray(job, left, workers, num_gpus)}
    try:
        for index, error in ways.get(on, lambda: _WAYS[on](job, left, workers))():
            errors[index] = error
            if shown:
                sys.stderr.write(f"\r{len(plan) - len(left) + len(errors)} of {len(plan)} runs ")
                sys.stderr.flush()
    finally:
        if shown:
            sys.stderr.write("\n")
    rows = [{**plan.result(index), "error": errors.get(index)} for index in range(len(plan))]
    if table is False:
        return rows
    try:
        import pandas
    except ImportError:
        if table:
            raise
        return rows
    return pandas.DataFrame(rows)


class _Job:
    """What a worker has to know beside the number of a run."""

    def __init__(self, folder: str, adapter: Optional[str], every: int) -> None:
        self.folder, self.adapter, self.every = folder, adapter, every

    def __call__(self, index: int) -> _Outcome:
        from .dataset import _well

        adapter = self.adapter if self.adapter is not None else pinned_adapter()
        plan = Plan(self.folder)
        try:
            if plan.dataset.get("format") == "well":
                _well.run(plan, index, adapter, self.every)
            else:
                _native.run_planned(self.folder, index, adapter, self.every)
        except SimulationError as error:
            return index, str(error)
        return index, None


def _serial(job: _Job, left: Sequence[int], workers: int) -> Iterator[_Outcome]:
    return map(job, left)


def _processes(job: _Job, left: Sequence[int], workers: int) -> Iterator[_Outcome]:
    # A process that is forked cannot use the GPU of its parent.
    context = multiprocessing.get_context("spawn")
    todo, deaths = list(left), 0
    while todo:
        with concurrent.futures.ProcessPoolExecutor(workers, mp_context=context) as pool:
            try:
                for done in concurrent.futures.as_completed([pool.submit(job, index) for index in todo]):
                    outcome = done.result()
                    todo.remove(outcome[0])
                    deaths = 0
                    yield outcome
            except BrokenProcessPool as error:
                # One that died takes the others along; all go on from their checkpoints.
                deaths += 1
                if deaths > _RETRIES:
                    text = f"workers died {deaths} times before another run was finished; {len(todo)} are left"
                    raise SimulationError(text, None, None, text) from error
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _ray(job: _Job, left: Sequence[int], workers: int, num_gpus: float) -> Iterator[_Outcome]:
    import ray

    if not ray.is_initialized():
        # On a machine of its own there are as many CPUs as workers need.
        own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
        ray.init(**own)
    # Ray begins a dead actor anew, and repeats its task, which goes on from the checkpoint.
    remote = ray.remote(num_cpus=1, num_gpus=num_gpus, max_restarts=-1, max_task_retries=_RETRIES)(_Actor)
    idle = [remote.remote(job) for _ in range(min(workers, len(left)))]
    busy: Dict[Any, Any] = {}
    todo = list(left)
    try:
        while todo or busy:
            while todo and idle:
                actor = idle.pop()
                busy[actor.do.remote(todo.pop(0))] = actor
            [done, *_], _ = ray.wait(list(busy), num_returns=1)
            idle.append(busy.pop(done))
            try:
                yield ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
    finally:
        for actor in [*idle, *busy.values()]:
            ray.kill(actor)


class _Actor:
    def __init__(self, job: _Job) -> None:
        self._job = job

    def do(self, index: int) -> _Outcome:
        return self._job(index)


def _dask(job: _Job, left: Sequence[int], workers: int) -> Iterator[_Outcome]:
    from dask import distributed

    try:
        client, own = distributed.get_client(), False
    except ValueError:
        client, own = distributed.Client(n_workers=workers, threads_per_worker=1, dashboard_address=None), True
    try:
        futures = client.map(job, list(left), pure=False, retries=_RETRIES)
        for future in distributed.as_completed(futures):
            yield future.result()
    finally:
        if own:
            client.close()


_WAYS: Dict[str, Callable[..., Iterator[_Outcome]]] = {
    "serial": _serial,
    "processes": _processes,
    "ray": _ray,
    "dask": _dask,
}

#: What was said about a value of the variable already.
_said: Dict[str, Optional[str]] = {}


def pinned_adapter() -> Optional[str]:
    """The adapter that ``CUDA_VISIBLE_DEVICES`` names, as ``"pci:0000:65:00.0"``, or None if it names none.

    Ray and schedulers set the variable, but Vulkan ignores it. Its first device, a number in the order of ``nvidia-smi`` or a
    UUID, is found by the address on the PCI bus. Says on standard error which adapter it is, once.
    """
    wanted = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip()
    if not wanted or wanted in ("-1", "NoDevFiles"):
        return None
    if wanted not in _said:
        found, text = _adapter_of(wanted)
        sys.stderr.write(f"meniscus: CUDA_VISIBLE_DEVICES={wanted}: {text}\n")
        _said[wanted] = found
    return _said[wanted]


def _adapter_of(wanted: str) -> Tuple[Optional[str], str]:
    """The adapter of a device of CUDA, and what to say about it."""
    usual = "the system's first adapter is taken"
    query = ["nvidia-smi", "--query-gpu=index,uuid,pci.bus_id", "--format=csv,noheader"]
    try:
        listed = subprocess.run(query, capture_output=True, text=True, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return None, f"nvidia-smi does not say where it is ({error}), {usual}"
    for line in listed.splitlines():
        parts = [part.strip() for part in line.split(",")]
        if len(parts) == 3 and (parts[0] == wanted or (len(wanted) > 4 and parts[1].startswith(wanted))):
            # nvidia-smi writes eight digits of the domain, Vulkan four.
            domain, rest = parts[2].lower().split(":", 1)
            address = f"{domain[-4:]}:{rest}"
            for one in _native.adapters():
                if one["pci"] == address and not one["refusal"]:
                    return f"pci:{address}", f"{one['name']} at pci:{address}"
            return None, f"no adapter says that it is at pci:{address}, {usual}"
    return None, f"nvidia-smi lists no such device, {usual}"
