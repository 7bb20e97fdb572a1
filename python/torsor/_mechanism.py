"""Mechanisms that were pickled, and their small motions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _torsor
from ._answer import Answer, Array

if TYPE_CHECKING:
    from ._results import StateSpace
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


class Modes(Answer):
    """Small motions z'' = -K z - D z' along the degrees of freedom."""

    degrees_of_freedom: int
    K: Array  # (dof, dof), 1/s^2; where something rolls with more columns, one per degree of freedom of position
    D: Array  # 1/s
    state_space: StateSpace
    moving: bool  # about a motion, not about rest
    unsteady: str  # why that motion is no steady one; empty: it is
    uncertain: str  # which eigenvalues have few digits, and why; empty: none
    s: Array  # eigenvalues, 1/s; of a pair the one with positive imaginary part only
    frequencies: Array  # Hz; 0 of one that does not oscillate
    damping: Array  # ratios
    left_over: float  # largest acceleration at the state, mass-normalised (kg^(1/2) m/s^2): 0 at rest, in steady motion
