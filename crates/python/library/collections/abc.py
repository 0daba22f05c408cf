"""The abstract classes of containers."""

from _collections_abc_names import *
