"""Robots that were pickled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _torsor

if TYPE_CHECKING:
    from ._torsor import Robot


def restore(text: str) -> Robot:
    """A pickled robot."""
    return _torsor.load(text, check=False)
