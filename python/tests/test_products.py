"""Derivatives as operators: products with vectors beside the full matrices, batches beside single states, second order."""

import numpy as np
import pytest
import torsor as ts

ROBOTS = ["puma560", "stanford", "two_arm", "floating"]


def states(robot, count, seed=1):
    random = np.random.default_rng(seed)
    q = np.array([ts.random_position(robot, seed=seed + k) for k in range(count)])
    return q, *random.uniform(-1, 1, (5, count, robot.nv))


def close(a, b, bound=1e-11):
    scale = 1 + np.abs(b).max()
    assert np.abs(np.asarray(a) - b).max() < bound * scale


@pytest.mark.parametrize("name", ROBOTS)
def test_products_are_those_of_the_matrices(name):
    robot = ts.load(name)
    q, qd, a, u, v, w = states(robot, 40)
    for product_jvp, product_vjp, matrices, bound in [
        (ts.inverse_jvp, ts.inverse_vjp, ts.inverse_derivatives, 1e-11),
        (ts.forward_jvp, ts.forward_vjp, ts.forward_derivatives, 1e-9),
    ]:
        A, B, C = matrices(robot, q, qd, a)
        along = np.einsum("kij,kj->ki", A, u) + np.einsum("kij,kj->ki", B, v) + np.einsum("kij,kj->ki", C, w)
        close(product_jvp(robot, q, qd, a, u, v, w), along, bound)
        for given, D in zip(product_vjp(robot, q, qd, a, w), (A, B, C)):
            close(given, np.einsum("ki,kij->kj", w, D), bound)
        # one state is a batch of one
        close(product_jvp(robot, q[3], qd[3], a[3], u[3], v[3], w[3]), along[3], bound)
        for one, many in zip(product_vjp(robot, q[3], qd[3], a[3], w[3]), product_vjp(robot, q, qd, a, w)):
            close(one, many[3], bound)


def test_what_is_left_out_is_zero_and_axes_broadcast():
    robot = ts.load("puma560")
    q, qd, a, u, v, w = states(robot, 6)
    zero = np.zeros(6)
    close(ts.inverse_jvp(robot, q, dqd=v), ts.inverse_jvp(robot, q, zero, zero, zero, v, zero))
    for x, y in zip(ts.inverse_vjp(robot, q, None, None, w[0]), ts.inverse_vjp(robot, q, zero, zero, np.tile(w[0], (6, 1)))):
        close(x, y)
    assert ts.inverse_jvp(robot, q[:, None], qd, a, u).shape == (6, 6, 6)
    out = tuple(np.empty((6, 6)) for _ in range(3))
    answer = ts.forward_vjp(robot, q, qd, a, w, out=out)
    assert all(x is y for x, y in zip(answer, out))
    single = ts.inverse_jvp(robot, q.astype("f4"), qd.astype("f4"), a.astype("f4"), u.astype("f4"))
    assert single.dtype == np.float32
    close(single, ts.inverse_jvp(robot, q, qd, a, u), 1e-5)


def test_threads_change_no_bit_and_a_row_that_is_none_spoils_no_other():
    robot = ts.load("two_arm")
    q, qd, a, u, v, w = states(robot, 3000)
    q, qd, a, u, v, w = (np.tile(x, (6, 1)) for x in (q, qd, a, u, v, w))
    for ask in (lambda **more: ts.inverse_vjp(robot, q, qd, a, w, **more), lambda **more: ts.forward_vjp(robot, q, qd, a, w, **more)):
        assert all(np.array_equal(x, y) for x, y in zip(ask(threads=1), ask(threads=3)))
    sound = ts.forward_jvp(robot, q, qd, a, u, v, w)
    q[77, 2] = np.nan
    spoiled = ts.forward_jvp(robot, q, qd, a, u, v, w)
    assert np.isnan(spoiled[77]).all()
    close(np.delete(spoiled, 77, 0), np.delete(sound, 77, 0))


@pytest.mark.parametrize("name", ROBOTS)
def test_positions_by_numbers_and_along_velocities(name):
    robot = ts.load(name)
    q, qd, a, u, v, w = states(robot, 5)
    change = np.random.default_rng(3).uniform(-1, 1, q.shape)
    along = ts.position_tangent(robot, q, change)
    close((ts.position_gradient(robot, q, w) * change).sum(-1), (w * along).sum(-1))
    # torques change so: central differences of fourth order
    h = 1e-3
    f = lambda s: ts.inverse_dynamics(robot, q + s * h * change, qd, a)
    slope = (8 * (f(1) - f(-1)) - (f(2) - f(-2))) / (12 * h)
    close(ts.inverse_jvp(robot, q, qd, a, along), slope, 1e-8)
    if robot.nq != robot.nv:
        doubled = q.copy()
        doubled[:, :4] *= 2
        other = change.copy()
        other[:, :4] *= 2
        close(ts.position_tangent(robot, doubled, other), along)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("kind", ["inverse", "forward"])
def test_second_derivatives(name, kind):
    robot = ts.load(name)
    q, qd, a, u, v, w = states(robot, 4)
    n = robot.nq + 2 * robot.nv
    c, e = np.random.default_rng(5).uniform(-1, 1, (2, 4, n))
    hvp, curvature = getattr(ts, kind + "_hvp"), getattr(ts, kind + "_curvature")
    vjp = getattr(ts, kind + "_vjp")
    close((hvp(robot, q, qd, a, w, e) * c).sum(-1), (w * curvature(robot, q, qd, a, c, e)).sum(-1), 1e-9)
    close(curvature(robot, q, qd, a, c, e), curvature(robot, q, qd, a, e, c), 1e-9)

    def gradient(s):
        x = np.concatenate([q, qd, a], -1) + s * 1e-3 * e
        at = x[:, : robot.nq]
        by_q, *rest = vjp(robot, at, x[:, robot.nq : robot.nq + robot.nv], x[:, robot.nq + robot.nv :], w)
        return np.concatenate([ts.position_gradient(robot, at, by_q), *rest], -1)

    slope = (8 * (gradient(1) - gradient(-1)) - (gradient(2) - gradient(-2))) / 12e-3
    close(hvp(robot, q, qd, a, w, e), slope, 1e-6)


def test_at_rest_all_is_finite():
    for name in ts.robots():
        robot = ts.load(name)
        q, zero = robot.neutral_position(), np.zeros(robot.nv)
        one = np.ones(robot.nv)
        assert all(np.isfinite(x).all() for x in ts.inverse_vjp(robot, q, zero, zero, one)), name
        assert np.isfinite(ts.inverse_hvp(robot, q, zero, zero, one, np.ones(robot.nq + 2 * robot.nv))).all(), name


def test_faults_are_named():
    robot = ts.load("puma560")
    zero = np.zeros(6)
    with pytest.raises(ValueError, match=r"inverse_vjp: w has shape \(5,\); expected \(6,\)"):
        ts.inverse_vjp(robot, zero, zero, zero, np.zeros(5))
    with pytest.raises(ValueError, match=r"inverse_jvp: dq\[2\] is nan"):
        ts.inverse_jvp(robot, zero, dq=[0, 0, np.nan, 0, 0, 0])
    with pytest.raises(ValueError, match=r"inverse_hvp: along has shape \(6,\); expected \(18,\)"):
        ts.inverse_hvp(robot, zero, zero, zero, zero, zero)
