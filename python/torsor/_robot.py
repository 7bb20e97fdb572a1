"""What a robot does in Python alone: it shows itself, as lines of text or as tables in notebooks, and is pickled."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from . import _torsor
from ._error import Error

if TYPE_CHECKING:
    from ._torsor import Robot


def restore(text: str) -> Robot:
    """A pickled robot."""
    return _torsor.load(text, check=False)


def joints(robot: Robot) -> str:
    """Its joints in a word, 6R or RRPRRR: R revolute, P prismatic, H helical, E planar, S spherical, F free."""
    runs = [(letter, len(list(run))) for letter, run in groupby(robot.joint_letters)]
    counted = "".join(f"{n}{letter}" if n > 3 or (len(runs) == 1 and n > 1) else letter * n for letter, n in runs)
    return counted or "fixed"


def headline(robot: Robot) -> str:
    if robot.nq == robot.nv:
        coordinates = f"{robot.nv} coordinate" + ("" if robot.nv == 1 else "s")
    else:
        coordinates = f"{robot.nq} positions, {robot.nv} velocities"
    base = f" ({robot.base_mass:.6g} kg of them the base)" if robot.base_mass > 0 else ""
    return f"{joints(robot)}, {coordinates}, {robot.masses.sum() + robot.base_mass:.6g} kg{base}"


def branch_by_branch(robot: Robot) -> list[tuple[int, int]]:
    """Index and depth of every link, each below the one that carries it: a file may name the links in any order."""
    carried: list[list[int]] = [[] for _ in range(len(robot.parents) + 1)]
    for link, parent in enumerate(robot.parents):
        carried[parent + 1].append(link)
    rows: list[tuple[int, int]] = []
    waiting = [(link, 0) for link in reversed(carried[0])]
    while waiting:
        link, depth = waiting.pop()
        rows.append((link, depth))
        waiting += [(next, depth + 1) for next in reversed(carried[link + 1])]
    return rows


def text(robot: Robot) -> str:
    """The robot in lines: its name, its joints, its tree."""
    most = 12
    lines = [f"<torsor.Robot {robot.name!r}: {headline(robot)}>"]
    links, names, kinds = robot.link_names, robot.joint_names, robot.kinds
    rows = branch_by_branch(robot)
    for k, depth in rows[:most]:
        lines.append("  " * (depth + 1 if depth < 20 else 20) + f"{links[k]} ({kinds[k]} {names[k]!r})")
    if len(rows) > most:
        lines.append(f"  ... and {len(rows) - most} more links")
    return "\n".join(lines)


def table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(cell(x) for x in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cell(x: object) -> str:
    if isinstance(x, float):
        shown = f"{x:.6g}" if np.isfinite(x) else "–"
        return f'<td style="text-align:right">{shown}</td>'
    return f'<td style="text-align:left">{escape(str(x))}</td>'


def html(robot: Robot) -> str:
    """The robot in tables: tree with limits, DH rows, masses."""
    indent = "\u2003"
    links, names, kinds = robot.link_names, robot.joint_names, robot.kinds
    parents = [robot.base_name if p < 0 else robot.link_names[p] for p in robot.parents]
    limits = {
        name: (float(low), float(high), float(speed), float(effort))
        for name, low, high, speed, effort in zip(
            robot.velocity_names, robot.lower, robot.upper, robot.velocity_limits, robot.effort_limits
        )
    }
    tree = table(
        "tree and limits",
        ("link", "joint", "kind", "parent", "lower", "upper", "speed", "effort"),
        (
            (indent * depth + links[k], names[k], kinds[k], parents[k], *limits.get(names[k], ("", "", "", "")))
            for k, depth in branch_by_branch(robot)
        ),
    )
    masses = table(
        "masses: mass centre and inertia about it, in the axes of the link frame",
        ("link", "mass (kg)", "cx (m)", "cy", "cz", "Ixx (kg m²)", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"),
        (
            (link, float(m), *map(float, c), *(float(I[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
            for link, m, c, I in zip(robot.link_names, robot.masses, robot.mass_centres, robot.inertias)
        ),
    )
    source = f"<p>{escape(robot.source)}</p>" if robot.source else ""
    try:
        dh = robot.dh_table("html")
    except Error:  # a tree has none
        dh = ""
    return f"<h4>{escape(robot.name)}</h4><p>{escape(headline(robot))}</p>{source}{tree}{dh}{masses}"
