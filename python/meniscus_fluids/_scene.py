"""Scenes: keys by their paths, and lists of fluids, boundaries and bodies."""

from __future__ import annotations

import difflib
import os
from typing import Any, Dict, Iterator, List, Optional, Union

import numpy as np

from . import _native

#: Kinds of shapes, which stand in the table ``shape`` of scene files.
_SHAPES = ("box", "sphere", "plane", "cylinder", "capsule", "mesh", "points", "polygon")


def scenes() -> List[str]:
    """Names of the bundled scenes."""
    return _native.bundled_scenes()


def _rows(name: str, values: Any) -> np.ndarray:
    """An (N, 3) array of 64-bit floats."""
    rows = np.ascontiguousarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise ValueError(f"{name}: expected an array of shape (N, 3), not {rows.shape}")
    return rows


class Scene:
    """What is simulated, in SI units, by the keys of scene files.

    A key is set and read by its path, ``scene["time.cfl"] = 0.5``, and checked at once. Lists as :attr:`fluids` take new
    elements by ``append``.
    """

    def __init__(self, **keys: Any) -> None:
        self._native = _native.Scene()
        self._arrays = 0
        self.name = "scene"
        self._set_all(keys)

    @classmethod
    def _of(cls, native: Any, name: str, keys: Dict[str, Any]) -> "Scene":
        scene = cls()
        scene._native, scene.name = native, name
        scene._set_all(keys)
        return scene

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], **keys: Any) -> "Scene":
        """The scene of a file: TOML, or JSON of SPlisHSPlasH. ``keys`` are set in it."""
        path = os.fspath(path)
        return cls._of(_native.Scene.read(path), path, keys)

    @classmethod
    def bundled(cls, name: str, **keys: Any) -> "Scene":
        """A bundled scene, as :func:`scenes` lists them. ``keys`` are set in it."""
        if name not in scenes():
            near = difflib.get_close_matches(name, scenes(), 1)
            hint = f"did you mean {near[0]!r}?" if near else "meniscus_fluids.scenes() lists them"
            raise KeyError(f"there is no bundled scene {name!r}; {hint}")
        return cls._of(_native.Scene.read(name), name, keys)

    @classmethod
    def from_toml(cls, text: str, **keys: Any) -> "Scene":
        """The scene of a text in TOML; its files are relative to the current folder."""
        return cls._of(_native.Scene.of_text("scene.toml", text), "scene.toml", keys)

    def _set_all(self, keys: Dict[str, Any]) -> None:
        for key, value in keys.items():
            self[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._native.get(key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._native.set(key, value)

    def copy(self) -> "Scene":
        """A scene of its own with the same keys."""
        scene = Scene()
        scene._native, scene.name, scene._arrays = self._native.copy(), self.name, self._arrays
        return scene

    def __getstate__(self) -> Dict[str, Any]:
        return {"parts": self._native.parts(), "arrays": self._arrays, "name": self.name}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._native = _native.Scene.of_parts(*state["parts"])
        self._arrays, self.name = state["arrays"], state["name"]

    def check(self) -> List[str]:
        """Reads the files and checks the whole scene; returns warnings. A simulation does so, too."""
        return self._native.check()

    def to_toml(self) -> str:
        """The scene as a file, with all defaults. Arrays of particles are not part of it."""
        return self._native.to_toml()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes :meth:`to_toml` to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_toml())

    @property
    def materials(self) -> "Parts":
        """Materials: ``append(name="honey", rest_density=1400, viscosity=10)``."""
        return Parts(self, "material")

    @property
    def fluids(self) -> "Parts":
        """Fluid at the start: ``append(box=dict(min=…, max=…))``, or particles by ``append(points=xyz, velocities=v)``."""
        return Parts(self, "fluid")

    @property
    def boundaries(self) -> "Parts":
        """Containers and obstacles: ``append(box=dict(min=…, max=…))``."""
        return Parts(self, "boundary")

    @property
    def bodies(self) -> "Parts":
        """Rigid bodies: ``append(mesh="boat.obj", density=400, name="boat")``."""
        return Parts(self, "body")

    @property
    def joints(self) -> "Parts":
        """What holds bodies together: ``append(bodies=["door"], kind=dict(hinge=dict(at=…, axis=…)))``."""
        return Parts(self, "joint")

    @property
    def moorings(self) -> "Parts":
        """Mooring lines: ``append(body="buoy", fairlead=…, anchor=…, length=12, weight=30)``."""
        return Parts(self, "mooring")

    @property
    def emitters(self) -> "Parts":
        """Sources of fluid."""
        return Parts(self, "emitter")

    @property
    def drains(self) -> "Parts":
        """Regions that remove fluid."""
        return Parts(self, "drain")

    @property
    def forces(self) -> "Parts":
        """Force fields in addition to gravity: ``append(uniform=dict(acceleration=…))``."""
        return Parts(self, "force")

    @property
    def sources(self) -> "Parts":
        """Sources of smoke."""
        return Parts(self, "source")

    @property
    def vortices(self) -> "Parts":
        """Vortices of the air at the start, with smoke."""
        return Parts(self, "vortex")

    @property
    def probes(self) -> "Parts":
        """What a run measures."""
        return Parts(self, "probe")

    def __repr__(self) -> str:
        parts = []
        for key in ("fluid", "boundary", "body", "emitter", "source"):
            count = len(self[key])
            if count:
                parts.append(f"{key}: {count}")
        about = f"solver={self['solver']!r}, particle_radius={self['particle_radius']!r}"
        return f"<Scene {self.name!r}: {', '.join([about, *parts])}>"


def _shaped(keys: Dict[str, Any]) -> Dict[str, Any]:
    """Keys with a shape where it stood for itself."""
    keys = dict(keys)
    if isinstance(keys.get("polygon"), (list, tuple, np.ndarray)):
        keys["polygon"] = {"points": keys["polygon"]}
    for name in ("mesh", "points"):
        if isinstance(keys.get(name), (str, os.PathLike)):
            keys[name] = {"file": keys[name]}
    shapes = {name: keys.pop(name) for name in _SHAPES if name in keys}
    if shapes:
        keys["shape"] = {**keys.get("shape", {}), **shapes}
    return keys


class Parts:
    """A list of a scene, as ``scene.fluids``."""

    def __init__(self, scene: Scene, key: str) -> None:
        self._scene, self._key = scene, key

    def append(self, **keys: Any) -> "Part":
        """Adds an element with these keys. A shape may stand for itself: ``box=…`` in place of ``shape=dict(box=…)``."""
        scene, number = self._scene, len(self)
        points = keys.get("points")
        if self._key == "fluid" and points is not None and not isinstance(points, (str, dict)):
            keys["points"] = self._array(points, keys.pop("velocities", None))
        if self._key not in ("force", "vortex", "probe", "material"):
            keys = _shaped(keys)
        if self._key in ("fluid", "emitter") and not scene["material"]:
            if keys.get("material", "water") == "water":
                scene.materials.append(name="water")
        scene[f"{self._key}[{number}]"] = keys
        return Part(scene, f"{self._key}[{number}]")

    def _array(self, points: Any, velocities: Any) -> Dict[str, str]:
        positions = _rows("points", points)
        speeds = None if velocities is None else _rows("velocities", velocities)
        if speeds is not None and len(speeds) != len(positions):
            raise ValueError(
                f"velocities: expected an array of shape {positions.shape}, as that of points, not {speeds.shape}"
            )
        self._scene._arrays += 1
        name = f"array {self._scene._arrays}"
        data = None if speeds is None else speeds.tobytes()
        self._scene._native.set_points(name, positions.tobytes(), data)
        return {"file": name}

    def __len__(self) -> int:
        return len(self._scene[self._key])

    def __getitem__(self, which: Union[int, str]) -> "Part":
        if isinstance(which, str):
            names = [one.get("name") for one in self._scene[self._key]]
            if which not in names:
                known = ", ".join(repr(name) for name in names if name) or "none has a name"
                raise KeyError(f"there is no {self._key} {which!r}: {known}")
            which = names.index(which)
        count = len(self)
        if not -count <= which < count:
            raise IndexError(f"there is no {self._key}[{which}]: the scene has {count}")
        return Part(self._scene, f"{self._key}[{which % count}]")

    def __delitem__(self, which: int) -> None:
        values = self._scene[self._key]
        del values[which]
        self._scene[self._key] = values

    def __iter__(self) -> Iterator["Part"]:
        return (self[number] for number in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} of [[{self._key}]]: {self._scene[self._key]!r}>"


class Part:
    """An element of a list of a scene: ``scene.bodies["boat"]["density"] = 500``."""

    def __init__(self, scene: Scene, path: str) -> None:
        self._scene, self._path = scene, path

    def _path_of(self, key: str) -> str:
        kind = key.split(".")[0]
        return f"{self._path}.shape.{key}" if kind in _SHAPES else f"{self._path}.{key}"

    def __getitem__(self, key: str) -> Any:
        return self._scene[self._path_of(key)]

    def __setitem__(self, key: str, value: Any) -> None:
        self._scene[self._path_of(key)] = value

    def __repr__(self) -> str:
        value: Optional[Dict[str, Any]] = self._scene[self._path]
        return f"<{self._path}: {value!r}>"
