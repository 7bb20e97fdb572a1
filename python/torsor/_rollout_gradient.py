"""Gradients of what depends on rollouts, carried back through their steps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _torsor
from ._torsor import Robot

Array = npt.NDArray[Any]

# Runge-Kutta 4: where its stages are, in steps, and what each counts
PLACES, WEIGHTS = (0.0, 0.5, 0.5, 1.0), (1 / 6, 1 / 3, 1 / 3, 1 / 6)


class RolloutGradient(NamedTuple):
    """Gradients of a number that depends on a rollout; leading axes are starts. Those by q are along the velocity coordinates."""

    q: Array  # (..., nv), by the start
    qd: Array  # (..., nv)
    tau: Array  # (..., periods, nv)


def _back_through_step(
    robot: Robot, q: Array, qd: Array, tau: Array, h: float, method: str, by_q: Array, by_qd: Array, threads: int
) -> tuple[Array, Array, Array]:
    """From gradients by the end of a step to those by its start and its torques."""
    if robot.nq != robot.nv:  # quaternions: by the Jacobians of the step, whose tangents they are
        _, _, A, B = _torsor.discrete_step(robot, q, qd, tau, h, method, threads=threads)
        at_end = np.concatenate([by_q, by_qd], axis=-1)
        at_start, by_tau = np.einsum("...ij,...i->...j", A, at_end), np.einsum("...ij,...i->...j", B, at_end)
        return at_start[..., : robot.nv], at_start[..., robot.nv :], by_tau
    if method == "semi-implicit":
        by_qd = by_qd + h * by_q
        of_q, of_qd, of_tau = _torsor.forward_vjp(robot, q, qd, tau, h * by_qd, threads=threads)
        return by_q + of_q, by_qd + of_qd, of_tau
    stages, place, speed = [], q, qd
    for k in range(4):
        stages.append((place, speed))
        if k < 3:
            rate, acceleration = speed, _torsor.forward_dynamics(robot, place, speed, tau, threads=threads)
            place, speed = q + h * PLACES[k + 1] * rate, qd + h * PLACES[k + 1] * acceleration
    start_q, start_qd, of_all_tau = by_q, by_qd, np.zeros_like(tau)
    of_rate = of_acceleration = np.zeros_like(by_q)  # what the stage after it asks of a stage's
    for k in (3, 2, 1, 0):
        of_rate, of_acceleration = of_rate + h * WEIGHTS[k] * by_q, of_acceleration + h * WEIGHTS[k] * by_qd
        of_q, of_qd, of_tau = _torsor.forward_vjp(robot, *stages[k], tau, of_acceleration, threads=threads)
        of_qd = of_qd + of_rate
        start_q, start_qd, of_all_tau = start_q + of_q, start_qd + of_qd, of_all_tau + of_tau
        of_rate, of_acceleration = h * PLACES[k] * of_q, h * PLACES[k] * of_qd
    return start_q, start_qd, of_all_tau


def rollout_vjp(
    robot: Robot,
    q: npt.ArrayLike,
    qd: npt.ArrayLike,
    tau: npt.ArrayLike,
    h: float,
    by_q: npt.ArrayLike | None = None,
    by_qd: npt.ArrayLike | None = None,
    method: str = "runge-kutta-4",
    hold: int = 1,
    threads: int = 0,
) -> RolloutGradient:
    """From gradients by where the periods of a rollout end to those by its start and its torques, exact, all starts at once.

    q, qd, tau, h, method, hold: as in rollout. by_q and by_qd: (..., periods, nv), gradients of a number by the positions (along the
    velocity coordinates, which for joints of one degree of freedom are those of q) and rates at the ends of the periods; None
    for zeros. Answer: a named tuple of q (..., nv), qd (..., nv) and tau (..., periods, nv). The ends of the periods are kept, the
    steps in between are done again on the way back: with hold=10 that takes a tenth of the memory. Loads there are none.

    >>> import numpy as np, torsor as ts
    >>> robot = ts.load("two_link")
    >>> tau = np.zeros((50, 20, 2))  # 50 motions of 20 periods; how far does each end to the right?
    >>> end = np.zeros((50, 20, 2))
    >>> end[:, -1, 0] = 1.0
    >>> gradient = ts.rollout_vjp(robot, [0.1, 0.2], [0.0, 0.0], tau, 1e-3, by_q=end)
    >>> gradient.tau.shape, gradient.q.shape
    ((50, 20, 2), (50, 2))
    """
    nv = robot.nv
    tau = np.asarray(tau, float)
    given = [None if x is None else np.asarray(x, float) for x in (by_q, by_qd)]
    if tau.ndim < 2 or any(x is not None and (x.ndim < 2 or x.shape[-2:] != tau.shape[-2:]) for x in given):
        raise ValueError("rollout_vjp: tau, by_q and by_qd have shapes (..., periods, nv), all the same; got " + ", ".join(str(x.shape) for x in (tau, *given) if x is not None))
    q, qd = np.asarray(q, float), np.asarray(qd, float)
    for name, array, width in (("q", q, robot.nq), ("qd", qd, nv), ("tau", tau, nv)):
        if array.ndim == 0 or array.shape[-1] != width:
            leading = "..., periods" if name == "tau" else "..."
            raise ValueError(f"rollout_vjp: {name} has shape {array.shape}; expected ({leading}, {width})")
    starts = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1], tau.shape[:-2], *(x.shape[:-2] for x in given if x is not None))
    periods = tau.shape[-2]
    tau = np.broadcast_to(tau, (*starts, periods, nv))
    q, qd = np.broadcast_to(q, (*starts, robot.nq)), np.broadcast_to(qd, (*starts, nv))
    at_q, at_qd = (None if x is None else np.broadcast_to(x, (*starts, periods, nv)) for x in given)

    ends = _torsor.rollout(robot, q, qd, tau, h, method, hold, threads=threads)
    of_q, of_qd, of_tau = np.zeros((*starts, nv)), np.zeros((*starts, nv)), np.empty((*starts, periods, nv))
    for k in reversed(range(periods)):
        of_q = of_q if at_q is None else of_q + at_q[..., k, :]
        of_qd = of_qd if at_qd is None else of_qd + at_qd[..., k, :]
        now, torques = (q, qd) if k == 0 else (ends.q[..., k - 1, :], ends.qd[..., k - 1, :]), np.ascontiguousarray(tau[..., k, :])
        places, speeds = now[0][..., None, :], now[1][..., None, :]
        if hold > 1:  # the steps inside the period
            inside = _torsor.rollout(robot, *now, np.repeat(torques[..., None, :], hold - 1, axis=-2), h, method, threads=threads)
            places, speeds = np.concatenate([places, inside.q], axis=-2), np.concatenate([speeds, inside.qd], axis=-2)
        of_tau[..., k, :] = 0
        for step in reversed(range(hold)):
            start = np.ascontiguousarray(places[..., step, :]), np.ascontiguousarray(speeds[..., step, :])
            of_q, of_qd, of_torques = _back_through_step(robot, *start, torques, h, method, of_q, of_qd, threads)
            of_tau[..., k, :] += of_torques
    return RolloutGradient(of_q, of_qd, of_tau)
