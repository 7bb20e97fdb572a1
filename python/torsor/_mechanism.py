"""Answers about mechanisms. Poses, velocities and accelerations are of the bodies' own frames, in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _torsor
from ._answer import Answer, Array

if TYPE_CHECKING:
    from ._torsor import Mechanism


def restore(text: str, file: str, robots: dict[str, str], tables: dict[str, str]) -> Mechanism:
    """A pickled mechanism of a file."""
    made: Mechanism = _torsor._restore_mechanism(text, file, robots, tables)  # type: ignore[attr-defined]
    return made


def restore_robot(text: str, q: Array, qd: Array) -> Mechanism:
    """A pickled mechanism that is a robot."""
    return _torsor.mechanism_of_robot(_torsor.load(text, check=False), q, qd)


class Assembled(Answer):
    """A mechanism at its start, closed."""

    mechanism: str
    body_names: list[str]
    measure_names: list[str]
    poses: Array  # (bodies, 4, 4)
    velocities: Array  # (bodies, 6): angular, then linear
    measures: Array  # rad or m: angles, slides, lengths of the joints
    rates: Array
    moved: float  # m: how far at most bodies were moved from where the file has them
    singular: bool  # it may go on in more than one way


class MobilityCount(Answer):
    """Degrees of freedom of a set of equations: 6 per body less their rank."""

    rows: int
    rank: int
    freedoms: int
    redundant: int
    counted: int  # freedoms by counting alone
    gap_in_rank: float


class Dependence(NamedTuple):
    """An equation that follows from others: which one of which joint, and from whose."""

    equation: int
    of: str
    follows_from: list[str]


class Mobility(Answer):
    """Degrees of freedom of a mechanism where it stands at the start."""

    joints: MobilityCount  # of joints and couplings
    driven: MobilityCount  # with the drivers
    singular: bool
    actuation: str  # 'fully actuated', 'under-actuated', 'over-actuated' or 'not actuated'
    commanded: int  # freedoms that the actuators command
    dependences: list[Dependence]
    independent: list[str]  # velocities that determine all others, 'BODY.wx' and so on


class DrivenRun(Answer):
    """Motion that drivers prescribe."""

    mechanism: str
    body_names: list[str]
    measure_names: list[str]
    t: Array  # (instants,), s
    poses: Array  # (instants, bodies, 4, 4)
    velocities: Array  # (instants, bodies, 6)
    accelerations: Array  # (instants, bodies, 6)
    measures: Array  # (instants, measures)
    rates: Array
    seconds: Array  # second derivatives
    gap: Array  # (instants,): largest error of an equation of position, m or rad
    finished: bool
    why: str  # it did not finish
    worst_gap: float
    branch_times: Array  # s: of branch points that were passed


class InverseRun(DrivenRun):
    """Torques and reactions along the motion that drivers prescribe."""

    efforts_of: str  # "actuators", or "drivers" where there are no actuators
    actuator_names: list[str]  # or those of the drivers
    efforts: Array  # (instants, actuators), N m or N: what the motors supply
    power: Array  # (instants,), W: of the efforts
    kinetic: Array  # J
    potential: Array
    unbalanced: Array  # (instants,): largest acceleration that no actuator could have caused
    commanded: int
    reaction_names: list[str]  # joints
    reactions: Array  # (instants, joints, 6): moment and force


class ForwardRun(Answer):
    """Motion under forces and drivers."""

    mechanism: str
    body_names: list[str]
    measure_names: list[str]
    t: Array
    poses: Array
    velocities: Array
    accelerations: Array
    measures: Array
    rates: Array
    seconds: Array
    kinetic: Array  # (instants,), J
    potential: Array
    work: Array  # J, since the start, of everything that is no potential
    energy_error: Array  # J: what the balance of energy misses
    gap: Array
    reaction_names: list[str]
    reactions: Array  # (instants, joints, 6): moment and force on the second body, along the world's axes
    finished: bool
    why: str
    worst_gap: float
    worst_drift: float
    worst_rate_gap: float
    largest_energy: float
    estimated_error: float
    integrator: str
    steps: int
    refused: int
    slopes: int
    crossings: int  # of singular positions


class Equilibrium(Answer):
    """Where a mechanism stays at rest."""

    mechanism: str
    body_names: list[str]
    measure_names: list[str]
    poses: Array  # (bodies, 4, 4)
    velocities: Array  # zero
    measures: Array
    rates: Array
    reaction_names: list[str]
    reactions: Array  # (joints, 6)
    stable: bool
    freedoms: int
    residual: float
    least_stiffness: float  # 1/s^2


class StateSpace(Answer):
    """x' = A x + B u, y = C x + D u: differences from the rest or steady motion it is about."""

    states: list[str]  # coordinates with names, then rates of them
    inputs: list[str]  # actuators: their efforts, N m or N
    outputs: list[str]  # measures of the joints, then coordinates that are none
    A: Array
    B: Array
    C: Array
    D: Array


class Modes(Answer):
    """Small motions z'' = -K z - D z' along the degrees of freedom."""

    freedoms: int
    K: Array  # (freedoms, freedoms), 1/s^2; where something rolls with more columns, one per freedom of position
    D: Array  # 1/s
    state_space: StateSpace
    moving: bool  # about a motion, not about rest
    unsteady: str  # why that motion is no steady one; empty: it is
    s: Array  # eigenvalues, 1/s; of a pair the one with positive imaginary part only
    frequencies: Array  # Hz; 0 of one that does not oscillate
    damping: Array  # ratios
    left_over: float  # largest acceleration at the state, mass-normalised (kg^(1/2) m/s^2): 0 at rest, in steady motion
