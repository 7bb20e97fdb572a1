"""Answers of surveys: the coefficients of the equations over the workspace, and along a motion."""

from __future__ import annotations

from typing import NamedTuple

from ._answer import Answer, Array


class WorkspaceSurvey(Answer):
    """Every coefficient of the equations over random positions; joints with a coordinate each."""

    robot: str
    coefficients: list[str]  # the independent ones: 'd12', 'c23(1)', 'G4'
    least: Array  # of each coefficient
    mean: Array
    most: Array
    dominance: Array  # per joint: largest sum over j of |d_ij| / d_ii; diagonally dominant below 1
    coupling_mean: Array  # (n, n): of |d_ij| / sqrt(d_ii d_jj)
    coupling_largest: Array
    scales: Array  # what the size of each coefficient is compared with: as large as its kind allows
    q: Array  # (positions, n): all that were looked at


class ZeroPassage(NamedTuple):
    """When a coefficient is zero: for an instant, or for a while (s)."""

    coefficient: str
    start: float
    end: float
    changes_sign: bool


class MotionSurvey(Answer):
    """Every coefficient of the equations along a motion."""

    robot: str
    coefficients: list[str]
    t: Array  # (instants,), s
    least: Array  # of each coefficient
    mean: Array
    most: Array
    dominance: Array  # per joint, as over the workspace
    coupling_mean: Array  # (n, n)
    coupling_largest: Array
    zeros: list[ZeroPassage]  # of those that do not vanish identically
    idle: list[str]  # that do not vanish identically, but all along this motion
    inertia: Array  # (instants, n): the part D qdd of the efforts
    velocity: Array
    gravity: Array
    snaps: list[str]  # numbers near special ones (1.5708) that were taken as these
    snap_effect: float  # what that does to the efforts, over random states, relative to their size
