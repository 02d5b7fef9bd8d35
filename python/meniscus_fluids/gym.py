"""Environments of liquids for Gymnasium: pouring, carrying, stirring, one at a time or many in one step.

    import gymnasium
    import meniscus_fluids.gym

    env = gymnasium.make("meniscus/PourWater-v0", render_mode="rgb_array")
    envs = gymnasium.make_vec("meniscus/PourWater-v0", num_envs=16)

Actions are numbers of −1 to 1: velocities of what is moved, in shares of the largest. A world of many has the bits of one alone.
"""

from __future__ import annotations

import pathlib
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

try:
    import gymnasium
except ImportError as error:
    raise ImportError("gymnasium is not installed: pip install 'meniscus-fluids[gym]'") from error

from ._batch import Batch
from ._region import Region
from ._scene import Scene

_FOLDER = pathlib.Path(__file__).parent / "tasks"
#: Half the inner width and height of the cups in m (tasks/cup.obj).
_CUP = np.array([0.08, 0.1, 0.08])


class _Task:
    """What is to be done in each of ``n`` worlds of a scene."""

    #: File of the scene, name of what is moved, and control steps of an episode.
    scene = ""
    moved = ""
    steps = 100
    #: Axes that an action moves it along, largest speeds in m/s, and bounds in m of its centre.
    axes: Tuple[int, ...] = ()
    speeds: Tuple[float, ...] = ()
    bounds: Tuple[Tuple[float, float], ...] = ()
    #: Largest speed in rad/s of the turn about z, the last number of an action; 0 if it does not turn.
    turns = 0.0
    #: Names of cups.
    named: Tuple[str, ...] = ()
    #: Names of the numbers of an observation.
    names: Tuple[str, ...] = ()

    def __init__(self, n: int, adapter: Union[None, int, str], keys: Dict[str, Any]) -> None:
        self.batch = Batch(Scene.load(_FOLDER / self.scene, **keys), n, adapter)
        self.first = self.batch.pose(self.moved).position
        self.start = self.batch.state()
        self.interval = float(1.0 / self.batch.simulation.scene["time.fps"])
        self.place, self.angle = self.first.copy(), np.zeros(n)
        self.velocity = np.zeros((n, self.actions))
        self.goal = np.zeros(n)
        self.cups = {name: self.cup(name) for name in self.named}
        self.floors = {name: self.batch.pose(name).position[:, 1] - _CUP[1] for name in self.named}

    @property
    def actions(self) -> int:
        return len(self.axes) + (self.turns > 0)

    def reset(self, mask: np.ndarray, randoms: List[np.random.Generator]) -> None:
        """Puts the worlds of a mask back, and draws a goal for each by its generator."""
        if mask.all():
            self.batch.restore(self.start)
        else:
            self.batch.reset(mask)
        self.place[mask], self.angle[mask], self.velocity[mask] = self.first[mask], 0.0, 0.0
        for world, random in zip(np.flatnonzero(mask), randoms):
            self.goal[world] = self.draw(random)

    def act(self, actions: np.ndarray, still: np.ndarray) -> None:
        """Moves what is moved for a control step, but not in the worlds of the mask ``still``."""
        actions = np.clip(np.where(still[:, None], 0.0, actions), -1.0, 1.0)
        before, turned = self.place.copy(), self.angle.copy()
        for k, (axis, speed, (low, high)) in enumerate(zip(self.axes, self.speeds, self.bounds)):
            self.place[:, axis] = np.clip(before[:, axis] + self.interval * speed * actions[:, k], low, high)
        if self.turns > 0:
            self.angle = np.clip(turned + self.interval * self.turns * actions[:, -1], -np.pi, np.pi)
        ways = [self.place[:, axis] - before[:, axis] for axis in self.axes]
        ways += [self.angle - turned] if self.turns > 0 else []
        self.velocity = np.stack(ways, axis=1) / self.interval
        half, none = 0.5 * self.angle, 0.0 * self.angle
        self.batch.set_pose(self.moved, self.place, np.stack([np.cos(half), none, none, np.sin(half)], axis=1))
        self.batch.next_frame()

    def cup(self, name: str) -> Region:
        """The fluid in a cup, which goes along with it."""
        middle = self.batch.pose(name).position[0]
        return self.batch.region(name, box=dict(min=middle - _CUP, max=middle + _CUP))

    def height(self, name: str) -> np.ndarray:
        """Mean height in m of what is in a cup above where its floor was at the start; 0 if it is empty."""
        return np.nan_to_num(self.cups[name].center[:, 1] - self.floors[name])

    def draw(self, random: np.random.Generator) -> float:
        """A goal."""
        raise NotImplementedError

    def see(self) -> Tuple[np.ndarray, np.ndarray]:
        """Observations (n, k) and rewards (n,)."""
        raise NotImplementedError


