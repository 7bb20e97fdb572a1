"""Faults of files and arguments, as the library reports them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One fault: where it is, what it is about, the rule it breaks, what was found, what to do about it."""

    file: str
    line: int
    offender: str
    rule: str
    what: str
    remedy: str
    text: str

    @property
    def where(self) -> tuple[str, int]:
        """File and line; line 0 is the file as a whole, no file is none."""
        return self.file, self.line

    def __str__(self) -> str:
        return self.text


class Error(ValueError):
    """What the library refuses, with every fault in it.

    The attributes `where`, `offender`, `rule`, `what` and `remedy` are those of the first fault.

    >>> import torsor as ts
    >>> try:
    ...     ts.load("pumma560")
    ... except ts.Error as error:
    ...     print(error.rule, "|", error.remedy[:23])
    robot-unknown | did you mean "puma560"?
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(fault.text for fault in faults))
        self.faults = tuple(faults)

    @property
    def where(self) -> tuple[str, int]:
        return self.faults[0].where

    @property
    def offender(self) -> str:
        return self.faults[0].offender

    @property
    def rule(self) -> str:
        return self.faults[0].rule

    @property
    def what(self) -> str:
        return self.faults[0].what

    @property
    def remedy(self) -> str:
        return self.faults[0].remedy

    def __reduce__(self) -> tuple[type[Error], tuple[tuple[Fault, ...]]]:
        return Error, (self.faults,)


class RobotWarning(UserWarning):
    """Something doubtful about the numbers of a robot."""


class RowWarning(UserWarning):
    """States of a batch that have no answer: their rows are NaN."""


class RunWarning(UserWarning):
    """A run that ended before its time, or results to be doubted."""
