"""Environments for Gymnasium, one at a time and many in one step."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

import meniscus_fluids as mf  # noqa: E402
import meniscus_fluids.gym as tasks  # noqa: E402

ALL = [tasks.PourWater, tasks.PassWater, tasks.Stir]
VECTORS = [tasks.PourWaterVector, tasks.PassWaterVector, tasks.StirVector]


def play(env, rng, steps, rows=()):
    """What random actions give."""
    return [env.step(rng.uniform(-1, 1, (*rows, env.action_space.shape[-1])).astype(np.float32)) for _ in range(steps)]


@pytest.mark.parametrize("kind", ALL)
def test_each_is_an_environment_of_gymnasium(kind):
    env = gymnasium.make(f"meniscus/{kind.__name__}-v0", render_mode="rgb_array")
    check_env(env.unwrapped, skip_close_check=True)
    picture = env.unwrapped.render()
    assert picture.shape == (480, 640, 3) and picture.std() > 5
    env.close()
    with pytest.raises(ValueError, match="closed"):
        env.unwrapped.step(env.action_space.sample())


@pytest.mark.parametrize("kind, vector", list(zip(ALL, VECTORS)))
def test_a_world_of_many_is_one_alone(kind, vector):
    env, envs = kind(), vector(2)
    actions = np.random.default_rng(3).uniform(-1, 1, (4, 2, env.action_space.shape[0]))
    seen, _ = envs.reset(seed=5)
    rows = [(seen, None)] + [envs.step(both)[:2] for both in actions]
    for world in range(2):
        own, _ = env.reset(seed=5 + world)
        assert np.array_equal(own, rows[0][0][world])
        for number, action in enumerate(actions[:, world]):
            own, reward, *_ = env.step(action)
            assert np.array_equal(own, rows[number + 1][0][world]) and reward == rows[number + 1][1][world]
    env.close()
    envs.close()


def test_episodes_end_and_begin_again_one_by_one():
    envs = gymnasium.make_vec("meniscus/PassWater-v0", num_envs=2)
    work = envs.unwrapped
    first, _ = envs.reset(seed=1)
    play(envs, np.random.default_rng(0), 2, (2,))
    work._left[1] = 1
    *_, ends, _ = envs.step(np.zeros((2, 1), np.float32))
    assert ends.tolist() == [False, True]
    seen, reward, _, ends, _ = envs.step(np.ones((2, 1), np.float32))
    assert ends.tolist() == [False, False] and reward[1] == 0
    # In its first place, with another goal.
    assert np.array_equal(seen[1, :-1], first[1, :-1]) and seen[1, -1] != first[1, -1] and seen[0, 0] != first[0, 0]
    envs.close()


def test_water_that_is_poured_arrives():
    env = tasks.PourWater()
    env.reset(seed=0)
    tilt, wait = np.array([0.05, 0.0, -1.0]), np.zeros(3)
    for action in [tilt] * 45 + [wait] * 30:
        seen, *_ = env.step(action)
    seen = dict(zip(env._task.names, seen))
    assert seen["in_glass"] > 0.5 and seen["in_cup"] < 0.3, seen
    env.close()


def test_a_cup_that_is_carried_fast_spills_and_slowly_does_not():
    spilled = []
    for speed in 0.1, 1.0:
        env = tasks.PassWater()
        env.reset(seed=0)
        for k in range(60):
            seen, *_ = env.step([speed if speed < 1 or k // 6 % 2 == 0 else -speed])
        spilled.append(1 - dict(zip(env._task.names, seen))["in_cup"])
        env.close()
    assert spilled[0] == 0 and spilled[1] > 0.02, spilled


def test_stirring_mixes():
    env = tasks.Stir()
    start, _ = env.reset(seed=0)
    for k in range(100):
        seen, *_ = env.step([np.cos(0.4 * k), np.sin(0.4 * k)])
    assert start[4] < 0.1 and seen[4] > start[4] + 0.2, (start, seen)
    env.close()


def test_no_water_passes_through_a_cup():
    """Random motion at up to 1 m/s: what leaves does so over the rim."""
    n, fps = 2, 50
    with mf.Batch(mf.Scene.load(tasks._FOLDER / "pass_water.toml"), n) as batch:
        rng = np.random.default_rng(0)
        place, angle, velocity = batch.pose("cup").position.copy(), np.zeros(n), np.zeros((n, 2))
        was, leaked = None, 0
        for _ in range(100):
            velocity = 0.9 * velocity + 0.3 * rng.normal(size=(n, 2))
            velocity /= np.maximum(np.linalg.norm(velocity, axis=1, keepdims=True), 1)
            place[:, :2] = np.clip(place[:, :2] + velocity / fps, (-0.4, 0.15), (0.4, 0.45))
            angle = np.clip(angle + rng.uniform(-2, 2, n) / fps, -0.3, 0.3)
            half = 0.5 * angle
            batch.set_pose("cup", place, np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=1))
            batch.next_frame()
            x = batch.positions - place[:, None, :]
            cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
            x = np.stack([cos * x[..., 0] + sin * x[..., 1], cos * x[..., 1] - sin * x[..., 0], x[..., 2]], axis=-1)
            inside = (np.abs(x) < tasks._CUP).all(axis=-1)
            if was is not None:
                # 2 cm is the way of a frame.
                leaked += (was[0] & ~inside & (np.maximum(was[1], x[..., 1]) < 0.06)).sum()
            was = inside, x[..., 1]
        assert leaked == 0