class _Pour(_Task):
    scene, moved, steps = "pour_water.toml", "cup", 120
    axes, speeds, bounds, turns = (0, 1), (0.5, 0.5), ((-0.35, 0.1), (0.36, 0.55)), 2.0
    named = ("cup", "glass")
    names = ("x", "y", "angle", "speed_x", "speed_y", "spin", "in_cup", "in_glass", "height_in_glass", "goal")

    def draw(self, random: np.random.Generator) -> float:
        return random.uniform(0.3, 0.9)

    def see(self) -> Tuple[np.ndarray, np.ndarray]:
        in_cup, in_glass = (self.cups[name].fraction for name in self.named)
        height = self.height("glass")
        spilled = 1.0 - in_cup - in_glass
        numbers = [*self.place[:, :2].T, self.angle, *self.velocity.T, in_cup, in_glass, height, self.goal]
        return np.stack(numbers, axis=1), -np.abs(in_glass - self.goal) - spilled


class _Pass(_Task):
    scene, moved, steps = "pass_water.toml", "cup", 100
    axes, speeds, bounds = (0,), (1.0,), ((-0.5, 0.5),)
    named = ("cup",)
    names = ("x", "speed", "in_cup", "height", "lean", "goal")

    def draw(self, random: np.random.Generator) -> float:
        return random.uniform(0.0, 0.4)

    def see(self) -> Tuple[np.ndarray, np.ndarray]:
        in_cup, height = self.cups["cup"].fraction, self.height("cup")
        # Which side the water is on.
        lean = (self.batch.positions[..., 0] - self.place[:, :1]).clip(-_CUP[0], _CUP[0]).mean(axis=1)
        numbers = [self.place[:, 0], self.velocity[:, 0], in_cup, height, lean, self.goal]
        return np.stack(numbers, axis=1), -np.abs(self.place[:, 0] - self.goal) - (1.0 - in_cup)


