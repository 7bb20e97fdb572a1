"""Parameters from records of motions and efforts."""

import numpy as np
import pytest
import torsor as ts
from conftest import close


def record(truth, seed=1, count=400):
    q, qd, qdd = np.random.default_rng(seed).uniform(-2, 2, (3, count, truth.nv))
    return q, qd, qdd, ts.inverse_dynamics(truth, q, qd, qdd)


def test_parameters_come_back_from_a_record(puma):
    truth = puma.with_payload(1.5, com=[0.02, 0.01, 0.1], inertia=[0.01, 0.012, 0.009, 0, 0, 0])
    found = ts.identify(puma, *record(truth))
    assert found.settled and not found.unexcited and found.fitted + found.held_out == 400 and not found.faults
    assert all(joint.held_fit < 1e-9 < joint.held_file for joint in found.joints)
    q, qd, qdd, tau = record(truth, seed=2, count=20)
    assert close(ts.inverse_dynamics(found.robot, q, qd, qdd), tau, 1e-8)
    assert len(found.names) == len(found.value) == len(found.deviation) == len(found.units)


def test_noise_is_seen_in_the_deviations(puma):
    q, qd, qdd, tau = record(puma)
    noisy = tau + np.random.default_rng(3).normal(0, 0.1, tau.shape)
    found = ts.identify(puma, q, qd, qdd, noisy, held_out=0.5)
    assert close([joint.noise for joint in found.joints], np.full(6, 0.1), 0.03)
    off = np.abs(found.value - found.file) / found.deviation
    assert np.mean(off < 3) > 0.9 and found.held_out == 200


def test_what_a_record_cannot_tell_is_told(puma):
    q, qd, qdd, tau = record(puma)
    qd[:, 0] = qdd[:, 0] = 0
    with pytest.warns(ts.RunWarning, match="does not determine"):
        found = ts.identify(puma, q, qd, qdd, ts.inverse_dynamics(puma, q, qd, qdd))
    assert found.unexcited
    with pytest.raises(ts.Error):
        ts.identify(puma, q[:3], qd[:3], qdd[:3], tau[:3])
    with pytest.raises(ValueError, match="held_out is 1"):
        ts.identify(puma, q, qd, qdd, tau, held_out=1.0)
    with pytest.raises(ValueError, match=r"tau\[0\] of state 0 is nan"):
        ts.identify(puma, q, qd, qdd, tau * np.nan)


def test_efforts_that_cannot_be_those_of_the_robot_are_told(puma):
    q, qd, qdd, tau = record(puma)
    assert not ts.identify(puma, q, qd, qdd, tau).implausible
    with pytest.warns(ts.RunWarning):
        found = ts.identify(puma, q, qd, qdd, -tau)
    assert [doubt.rule for doubt in found.implausible] == ["identify-sign"]
    assert found.robot is None


def test_a_joint_without_torque_is_refused_unless_it_is_said_to_have_no_motor(puma):
    q, qd, qdd, tau = record(puma)
    tau[:, 4] = 0
    name = puma.velocity_names[4]
    with pytest.raises(ts.Error, match=f'"{name}".*0 in all rows'):
        ts.identify(puma, q, qd, qdd, tau)
    with pytest.warns(ts.RunWarning):
        found = ts.identify(puma, q, qd, qdd, tau, passive=[name])
    assert found.joints[4].size == 0
    with pytest.raises(ValueError, match=name):
        ts.identify(puma, q, qd, qdd, tau, passive=[name + "x"])
