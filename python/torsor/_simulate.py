"""Answers of simulations."""

from __future__ import annotations

from typing import NamedTuple

from ._answer import Answer, Array


class Integrator(NamedTuple):
    """A method of integration."""

    name: str
    title: str
    order: int
    adaptive: bool
    implicit: bool
    symplectic: bool


class Event(NamedTuple):
    """Something that happened between steps: 'sticks', 'slides', 'touches_stop', 'leaves_stop', 'switches', 'chatters'."""

    t: float
    kind: str
    coordinate: str
    direction: int  # in which it slides; which stop it touches


class SimulationRun(Answer):
    """A run of a robot under efforts, with the account of its energy (J, works since the start)."""

    robot: str
    t: Array  # (instants,), s
    q: Array  # (instants, nq)
    qd: Array  # (instants, nv)
    qdd: Array
    tau: Array  # of the input, after saturation
    friction: Array  # what it takes
    stop_effort: Array
    momentum: Array  # (instants, 6), angular about the world's origin, then linear
    kinetic: Array  # (instants,)
    potential: Array
    effort_work: Array
    friction_loss: Array
    stop_work: Array
    balance_error: Array  # energy now - energy at the start - work received + loss
    largest_kinetic: float
    largest_balance_error: float
    balance_share: float  # the same, as a share of all energy that was exchanged
    events: list[Event]
    finished: bool
    end: str  # how it ended, in a sentence
    end_time: float
    integrator: str
    steps: int
    refused: int
    slopes: int
    estimated_error: float
    chatter_time: float


class RoundTrip(Answer):
    """How far from its target the hand is after inverse dynamics and back."""

    input: str
    finished: bool
    end: str
    position_error: float  # m, at the end
    orientation_error: float  # rad
    largest_position_error: float  # m, on the way
    joint_error: float
    tenfold_time: float  # s in which a small error grew tenfold; 0: none did
    steps: int
    slopes: int
