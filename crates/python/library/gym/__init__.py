"""The older name of gymnasium."""

from gymnasium import *
from gymnasium import Env, Wrapper, make, spaces
