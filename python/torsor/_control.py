"""Answers about control laws."""

from __future__ import annotations

from typing import NamedTuple

from ._answer import Answer, Array


class ControlLawRow(NamedTuple):
    """A row of the table of control laws."""

    name: str
    title: str
    source: str
    hand: bool  # closes the loop around the hand
    force: bool  # uses the measured force
    need: str  # what it asks of the controller's model: 'none', 'gravity' or 'all'
    singular: str  # what it does near a singular position


class ControlFigures(Answer):
    """The figures by which laws are compared; not a number where there is none."""

    peak_position: float  # m: error of the hand
    rms_position: float
    steady_position: float  # over the last half of the rest
    peak_angle: float  # rad
    steady_angle: float
    rms_effort: float  # N m: the greatest of any one joint that turns
    peak_effort: float
    rms_thrust: float  # N: of slides
    peak_thrust: float
    peak_power: float  # W, of all motors together
    settling: float  # s, from the end of the motion; infinite: never
    peak_force: float  # N, at a wall
    steady_force: float
    limit_cycle: float  # half the range of an effort while steady, per greatest effort of the joint
    lost: float  # greatest loss near singular positions
    samples: int
    saturated: int
    swings: bool


class ControlRun(Answer):
    """One law on the task."""

    law: str
    figures: ControlFigures
    t: Array  # (instants,), s
    position_error: Array  # m, of the hand
    angle_error: Array  # rad
    power: Array  # W, of all motors
    force: Array  # N, at the wall
    tau: Array  # (instants, joints)
    finished: bool
    ended: str  # why it did not


class ControlExperiment(Answer):
    """Laws on one task; toml is the text of a file that repeats it."""

    robot: str
    toml: str
    runs: list[ControlRun]
    duration: float  # s, without the rest
    length: float  # m, of the hand's way


class SpeedRun(Answer):
    """The task at one speed, with several models of the controller."""

    factor: float
    duration: float
    peak_speed: float  # m/s
    figures: dict[str, ControlFigures]  # by the name of the model
