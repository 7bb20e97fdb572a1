"""Answers that have several parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._torsor import JointMotion, ToolPath

Array = npt.NDArray[Any]


class Terms(NamedTuple):
    """Every term of the equations of motion, M qdd + C qd + gravity + friction + load = tau; leading axes are states.

    >>> import torsor as ts
    >>> ts.terms(ts.load("two_link"), [0.0, 0.0], [0.0, 0.0], [0.0, 0.0])._fields[:3]
    ('M', 'C', 'gravity')
    """

    M: Array  # (..., nv, nv)
    C: Array  # (..., nv, nv)
    gravity: Array  # (..., nv)
    friction: Array
    load: Array  # what a moving base and forces from outside ask for
    bias: Array  # tau at qdd = 0
    tau: Array
    kinetic: Array  # (...), J
    potential: Array
    mass_centre: Array  # (..., 3), m, in the world
    momentum: Array  # (..., 6), angular about the world's origin, then linear
    reactions: Array  # (..., links, 6): moment and force of the parent on each link through its joint, in its joint frame


class Momentum(NamedTuple):
    """Where the mass of a robot is and how it moves, in the world, the base being at rest; leading axes are states.

    Angular momentum is about the mass centre. momentum = matrix @ qd (the centroidal momentum matrix), and the mass centre moves
    with mass_centre_jacobian @ qd.
    """

    mass_centre: Array  # (..., 3), m
    momentum: Array  # (..., 6), angular, then linear
    matrix: Array  # (..., 6, nv)
    mass_centre_jacobian: Array  # (..., 3, nv)


class Reactions(NamedTuple):
    """What the joints carry at a state: moment and force, each along the axes of a joint's frame and about its origin."""

    joints: Array  # (..., links, 6): of the parent on each link through its joint
    loops: Array  # (..., loops, 6): of the first link of a loop on its second, in the frame of the joint that closes it there
    unique: Array  # (..., links + loops): 1, or 0 where redundant equations leave many, of which the least is given


class Parameter(NamedTuple):
    """One of the numbers in which the torques are linear: `Ixx3`, `kg m²`, its value."""

    name: str
    unit: str
    value: float


class BaseParameters(NamedTuple):
    """The smallest set of numbers that the torques are linear in: tau = Y[:, kept] (phi[kept] + K phi[regrouped])."""

    parameters: list[Parameter]
    kept: npt.NDArray[np.int64]
    regrouped: npt.NDArray[np.int64]
    unfelt: npt.NDArray[np.int64]
    K: Array  # (kept, regrouped)
    values: Array  # of the base parameters


class DiscreteStep(NamedTuple):
    """Where a step in time ends, and its Jacobians: dx+ = A dx + B dtau with x = (q, qd)."""

    q: Array  # (..., nq)
    qd: Array  # (..., nv)
    A: Array  # (..., 2 nv, 2 nv)
    B: Array  # (..., 2 nv, nv)


class Step(NamedTuple):
    """Where a step in time ends."""

    q: Array  # (..., nq)
    qd: Array  # (..., nv)


class Rollout(NamedTuple):
    """Many motions at once: where each period of torques ends; leading axes are starts."""

    q: Array  # (..., periods, nq)
    qd: Array  # (..., periods, nv)


class Reach(NamedTuple):
    """How far a frame gets from the origin of the base: the truth lies between found and bound."""

    bound: float  # m, for certain
    found: float  # m, by search
    q: Array  # where it was found
    cut_short: bool  # a longer search might find more


class JointRates(NamedTuple):
    """Rates of the joints while a frame moves as asked; leading axes are states."""

    qd: Array  # (..., nv)
    qdd: Array
    lost: npt.NDArray[np.int64]  # (...): directions that the joints cannot follow; 0 at a regular position
    missed: Array  # (..., 6): what of the twist is not followed
    smallest_singular_value: Array  # (...): of the Jacobian, shifts in half lengths of the arm


class ToolTorques(NamedTuple):
    """Joints and their torques for a motion of the tool; not a number where the branch has none."""

    q: Array  # (..., 6)
    qd: Array
    qdd: Array
    tau: Array  # friction apart


class NamedMotion(NamedTuple):
    """A motion of the joints, and what it is for those who read the results."""

    name: str
    motion: JointMotion


class MotionTable(NamedTuple):
    """The rows of a motion file: SI units and radians, whatever the file has."""

    name: str
    t: Array  # (rows,), s; zeros where the file has no times
    q: Array  # (rows, nq)
    qd: Array  # (rows, nv)
    qdd: Array  # (rows, nv)
    has_time: bool
    derived: bool  # qd and qdd come from a smoothing spline of q


class PathScaling(NamedTuple):
    """How the time of a path of the tool was scaled, and what decides it."""

    factor: float  # duration after / before
    possible: bool  # False: no time will do, and path is as it was
    explanation: str  # the limit that decides, in a sentence
    warning: str  # where limits are not kept nevertheless; else empty
    path: ToolPath  # the path in its new time
