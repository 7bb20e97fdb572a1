"""torsor.casadi: values and Jacobians beside torsor itself, Hessians beside differences, and a solver that uses them."""

import casadi as ca
import numpy as np
import pytest
import torsor as ts
import torsor.casadi as tc

ROBOTS = ["puma560", "two_arm", "floating"]


@pytest.mark.parametrize("name", ROBOTS)
def test_values_and_jacobians(name):
    robot = ts.load(name)
    random = np.random.default_rng(1)
    q = np.array(ts.random_position(robot, seed=1))
    qd, a = random.uniform(-1, 1, (2, robot.nv))
    sizes = (robot.nq, robot.nv, robot.nv)
    for make, value, matrices in [
        (tc.inverse_dynamics, ts.inverse_dynamics, ts.inverse_derivatives),
        (tc.forward_dynamics, ts.forward_dynamics, ts.forward_derivatives),
    ]:
        f = make(robot)
        np.testing.assert_allclose(np.array(f(q, qd, a)).ravel(), value(robot, q, qd, a), rtol=1e-9, atol=1e-9)
        x = [ca.MX.sym(n, size) for n, size in zip(("q", "qd", "a"), sizes)]
        J = ca.Function("J", x, [ca.jacobian(f(*x), each) for each in x])(q, qd, a)
        A, B, C = matrices(robot, q, qd, a)
        if robot.nq != robot.nv:
            A = ts.position_gradient(robot, np.broadcast_to(q, (robot.nv, robot.nq)), A)
        for given, exact in zip(J, (A, B, C)):
            np.testing.assert_allclose(np.array(given), exact, rtol=1e-8, atol=1e-8)
    M = tc.mass_matrix(robot)
    np.testing.assert_allclose(np.array(M(q)), ts.mass_matrix(robot, q), rtol=1e-10, atol=1e-12)
    x = ca.MX.sym("q", robot.nq)
    slope = np.array(ca.Function("S", [x], [ca.jacobian(ca.vec(M(x)), x)])(q))
    h = 1e-5
    for k in range(robot.nq):
        bump = np.zeros(robot.nq)
        bump[k] = h
        change = (ts.mass_matrix(robot, q + bump) - ts.mass_matrix(robot, q - bump)) / (2 * h)
        np.testing.assert_allclose(slope[:, k], change.T.ravel(), atol=1e-7)


def test_hessians_are_exact():
    robot = ts.load("two_link")
    f = tc.forward_dynamics(robot)
    x = ca.MX.sym("x", 6)
    w = np.array([0.3, -0.7])
    H, g = ca.hessian(ca.dot(w, f(x[:2], x[2:4], x[4:])), x)
    at = np.array([0.3, 0.4, 0.5, -0.6, 1.0, 2.0])
    given = np.array(ca.Function("H", [x], [H])(at))
    exact = np.array([ts.forward_hvp(robot, at[:2], at[2:4], at[4:], w, e) for e in np.eye(6)])
    np.testing.assert_allclose(given, exact, rtol=1e-9, atol=1e-9)


def test_a_solver_holds_an_arm_still():
    # torques and a position of rest with the least torque, in a nonlinear program
    robot = ts.load("two_link")
    f = tc.inverse_dynamics(robot)
    q = ca.MX.sym("q", 2)
    tau = f(q, np.zeros(2), np.zeros(2))
    solver = ca.nlpsol("s", "ipopt", {"x": q, "f": ca.sumsqr(tau)}, {"ipopt.print_level": 0, "print_time": 0})
    found = solver(x0=[0.4, 0.2])
    assert solver.stats()["success"]
    assert float(found["f"]) < 1e-10
    assert np.abs(ts.gravity(robot, np.array(found["x"]).ravel())).max() < 1e-5


def test_a_state_without_an_answer_is_no_number():
    f = tc.inverse_dynamics(ts.load("two_link"))
    assert np.isnan(np.array(f([np.nan, 0], [0, 0], [0, 0]))).all()
