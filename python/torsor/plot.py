"""Pictures of what the package computes, with matplotlib (`pip install 'torsor[plot]'`).

Every function draws into the axes given as ax, or into new ones, and returns them.

>>> import torsor as ts
>>> import torsor.plot
>>> robot, motion = ts.load("two_link"), ts.point_to_point([0, 0], [1, 2], 1.0)
>>> axes = ts.plot.torques(robot, motion)
>>> len(axes.lines)
2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    from matplotlib import animation
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
except ModuleNotFoundError as missing:
    raise ImportError("torsor.plot needs matplotlib: pip install 'torsor[plot]'", name=missing.name) from missing

from . import _torsor as ts
from ._answers import MotionTable, NamedMotion
from ._results import Agreement, Share, SimulationRun

Array = npt.NDArray[Any]
# what goes along in time: by itself, or as rows
Motion = ts.JointMotion | NamedMotion | ts.FollowedPath | SimulationRun | MotionTable


def _axes(ax: Axes | None, three_dimensional: bool = False) -> Any:
    if ax is not None:
        return ax
    return plt.figure().add_subplot(projection="3d") if three_dimensional else plt.subplots()[1]


def _motion(motion: Any, asks: str) -> Any:
    """A motion of the joints without its name; an error that names what is taken where it is none."""
    if isinstance(motion, NamedMotion):
        return motion.motion
    if isinstance(motion, MotionTable) and not motion.has_time:
        raise ValueError(f"{asks}: the table \"{motion.name}\" has no times; give its q, or a file with a column t")
    if isinstance(motion, (ts.JointMotion, ts.FollowedPath, SimulationRun, MotionTable)):
        return motion
    raise TypeError(f"{asks}: {type(motion).__name__} is no motion of the joints; give a JointMotion, NamedMotion, "
                    "FollowedPath, SimulationRun or MotionTable")


def torques(
    robot: ts.Robot,
    motion: Motion,
    samples: int = 500,
    formulation: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The torques of all joints along a motion, a path that was followed or a run, over time.

    >>> import torsor as ts, torsor.plot
    >>> robot = ts.load("puma560")
    >>> ts.plot.torques(robot, ts.published_motion("puma560"), formulation="kane").get_xlabel()
    't (s)'
    """
    along = _motion(motion, "torques")
    if isinstance(along, ts.JointMotion):
        t: Array = np.linspace(0, along.duration, samples)
        q, qd, qdd = along.sample(t)
    else:
        t, q, qd, qdd = along.t, along.q, along.qd, along.qdd
    tau = along.tau if isinstance(along, SimulationRun) else ts.inverse_dynamics(robot, q, qd, qdd, formulation)
    ax = _axes(ax)
    for name, column in zip(robot.velocity_names, tau.T):
        ax.plot(t, column, label=name)
    ax.set(xlabel="t (s)", ylabel="torque (N m, N)", title=robot.name)
    ax.legend()
    return ax


def agreement_matrix(
    robot: ts.Robot, q: npt.ArrayLike, qd: npt.ArrayLike, qdd: npt.ArrayLike
) -> tuple[list[str], Array]:
    """Names of the formulations of inverse dynamics that serve a robot, and how far any two of them differ.

    Largest difference over the states, relative to the largest torque.

    >>> import torsor as ts, torsor.plot
    >>> names, worst = ts.plot.agreement_matrix(ts.load("two_link"), [0.1, 0.2], [1, 2], [3, 4])
    >>> bool(worst.max() < 1e-14)
    True
    """
    names = [row.name for row in ts.formulations("inverse", robot) if not row.refusal]
    tau = np.stack([ts.inverse_dynamics(robot, q, qd, qdd, formulation=name) for name in names])
    difference = np.abs(tau[:, None] - tau[None]).reshape(len(names), len(names), -1).max(axis=2)
    return names, difference / np.abs(tau).max()