class _Stir(_Task):
    scene, moved, steps = "stir.toml", "rod", 200
    axes, speeds, bounds = (0, 2), (0.5, 0.5), ((-0.08, 0.08), (-0.08, 0.08))
    names = ("x", "z", "speed_x", "speed_z", "mixed", "goal")

    def draw(self, random: np.random.Generator) -> float:
        return random.uniform(0.4, 0.9)

    def mixed(self) -> np.ndarray:
        """(n,): 1 − I with Danckwerts's intensity of segregation I = σ²/(c (1 − c)), in cells of 4 cm: 0 apart, near 1 mixed."""
        x, kinds = self.batch.positions, self.batch.materials
        cells = ((x[..., 0] + 0.12) // 0.04).clip(0, 5) * 6 + ((x[..., 2] + 0.12) // 0.04).clip(0, 5)
        worlds = np.arange(len(x))[:, None] * 36
        number = (worlds + cells.astype(int)).ravel()
        size = 36 * len(x)
        count = np.bincount(number, minlength=size).reshape(-1, 36)
        right = np.bincount(number, np.broadcast_to(kinds, x.shape[:2]).ravel(), size).reshape(-1, 36)
        share, mean = right / np.maximum(count, 1), kinds.mean()
        spread = (count * (share - mean) ** 2).sum(axis=1) / count.sum(axis=1)
        return 1.0 - spread / (mean * (1.0 - mean))

    def see(self) -> Tuple[np.ndarray, np.ndarray]:
        mixed = self.mixed()
        numbers = [self.place[:, 0], self.place[:, 2], *self.velocity.T, mixed, self.goal]
        return np.stack(numbers, axis=1), -np.abs(np.minimum(mixed - self.goal, 0.0))


def _spaces(task: _Task) -> Tuple[gymnasium.Space, gymnasium.Space]:
    of = gymnasium.spaces.Box
    return of(-np.inf, np.inf, (len(task.names),), np.float32), of(-1.0, 1.0, (task.actions,), np.float32)


class _Worker:
    """What holds the worlds of a task, until it is closed."""

    _work: Optional[_Task] = None

    @property
    def _open(self) -> _Task:
        if self._work is None:
            raise ValueError("the environment is closed")
        return self._work

    @property
    def batch(self) -> Batch:
        """The worlds, with their particles and poses."""
        return self._open.batch

    def _close(self) -> None:
        if self._work is not None:
            self._work.batch.close()
            self._work = None


class _Env(_Worker, gymnasium.Env):
    """One world of a task; keys of the scene may be given, as ``particle_radius=0.008``."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}
    _task = _Task

    def __init__(self, render_mode: Optional[str] = None, adapter: Union[None, int, str] = None, **keys: Any) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}, expected None or 'rgb_array'")
        self.render_mode = render_mode
        self._work = self._task(1, adapter, keys)
        self.observation_space, self.action_space = _spaces(self._work)
        self._left = 0

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        super().reset(seed=seed)
        self._open.reset(np.ones(1, bool), [self.np_random])
        self._left = self._open.steps
        return self._open.see()[0][0].astype(np.float32), {}

    def step(self, action: np.ndarray) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        if self._left <= 0:
            raise ValueError("the episode is over: reset begins the next one")
        self._open.act(_actions(action, (1, self._open.actions)), np.zeros(1, bool))
        self._left -= 1
        seen, reward = self._open.see()
        return seen[0].astype(np.float32), float(reward[0]), False, self._left == 0, {}

    def render(self) -> Optional[np.ndarray]:
        return None if self.render_mode is None else self._open.batch.render(size=(640, 480), legend=False)

    def close(self) -> None:
        self._close()


class _VectorEnv(_Worker, gymnasium.vector.VectorEnv):
    """Many worlds of a task in one step. An episode that is over begins anew in the next step, whose action counts for nothing there."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50, "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP}
    _task = _Task

    def __init__(
        self, num_envs: int = 1, render_mode: Optional[str] = None, adapter: Union[None, int, str] = None, **keys: Any
    ) -> None:
        self.num_envs, self.render_mode = num_envs, render_mode
        self._work = self._task(num_envs, adapter, keys)
        self.single_observation_space, self.single_action_space = _spaces(self._work)
        self.observation_space, self.action_space = (
            gymnasium.vector.utils.batch_space(one, num_envs)
            for one in (self.single_observation_space, self.single_action_space)
        )
        self._random: List[np.random.Generator] = []
        self._left = np.zeros(num_envs, int)

    def reset(
        self, *, seed: Union[None, int, List[Optional[int]]] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = [None if seed is None else seed + k for k in range(self.num_envs)] if seed is None or isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: expected {self.num_envs} numbers, not {len(seeds)}")
        if not self._random or any(one is not None for one in seeds):
            self._random = [gymnasium.utils.seeding.np_random(one)[0] for one in seeds]
        self._open.reset(np.ones(self.num_envs, bool), self._random)
        self._left[:] = self._open.steps
        return self._open.see()[0].astype(np.float32), {}

    def step(self, actions: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        if not self._random:
            raise ValueError("reset comes before the first step")
        task = self._open
        actions = _actions(actions, (self.num_envs, task.actions))
        over = self._left == 0
        # Those that begin anew do so after the step of the others: their first state has no time behind it.
        task.act(actions, over)
        if over.any():
            task.reset(over, [self._random[world] for world in np.flatnonzero(over)])
        seen, reward = task.see()
        self._left = np.where(over, task.steps, self._left - 1)
        return seen.astype(np.float32), np.where(over, 0.0, reward), np.zeros(self.num_envs, bool), self._left == 0, {}

    def render(self) -> Optional[Tuple[np.ndarray, ...]]:
        if self.render_mode is None:
            return None
        return tuple(self._open.batch.render(size=(320, 240), legend=False, world=world) for world in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        self._close()


def _actions(actions: Any, shape: Tuple[int, int]) -> np.ndarray:
    array = np.asarray(actions, np.float64)
    if array.size != shape[0] * shape[1] or not np.isfinite(array).all():
        raise ValueError(f"action: expected {shape} finite numbers of -1 to 1, not {array.shape}")
    return array.reshape(shape)


class PourWater(_Env):
    """Pour a share of a cup's water into a glass: the goal is the share that shall be there, and what is spilled counts."""

    _task = _Pour


class PassWater(_Env):
    """Carry a cup to a place, and spill nothing."""

    _task = _Pass


class Stir(_Env):
    """Mix two liquids with a rod, up to the goal."""

    _task = _Stir


class PourWaterVector(_VectorEnv):
    """Many :class:`PourWater` in one step."""

    _task = _Pour


class PassWaterVector(_VectorEnv):
    """Many :class:`PassWater` in one step."""

    _task = _Pass


class StirVector(_VectorEnv):
    """Many :class:`Stir` in one step."""

    _task = _Stir


for _name in ("PourWater", "PassWater", "Stir"):
    gymnasium.register(
        f"meniscus/{_name}-v0", entry_point=f"{__name__}:{_name}", vector_entry_point=f"{__name__}:{_name}Vector"
    )
