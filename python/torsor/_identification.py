"""Parameters from records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._answer import Answer, Array
from ._error import Fault

if TYPE_CHECKING:
    from ._torsor import Robot


class JointFit(NamedTuple):
    """How well a joint of the record is explained."""

    name: str
    rows: int
    resting: int  # rows left out, since it rested
    noise: float  # standard deviation of what is left
    size: float  # rms of its effort where fitted
    fit: float  # rms of what is left, relative to that
    held_size: float  # the same of the part that was kept back
    held_fit: float
    held_file: float  # with the parameters of the file


class Identification(Answer):
    """Base parameters from a record; robot is the robot with them, or None with the faults of it."""

    names: list[str]
    units: list[str]
    file: Array
    value: Array
    deviation: Array
    inflation: Array  # deviation over what it would be if all others were known
    unexcited: list[str]
    joints: list[JointFit]
    condition: float
    rounds: int
    settled: bool
    fitted: int  # instants
    held_out: int
    robot: Robot | None
    faults: list[Fault]
    implausible: list[Fault]  # why the efforts cannot be those of this robot
