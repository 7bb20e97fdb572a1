"""Answers of the design guide."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ._answer import Answer, Array

if TYPE_CHECKING:
    from ._torsor import Robot


class Guideline(NamedTuple):
    """One of the four rules of Tourassis & Neuman (1985)."""

    number: int
    text: str
    kept: bool  # nothing is left to follow


class Proposal(Answer):
    """A change of a robot that leaves fewer coefficients of its equations, and the tool all it can do."""

    kind: str  # 'offset', 'axis', 'mount', 'mass centre', 'mass shape', 'counterbalance' or 'several'
    link: str  # the one that changes; '' for the base
    text: str  # what is done, with its numbers
    moves_axes: bool  # so that the tool reaches elsewhere
    removed: list[str]  # coefficients: 'd12', 'c23(1)', 'G4'
    brought: list[str]  # that were zero before
    steadied: list[str]  # that are constant now
    coefficients: int  # that are left
    peak: Array  # largest efforts along the motion
    peak_ratio: float  # of the sum of peak efforts after to before, turning and sliding joints apart
    energy_ratio: float  # of energy, the integral of |tau qd|, after to before
    coupling_ratio: float  # of mean coupling after to before
    cost: float  # mean of the three ratios, by which proposals are ranked: below one the change pays
    coupling_mean: float
    coupling_largest: float
    robot: Robot  # with the change

    def __repr__(self) -> str:
        return f"<Proposal: {self.text}; removes {', '.join(self.removed)}>"


class DesignGuide(Answer):
    """What could be changed about a robot, the best first; peaks and couplings are those of the robot as it is."""

    robot: str
    coefficients: int  # that are not zero
    guidelines: list[Guideline]
    sparsity: float  # share of the coefficients that are not zero
    expected_sparsity: float  # by the empirical law for this share of turning joints
    peak: Array
    coupling_mean: float
    coupling_largest: float
    proposals: list[Proposal]
    tried: int  # candidates

    def removing(self, coefficient: str, most: int = 3) -> list[Proposal]:
        """The best proposals that remove a coefficient, by its name.

        >>> import torsor as ts
        >>> len(ts.guide(ts.load("two_link"), steps=50).removing("G2")) > 0
        True
        """
        return [each for each in self.proposals if coefficient in each.removed][:most]
