"""Gradients through rollouts: beside differences of rollouts, and beside the Jacobians of each step."""

import numpy as np
import pytest
import torsor as ts


def drawn(robot, starts, periods, seed=3):
    random = np.random.default_rng(seed)
    q = ts.random_position(robot, starts, seed=seed)
    qd = random.uniform(-1, 1, (starts, robot.nv))
    tau = random.uniform(-1, 1, (starts, periods, robot.nv))
    return q, qd, tau, random.uniform(-1, 1, (2, starts, periods, robot.nv))


def by_jacobians(robot, q, qd, tau, h, by_q, by_qd, method, hold):
    """The same for one start, by the Jacobians of discrete_step, all steps kept."""
    x, steps = (q, qd), []
    for torques in tau:
        for _ in range(hold):
            step = ts.discrete_step(robot, *x, torques, h, method)
            steps.append((step.A, step.B))
            x = step.q, step.qd
    back, of_tau = np.zeros(2 * robot.nv), np.zeros_like(tau)
    for k in reversed(range(len(steps))):
        if k % hold == hold - 1:
            back = back + np.concatenate([by_q[k // hold], by_qd[k // hold]])
        A, B = steps[k]
        of_tau[k // hold] += B.T @ back
        back = A.T @ back
    return back[: robot.nv], back[robot.nv :], of_tau


@pytest.mark.parametrize("name", ["two_link", "iiwa14", "puma560_drives", "floating"])
@pytest.mark.parametrize("method", ["runge-kutta-4", "semi-implicit"])
@pytest.mark.parametrize("hold", [1, 3])
def test_it_is_the_product_of_the_jacobians_of_the_steps(name, method, hold):
    robot, h = ts.load(name), 2e-3
    q, qd, tau, (by_q, by_qd) = drawn(robot, 5, 4)
    found = ts.rollout_vjp(robot, q, qd, tau, h, by_q, by_qd, method, hold)
    for k in range(5):
        expected = by_jacobians(robot, q[k], qd[k], tau[k], h, by_q[k], by_qd[k], method, hold)
        for part, of in zip(found, expected):
            assert np.abs(part[k] - of).max() < 1e-10 * (1 + np.abs(of).max())


@pytest.mark.parametrize("method", ["runge-kutta-4", "semi-implicit"])
def test_it_is_what_differences_of_rollouts_tend_to(method):
    robot, h, step = ts.load("iiwa14"), 5e-3, 1e-5
    q, qd, tau, (by_q, by_qd) = drawn(robot, 1, 6)
    q, qd, tau, by_q, by_qd = q[0], qd[0], tau[0], by_q[0], by_qd[0]
    found = ts.rollout_vjp(robot, q, qd, tau, h, by_q, by_qd, method, hold=2)

    def number(q, qd, tau):
        ends = ts.rollout(robot, q, qd, tau, h, method, 2)
        return (ends.q * by_q).sum((-1, -2)) + (ends.qd * by_qd).sum((-1, -2))

    def slopes(shape, call):
        along = step * np.eye(int(np.prod(shape))).reshape(-1, *shape)
        return ((call(along) - call(-along)) / (2 * step)).reshape(shape)

    for part, of in zip(found, (slopes((7,), lambda d: number(q + d, qd, tau)), slopes((7,), lambda d: number(q, qd + d, tau)), slopes((6, 7), lambda d: number(q, qd, tau + d)))):
        assert np.abs(part - of).max() < 1e-6 * (1 + np.abs(of).max())


def test_shapes_broadcast_and_what_does_not_fit_is_refused():
    robot = ts.load("two_link")
    tau = np.zeros((3, 4, 2))
    whole = ts.rollout_vjp(robot, [0.1, 0.2], [0, 0], tau, 1e-3, by_qd=np.ones((4, 2)))
    assert whole.q.shape == (3, 2) and whole.tau.shape == (3, 4, 2)
    assert not ts.rollout_vjp(robot, [0.1, 0.2], [0, 0], tau, 1e-3).tau.any()
    with pytest.raises(ValueError, match="all the same"):
        ts.rollout_vjp(robot, [0.1, 0.2], [0, 0], tau, 1e-3, by_q=np.ones((5, 2)))
    with pytest.raises(ValueError, match="method"):
        ts.rollout_vjp(robot, [0.1, 0.2], [0, 0], tau, 1e-3, by_q=np.ones((4, 2)), method="euler")


def test_a_last_axis_of_another_width_is_refused():
    robot = ts.load("puma560")
    six, torques = np.zeros(6), np.zeros((2, 6))
    for name, q, qd, tau in [("q", [0.1], six, torques), ("qd", six, [0.1], torques), ("tau", six, six, np.zeros((2, 1)))]:
        with pytest.raises(ValueError, match=f"rollout_vjp: {name} has shape .*expected .*6"):
            ts.rollout_vjp(robot, q, qd, tau, 1e-3)
