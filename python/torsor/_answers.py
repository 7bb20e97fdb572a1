"""Answers that have several parts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class MotionTerms(NamedTuple):
    """Every term of the equations of motion, M qdd + C qd + gravity + friction = tau; leading axes are states.

    >>> import torsor as ts
    >>> ts.motion_terms(ts.load("two_link"), [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])._fields[:3]
    ('M', 'C', 'gravity')
    """

    M: Array  # (..., nv, nv)
    C: Array  # (..., nv, nv)
    gravity: Array  # (..., nv)
    friction: Array
    bias: Array  # tau at qdd = 0
    tau: Array
    kinetic: Array  # (...), J
    potential: Array
    mass_centre: Array  # (..., 3), m, in the world
    momentum: Array  # (..., 6), angular about the world's origin, then linear
    reactions: Array  # (..., links, 6): moment and force of the parent on each link through its joint, in its joint frame


class Parameter(NamedTuple):
    """One of the numbers in which the efforts are linear: `Ixx3`, `kg m²`, its value."""

    name: str
    unit: str
    value: float


class BaseParameters(NamedTuple):
    """The smallest set of numbers that the efforts are linear in: tau = Y[:, kept] (phi[kept] + K phi[regrouped])."""

    parameters: list[Parameter]
    kept: npt.NDArray[np.int64]
    regrouped: npt.NDArray[np.int64]
    unfelt: npt.NDArray[np.int64]
    K: Array  # (kept, regrouped)
    values: Array  # of the base parameters
