"""Steps in time: they go where a simulation goes, and their Jacobians are their derivatives."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("method, order", [("semi-implicit", 1), ("runge-kutta-4", 4)])
def test_steps_go_where_a_simulation_goes(method, order):
    robot = ts.load("two_link")
    q, qd, tau = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([3.0, -1.0])
    end = ts.simulate(robot, q, qd, tau, time=0.1, every=0.1).q[-1]

    def error(steps):
        x, v = q, qd
        for _ in range(steps):
            x, v, _, _ = ts.discrete_step(robot, x, v, tau, 0.1 / steps, method)
        return np.abs(x - end).max()

    assert abs(np.log2(error(8) / error(16)) - order) < 0.3


@pytest.mark.parametrize("method", ["semi-implicit", "runge-kutta-4"])
@pytest.mark.parametrize("name", ["puma560_drives", "stanford"])
def test_jacobians_are_derivatives_of_the_step(robots, name, method):
    robot, h = robots[name], 0.01
    n = robot.nv
    q, qd, tau = states(robot, 3)
    loads = ts.Loads(wrench=np.linspace(-2, 3, 6))
    step = ts.discrete_step(robot, q, qd, tau, h, method, loads=loads)
    assert step.q.shape == (3, n) and step.A.shape == (3, 2 * n, 2 * n) and step.B.shape == (3, 2 * n, n)

    def moved(x):
        after = ts.discrete_step(robot, x[:, :n], x[:, n : 2 * n], x[:, 2 * n :], h, method, loads=loads)
        return np.concatenate([after.q, after.qd], axis=1)

    x, e = np.concatenate([q, qd, tau], axis=1), 1e-6
    J = np.stack([(moved(x + e * d) - moved(x - e * d)) / (2 * e) for d in np.eye(3 * n)], axis=2)
    assert close(step.A, J[:, :, : 2 * n], 1e-7) and close(step.B, J[:, :, 2 * n :], 1e-7)


def test_quaternions_stay_unit_and_batches_are_states():
    robot = ts.load("floating")
    q, qd, tau = states(robot, 40)
    many = ts.discrete_step(robot, q, qd, tau, 0.01, threads=2)
    one = ts.discrete_step(robot, q[7], qd[7], tau[7], 0.01)
    assert all(np.array_equal(part[7], single) for part, single in zip(many, one))
    start = 0
    for kind in robot.kinds:
        if kind in ("spherical", "free"):
            assert close(np.linalg.norm(many.q[:, start : start + 4], axis=1), np.ones(40))
        start += {"fixed": 0, "planar": 3, "spherical": 4, "free": 7}.get(kind, 1)


def test_what_does_not_fit_is_told(puma):
    zero = np.zeros(6)
    with pytest.raises(ValueError, match='discrete_step: method is "euler".*expected one of runge-kutta-4, semi-implicit'):
        ts.discrete_step(puma, zero, zero, zero, 0.01, "euler")
    with pytest.raises(ValueError, match="discrete_step: h is 0.0; expected a number above zero"):
        ts.discrete_step(puma, zero, zero, zero, 0.0)


@pytest.mark.parametrize("method", ["runge-kutta-4", "semi-implicit"])
def test_a_step_that_is_too_long_is_called_so_and_no_number_of_the_state(puma, method):
    q, tau = np.full(6, 0.3), np.full(6, 5.0)
    with pytest.raises(ValueError, match=r"too large for numbers: h is 1e\+300 s \[too-large\]; give the length"):
        ts.discrete_step(puma, q, q, tau, 1e300, method)
    with pytest.warns(ts.RowWarning, match=r"2 of 2 states .*h is 1e\+300 s"):
        step = ts.discrete_step(puma, [q, q], q, tau, 1e300, method)
    assert all(np.isnan(part).all() for part in step)
    # where the state is too large for any step, it is the state
    with pytest.raises(ValueError, match=r"too large for numbers: qd\[2\], of .* is 1e\+200 \[too-large\]"):
        ts.discrete_step(puma, q, [0, 0, 1e200, 0, 0, 0], tau, 1e-3, method)


def test_what_the_pattern_calls_zero_is_zero(robots):
    for name in ("two_arm", "cartesian3", "puma560_drives", "panda"):
        robot = robots[name]
        q, qd, qdd = states(robot, 5)
        for pattern, derivative in zip(ts.derivative_sparsity(robot), ts.inverse_derivatives(robot, q, qd, qdd)):
            assert pattern.dtype == bool and pattern.shape == (robot.nv, robot.nv)
            assert np.abs(derivative[:, ~pattern]).max(initial=0) < 1e-12
    dq, dqd, dqdd = ts.derivative_sparsity(robots["two_arm"])
    assert not dqdd.all()
    assert ts.derivative_sparsity(robots["cartesian3"], moving_base=True)[0].sum() > ts.derivative_sparsity(robots["cartesian3"])[0].sum()
