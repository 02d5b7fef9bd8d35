"""What the tests share."""

import pathlib
import signal
import sys

import pytest

import meniscus_fluids as mf

# A shell without job control starts what is in its background with Ctrl-C ignored; programs that the tests start would inherit that,
# and those that are to be interrupted would go on.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = pathlib.Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "meniscus_fluids"]


def tank(**keys):
    """A small dam in two dimensions, as a scene built key by key."""
    scene = mf.Scene(**{"particle_radius": 0.02, "dimensions": 2, "solver": "wcsph", **keys})
    scene.fluids.append(box=dict(min=[0, 0], max=[0.4, 0.4]))
    scene.boundaries.append(box=dict(min=[0, 0], max=[1.0, 0.8]))
    return scene


@pytest.fixture
def sim():
    """A dam that has begun to break."""
    with mf.Simulation(tank()) as simulation:
        simulation.run_until(0.05)
        yield simulation
