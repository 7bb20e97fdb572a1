"""What acts on a robot besides its motors and its weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy.typing as npt


class Loads(NamedTuple):
    """A base that moves, forces from outside and another gravity, for the argument loads of the dynamics; what is None is not there.

    Leading axes are states, as of all other arguments: one wrench for a whole motion, or one per state. Moments stand before
    forces, angular before linear. Forces are those of the surroundings on the robot.

    >>> import torsor as ts
    >>> robot = ts.load("two_link")
    >>> push = ts.Loads(wrench=[0, 0, 0, 0, 10.0, 0])  # 10 N along y at the tool
    >>> still = ts.gravity(robot, [0.0, 0.0])
    >>> (still - ts.inverse_dynamics(robot, [0.0, 0.0], loads=push)).round(6)
    array([17. ,  8.5])
    >>> moon = ts.Loads(gravity=[0, -1.62, 0])
    >>> ts.inverse_dynamics(robot, [0.0, 0.0], loads=moon).round(4)
    array([...])
    """

    base: npt.ArrayLike | None = None
    """(..., 9): angular velocity and acceleration of the base, linear acceleration of its origin, in the world."""
    wrench: npt.ArrayLike | None = None
    """(..., 6): moment (N m) and force (N) on a frame, at its origin, along its axes."""
    frame: str | None = None
    """Of the wrench: a tool or link, by default the tool."""
    external: npt.ArrayLike | None = None
    """(..., links, 6): the same on every link, at the origins and along the axes of the link frames."""
    gravity: npt.ArrayLike | None = None
    """(..., 3): the acceleration of free fall in the world, in place of the robot's."""
