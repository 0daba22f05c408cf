"""Texts as data: what the older interface gives."""

from torchtext import legacy
