"""The older name of gymnasium's spaces."""

from gymnasium.spaces import *
