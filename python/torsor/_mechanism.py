"""Mechanisms that were pickled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _torsor
from ._answer import Array

if TYPE_CHECKING:
    from ._torsor import Mechanism


def restore(
    text: str, file: str, robots: dict[str, str], tables: dict[str, str], set: dict[str, float]
) -> Mechanism:
    """A pickled mechanism of a file."""
    made: Mechanism = _torsor._restore_mechanism(text, file, robots, tables, set)  # type: ignore[attr-defined]
    return made


def restore_robot(text: str, q: Array, qd: Array) -> Mechanism:
    """A pickled mechanism that is a robot."""
    return _torsor.mechanism_of_robot(_torsor.load(text, check=False), q, qd)
