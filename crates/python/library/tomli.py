"""TOML: files that are there are read."""

from tomllib import load, loads, TOMLDecodeError
