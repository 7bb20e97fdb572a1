"""Sampling-based control of an arm: ten thousand motions are tried in every period, and a round obstacle is passed by.

Model predictive path integral control (Williams et al., "Information theoretic MPC for model-based reinforcement learning", ICRA
2017): noise is added to the torques of the horizon, each sample is rolled out, and the torques become the mean of the samples, those
with low costs weighing more. The cost may be anything, here with a wall around a sphere that the tool may not enter, and needs no
derivative.

    python mppi_arm.py                       the tool goes to the other side of a sphere
    python mppi_arm.py --samples 2000 --robot ur5e

One period is one call of rollout: the samples are its rows, several in each register, on all cores.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torsor as ts

Array = npt.NDArray[Any]


class Task(NamedTuple):
    """Where the tool is to go, and the sphere in its way."""

    goal: Array  # (3,), m
    centre: Array  # (3,), m
    radius: float  # m


class Sampler:
    """Torques of a horizon, drawn anew around their mean every period."""

    def __init__(
        self, robot: ts.Robot, task: Task, samples: int = 10_000, horizon: int = 20, h: float = 0.025, seed: int = 1
    ) -> None:
        self.robot, self.task, self.samples, self.h = robot, task, samples, h
        self.random = np.random.default_rng(seed)
        self.limit = np.minimum(robot.effort_limits, 1e3)
        self.mean = np.zeros((horizon, robot.nv))  # beside what holds the arm
        # what turns each joint by some rad/s^2
        self.spread = np.minimum(12 * np.diag(ts.mass_matrix(robot, robot.neutral_position())), 0.2 * self.limit)
        self.temperature = 0.02  # of what the samples cost

    def noise(self) -> Array:
        """Torques that change slowly: steps of a random walk that forgets."""
        white = self.random.standard_normal((self.samples, *self.mean.shape))
        kept, out = 0.8, np.empty_like(white)
        out[:, 0] = white[:, 0]
        for k in range(1, out.shape[1]):
            out[:, k] = kept * out[:, k - 1] + np.sqrt(1 - kept**2) * white[:, k]
        out *= self.spread
        return out

    def cost(self, motions: ts.Rollout) -> Array:
        """Of every sample; infinite where a motion was lost."""
        at = ts.frame_pose(self.robot, motions.q)[..., :3, 3]
        miss = np.linalg.norm(at - self.task.goal, axis=-1)
        inside = np.maximum(0, self.task.radius + 0.02 - np.linalg.norm(at - self.task.centre, axis=-1))
        beyond = np.maximum(0, np.maximum(motions.q - self.robot.upper, self.robot.lower - motions.q)).sum(-1)
        running = miss + 20 * (inside > 0) + 100 * inside + 10 * beyond + 0.02 * (motions.qd**2).sum(-1)
        total: Array = running.mean(-1) + 2 * miss[:, -1] + 0.1 * (motions.qd[:, -1] ** 2).sum(-1)
        total[np.isnan(total)] = np.inf
        return total

    def torque(self, q: Array, qd: Array) -> Array:
        """That of the coming period; the means move on by one."""
        hold = ts.gravity(self.robot, q)
        drawn = self.mean + self.noise()
        drawn[0] = self.mean  # what is known is a sample, too
        tau = np.clip(hold + drawn, -self.limit, self.limit)
        motions, _ = ts.rollout(self.robot, q, qd, tau, self.h, "semi-implicit", return_valid=True)
        cost = self.cost(motions)
        weight = np.exp(-(cost - cost.min()) / self.temperature)
        self.mean = np.tensordot(weight / weight.sum(), drawn, axes=1)
        first = self.mean[0].copy()
        self.mean[:-1] = self.mean[1:]
        chosen: Array = np.clip(hold + first, -self.limit, self.limit)
        return chosen


class Outcome(NamedTuple):
    """What came of the control."""

    start: float  # m: how far the tool was from the goal
    miss: float  # m: and is
    clearance: float  # m: the least distance from the sphere; below zero the tool was inside
    period_ms: float  # median
    straight: float  # m: the clearance of the straight line


def control(robot: ts.Robot, q: Array, task: Task, periods: int, samples: int, seed: int = 1) -> Outcome:
    """So many periods."""
    sampler = Sampler(robot, task, samples, seed=seed)
    qd, times = np.zeros(robot.nv), []
    path = [ts.frame_pose(robot, q)[:3, 3]]
    for _ in range(periods):
        begin = perf_counter()
        tau = sampler.torque(q, qd)
        times.append(perf_counter() - begin)
        for _ in range(5):
            q, qd = ts.step(robot, q, qd, tau, sampler.h / 5)
            path.append(ts.frame_pose(robot, q)[:3, 3])
    way = np.array(path)

    def clearance(points: Array) -> float:
        return float(np.linalg.norm(points - task.centre, axis=-1).min()) - task.radius

    line = way[0] + np.linspace(0, 1, 100)[:, None] * (task.goal - way[0])
    misses = np.linalg.norm(way - task.goal, axis=-1)
    return Outcome(float(misses[0]), float(misses[-1]), clearance(way), 1e3 * float(np.median(times)), clearance(line))


def task_of(robot: ts.Robot) -> tuple[Array, Task]:
    """A start, and a goal behind a sphere."""
    middle = 0.5 * (np.clip(robot.lower, -3, 3) + np.clip(robot.upper, -3, 3))
    q = middle + np.array([-0.6, 0.6, 0.0, -0.8, 0.0, 0.6, 0.0])[: robot.nv]
    start = ts.frame_pose(robot, q)[:3, 3]
    q_goal = q.copy()
    q_goal[0] += 1.2
    goal = ts.frame_pose(robot, q_goal)[:3, 3]
    return q, Task(goal, (start + goal) / 2 - [0, 0, 0.06], 0.12)


def main() -> None:
    parser = argparse.ArgumentParser(description="sampling-based control of an arm around an obstacle")
    parser.add_argument("--robot", default="puma560_drives")
    parser.add_argument("--periods", type=int, default=120)
    parser.add_argument("--samples", type=int, default=10_000)
    options = parser.parse_args()
    robot = ts.load(options.robot)
    q, task = task_of(robot)
    outcome = control(robot, q, task, options.periods, options.samples)
    print(f"the tool was {1e3 * outcome.start:.0f} mm from its goal and is {1e3 * outcome.miss:.0f} mm from it")
    print(f"it kept {1e3 * outcome.clearance:.0f} mm from the sphere; the straight way leads {-1e3 * outcome.straight:.0f} mm into it")
    print(f"a period with {options.samples} samples takes {outcome.period_ms:.0f} ms")


if __name__ == "__main__":
    main()
