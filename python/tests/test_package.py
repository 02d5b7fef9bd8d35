"""The package as a whole: types, errors, interrupts, memory, the command."""

import ast
import inspect
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import meniscus_fluids as mf
from meniscus_fluids import _native
from conftest import COMMAND, tank


def parameters_of_stub(function):
    """Names of a function's parameters in the stub, and whether each has a default."""
    names = [argument.arg for argument in function.args.args]
    plain = len(names) - len(function.args.defaults)
    return [(name, number >= plain) for number, name in enumerate(names) if name not in ("self", "cls")]


def parameters_of_module(function):
    all = inspect.signature(function).parameters.values()
    return [(one.name, one.default is not one.empty) for one in all if one.name != "self"]


def test_the_stub_is_that_of_the_module():
    stub = ast.parse((pathlib.Path(mf.__file__).parent / "_native.pyi").read_text(encoding="utf-8"))
    functions = {one.name: one for one in stub.body if isinstance(one, ast.FunctionDef)}
    classes = {one.name: one for one in stub.body if isinstance(one, ast.ClassDef)}
    public = {name for name in dir(_native) if not name.startswith("_")}
    assert set(functions) | set(classes) == public
    for name, function in functions.items():
        assert parameters_of_stub(function) == parameters_of_module(getattr(_native, name)), name
    for name, stub_class in classes.items():
        module_class = getattr(_native, name)
        methods = {one.name: one for one in stub_class.body if isinstance(one, ast.FunctionDef)}
        assert set(methods) - {"__new__"} == {one for one in dir(module_class) if not one.startswith("_")}
        for method, function in methods.items():
            own = module_class if method == "__new__" else getattr(module_class, method)
            assert parameters_of_stub(function) == parameters_of_module(own), f"{name}.{method}"
    assert (pathlib.Path(mf.__file__).parent / "py.typed").is_file()


def test_every_public_name_is_there_and_explained():
    for name in mf.__all__:
        assert inspect.getdoc(getattr(mf, name)), name
    for name, member in inspect.getmembers(mf.Simulation):
        if not name.startswith("_"):
            assert inspect.getdoc(member), name


def test_a_failed_simulation_has_step_time_and_cause():
    scene = tank()
    scene["time.min_step"] = 1e-4
    with mf.Simulation(scene) as sim:
        sim.set("gravity", (0, -1e9, 0))
        with pytest.raises(mf.SimulationError, match=r"step \d+, t = ") as caught:
            sim.run_until(1)
    assert caught.value.step >= 1 and caught.value.time >= 0 and "time step fell" in caught.value.cause
    assert isinstance(caught.value, (mf.Error, RuntimeError))


def test_an_unknown_adapter_is_named_with_those_there_are():
    there = mf.adapters()[0]["name"]
    for adapter in ("no such adapter", 99, "pci:ffff:ff:1f.7"):
        with pytest.raises(mf.AdapterError) as caught:
            mf.Simulation(tank(), adapter=adapter)
        assert str(adapter) in str(caught.value) and there in str(caught.value)
    assert mf.Simulation(tank(), adapter=0).adapter == there


def test_without_any_adapter_the_error_says_what_to_install():
    program = "import meniscus_fluids as mf\nmf.Simulation(mf.Scene.bundled('dam_break', particle_radius=0.1))"
    # As on a machine without drivers.
    environment = {**os.environ, "VK_DRIVER_FILES": "/none", "VK_ICD_FILENAMES": "/none", "WGPU_BACKEND": "vulkan"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert "AdapterError: no GPU adapter was found; install" in done.stderr and "mesa" in done.stderr


def test_a_panic_is_an_error_that_says_where_to_report_it():
    with pytest.raises(mf.InternalError, match="(?s)out of cheese.*report.*https://"):
        _native.panic("out of cheese")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
def test_an_interrupted_run_can_go_on(tmp_path):
    program = """
import os, signal, threading
import meniscus_fluids as mf
sim = mf.Simulation(mf.Scene.bundled("dam_break", particle_radius=0.06))
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    sim.run_until(1000)
except KeyboardInterrupt:
    at = sim.time
    sim.next_frame()
    print(0 < at <= sim.time < 900, sim.positions.shape)
"""
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("True ("), done.stdout + done.stderr
    assert time.monotonic() - begin < 30


def test_reading_does_not_grow_memory():
    resource = pytest.importorskip("resource")
    sim = mf.Simulation(tank(particle_radius=0.004))
    array = sim.positions.nbytes

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("this system does not tell a process's memory")
    sizes = []
    for number in range(200):
        sim.step(1)
        sim.positions, sim.velocities, sim["speed"], sim.report
        if number >= 50:
            sizes.append(resident())
    # If each of 150 reads kept its positions alone, that would be 150 arrays.
    growth = max(sizes[-10:]) - max(sizes[:10])
    assert growth < 20 * array, f"{growth} bytes, {array} an array"


def test_progress_is_shown_in_a_terminal_only(capsys, monkeypatch, sim):
    sim.run_until(0.1, progress=True)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    frames = []
    sim.run_until(0.15, progress=True, each_frame=lambda sim: frames.append(sim.frame))
    assert frames == [7, 8, 9] and "t = 0.150 of 0.150 s" in capsys.readouterr().err


def test_the_command_is_that_of_rust():
    done = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("meniscus 0.")
    done = subprocess.run([*COMMAND, "run", "no_such.toml"], capture_output=True, text=True)
    assert done.returncode == 2 and "no_such.toml" in done.stderr and "Traceback" not in done.stderr
    done = subprocess.run([*COMMAND, "rnu"], capture_output=True, text=True)
    assert done.returncode == 2 and "'rnu'" in done.stderr


def test_everything_says_what_it_is(sim):
    assert repr(tank()) == "<Scene 'scene': solver='wcsph', particle_radius=0.02, fluid: 1, boundary: 1>"
    assert "by wcsph: t = 0.0500 s" in repr(sim) and sim.adapter in repr(sim)
    assert repr(sim.bodies) == "<[]>" and "shape" in repr(sim.scene.fluids)
