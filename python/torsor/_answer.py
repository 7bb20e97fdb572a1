"""What answers of several parts have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Generic, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

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
