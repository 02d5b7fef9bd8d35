"""Fluid simulation on the GPU: water, honey, sand, snow, jelly and smoke, with NumPy arrays.

    import meniscus_fluids as mf

    scene = mf.Scene.bundled("dam_break", particle_radius=0.03)
    sim = mf.Simulation(scene)
    sim.run_until(0.5)
    sim.render("dam.png")

Units are those of the SI, names those of scene files.
"""

import os as _os

# Mesa's layer asks the display which adapter it draws on, and complains where there is none. Its own variables win.
if not any(name in _os.environ for name in ("NODEVICE_SELECT", "DRI_PRIME", "MESA_VK_DEVICE_SELECT")):
    _os.environ["NODEVICE_SELECT"] = "1"

from . import dataset, ensemble
from ._batch import Batch, BatchReport
from ._errors import AdapterError, Error, InternalError, Problem, SceneError, SimulationError
from ._native import adapters, version as _version
from ._region import Region
from ._scene import Part, Parts, Scene, scenes
from ._simulation import Film, Foam, FoamReport, ForceField, Grid, Joint, Loop, Pose, Quantity, Report, Simulation, Solid, Solids, State
from ._surface import Surface

__version__ = _version()

__all__ = [
    "AdapterError",
    "Batch",
    "BatchReport",
    "Error",
    "Film",
    "Foam",
    "FoamReport",
    "ForceField",
    "Grid",
    "InternalError",
    "Joint",
    "Loop",
    "Part",
    "Parts",
    "Pose",
    "Problem",
    "Quantity",
    "Region",
    "Report",
    "Scene",
    "SceneError",
    "Simulation",
    "SimulationError",
    "Solid",
    "Solids",
    "State",
    "Surface",
    "adapters",
    "dataset",
    "ensemble",
    "scenes",
]
