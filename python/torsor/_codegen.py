"""Generated C and its check."""

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
    tolerance: float  # the most that the self-test allows, relative to the largest entry of a result


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
    allowed: float  # the most that rounding explains of it, in the least conditioned state
    polynomial: float | None  # of the polynomials from the library, where there are any
    share: float  # the largest difference over what rounding explains in its state: 1 and less agrees


class CodeProof(Answer):
    """Generated code, compiled, run and compared with the library at so many states; `holds` where it agrees at all of them."""

    holds: bool
    compiler: str
    flags: str
    compile_seconds: float
    states: int
    functions: list[ProvedFunction]
