"""Tutorials: Markdown whose Python is run, block after block in one namespace, and whose shown output is compared.

A block ```python is run. A block ```text right behind it shows what it prints, to the last character; a block without one
prints nothing.

    python tutorials.py FILE...            runs and compares
    python tutorials.py --write FILE...    runs, and writes what is printed now into the files
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?P<shown>\n```text\n(?P<text>.*?)^```\n)?", re.M | re.S)


class Block(NamedTuple):
    """Some code, the line it stands on, and what it is said to print; where in the file its output is or would be."""

    code: str
    line: int
    shown: str
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    found = []
    for m in _BLOCK.finditer(text):
        start = m.end("code") + len("```\n")
        found.append(Block(m["code"], text.count("\n", 0, m.start("code")) + 1, m["text"] or "", start, m.end()))
    return found


def module(path: Path) -> str:
    """All code of a tutorial as the text of a module, line for line where it stands in the file."""
    lines: list[str] = []
    for block in blocks(path.read_text(encoding="utf-8")):
        lines += [""] * (block.line - 1 - len(lines)) + block.code.splitlines()
    return "\n".join(lines) + "\n"


def run(path: Path) -> Iterator[tuple[Block, str]]:
    """Every block and what it prints. Warnings are errors: a tutorial has none that it does not show."""
    namespace: dict[str, object] = {"__name__": "tutorial"}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        os.chdir(folder)
        try:
            for block in blocks(path.read_text(encoding="utf-8")):
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    exec(compile("\n" * (block.line - 1) + block.code, str(path), "exec"), namespace)
                yield block, printed.getvalue()
        finally:
            os.chdir(here)


def differences(path: Path) -> str:
    """Where what is printed is not what is shown; empty where it is."""
    told = ""
    for block, printed in run(path):
        if printed != block.shown:
            lines = difflib.unified_diff(block.shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1)
            told += f"{path.name}:{block.line}:\n" + "\n".join(lines) + "\n"
    return told


def write(path: Path) -> None:
    text, moved = path.read_text(encoding="utf-8"), 0
    for block, printed in run(path):
        output = f"\n```text\n{printed}```\n" if printed else ""
        text = text[: block.start + moved] + output + text[block.end + moved :]
        moved += len(output) - (block.end - block.start)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    wrong = ""
    for name in sys.argv[1:]:
        if name == "--write":
            continue
        if "--write" in sys.argv:
            write(Path(name).resolve())
        else:
            wrong += differences(Path(name).resolve())
    print(wrong, end="")
    sys.exit(1 if wrong else 0)
