"""Ensembles: the results do not depend on who does the runs, nor on workers that die."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import meniscus_fluids as mf
from conftest import COMMAND, tank

# A process is known by the lock that it holds.
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="this system does not list a process's files")


def dam(folder, until=0.25):
    scene = tank(**{"time.until": until})
    scene["fluid[0].jitter"] = 0.2
    vary = {"material[0].viscosity": np.array([0.5, 1.0])}
    return mf.ensemble.plan(scene, folder, vary, seeds=2, particles="csv")


def contents(plan):
    """Bytes of all results."""
    files = [sorted(plan.path(index).iterdir()) for index in range(len(plan))]
    return [[(file.name, file.read_bytes()) for file in one] for one in files]


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    plan = dam(tmp_path_factory.mktemp("serial"))
    return mf.ensemble.run(plan, table=False), contents(plan)


def kill_a_worker(folder, killed):
    """Kills the process that does a run of the folder, in the middle."""
    for _ in range(6000):
        for log in pathlib.Path(folder).glob("*/work/log.jsonl"):
            lock = str(log.parents[1] / "lock")
            if len(log.read_text().splitlines()) < 4:
                continue
            for process in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    held = process.name != str(os.getpid()) and any(os.readlink(fd) == lock for fd in process.glob("fd/*"))
                except OSError:
                    continue
                if held:
                    os.kill(int(process.name), signal.SIGKILL)
                    killed.append(lock)
                    return
        time.sleep(0.005)


def while_a_worker_dies(folder, **options):
    """The results of a plan of which one worker is killed."""
    plan, killed = dam(folder), []
    thread = threading.Thread(target=kill_a_worker, args=(plan.folder, killed))
    thread.start()
    rows = mf.ensemble.run(plan, workers=2, every=5, table=False, **options)
    thread.join()
    assert len(killed) == 1
    return rows, contents(plan)


def test_results_have_values_seeds_and_reports(serial):
    rows, _ = serial
    assert [(row["index"], row["material[0].viscosity"], row["seed"]) for row in rows] == [
        (0, 0.5, 0), (1, 0.5, 1), (2, 1.0, 0), (3, 1.0, 1)
    ]
    assert all(row["error"] is None and row["frame"] == 15 and row["time"] > 0.2499 for row in rows)
    assert len({row["center_of_mass_x"] for row in rows}) == 4


@needs_proc
def test_processes_give_the_bits_of_a_serial_run_though_one_is_killed(serial, tmp_path):
    assert while_a_worker_dies(tmp_path, on="processes") == serial


@needs_proc
def test_ray_gives_the_bits_of_a_serial_run_though_a_worker_is_killed(serial, tmp_path):
    ray = pytest.importorskip("ray")
    try:
        assert while_a_worker_dies(tmp_path, on="ray") == serial
    finally:
        ray.shutdown()


@needs_proc
def test_dask_gives_the_bits_of_a_serial_run_though_a_worker_is_killed(serial, tmp_path):
    pytest.importorskip("distributed")
    assert while_a_worker_dies(tmp_path, on="dask") == serial


def test_the_command_goes_on_with_a_plan(serial, tmp_path):
    plan = dam(tmp_path / "runs")
    done = subprocess.run([*COMMAND, "sweep", "run", "runs", "--index", "3", "--quiet"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert plan.is_finished(3) and not plan.is_finished(0) and "4 runs, 1 finished" in repr(plan)
    assert {**plan.result(3), "error": None} == serial[0][3]
    assert mf.ensemble.Plan(tmp_path / "runs").runs == plan.runs


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_an_interrupted_run_has_a_checkpoint(tmp_path):
    plan = dam(tmp_path, until=100)
    program = f"import meniscus_fluids as mf; mf.ensemble.run({str(tmp_path)!r}, every=100000)"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    log = tmp_path / "00000/work/log.jsonl"
    while not log.exists() or len(log.read_text().splitlines()) < 2:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=60)[1]
    assert (tmp_path / "00000/work/checkpoint").exists() and not plan.is_finished(0)


def test_a_failed_simulation_is_a_result_and_others_go_on(tmp_path):
    scene = tank(**{"time.until": 0.05, "time.min_step": 1e-4})
    plan = mf.ensemble.plan(scene, tmp_path, {"gravity[1]": [-1e9, -9.81]})
    bad, good = mf.ensemble.run(plan, table=False)
    assert "time step fell" in bad["error"] and "time" not in bad
    assert good["error"] is None and good["frame"] == 3


def test_a_table_has_a_row_for_each_run(serial, tmp_path):
    pandas = pytest.importorskip("pandas")
    plan = dam(tmp_path, until=0)
    found = mf.ensemble.run(plan)
    assert isinstance(found, pandas.DataFrame) and len(found) == 4


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(mf.SceneError, match="--vary material.0..viscosty=1.*did you mean `viscosity`"):
        mf.ensemble.plan(tank(), tmp_path / "a", {"material[0].viscosty": [1, 2]})
    with pytest.raises(ValueError, match="expected a list of values, not 1"):
        mf.ensemble.plan(tank(), tmp_path / "a", {"time.cfl": 1})
    with pytest.raises(ValueError, match="no fluid has jitter"):
        mf.ensemble.plan(tank(), tmp_path / "a", seeds=2)
    scene = tank()
    scene.fluids.append(points=[[0.5, 0.1, 0]])
    with pytest.raises(mf.SceneError, match="array 1"):
        mf.ensemble.plan(scene, tmp_path / "a")
    assert not (tmp_path / "a").exists()
    with pytest.raises(ValueError, match="is no folder of a plan"):
        mf.ensemble.run(tmp_path / "a")
    plan = mf.ensemble.plan("dam_break", tmp_path / "b", keys={"particle_radius": 0.1, "time.until": 0})
    for options in (dict(on="threads"), dict(workers=0), dict(every=0)):
        with pytest.raises(ValueError, match=next(iter(options))):
            mf.ensemble.run(plan, **options)
    for on in ("serial", "processes"):
        with pytest.raises(mf.AdapterError, match="no such adapter"):
            mf.ensemble.run(plan, on=on, adapter="no such adapter")


def test_errors_pass_between_processes():
    for error in (mf.SceneError([("text", "key", 3)]), mf.SimulationError("text", 1, 0.5, "cause"), mf.AdapterError("text")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for nvidia-smi is a script of the shell")
def test_a_device_of_cuda_is_found_by_its_address(tmp_path, monkeypatch, capsys):
    script = tmp_path / "nvidia-smi"
    script.write_text("#!/bin/sh\necho '0, GPU-aaaa-1, 00000000:17:00.0'\necho '1, GPU-bbbb-2, 00000000:65:00.0'\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    adapter = dict(name="GPU", refusal=None)
    there = [dict(adapter, pci="0000:65:00.0"), dict(adapter, pci="")]
    monkeypatch.setattr(mf.ensemble._native, "adapters", lambda: there)
    monkeypatch.setattr(mf.ensemble, "_said", {})
    for value, expected in (("1", "pci:0000:65:00.0"), ("GPU-bbbb,0", "pci:0000:65:00.0"), ("0", None), ("7", None), ("", None)):
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", value)
        assert mf.ensemble.pinned_adapter() == expected, value
    said = capsys.readouterr().err
    assert "CUDA_VISIBLE_DEVICES=1: GPU at pci:0000:65:00.0\n" in said
    assert "=0: no adapter says that it is at pci:0000:17:00.0" in said and "=7: nvidia-smi lists no such device" in said
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES")
    assert mf.ensemble.pinned_adapter() is None


def test_logs_of_all_runs_are_one_file(tmp_path):
    h5py = pytest.importorskip("h5py")
    plan = dam(tmp_path / "runs", until=0.05)
    rows = mf.ensemble.run(plan, table=False)
    plan.save(tmp_path / "all.h5")
    with h5py.File(tmp_path / "all.h5") as file:
        assert list(file) == [f"{index:05d}" for index in range(len(plan))]
        for row, group in zip(rows, file.values()):
            assert group.attrs["seed"] == row["seed"] and group.attrs["material[0].viscosity"] == row["material[0].viscosity"]
            assert group["center_of_mass"].shape == (len(group["time"]), 3)
            assert group["center_of_mass"][-1, 0] == row["center_of_mass_x"]
