"""Random scenes, and those of the data sets that learned simulators are compared by."""

from __future__ import annotations

import math
import random
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from .._scene import Scene

#: Materials of the kinds of random scenes, in the order of scenes that have several.
_MATERIALS: Dict[str, Dict[str, Any]] = {
    "water": {"name": "water"},
    "sand": {"name": "sand", "model": "sand", "rest_density": 1600},
    "goop": {"name": "goop", "model": "paste", "yield_stress": 400, "consistency": 20, "viscosity": 200},
}
_Boxes = List[Tuple[List[float], List[float]]]


class _Set(NamedTuple):
    """A data set of Sanchez-Gonzalez et al. 2020, table B.1: kinds, most particles, steps, spacing and connectivity radius in m."""

    kinds: Tuple[str, ...]
    particles: int
    frames: int
    spacing: float = 0.0075
    radius: float = 0.015
    blocks: Tuple[int, int] = (1, 3)
    ramps: Tuple[int, int] = (0, 0)


#: Spacings are ours: 12 neighbours on a lattice, 8 to 9 in a flow, as the paper's numbers of edges have them.
_SETS: Dict[str, _Set] = {
    "WaterDrop": _Set(("water",), 1000, 1000, blocks=(1, 1)),
    "WaterDropXL": _Set(("water",), 7100, 1000, 0.0036, 0.01, blocks=(1, 1)),
    "WaterRamps": _Set(("water",), 2300, 600, blocks=(1, 1), ramps=(1, 4)),
    "Sand": _Set(("sand",), 2000, 320),
    "SandRamps": _Set(("sand",), 3300, 400, blocks=(1, 1), ramps=(1, 4)),
    "Goop": _Set(("goop",), 1900, 400),
    "MultiMaterial": _Set(("water", "sand", "goop"), 2000, 1000, blocks=(2, 3)),
}


class NamedScenes(List[Scene]):
    """Scenes of a data set with a name, and the distance in m at which its particles are neighbours."""

    def __init__(self, scenes: Iterable[Scene], connectivity_radius: float) -> None:
        super().__init__(scenes)
        self.connectivity_radius = connectivity_radius


def named(name: str, runs: int, seed: int = 0, scale: float = 1.0, frames: Optional[int] = None) -> NamedScenes:
    """Scenes of a data set of Sanchez-Gonzalez et al. 2020, "Learning to Simulate Complex Physics with Graph Networks".

    ``"WaterDrop"``, ``"WaterDropXL"``, ``"WaterRamps"``, ``"Sand"``, ``"SandRamps"``, ``"Goop"`` and ``"MultiMaterial"`` have the
    paper's box of 0.8 m, steps of 2.5 ms, numbers of steps, largest numbers of particles and connectivity radii, and material points.
    Sizes, places and velocities of blocks and ramps are random. ``scale=2`` has spacings twice as large, and so a quarter of the
    particles; ``frames`` is another number of steps. The same seed gives the same scenes.
    """
    if name not in _SETS:
        raise ValueError(f"name: expected one of {', '.join(map(repr, _SETS))}, not {name!r}")
    if runs < 1:
        raise ValueError(f"runs: expected 1 or more, not {runs}")
    if not 1 <= scale <= 8:
        raise ValueError(f"scale: expected 1 to 8, not {scale}")
    about = _SETS[name]
    frames = about.frames if frames is None else frames
    if frames < 2:
        raise ValueError(f"frames: expected 2 or more, not {frames}")
    scenes = [_named_scene(name, f"{seed} {number}", about, scale, frames) for number in range(runs)]
    return NamedScenes(scenes, about.radius * scale)


