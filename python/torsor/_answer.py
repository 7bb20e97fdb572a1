"""What answers of several parts have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._torsor import Robot

Array = npt.NDArray[Any]


class Answer:
    """An answer with named parts, which do not change; it prints arrays by their shapes."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is an answer: {name} cannot be set")

    def __repr__(self) -> str:
        parts = []
        for name, value in self.__dict__.items():
            if isinstance(value, np.ndarray) and value.size > 8:
                parts.append(f"{name}: array {value.shape}")
            elif isinstance(value, list) and len(value) > 8:
                parts.append(f"{name}: list of {len(value)}")
            else:
                parts.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


Branch = TypeVar("Branch")


class Branches(Answer, Generic[Branch]):
    """An answer that can be gone through branch by branch."""

    branches: list[Branch]

    def __len__(self) -> int:
        return len(self.branches)

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.branches)

    def __getitem__(self, k: int) -> Branch:
        return self.branches[k]


class AgreementBase(Answer):
    """How far formulations of a robot agree."""

    robot: str
    states: int
    names: list[str]
    worst: Any

    def holds(self, tolerance: float = 1e-12) -> bool:
        """Whether nothing is further off than the tolerance.

        >>> import torsor as ts
        >>> ts.agree(ts.load("two_link"), states=5).holds()
        True
        """
        return bool(self.worst.disagreement <= tolerance)

    def __repr__(self) -> str:
        return (
            f"<Agreement of {len(self.names)} formulations on {self.robot}: worst {self.worst.disagreement:.1e}"
            f" over {self.states} states>"
        )


class ProposalBase(Answer):
    """A change of a robot."""

    change: str
    removed: list[str]
    robot: Robot  # with the change

    def __repr__(self) -> str:
        return f"<Proposal: {self.change}; removes {', '.join(self.removed)}>"


class DesignGuideBase(Answer):
    """Proposals for a robot."""

    proposals: list[Any]

    def removing(self, coefficient: str, most: int = 3) -> list[Any]:
        """The best proposals that remove a coefficient, by its name.

        >>> import torsor as ts
        >>> len(ts.guide(ts.load("two_link"), steps=50).removing("G2")) > 0
        True
        """
        return [each for each in self.proposals if coefficient in each.removed][:most]


class GeneratedCodeBase(Answer):
    """C by functions."""

    source: str
    functions: list[Any]

    def __repr__(self) -> str:
        names = ", ".join(function.name for function in self.functions)
        return f"GeneratedCode({names}: {len(self.source.splitlines())} lines)"


class StructureBase(Answer):
    """Which coefficients of the equations vanish."""

    coefficients: list[str]
    constant: list[bool]
    levels: dict[str, list[bool]]

    def nonzero(self, level: str = "numbers") -> list[bool]:
        """For each coefficient whether it is not identically zero.

        level: with these "numbers"; for all robots of this geometry with the same "equal-moments" and zeros; the same
        "zeros" only; any inertias, "generic".

        >>> import torsor as ts
        >>> s = ts.structure(ts.load("two_link"))
        >>> sum(s.nonzero()), len(s.coefficients)
        (7, 7)
        """
        if level not in self.levels:
            raise ValueError(f'nonzero: level is "{level}"; expected numbers, equal-moments, zeros or generic')
        return self.levels[level]

    def __repr__(self) -> str:
        nonzero = self.nonzero()
        constant = sum(a and b for a, b in zip(nonzero, self.constant))
        return (
            f"<Structure: {sum(nonzero)} of {len(nonzero)} coefficients are not zero,"
            f" {constant} of these constant>"
        )