def _heat_map(ax: Any, values: Array, names: Sequence[str], title: str, label: str, **options: Any) -> None:
    image = ax.imshow(values, **options)
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(names)), names)
    ax.set_title(title)
    ax.figure.colorbar(image, ax=ax, label=label)


def agreement(
    robot: ts.Robot | Agreement,
    q: npt.ArrayLike | None = None,
    qd: npt.ArrayLike | None = None,
    qdd: npt.ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How far any two formulations of inverse dynamics differ, as powers of ten.

    Of a robot at given states, or as agree found it at random ones.

    >>> import torsor as ts, torsor.plot
    >>> robot = ts.load("two_link")
    >>> len(ts.plot.agreement(robot, [0.1, 0.2], [1, 2], [3, 4]).images)
    1
    >>> len(ts.plot.agreement(ts.agree(robot, states=5)).images)
    1
    """
    if isinstance(robot, Agreement):
        if not (q is None and qd is None and qdd is None):
            raise ValueError("agreement: states beside an answer of agree; expected that alone: it has its own states")
        title, names, worst = robot.robot, robot.names, robot.matrix
    elif q is None or qd is None or qdd is None:
        raise ValueError("agreement: a robot alone; expected q, qd and qdd too, or an answer of agree")
    else:
        title, (names, worst) = robot.name, agreement_matrix(robot, q, qd, qdd)
    ax = _axes(ax)
    _heat_map(ax, np.log10(np.maximum(worst, 1e-17)), names, title, "log10 of the difference", vmin=-17, vmax=-8)
    return ax


def coupling(robot: ts.Robot, q: npt.ArrayLike, ax: Axes | None = None) -> Axes:
    """How strongly the joints are coupled by inertia: the largest over the given positions.

    >>> import torsor as ts, torsor.plot
    >>> float(ts.plot.coupling(ts.load("puma560"), [0.0] * 6).images[0].get_array()[0, 0])
    1.0
    """
    k = ts.coupling(robot, q)
    ax = _axes(ax)
    _heat_map(ax, k.reshape(-1, robot.nv, robot.nv).max(axis=0), robot.velocity_names, robot.name, "coupling", vmin=0, vmax=1)
    return ax


def dominance(shares: Sequence[Share], quantities: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """What of each torque (or of the given quantities) comes from what, as bars.

    >>> import torsor as ts, torsor.plot
    >>> q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
    >>> shares = ts.dominance(ts.load("puma560"), q, qd, qdd)
    >>> ts.plot.dominance(shares, ["D11", "D22"]).get_ylabel()
    'share'
    """
    wanted = list(quantities or dict.fromkeys(s.quantity for s in shares if s.quantity.startswith("tau")))
    known = dict.fromkeys(s.quantity for s in shares)
    if unknown := [name for name in wanted if name not in known]:
        raise ValueError(f"dominance: there is no share of {', '.join(map(repr, unknown))}; there are those of {', '.join(known)}")
    drawn = [share for share in shares if share.quantity in wanted and share.share > 0]
    looks = _looks(list(dict.fromkeys(share.part for share in drawn)))
    own = ax is None
    ax = _axes(ax)
    bottom = dict.fromkeys(wanted, 0.0)
    told: set[str] = set()
    for share in drawn:
        # a part looks the same in every bar, and stands once in the legend
        label = "_" if share.part in told else share.part
        ax.bar(share.quantity, share.share, bottom=bottom[share.quantity], label=label, **looks[share.part])
        bottom[share.quantity] += share.share
        told.add(share.part)
    ax.set_ylabel("share")
    _legend_beside(ax, own)
    return ax


def _legend_beside(ax: Axes, own: bool) -> None:
    """A legend to the right of the axes, no higher than they are: they get narrower for it, or our own figure grows."""
    figure: Any = ax.figure
    place, width, height = ax.get_position(), ax.bbox.width, ax.bbox.height

    def legend(size: float, columns: int) -> Any:
        return ax.legend(fontsize=size, ncols=columns, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.5)

    for size in (8, 7, 6, 5, 4, 3):
        column = legend(size, 1)
        entries, high = max(len(column.get_texts()), 1), column.get_window_extent().height
        columns = -(-entries // max(int(entries * height / high), 1))
        wide = (column if columns == 1 else legend(size, columns)).get_window_extent().width
        share = (wide + size) / width  # with the distance between them
        if own or share <= 0.6:
            break
    if own:
        more = 1 + share * place.width
        figure.set_figwidth(figure.get_figwidth() * more)
        ax.set_position((place.x0 / more, place.y0, place.width / more, place.height))
    elif figure.get_layout_engine() is None:
        ax.set_position((place.x0, place.y0, place.width * (1 - share), place.height))


def _looks(parts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A colour for each part, and from the twenty-first on a hatching with it, so that no two look alike."""
    colours, hatches = plt.get_cmap("tab20"), ("", "//", "..", "xx", "--", "oo", "++", "\\\\")
    return {
        part: {"facecolor": colours(k % 20), "hatch": hatches[k // 20 % len(hatches)], "edgecolor": "white", "linewidth": 0.3}
        for k, part in enumerate(parts)
    }


def workspace(
    robot: ts.Robot,
    plane: str = "xz",
    thickness: float = 0.05,
    states: int = 200_000,
    seed: int = 1,
    frame: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """A slice of the workspace: places of the tool near a plane through the base, over positions inside the limits.

    >>> import torsor as ts, torsor.plot
    >>> ts.plot.workspace(ts.load("puma560"), states=2000).get_xlabel()
    'x (m)'
    """
    if robot.nq != robot.nv:
        raise ValueError("workspace: the robot has ball or free joints; expected joints with a coordinate each")
    if len(plane) != 2 or not set(plane) <= set("xyz") or plane[0] == plane[1]:
        raise ValueError(f"workspace: plane is {plane!r}; expected two of the letters x, y, z")
    low = np.where(np.isfinite(robot.lower), robot.lower, -np.pi)
    high = np.where(np.isfinite(robot.upper), robot.upper, np.pi)
    q = np.random.default_rng(seed).uniform(low, high, (states, robot.nv))
    p = ts.frame_pose(robot, q, frame)[:, :3, 3]
    across = ({"x", "y", "z"} - set(plane)).pop()
    p = p[np.abs(p[:, "xyz".index(across)]) < thickness / 2]
    ax = _axes(ax)
    ax.scatter(p[:, "xyz".index(plane[0])], p[:, "xyz".index(plane[1])], s=1)
    ax.set(xlabel=f"{plane[0]} (m)", ylabel=f"{plane[1]} (m)", aspect="equal", title=robot.name)
    return ax


def _sticks(robot: ts.Robot, q: npt.ArrayLike) -> Array:
    """Ends of a line for every link that a joint holds at its parent, and for every tool: (..., lines, 2, 3).

    A line goes from the frame of the parent, or of the base, to that of the link; nothing holds what floats.
    """
    ends = ts.forward_kinematics(robot, q)[..., :3, 3]
    base = np.broadcast_to(robot.base_pose[:3, 3], ends.shape[:-2] + (3,))
    held = [k for k, kind in enumerate(robot.kinds) if kind not in ("free", "planar")]
    lines = [(base if robot.parents[k] < 0 else ends[..., robot.parents[k], :], ends[..., k, :]) for k in held]
    for tool, link in zip(robot.tools, robot.tool_links):
        if tool != robot.link_names[link]:  # the default tool of a file without tools is its last link
            lines.append((ends[..., link, :], ts.frame_pose(robot, q, tool)[..., :3, 3]))
    if not lines:  # a body that flies alone
        lines = [(ends[..., 0, :], ends[..., 0, :])]
    return np.stack([np.stack(line, axis=-2) for line in lines], axis=-3)


def stick_figure(robot: ts.Robot, q: npt.ArrayLike, ax: Axes | None = None) -> Axes:
    """The robot at a position: a line for each link and for each tool. A floating base is held by none.

    >>> import torsor as ts, torsor.plot
    >>> len(ts.plot.stick_figure(ts.load("puma560"), [0.0] * 6).lines)
    6
    """
    if np.ndim(q) != 1:
        raise ValueError(f"stick_figure: q has shape {np.shape(q)}; expected ({robot.nq},), one position: animate takes many")
    sticks = _sticks(robot, q)
    ax = _framed(_axes(ax, three_dimensional=True), sticks)
    for line in sticks:
        ax.plot(*line.T, "o-", linewidth=3, markersize=4)
    return ax


def _framed(ax: Any, points: Array) -> Axes:
    flat = points.reshape(-1, 3)
    centre, half = (flat.min(axis=0) + flat.max(axis=0)) / 2, max(float(np.ptp(flat, axis=0).max()) / 2, 1e-3)
    ax.set(xlim=(centre[0] - half, centre[0] + half), ylim=(centre[1] - half, centre[1] + half))
    ax.set(zlim=(centre[2] - half, centre[2] + half), xlabel="x (m)", ylabel="y (m)", zlabel="z (m)")
    ax.set_box_aspect((1, 1, 1))
    framed: Axes = ax
    return framed


def _frames(given: npt.ArrayLike | Motion, interval: float) -> npt.ArrayLike:
    """Positions every interval milliseconds, the last one included; those of an array as they are."""
    if isinstance(given, (np.ndarray, list, tuple)) and not isinstance(given, (NamedMotion, MotionTable)):
        return given
    q = _motion(given, "animate")
    end = float(q.duration if isinstance(q, ts.JointMotion) else q.t[-1])
    start = 0.0 if isinstance(q, ts.JointMotion) else float(q.t[0])
    t = np.append(np.arange(start, end, interval / 1000), end)
    if isinstance(q, ts.JointMotion):
        return q.sample(t)[0]
    rows: Array = q.q[np.minimum(np.searchsorted(q.t, t), len(q.t) - 1)]
    return rows


def animate(
    robot: ts.Robot,
    q: npt.ArrayLike | Motion,
    interval: float = 40,
    ax: Axes | None = None,
) -> animation.FuncAnimation:
    """The robot along a motion, a path that was followed, a run, a table of rows or positions (rows, nq), as an animation.

    interval: milliseconds from picture to picture; a motion or a run is shown in its own time. In a notebook
    `.to_jshtml()` shows it.

    >>> import numpy as np, torsor as ts, torsor.plot
    >>> robot = ts.load("two_link")
    >>> movie = ts.plot.animate(robot, ts.point_to_point([0, 0], [1, 2], 0.1))
    >>> "<script" in movie.to_jshtml()
    True
    >>> rows = ts.plot.animate(robot, np.linspace([0, 0], [1, 2], 2))
    >>> "<script" in rows.to_jshtml()
    True
    """
    if not interval > 0:
        raise ValueError(f"animate: interval is {interval}; expected milliseconds above zero")
    positions: Array = np.asarray(_frames(q, interval))
    if positions.ndim != 2 or len(positions) == 0:
        raise ValueError(f"animate: q has shape {positions.shape}; expected (rows, {robot.nq}), or a motion")
    sticks = _sticks(robot, positions)
    axes: Any = _framed(_axes(ax, three_dimensional=True), sticks)
    lines: list[Any] = [axes.plot(*stick.T, "o-", linewidth=3, markersize=4)[0] for stick in sticks[0]]

    def show(k: int) -> list[Any]:
        for line, stick in zip(lines, sticks[k]):
            line.set_data_3d(*stick.T)
        return lines

    return animation.FuncAnimation(axes.figure, show, frames=len(sticks), interval=interval)
