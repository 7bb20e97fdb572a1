"""The verbs of the command `torsor` inside Python, and pages of reports."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _torsor
from ._torsor import Mechanism, Robot


class CommandError(ValueError):
    """A verb that did not do what it was asked for: exit code, and what it printed."""

    def __init__(self, code: int, out: str, err: str) -> None:
        super().__init__(code, out, err)
        self.code, self.out, self.err = code, out, err

    def __str__(self) -> str:
        return self.err.strip() or f"exit code {self.code}"


class Command(NamedTuple):
    """What a verb printed."""

    code: int  # 0 done; 1 no solution; 2 bad file or flag; 3 cannot write
    out: str
    err: str  # notes and warnings


class Page(str):
    """A report: the text of an HTML page that needs nothing else. Notebooks show it."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, whole or not at all: an older one stays as it was where that fails (OSError).

        >>> import tempfile, torsor as ts
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ts.page("show", ts.load("two_link")).save(folder + "/two_link.html")
        """
        _torsor._write_text(os.fspath(path), self)  # type: ignore[attr-defined]

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self)}" style="width:100%;height:70vh;border:0"></iframe>'


def command(*arguments: Robot | str | os.PathLike[str], check: bool = True) -> Command:
    """Runs a verb of the command `torsor`, here and without a shell.

    A robot among the arguments is handed over as a file. With check, an exit code other than 0 raises
    :class:`CommandError`. One at a time: others wait.

    >>> import torsor as ts
    >>> print(ts.command("--version").out)
    torsor ...
    >>> ts.command("show", ts.load("two_link"), "--json").code
    0
    """
    from tempfile import TemporaryDirectory  # what takes long to import, and few need

    with TemporaryDirectory() as folder:
        words: list[str] = []
        for k, each in enumerate(arguments):
            if isinstance(each, Robot):
                path = os.path.join(folder, f"robot{k}.toml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(each.to_toml())
                words.append(path)
            else:
                words.append(os.fspath(each))
        code, out, err = _torsor._run_captured(words)  # type: ignore[attr-defined]
    if check and code != 0:
        raise CommandError(code, out, err)
    return Command(code, out, err)


def page(what: str, subject: Robot | Mechanism | str | os.PathLike[str], *arguments: Any, **options: Any) -> Page:
    """A report as a page (HTML), by the words of the command: what `torsor WHAT --html` writes.

    subject: a robot or mechanism, or its name or path. Pages of a robot, each with digits=6 and degrees=False:

    - `show`: q, frame; `report`: states; `ik`: pose, frame, start
    - `structure`: motion, q, qd, qdd, all, positions, seed, steps; `guide`: motion, keep_axes, pairs, steps
    - `id`: motion (of the joints, or a function with its duration), duration, samples
    - `track`: path (of the tool), period, start, frame, limits
    - `size`: motion, duration, dwell, brake, drives, ratios

    Of a mechanism: `mechanism kinematics`, `mechanism inverse`: time, interval; `mechanism simulate`: also integrator, step,
    tolerance, formulation, project_stages. :func:`command` writes the pages of other verbs to files.

    >>> import torsor as ts
    >>> ts.page("show", ts.load("two_link"))[:15].lower()
    '<!doctype html>'
    >>> len(ts.page("mechanism inverse", "four_bar", time=0.2)) > 1000
    True
    """
    make = getattr(_torsor, "_page_" + what.replace(" ", "_"), None)
    if make is None:
        names = sorted(name[6:].replace("_", " ") for name in dir(_torsor) if name.startswith("_page_"))
        raise ValueError(f"page: there is no page {what!r}; expected one of {', '.join(names)}")
    if not isinstance(subject, (Robot, Mechanism)):
        subject = _torsor.load_mechanism(subject) if what.startswith("mechanism") else _torsor.load(subject)
    return Page(make(subject, *arguments, **options))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command itself, `torsor` or `python -m torsor`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    words = list(sys.argv[1:] if arguments is None else arguments)
    code: int = _torsor._run_directly(words)  # type: ignore[attr-defined]
    return code
