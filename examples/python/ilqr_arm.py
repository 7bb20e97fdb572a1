"""Model predictive control of an arm of seven axes: iLQR on the exact derivatives of a step, with torque limits.

Every period the torques of the coming second are improved once (an iteration of iLQR: Tassa, Mansard & Todorov, "Control-limited
differential dynamic programming", ICRA 2014, with one step of their active set) and the first of them is applied; the rest, shifted,
is where the next period starts from. The arm that moves carries a payload that the controller does not know.

    python ilqr_arm.py                 the tool goes to a point 60 cm away; how near it gets, and the period in microseconds
    python ilqr_arm.py --robot panda

The horizon is one call of discrete_step (its states on all cores) and one call of step for each instant, in which the lengths
of the line search are the rows.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torsor as ts

Array = npt.NDArray[Any]
LENGTHS = 0.5 ** np.arange(8)  # of the line search, all tried at once


class Task(NamedTuple):
    """Where the tool is to go, and what else costs."""

    goal: Array  # (3,), m
    tool: float = 1000.0  # per m^2 and s
    speed: float = 10.0
    torque: float = 1e-2  # beside what holds the arm, in parts of what turns a joint by 1 rad/s^2
    end: float = 2.0  # s: how much more the last instant counts


class Planner:
    """Torques of a horizon, improved an iteration at a time."""

    def __init__(self, robot: ts.Robot, task: Task, horizon: int = 100, h: float = 0.01) -> None:
        self.robot, self.task, self.h = robot, task, h
        self.n = robot.nv
        self.limit = np.minimum(robot.effort_limits, 1e3)
        self.tau = np.zeros((horizon, self.n))
        self.weight = np.full(horizon + 1, h)
        self.weight[-1] = task.end
        self.hold = np.zeros(self.n)
        self.price = np.ones(self.n)  # of the square of each torque
        self.damping = 1.0  # in parts of these
        self.gain = np.zeros((horizon, self.n, 2 * self.n))  # of the last improvement
        self.x = np.zeros((horizon + 1, 2 * self.n))  # and the motion it led to

    def start(self, q: Array) -> None:
        """Torques that hold the arm, as far as they go."""
        self.hold = ts.gravity(self.robot, q)
        self.price = self.h * self.task.torque / np.diag(ts.mass_matrix(self.robot, q)) ** 2
        self.tau[:] = np.clip(self.hold, -self.limit, self.limit)
        self.gain[:] = 0

    def shift(self) -> None:
        """A period later: the last torques stay."""
        for each in (self.tau, self.gain, self.x):
            each[:-1] = each[1:].copy()

    def cost(self, q: Array, qd: Array, tau: Array) -> Array:
        """Of motions (..., horizon + 1, n) under torques (..., horizon, n)."""
        miss = ts.frame_pose(self.robot, q)[..., :3, 3] - self.task.goal
        running = self.task.tool * (miss**2).sum(-1) + self.task.speed * (qd**2).sum(-1)
        total: Array = (self.weight * running).sum(-1) + (self.price * (tau - self.hold) ** 2).sum((-1, -2))
        return total

    def motions(self, q0: Array, qd0: Array, push: Array) -> tuple[Array, Array, Array]:
        """Motions side by side, and their torques: those of the plan, and (motions, horizon, n) more, with the feedback of the plan."""
        N, n = self.tau.shape
        rows = len(push)
        # instants first, so that the motions of one lie together
        q, qd, taus = np.empty((N + 1, rows, n)), np.empty((N + 1, rows, n)), np.empty((N, rows, n))
        q[0], qd[0] = q0, qd0
        plan = self.tau[:, None] + push.swapaxes(0, 1)
        by_q, by_qd = self.gain[..., :n].swapaxes(1, 2), self.gain[..., n:].swapaxes(1, 2)
        q_plan, qd_plan = self.x[:, None, :n], self.x[:, None, n:]
        for k in range(N):
            tau = plan[k] + (q[k] - q_plan[k]) @ by_q[k] + (qd[k] - qd_plan[k]) @ by_qd[k]
            np.minimum(np.maximum(tau, -self.limit, out=tau), self.limit, out=taus[k])
            # a motion that is lost is dear, and no reason to warn
            ts.step(
                self.robot, q[k], qd[k], taus[k], self.h, "semi-implicit", out=(q[k + 1], qd[k + 1]), threads=1, return_valid=True
            )
        return q.swapaxes(0, 1), qd.swapaxes(0, 1), taus.swapaxes(0, 1)

    def improve(self, q0: Array, qd0: Array) -> tuple[float, float]:
        """One iteration from the state (q0, qd0); the cost before and after."""
        # from where the arm is, which is not where it was expected: the feedback makes up for that
        qs, qds, taus = self.motions(q0, qd0, np.zeros((1, *self.tau.shape)))
        if not np.isfinite(qs).all():  # too far: begin anew
            self.start(q0)
            qs, qds, taus = self.motions(q0, qd0, np.zeros((1, *self.tau.shape)))
        q, qd, self.tau = qs[0], qds[0], taus[0]
        before = float(self.cost(q, qd, self.tau))
        push, self.gain = self._backward(q, qd)
        self.x = np.hstack([q, qd])
        # all lengths of the step at once
        qs, qds, taus = self.motions(q0, qd0, LENGTHS[:, None, None] * push)
        costs = np.nan_to_num(self.cost(qs, qds, taus), nan=np.inf)
        best = int(costs.argmin())
        if costs[best] >= before:
            self.damping = min(10 * self.damping, 1e6)
            return before, before
        self.damping = max(self.damping / 3, 1e-3)
        self.tau, self.x = taus[best], np.hstack([qs[best], qds[best]])
        return before, float(costs[best])

    def _backward(self, q: Array, qd: Array) -> tuple[Array, Array]:
        """What to add to the torques, and their feedback on the state, from the end of the horizon to its start.

        Gradients ride along in the matrices: with y = (x, 1), x the change of the state, costs to come are y^T V y / 2 and those of
        an instant (u, y)^T W (u, y) / 2; the step is y+ = F (u, y).
        """
        N, n = self.tau.shape
        task = self.task
        _, _, A, B = ts.discrete_step(self.robot, q[:-1], qd[:-1], self.tau, self.h, "semi-implicit")
        F = np.zeros((N, 2 * n + 1, 3 * n + 1))
        F[:, :-1, :n], F[:, :-1, n:-1], F[:, -1, -1] = B, A, 1
        # the cost of positions by its Gauss-Newton matrix
        miss = ts.frame_pose(self.robot, q)[:, :3, 3] - task.goal
        J = ts.jacobian(self.robot, q)[:, 3:]
        W = np.zeros((N + 1, 3 * n + 1, 3 * n + 1))
        W[:, n : 2 * n, n : 2 * n] = task.tool * J.transpose(0, 2, 1) @ J
        W[:, n : 2 * n, -1] = task.tool * np.einsum("kij,ki->kj", J, miss)
        W[:, 2 * n : -1, 2 * n : -1] = task.speed * np.eye(n)
        W[:, 2 * n : -1, -1] = task.speed * qd
        W *= 2 * self.weight[:, None, None]
        W[:-1, :n, :n] = np.diag(2 * (1 + self.damping) * self.price)
        W[:-1, :n, -1] = 2 * self.price * (self.tau - self.hold)
        W[:, -1, :-1] = W[:, :-1, -1]

        gain = np.zeros((N, n, 2 * n + 1))
        low, high = -self.limit - self.tau, self.limit - self.tau
        V = W[N, n:, n:]
        for k in range(N - 1, -1, -1):
            Q = W[k] + F[k].T @ (V @ F[k])
            U, Y = Q[:n, :n], Q[:n, n:]
            gain[k] = -np.linalg.solve(U, Y)
            # where U gain = -Y what is left of the costs is this much
            V = Q[n:, n:] + Y.T @ gain[k]
            held = (gain[k, :, -1] < low[k]) | (gain[k, :, -1] > high[k])
            if held.any():  # those stay at their limits, the others make up for it
                free = ~held
                gain[k, held, :-1] = 0
                gain[k, held, -1] = np.clip(gain[k, held, -1], low[k, held], high[k, held])
                gain[k, free] = -np.linalg.solve(U[np.ix_(free, free)], Y[free] + U[np.ix_(free, held)] @ gain[k, held])
                V = Q[n:, n:] + Y.T @ gain[k] + gain[k].T @ (Y + U @ gain[k])
            V = (V + V.T) / 2
        return gain[..., -1], gain[..., :-1]


class Outcome(NamedTuple):
    """What came of the control."""

    start: float  # m: how far the tool was from the goal
    miss: float  # m: and is
    period_us: float  # median time of an iteration
    largest_share: float  # of a torque in its limit


def control(robot: ts.Robot, moving: ts.Robot, q: Array, goal: Array, periods: int) -> Outcome:
    """So many periods of the controller, which believes in `robot`, on the arm `moving`."""
    planner = Planner(robot, Task(goal))
    planner.start(q)
    qd = np.zeros(robot.nv)
    for _ in range(10):  # before it starts to move
        planner.improve(q, qd)

    def far() -> float:
        return float(np.linalg.norm(ts.frame_pose(robot, q)[:3, 3] - goal))

    first, times, share, missing = far(), [], 0.0, np.zeros(robot.nv)
    for _ in range(periods):
        begin = perf_counter()
        planner.improve(q, qd)
        times.append(perf_counter() - begin)
        expected = ts.step(robot, q, qd, planner.tau[0], planner.h)
        tau = np.clip(planner.tau[0] + missing, -planner.limit, planner.limit)
        share = max(share, float((np.abs(tau) / planner.limit).max()))
        q, qd = ts.step(moving, q, qd, tau, planner.h)
        # what the arm did not do as expected tells what its payload takes
        missing += 0.2 * ts.mass_matrix(robot, q) @ (expected.qd - qd) / planner.h
        planner.shift()
    return Outcome(first, far(), 1e6 * float(np.median(times)), share)


def main() -> None:
    parser = argparse.ArgumentParser(description="iLQR as model predictive control of an arm")
    parser.add_argument("--robot", default="iiwa14")
    parser.add_argument("--periods", type=int, default=200)
    options = parser.parse_args()
    robot = ts.load(options.robot)
    q = 0.5 * (np.clip(robot.lower, -3, 3) + np.clip(robot.upper, -3, 3)) + np.array([0.4, 0.5, 0.2, -0.9, 0.1, 0.6, 0.0])[: robot.nv]
    goal = ts.frame_pose(robot, q)[:3, 3] + [-0.3, 0.5, -0.15]
    outcome = control(robot, robot.with_payload(0.5), q, goal, options.periods)
    print(f"the tool was {1e3 * outcome.start:.0f} mm from its goal and is {1e3 * outcome.miss:.1f} mm from it")
    print(f"a period takes {outcome.period_us:.0f} us; the largest torque was {100 * outcome.largest_share:.0f} % of its limit")


if __name__ == "__main__":
    main()
