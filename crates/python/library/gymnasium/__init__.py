"""Environments of reinforcement learning: what they show and take has a shape; what happens is not known."""

import _tensorvet
from gymnasium import spaces
from gymnasium.spaces import Box, Discrete, Space

# What is seen and what is done in well-known environments: a shape, or a number of choices.
_KNOWN = {
    "CartPole": ((4,), 2, 475.0),
    "Pendulum": ((3,), (1,), None),
    "MountainCar": ((2,), 3, -110.0),
    "MountainCarContinuous": ((2,), (1,), 90.0),
    "Acrobot": ((6,), 3, -100.0),
    "LunarLander": ((8,), 4, 200.0),
    "LunarLanderContinuous": ((8,), (2,), 200.0),
    "BipedalWalker": ((24,), (4,), 300.0),
    "FrozenLake": (16, 4, 0.7),
    "Taxi": (500, 6, 8.0),
    "CliffWalking": (48, 4, None),
    "HalfCheetah": ((17,), (6,), 4800.0),
    "Hopper": ((11,), (3,), 3800.0),
    "Walker2d": ((17,), (6,), None),
    "Ant": ((105,), (8,), 6000.0),
    "Humanoid": ((348,), (17,), None),
    "Reacher": ((10,), (2,), -3.75),
    "Swimmer": ((8,), (2,), 360.0),
    "InvertedPendulum": ((4,), (1,), 950.0),
    "CarRacing": ((96, 96, 3), (3,), 900.0),
    "Pong": ((210, 160, 3), 6, None),
    "Breakout": ((210, 160, 3), 4, None),
}


class _Spec:
    def __init__(self, id, threshold):
        self.id, self.reward_threshold, self.max_episode_steps = id, threshold, 500


class Env:
    metadata = {}
    render_mode = None
    spec = None
    reward_range = (-1e400, 1e400)

    def reset(self, *, seed=None, options=None):
        return self.observation_space.sample(), {}

    def step(self, action):
        unknown = lambda what, kind: _tensorvet.unknown(what, kind)
        return self.observation_space.sample(), unknown("a reward", "float"), unknown("whether an episode is over", "bool"), unknown("whether an episode is cut off", "bool"), {}

    def render(self):
        return None

    close = seed = render

    @property
    def unwrapped(self):
        return self


class Wrapper(Env):
    """An environment around another."""

    def __init__(self, env):
        self.env = env
        self.observation_space, self.action_space, self.spec = env.observation_space, env.action_space, env.spec

    def reset(self, **options):
        return self.env.reset(**options)

    def step(self, action):
        return self.env.step(action)

    @property
    def unwrapped(self):
        return self.env.unwrapped

    def __getattr__(self, name):
        return getattr(self.env, name)


class ObservationWrapper(Wrapper):
    def reset(self, **options):
        seen, info = self.env.reset(**options)
        return self.observation(seen), info

    def step(self, action):
        seen, *rest = self.env.step(action)
        return (self.observation(seen), *rest)


class ActionWrapper(Wrapper):
    def step(self, action):
        return self.env.step(self.action(action))


class RewardWrapper(Wrapper):
    pass


class _Known(Env):
    def __init__(self, id, seen, done, threshold, render_mode=None):
        kind = "uint8" if isinstance(seen, tuple) and len(seen) == 3 else "float32"
        self.observation_space = Discrete(seen) if isinstance(seen, int) else Box(-1e400, 1e400, seen, kind)
        self.action_space = Discrete(done) if isinstance(done, int) else Box(-1.0, 1.0, done)
        self.spec, self.render_mode = _Spec(id, threshold), render_mode


def make(id, *arguments, render_mode=None, **options):
    name = id.split("/")[-1].split("-")[0].replace("NoFrameskip", "")
    if name not in _KNOWN:
        return _tensorvet.unknown("the environment `" + id + "`")
    return _Known(id, *_KNOWN[name], render_mode)


def register(*arguments, **options):
    return None


def __getattr__(name):
    return _tensorvet.unknown("`gymnasium." + name + "` is not modelled")
