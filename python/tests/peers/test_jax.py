"""torsor.jax: values beside torsor itself, derivatives by JAX's own checks, transformations."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torsor as ts
import torsor.jax as tj
from jax.test_util import check_grads

jax.config.update("jax_enable_x64", True)
ROBOTS = ["puma560", "stanford", "two_arm", "floating"]


def states(robot, count, seed=1):
    random = np.random.default_rng(seed)
    q = np.array([ts.random_position(robot, seed=seed + k) for k in range(count)])
    return q, *random.uniform(-1, 1, (2, count, robot.nv))


@pytest.mark.parametrize("name", ROBOTS)
def test_values_are_those_of_the_engine(name):
    robot = ts.load(name)
    q, qd, a = states(robot, 50)
    np.testing.assert_allclose(tj.inverse_dynamics(robot, q, qd, a), ts.inverse_dynamics(robot, q, qd, a), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(jax.jit(lambda *x: tj.forward_dynamics(robot, *x))(q, qd, a), ts.forward_dynamics(robot, q, qd, a), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(tj.mass_matrix(robot, q), ts.mass_matrix(robot, q), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(tj.frame_pose(robot, q), ts.frame_pose(robot, q), rtol=1e-10, atol=1e-12)
    link = robot.link_names[-1]
    np.testing.assert_allclose(tj.frame_pose(robot, q, link), ts.frame_pose(robot, q, link), rtol=1e-10, atol=1e-12)
    single = tj.inverse_dynamics(robot, *(jnp.asarray(x, jnp.float32) for x in (q, qd, a)))
    assert single.dtype == jnp.float32


@pytest.mark.parametrize("name", ROBOTS)
def test_derivatives_to_second_order(name):
    robot = ts.load(name)
    q, qd, a = (x[0] for x in states(robot, 1))
    check_grads(lambda *x: tj.inverse_dynamics(robot, *x), (q, qd, a), order=2, rtol=1e-4, atol=1e-4)
    check_grads(lambda *x: tj.forward_dynamics(robot, *x), (q, qd, a), order=1, rtol=1e-3, atol=1e-3)
    check_grads(lambda x: tj.mass_matrix(robot, x), (q,), order=2, rtol=1e-4, atol=1e-4)
    check_grads(lambda x: tj.frame_pose(robot, x), (q,), order=1, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["puma560", "iiwa14", "floating"])
@pytest.mark.parametrize("where", ["at rest", "singular", "at limits"])
def test_derivatives_where_others_divide_by_zero(name, where):
    robot = ts.load(name)
    q, qd, a = (x[0] for x in states(robot, 1, seed=3))
    if where == "at rest":
        qd = np.zeros(robot.nv)
    if where == "singular":  # stretched, axes in line
        q = robot.neutral_position()
    if where == "at limits" and robot.nq == robot.nv:
        bound = np.where(np.arange(robot.nv) % 2, robot.lower, robot.upper)
        q = np.where(np.isfinite(bound), bound, q)
    check_grads(lambda *x: tj.inverse_dynamics(robot, *x), (q, qd, a), order=2, rtol=1e-4, atol=1e-4)
    check_grads(lambda *x: tj.forward_dynamics(robot, *x), (q, qd, a), order=2 if robot.nq == robot.nv else 1, rtol=5e-3, atol=5e-3)
    check_grads(lambda x: tj.mass_matrix(robot, x), (q,), order=2, rtol=1e-4, atol=1e-4)
    check_grads(lambda x: tj.frame_pose(robot, x), (q,), order=1, rtol=1e-4, atol=1e-4)


def test_second_order_of_accelerations_at_rest_and_moving():
    robot = ts.load("two_link")
    for scale in (0.0, 1.0):
        check_grads(lambda *x: tj.forward_dynamics(robot, *x), (np.array([0.3, 0.4]), scale * np.ones(2), np.ones(2)), order=2, rtol=1e-4, atol=1e-4)


def test_jacobians_are_the_exact_matrices():
    robot = ts.load("puma560")
    q, qd, a = (x[0] for x in states(robot, 1))
    f = lambda *x: tj.inverse_dynamics(robot, *x)
    for mode in (jax.jacfwd, jax.jacrev):
        for given, exact in zip(mode(f, (0, 1, 2))(q, qd, a), ts.inverse_derivatives(robot, q, qd, a)):
            np.testing.assert_allclose(given, exact, rtol=1e-10, atol=1e-10)
    hessian = jax.jit(jax.hessian(lambda q: jnp.sum(f(q, qd, a))))(q)
    columns = [ts.inverse_hvp(robot, q, qd, a, np.ones(6), np.eye(18)[k])[:6] for k in range(6)]
    np.testing.assert_allclose(hessian, np.array(columns), rtol=1e-10, atol=1e-10)


def test_vmap_scan_and_jit_compose():
    robot = ts.load("puma560")
    q, qd, a = states(robot, 20)
    f = lambda q, qd, a: tj.inverse_dynamics(robot, q, qd, a)
    np.testing.assert_allclose(jax.vmap(f)(q, qd, a), f(q, qd, a))
    np.testing.assert_allclose(jax.vmap(f, (None, 0, None))(q[0], qd, a[0]), f(q[0], qd, a[0]))
    np.testing.assert_allclose(jax.vmap(jax.vmap(f, (0, None, None)), (None, 0, 0))(q, qd, a), f(q, qd[:, None], a[:, None]))
    cost = lambda q, qd: jnp.sum(f(q, qd, a[0]) ** 2)
    np.testing.assert_allclose(jax.jit(jax.vmap(jax.grad(cost)))(q, qd), [jax.grad(cost)(x, y) for x, y in zip(q, qd)], rtol=1e-10)

    def step(state, tau):
        q, qd = state
        qd = qd + 1e-3 * tj.forward_dynamics(robot, q, qd, tau)
        return (q + 1e-3 * qd, qd), q

    def last(taus):
        (q_end, _), _ = jax.lax.scan(step, (q[0], qd[0]), taus)
        return jnp.sum(q_end**2)

    taus = np.zeros((10, 6))
    slope = jax.jit(jax.grad(last))(taus)
    h = 1e-3
    for k, j in [(0, 0), (5, 2), (9, 5)]:
        bump = np.zeros_like(taus)
        bump[k, j] = h
        assert abs((last(taus + bump) - last(taus - bump)) / (2 * h) - slope[k, j]) < 1e-8


def test_many_states_have_finite_gradients_and_one_that_is_none_spoils_no_other():
    robot = ts.load("floating")
    q, qd, a = states(robot, 2000)
    gradient = jax.jit(jax.vmap(jax.grad(lambda q, qd, a: jnp.sum(tj.forward_dynamics(robot, q, qd, a)), (0, 1, 2))))
    sound = gradient(q, qd, a)
    assert all(np.isfinite(g).all() for g in sound)
    q[7, 1] = np.nan
    for before, after in zip(sound, gradient(q, qd, a)):
        assert np.isnan(after[7]).any()
        np.testing.assert_allclose(np.delete(after, 7, 0), np.delete(before, 7, 0), rtol=1e-9, atol=1e-9)


def test_what_is_not_offered_says_so():
    robot = ts.load("two_link")
    with pytest.raises(NotImplementedError, match="third derivatives"):
        jax.grad(jax.grad(jax.grad(lambda x: tj.inverse_dynamics(robot, x * jnp.ones(2))[0])))(0.1)
    with pytest.raises(NotImplementedError, match="second derivatives of poses"):
        jax.hessian(lambda q: tj.frame_pose(robot, q)[0, 3])(jnp.ones(2))
    with pytest.raises(ValueError, match=r"inverse_dynamics: q has shape \(3,\); expected \(2,\)"):
        tj.inverse_dynamics(robot, jnp.ones(3))
    with pytest.raises(TypeError, match="expected float64 or float32"):
        tj.inverse_dynamics(robot, jnp.ones(2, complex))
