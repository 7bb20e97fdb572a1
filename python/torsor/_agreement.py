"""Answers about agreement: of the formulations with each other, and of other tools with them."""

from __future__ import annotations

from typing import NamedTuple

from ._answer import Answer, Array


class CertifiedRow(NamedTuple):
    """A row of a catalogue and how it did."""

    question: str
    name: str
    source: str
    complexity: str
    frames: str  # 'tree', 'standard DH' or 'modified DH'
    disagreement: float  # with the first of its question
    refused: str  # why it does not serve the robot; empty if it does


class WorstState(NamedTuple):
    """Where a disagreement is largest."""

    disagreement: float
    joint: str
    q: Array
    qd: Array
    qdd: Array


class Agreement(Answer):
    """Every formulation against every other, over random states of one robot."""

    robot: str
    states: int
    names: list[str]  # of the formulations of inverse dynamics
    matrix: Array  # (names, names): the worst disagreement of each pair
    worst: WorstState  # of all
    formulations: list[CertifiedRow]  # those of inverse dynamics, in the order of names
    others: list[CertifiedRow]  # those of the other questions
    refused: list[CertifiedRow]
    snaps: list[str]  # geometry that was taken as special: none, all forms are of the robot as typed

    def holds(self, tolerance: float = 1e-12) -> bool:
        """Whether nothing is further off than the tolerance.

        >>> import torsor as ts
        >>> ts.agree(ts.load("two_link"), states=5).holds()
        True
        """
        return self.worst.disagreement <= tolerance

    def __repr__(self) -> str:
        return (
            f"<Agreement of {len(self.names)} formulations on {self.robot}: worst {self.worst.disagreement:.1e}"
            f" over {self.states} states>"
        )


class ProvenRow(NamedTuple):
    """A formulation of inverse dynamics and its proof."""

    name: str
    source: str
    equal: bool  # to the first
    proof: str  # 'polynomial' or 'finite field'
    terms: int  # of all torques together, where they are polynomials
    limit: str  # why they are not


class ExactAgreement(Answer):
    """Whether all formulations are the same polynomials."""

    robot: str
    holds: bool
    rows: list[ProvenRow]
    refused: dict[str, str]
    log2_error: float  # of the proofs in finite fields
    snaps: list[str]  # numbers near special ones (1.5708) that were taken as these
    snap_effect: float  # what that does to the efforts, over random states, relative to their size


class EffortDifference(NamedTuple):
    """One joint of a comparison, over all samples."""

    joint: str
    size: float  # rms of the recorded efforts
    rms: float  # of the differences
    worst: float
    row: int  # where it is worst, and both efforts there
    ours: float
    theirs: float
    differs: bool


class SlipGuess(NamedTuple):
    """What may be behind a difference."""

    slips: list[str]  # one or two
    sentence: str
    sizes: dict[str, float]  # what was fitted
    explains: bool
    remains: float  # largest difference left, in parts of the size of its joint
    deviations: dict[str, float]  # standard deviations of what was fitted
    but_noise: bool  # it explains all but noise: no second slip explains more of what is left than chance would


class TorqueDiagnosis(Answer):
    """Where the torques of another tool differ, and the likely reasons, the plainest first."""

    agrees: bool
    noise: bool  # no slip explains more of the difference than chance would; there are no guesses then
    joints: list[EffortDifference]
    before: float  # largest difference, in parts of the size of its joint
    guesses: list[SlipGuess]
    tried: int
