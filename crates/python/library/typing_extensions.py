"""What newer versions of `typing` have."""

from typing import *
from typing import __getattr__
