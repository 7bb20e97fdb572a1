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
from ._agreement import Agreement
from ._simulate import SimulationRun

Array = npt.NDArray[Any]


def _axes(ax: Axes | None, three_dimensional: bool = False) -> Any:
    if ax is not None:
        return ax
    return plt.figure().add_subplot(projection="3d") if three_dimensional else plt.subplots()[1]


def torques(
    robot: ts.Robot,
    motion: ts.JointMotion | ts.FollowedPath | SimulationRun,
    samples: int = 500,
    formulation: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The efforts of all joints along a motion, a path that was followed or a run, over time.

    >>> import torsor as ts, torsor.plot
    >>> robot = ts.load("puma560")
    >>> ts.plot.torques(robot, ts.published_motion("puma560"), formulation="kane").get_xlabel()
    't (s)'
    """
    if isinstance(motion, ts.JointMotion):
        t: Array = np.linspace(0, motion.duration, samples)
        q, qd, qdd = motion.sample(t)
    else:
        t, q, qd, qdd = motion.t, motion.q, motion.qd, motion.qdd
    tau = motion.tau if isinstance(motion, SimulationRun) else ts.inverse_dynamics(robot, q, qd, qdd, formulation)
    ax = _axes(ax)
    for name, column in zip(robot.velocity_names, tau.T):
        ax.plot(t, column, label=name)
    ax.set(xlabel="t (s)", ylabel="effort (N m, N)", title=robot.name)
    ax.legend()
    return ax


def agreement_matrix(
    robot: ts.Robot, q: npt.ArrayLike, qd: npt.ArrayLike, qdd: npt.ArrayLike
) -> tuple[list[str], Array]:
    """Names of the formulations of inverse dynamics that serve a robot, and how far any two of them differ.

    Largest difference over the states, relative to the largest effort.

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

    Of a robot at given states, or as certify_agreement found it at random ones.

    >>> import torsor as ts, torsor.plot
    >>> robot = ts.load("two_link")
    >>> len(ts.plot.agreement(robot, [0.1, 0.2], [1, 2], [3, 4]).images)
    1
    >>> len(ts.plot.agreement(ts.certify_agreement(robot, states=5)).images)
    1
    """
    if isinstance(robot, Agreement):
        if not (q is None and qd is None and qdd is None):
            raise ValueError("agreement: states beside an answer of certify_agreement; expected that alone: it has its own states")
        title, names, worst = robot.robot, robot.names, robot.matrix
    elif q is None or qd is None or qdd is None:
        raise ValueError("agreement: a robot alone; expected q, qd and qdd too, or an answer of certify_agreement")
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


def dominance(shares: Sequence[ts.Share], quantities: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """What of each torque (or of the given quantities) comes from what, as bars.

    >>> import torsor as ts, torsor.plot
    >>> q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
    >>> shares = ts.dominance(ts.load("puma560"), q, qd, qdd)
    >>> ts.plot.dominance(shares, ["D11", "D22"]).get_ylabel()
    'share'
    """
    wanted = list(quantities or dict.fromkeys(s.quantity for s in shares if s.quantity.startswith("tau")))
    ax = _axes(ax)
    bottom = dict.fromkeys(wanted, 0.0)
    labels: set[str] = set()
    for share in shares:
        if share.quantity in bottom:
            label = share.part if share.part not in labels else None
            ax.bar(share.quantity, share.share, bottom=bottom[share.quantity], label=label)
            bottom[share.quantity] += share.share
            labels.add(share.part)
    ax.set_ylabel("share")
    ax.legend(fontsize="small")
    return ax


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
    """Ends of a line for every link, from its parent's frame to its own, and on to the tool: (..., links + 1, 2, 3)."""
    ends = ts.forward_kinematics(robot, q)[..., :3, 3]
    tool = ts.frame_pose(robot, q)[..., None, :3, 3]
    base = np.zeros_like(tool)
    starts = np.concatenate([base if p < 0 else ends[..., p, None, :] for p in robot.parents], axis=-2)
    links = np.stack([starts, ends], axis=-2)
    return np.concatenate([links, np.stack([ends[..., -1:, :], tool], axis=-2)], axis=-3)


def stick_figure(robot: ts.Robot, q: npt.ArrayLike, ax: Axes | None = None) -> Axes:
    """The robot at a position, a line per link.

    >>> import torsor as ts, torsor.plot
    >>> len(ts.plot.stick_figure(ts.load("puma560"), [0.0] * 6).lines)
    7
    """
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


def animate(robot: ts.Robot, q: npt.ArrayLike, interval: float = 40, ax: Axes | None = None) -> animation.FuncAnimation:
    """The robot along positions (rows, nq) as an animation, interval in milliseconds; in a notebook `.to_jshtml()` shows it.

    >>> import numpy as np, torsor as ts, torsor.plot
    >>> movie = ts.plot.animate(ts.load("two_link"), np.linspace([0, 0], [1, 2], 2))
    >>> "<script" in movie.to_jshtml()
    True
    """
    sticks = _sticks(robot, q)
    axes: Any = _framed(_axes(ax, three_dimensional=True), sticks)
    lines: list[Any] = [axes.plot(*stick.T, "o-", linewidth=3, markersize=4)[0] for stick in sticks[0]]

    def show(k: int) -> list[Any]:
        for line, stick in zip(lines, sticks[k]):
            line.set_data_3d(*stick.T)
        return lines

    return animation.FuncAnimation(axes.figure, show, frames=len(sticks), interval=interval)
