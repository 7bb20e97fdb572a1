"""What answers of several parts have in common."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Answer:
    """An answer with named parts; it prints arrays by their shapes."""

    def __repr__(self) -> str:
        parts = []
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and value.size > 8:
                parts.append(f"{field.name}: array {value.shape}")
            elif isinstance(value, list) and len(value) > 8:
                parts.append(f"{field.name}: list of {len(value)}")
            else:
                parts.append(f"{field.name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"
