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
    return f"{joints(robot)}, {coordinates}, {robot.masses.sum():.6g} kg"


def depths(robot: Robot) -> list[int]:
    out: list[int] = []
    for parent in robot.parents:
        out.append(0 if parent < 0 else out[parent] + 1)
    return out


def text(robot: Robot) -> str:
    """The robot in lines: its name, its joints, its tree."""
    most = 12
    lines = [f"<torsor.Robot {robot.name!r}: {headline(robot)}>"]
    rows = list(zip(depths(robot), robot.link_names, robot.joint_names, robot.kinds))
    for depth, link, joint, kind in rows[:most]:
        lines.append("  " * (depth + 1 if depth < 20 else 20) + f"{link} ({kind} {joint!r})")
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
            (indent * depth + link, joint, kind, parent, *limits.get(joint, ("", "", "", "")))
            for depth, link, joint, kind, parent in zip(
                depths(robot), robot.link_names, robot.joint_names, robot.kinds, parents
            )
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
