"""The programs of examples/python that need packages of others: each is run once, and what it finds is looked at."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import torsor as ts

sys.path.insert(0, str(Path(os.environ["TORSOR_SOURCE_DIR"]) / "examples/python"))


def test_identification_through_a_simulation_finds_the_drives():
    pytest.importorskip("jax", reason="jax is not installed here")
    import identify_through_simulation as identification

    robot, h = ts.load("puma560"), 2e-3
    truth = identification.drawn(robot)
    current, positions, q, qd = identification.record(robot, truth, 250, h)
    guess = identification.Drives(1.15 * truth.constant, 0.5 * truth.viscous, 2 * truth.dry)
    found = identification.identify(robot, current, positions, q, qd, h, guess, 12)
    assert found.first_error > 1e-3 and found.error < 2e-6  # the noise has 1e-6
    for right, got in zip(truth, found.drives):
        np.testing.assert_allclose(got, right, rtol=0.02)


def test_ipopt_finds_a_motion_of_less_torque():
    pytest.importorskip("casadi", reason="casadi is not installed here")
    import trajectory_casadi

    robot, pieces = ts.load("iiwa14"), 12
    start = np.full(7, 0.4)
    goal = start - 0.5 * (-1) ** np.arange(7)
    plan = trajectory_casadi.plan(robot, start, goal, 1.5, pieces)
    assert plan.success and plan.cost < 0.9 * plan.first_cost
    np.testing.assert_allclose(plan.q[[0, -1]], [start, goal], atol=1e-7)
    assert (np.abs(plan.tau) <= np.minimum(robot.effort_limits, 1e3) + 1e-6).all()
    # the instants belong to one motion: positions are the integral of the speeds
    h = 1.5 / pieces
    np.testing.assert_allclose(plan.q[1:] - plan.q[:-1], h / 2 * (plan.qd[1:] + plan.qd[:-1]), atol=h**2 / 6 * trajectory_casadi.FASTEST + 1e-6)


def test_a_policy_learns_through_the_dynamics():
    pytest.importorskip("torch", reason="torch (4 GB with what it brings) is not installed here")
    import policy_torch

    outcome = policy_torch.train(ts.load("puma560"), updates=25, starts=16, steps=25)
    assert outcome.last < 0.7 * outcome.first
