"""Robots and mechanisms that move, in a notebook or on a page of their own."""

from __future__ import annotations

from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _torsor
from ._command import Page
from ._results import Assembled, DrivenRun, ForwardRun, InverseRun, SimulationRun
from ._torsor import FollowedPath, JointMotion, Mechanism, Robot

Motion = Union[JointMotion, FollowedPath, SimulationRun, DrivenRun, InverseRun, ForwardRun, Assembled, npt.ArrayLike]


def view(
    thing: Robot | Mechanism,
    motion: Motion | None = None,
    *,
    t: npt.ArrayLike | None = None,
    torques: npt.ArrayLike | None = None,
    samples: int = 300,
    title: str | None = None,
) -> Page:
    """The robot or mechanism along a motion: it plays, turns under the mouse and zooms, without network or further packages.

    A notebook shows what is returned; ``.save("page.html")`` writes it. motion of a robot: a motion of its joints (sampled at
    so many instants), a path that was followed, a run, or positions, (nq,) or (instants, nq), at the times t (default
    0, 1, 2, ...); of a robot with loops those of its independent joints. Without one, every joint goes through its range in turn. motion of a mechanism: a run (`run_driven`,
    `mechanism_inverse`, `run_forward`), or poses of its bodies, (instants, bodies, 4, 4); without one it stands still.
    torques, (instants, joints or actuators), colour the joints by the share of their limits; runs bring their own.

    >>> import torsor as ts
    >>> puma = ts.load("puma560")
    >>> page = ts.view(puma, ts.published_motion("puma560"))
    >>> page[:15].lower()
    '<!doctype html>'
    >>> four_bar = ts.load_mechanism("four_bar")
    >>> len(ts.view(four_bar, ts.run_driven(four_bar))) > 10000
    True
    """
    name = title if title is not None else thing.name
    if isinstance(thing, Mechanism):
        if motion is None:
            return Page(_torsor._view_start(thing, name))  # type: ignore[attr-defined]
        if isinstance(motion, Assembled):
            poses: Any = np.asarray(motion.poses)[None]
        elif isinstance(motion, (DrivenRun, InverseRun, ForwardRun)):
            poses, t = motion.poses, motion.t
            if isinstance(motion, InverseRun) and motion.torques_of == "actuators" and torques is None:
                torques = motion.torques
        elif isinstance(motion, (JointMotion, FollowedPath, SimulationRun)):
            raise TypeError("view: a mechanism moves by a run of its own, or by poses of its bodies")
        else:
            poses = np.asarray(motion, float)
        poses = np.asarray(poses, float)
        if poses.ndim < 3 or poses.shape[-2:] != (4, 4):
            raise ValueError(f"view: poses have the shape {poses.shape}; expected (instants, bodies, 4, 4)")
        poses = poses.reshape(-1, poses.shape[-3] * 16)
        times = np.arange(len(poses), dtype=float) if t is None else t
        return Page(_torsor._view_mechanism(thing, times, poses, torques, name))  # type: ignore[attr-defined]
    if isinstance(motion, (DrivenRun, InverseRun, ForwardRun, Assembled)):
        raise TypeError("view: a run of a mechanism is shown with its mechanism")
    if motion is None:
        return Page(_torsor._view_ranges(thing, None, name))  # type: ignore[attr-defined]
    if isinstance(motion, JointMotion):
        t = np.linspace(0, motion.duration, max(2, samples))
        q, qd, qdd = motion.sample(t)
        if torques is None and np.isfinite(thing.effort_limits).any():
            torques = _torsor.inverse_dynamics(thing, q, qd, qdd)
    elif isinstance(motion, (FollowedPath, SimulationRun)):
        t, q = motion.t, motion.q
        if isinstance(motion, SimulationRun) and torques is None:
            torques = motion.tau
    else:
        q = np.asarray(motion, float)
        if q.ndim < 2:
            return Page(_torsor._view_ranges(thing, q, name))  # type: ignore[attr-defined]
        q = q.reshape(-1, q.shape[-1])
    times = np.arange(len(q), dtype=float) if t is None else t
    return Page(_torsor._view_robot(thing, times, q, torques, name))  # type: ignore[attr-defined]