def _named_scene(name: str, number: str, about: _Set, scale: float, frames: int) -> Scene:
    chance = random.Random(f"{name} {number}")
    spacing = about.spacing * scale
    low, high = [0.1, 0.1], [0.9, 0.9]
    scene = Scene(particle_radius=spacing / 2, dimensions=2, solver="mls_mpm")
    scene["title"] = f"{name} {number}"
    scene["time.fps"], scene["time.until"] = 400, frames / 400
    # The grid of cells ends there.
    scene["domain"] = _block([0.0, 0.0], [1.0, 1.0])
    _append_materials(scene, about.kinds)
    scene.boundaries.append(box=_block(low, high))
    taken: _Boxes = []
    # Two cells of the grid, through which material on one side does not feel that on the other.
    thick, area = 4 * spacing, about.particles * about.spacing**2
    for _ in range(chance.randint(*about.ramps)):
        length, angle = chance.uniform(0.15, 0.3), math.radians(chance.uniform(-60, 60))
        way = [length * math.cos(angle), length * math.sin(angle)]
        size = [abs(part) + thick for part in way]
        corner = _place(chance, taken, size, thick, low, [0.9, 0.55])
        if corner is None:
            break
        middle = [start + edge / 2 for start, edge in zip(corner, size)]
        start, end = ([at + half * part for at, part in zip(middle, way)] for half in (-0.5, 0.5))
        scene.boundaries.append(capsule=dict(start=_three(start), end=_three(end), radius=thick / 2), side="outside")
        area -= (length + thick) * thick
    count = chance.randint(*about.blocks)
    kinds = chance.sample(about.kinds, count) if len(about.kinds) > 1 else list(about.kinds) * count
    for kind in kinds:
        edges = [math.sqrt(area / count) * chance.uniform(0.75, 1) for _ in range(2)]
        _append_block(scene, chance, taken, edges, 2 * spacing, low, high, kind)
    return scene


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
    if kind not in _MATERIALS:
        raise ValueError(f"kind: expected one of {', '.join(map(repr, _MATERIALS))}, not {kind!r}")
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
    scene = Scene(particle_radius=radius, dimensions=dimensions, solver="dfsph" if kind == "water" else "mls_mpm")
    scene["title"] = f"{kind} {seed}"
    scene["time.until"], scene["time.fps"] = until, fps
    _append_materials(scene, [kind])
    low, high = [0.0] * dimensions, [1.0] * dimensions
    scene.boundaries.append(box=_block(low, high))
    if kind != "water":
        # The grid of cells ends there.
        scene["domain"] = _block([-0.1] * dimensions, [1.1] * dimensions)
    taken: _Boxes = []
    gap = 4 * radius
    for _ in range(obstacles):
        size = chance.uniform(0.1, 0.25)
        corner = _place(chance, taken, [size] * dimensions, gap, low, [1.0, 0.35, 1.0][:dimensions])
        if corner is None:
            break
        if chance.random() < 0.5:
            center = [start + size / 2 for start in corner]
            scene.boundaries.append(sphere=dict(center=_three(center), radius=size / 2), side="outside")
        else:
            scene.boundaries.append(box=_block(corner, [start + size for start in corner]), side="outside")
    for number in range(chance.randint(1, 3)):
        edges = [chance.uniform(0.2, 0.4) for _ in range(dimensions)]
        _append_block(scene, chance, taken, edges, gap, low, high, kind)
    return scene


def _append_materials(scene: Scene, kinds: Sequence[str]) -> None:
    for kind in kinds:
        scene.materials.append(**_MATERIALS[kind])
    if "goop" in kinds:
        # Three times as fast as explicit steps, and paste does not flow too slowly.
        scene["mpm.integration"] = "implicit"


def _append_block(
    scene: Scene,
    chance: random.Random,
    taken: _Boxes,
    size: Sequence[float],
    gap: float,
    low: Sequence[float],
    high: Sequence[float],
    kind: str,
) -> None:
    """Appends a block of fluid with a velocity of up to 2 m/s along each axis, smaller where there is no room for it."""
    for share in (1.0, 0.8, 0.6):
        edges = [share * edge for edge in size]
        corner = _place(chance, taken, edges, gap, low, high)
        if corner is not None:
            break
    else:
        return
    velocity = [chance.uniform(-2, 2) for _ in size]
    shape = _block(corner, [start + edge for start, edge in zip(corner, edges)])
    scene.fluids.append(box=shape, velocity=_three(velocity), material=_MATERIALS[kind]["name"])


def _three(values: Sequence[float]) -> List[float]:
    return [*map(float, values), 0.0, 0.0][:3]


def _block(low: Sequence[float], high: Sequence[float]) -> Dict[str, List[float]]:
    return {"min": _three(low), "max": _three(high)}


def _place(
    chance: random.Random, taken: _Boxes, size: Sequence[float], gap: float, low: Sequence[float], high: Sequence[float]
) -> Optional[List[float]]:
    """Lowest corner of a block that touches no other between the corners ``low`` and ``high``; None if none was found."""
    for _ in range(200):
        tops = [max(top, bottom + edge + 2 * gap) for bottom, top, edge in zip(low, high, size)]
        corner = [chance.uniform(bottom + gap, top - gap - edge) for bottom, top, edge in zip(low, tops, size)]
        end = [start + edge for start, edge in zip(corner, size)]
        if all(any(a > d + gap or c > b + gap for a, b, c, d in zip(corner, end, *other)) for other in taken):
            taken.append((corner, end))
            return corner
    return None
