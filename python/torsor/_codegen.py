"""Generated C and its proof."""

from __future__ import annotations

from typing import NamedTuple

from ._answer import Answer


class GeneratedFunction(NamedTuple):
    """A function in C, and what it costs; sines and cosines apart."""

    name: str
    multiplications: int
    additions: int
    divisions: int
    angles: int  # of which it takes sine and cosine
    tolerance: float  # of the self-test


class GeneratedCode(Answer):
    """The text of a C file and of its header; with -DTORSOR_SELF_TEST the file is a program that tests itself."""

    source: str
    header: str
    functions: list[GeneratedFunction]

    def __repr__(self) -> str:
        names = ", ".join(function.name for function in self.functions)
        return f"GeneratedCode({names}: {len(self.source.splitlines())} lines)"


class ProvedFunction(NamedTuple):
    """Largest differences, relative to the largest entry of a result."""

    name: str
    generated: float  # from the library
    allowed: float  # what rounding explains
    polynomial: float | None  # of the polynomials from the library, where there are any


class CodeProof(Answer):
    """Generated code, compiled, run and compared."""

    holds: bool
    compiler: str
    flags: str
    compile_seconds: float
    states: int
    functions: list[ProvedFunction]
