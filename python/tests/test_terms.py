"""Terms, derivatives and regressors: they add up to the efforts, on every robot."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ts.robots())
def test_terms_add_up_to_the_efforts(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 6)
    t = ts.terms(robot, q, qd, qdd)
    sum_of_parts = np.einsum("kij,kj->ki", t.M, qdd) + np.einsum("kij,kj->ki", t.C, qd) + t.gravity + t.friction
    assert close(sum_of_parts, ts.inverse_dynamics(robot, q, qd, qdd)) and close(t.tau, sum_of_parts)
    assert close(t.M, ts.mass_matrix(robot, q)) and close(t.C, ts.coriolis_matrix(robot, q, qd))
    assert close(t.bias, ts.bias(robot, q, qd)) and t.reactions.shape == (6, len(robot.link_names), 6)
    kinetic, potential = ts.energy(robot, q, qd)
    assert close(kinetic, np.einsum("ki,kij,kj->k", qd, t.M, qd) / 2) and close(t.kinetic, kinetic)
    assert close(potential, -robot.masses.sum() * t.mass_centre @ robot.gravity) and close(t.potential, potential)
    single = ts.terms(robot, q[2], qd[2], qdd[2])
    # rows go in lanes, a state alone does not
    for all_states, one in zip(t, single):
        assert close(all_states[2], one)


@pytest.mark.parametrize("name", ts.robots())
def test_coefficients_of_every_formulation_add_up(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 4)
    tau = ts.inverse_dynamics(robot, q, qd, qdd) - ts.terms(robot, q, qd, qdd).friction
    velocity = ts.coriolis_matrix(robot, q, qd) @ qd[:, :, None]
    for row in ts.formulations("coefficients", robot):
        if not row.refusal:
            D, h, c = ts.coefficients(robot, q, qd, formulation=row.name)
            assert close(np.einsum("kij,kj->ki", D, qdd) + h + c, tau, 1e-5)  # snapped DH tables
    for row in ts.formulations("christoffel", robot):
        if not row.refusal:
            h = ts.christoffel(robot, q, formulation=row.name)
            assert close(np.einsum("kijm,kj,km->ki", h, qd, qd), velocity[:, :, 0], 1e-5), row.name
            assert close(h, h.swapaxes(-1, -2))


@pytest.mark.parametrize("name", ts.robots())
def test_derivatives_are_those_of_the_dynamics(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 5)
    dq, dqd, dqdd = ts.inverse_derivatives(robot, q, qd, qdd)
    assert close(dqdd, ts.mass_matrix(robot, q))
    h = 1e-6
    rounding = 1e-8 * max(1.0, float(np.abs(ts.inverse_dynamics(robot, q, qd, qdd)).max()))  # of a difference of efforts over h
    for j in range(robot.nv):
        step = np.zeros(robot.nv)
        step[j] = h
        by_qd = ts.inverse_dynamics(robot, q, qd + step, qdd) - ts.inverse_dynamics(robot, q, qd - step, qdd)
        assert np.abs(dqd[:, :, j] - by_qd / (2 * h)).max() < rounding
        if robot.nq == robot.nv and "planar" not in robot.kinds:
            by_q = ts.inverse_dynamics(robot, q + step, qd, qdd) - ts.inverse_dynamics(robot, q - step, qd, qdd)
            assert np.abs(dq[:, :, j] - by_q / (2 * h)).max() < rounding
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    inverse = ts.forward_derivatives(robot, q, qd, tau)
    for given, forward in zip((dq, dqd), inverse):
        assert close(dqdd @ forward, -given, 1e-9)
    assert close(dqdd @ inverse[2], np.broadcast_to(np.eye(robot.nv), dqdd.shape), 1e-9)


@pytest.mark.parametrize("name", ts.robots())
def test_efforts_are_linear_in_the_parameters(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 8)
    parameters = ts.dynamic_parameters(robot)
    phi = np.array([p.value for p in parameters])
    Y = ts.regressor(robot, q, qd, qdd)
    assert close(Y @ phi, ts.inverse_dynamics(robot, q, qd, qdd))
    base = ts.base_parameters(robot)
    assert close(Y[..., base.kept] @ base.values, Y @ phi, 1e-9)
    assert close(base.values, phi[base.kept] + base.K @ phi[base.regrouped])


def test_tuples_of_arrays_are_filled(puma):
    q, qd, qdd = states(puma, 30)
    out = tuple(np.empty((30, 6, 6)) for _ in range(3))
    answer = ts.inverse_derivatives(puma, q, qd, qdd, out=out, threads=2)
    assert all(a is b for a, b in zip(answer, out))
    assert all(np.array_equal(a, b) for a, b in zip(out, ts.inverse_derivatives(puma, q, qd, qdd)))
    for wrong in (out[0], out[:2], 7):
        with pytest.raises(ValueError, match="expected a tuple of 3 arrays"):
            ts.inverse_derivatives(puma, q, out=wrong)
    with pytest.raises(ValueError, match="overlap"):
        ts.inverse_derivatives(puma, q, out=(out[0], out[1], out[0]))
    with pytest.raises(ValueError, match=r"out\[1\] has shape"):
        ts.inverse_derivatives(puma, q, out=(out[0], out[1][:5], out[2]))
