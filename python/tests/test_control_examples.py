"""examples/python/ilqr_arm.py and mppi_arm.py: that they do what they say, on a short run."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import torsor as ts

sys.path.insert(0, str(Path(os.environ["TORSOR_SOURCE_DIR"]) / "examples/python"))

import ilqr_arm  # noqa: E402
import mppi_arm  # noqa: E402


def arm_and_reach():
    robot = ts.load("iiwa14")
    q = np.array([0.4, 0.5, 0.2, -0.9, 0.1, 0.6, 0.0])
    return robot, q, ts.frame_pose(robot, q)[:3, 3] + [-0.3, 0.5, -0.15]


def test_an_iteration_lowers_the_cost_and_keeps_to_the_limits():
    robot, q, goal = arm_and_reach()
    planner = ilqr_arm.Planner(robot, ilqr_arm.Task(goal), horizon=40, h=0.02)
    planner.limit = 0.4 * planner.limit  # so that some torques meet theirs
    planner.start(q)
    rest, costs = np.zeros(7), []
    for _ in range(25):
        before, after = planner.improve(q, rest)
        assert after <= before
        assert not costs or before == pytest.approx(costs[-1], rel=1e-9)
        costs.append(after)
    assert (np.abs(planner.tau) <= planner.limit).all()
    assert costs[-1] < 0.12 * float(planner.cost(np.tile(q, (41, 1)), np.zeros((41, 7)), planner.tau))
    # where it ended no torque that is free to change would lower the cost
    def total(tau):
        motion = ts.rollout(robot, q, rest, tau, 0.02, "semi-implicit")
        return float(planner.cost(np.vstack([q, motion.q]), np.vstack([rest, motion.qd]), tau))

    at, random = total(planner.tau), np.random.default_rng(1)
    assert at == pytest.approx(costs[-1], rel=1e-9)
    for _ in range(20):
        away = 1e-3 * planner.hold.max() * random.standard_normal(planner.tau.shape) * np.diag(ts.mass_matrix(robot, q))
        assert total(np.clip(planner.tau + away, -planner.limit, planner.limit)) > at * (1 - 1e-6)


def test_the_arm_gets_there_with_a_payload_it_does_not_know():
    robot, q, goal = arm_and_reach()
    outcome = ilqr_arm.control(robot, robot.with_payload(0.5), q, goal, 120)
    assert outcome.start > 0.5 and outcome.miss < 0.05
    assert outcome.largest_share <= 1 and outcome.period_us > 0


def test_samples_lead_around_the_sphere():
    robot = ts.load("puma560_drives")
    q, task = mppi_arm.task_of(robot)
    outcome = mppi_arm.control(robot, q, task, periods=80, samples=500)
    assert outcome.straight < -0.05 and outcome.start > 0.3
    assert outcome.clearance > 0 and outcome.miss < 0.15
