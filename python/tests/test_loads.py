"""Moving bases and forces from outside, against what they mean: robots on a free base, Jacobians, gravity that leans."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ["puma560_drives", "stanford", "two_arm", "panda"])
def test_a_wrench_is_felt_through_the_jacobian(robots, name):
    robot = robots[name]
    q, qd, qdd = states(robot, 5)
    wrench = np.random.default_rng(3).uniform(-20, 20, (5, 6))
    for frame in (None, robot.link_names[1]):
        R = ts.frame_pose(robot, q, frame)[:, :3, :3]
        J = ts.jacobian(robot, q, frame)
        in_world = np.concatenate([(R @ wrench[:, :3, None])[..., 0], (R @ wrench[:, 3:, None])[..., 0]], axis=1)
        tau = ts.inverse_dynamics(robot, q, qd, qdd, loads=ts.Loads(wrench=wrench, frame=frame))
        assert close(tau, ts.inverse_dynamics(robot, q, qd, qdd) - (J.transpose(0, 2, 1) @ in_world[..., None])[..., 0])
        # one state is one of many, and back
        assert close(ts.inverse_dynamics(robot, q[2], qd[2], qdd[2], loads=ts.Loads(wrench=wrench[2], frame=frame)), tau[2])
        assert close(ts.forward_dynamics(robot, q, qd, tau, loads=ts.Loads(wrench=wrench, frame=frame)), qdd, 1e-8)
        for formulation in ("articulated-body", "mass-matrix"):
            back = ts.forward_dynamics(robot, q, qd, tau, formulation, loads=ts.Loads(wrench=wrench, frame=frame))
            assert close(back, qdd, 1e-8)


def test_forces_on_links_are_wrenches_at_their_frames(puma):
    q, qd, qdd = states(puma, 4)
    external = np.random.default_rng(5).uniform(-9, 9, (4, 6, 6))
    together = ts.inverse_dynamics(puma, q, qd, qdd, loads=ts.Loads(external=external))
    without = ts.inverse_dynamics(puma, q, qd, qdd)
    summed = without + sum(
        ts.inverse_dynamics(puma, q, qd, qdd, loads=ts.Loads(wrench=external[:, k], frame=link)) - without
        for k, link in enumerate(puma.link_names)
    )
    assert close(together, summed)
    # a wrench beside them adds up
    both = ts.inverse_dynamics(puma, q, qd, qdd, loads=ts.Loads(external=external, wrench=external[:, 5], frame=puma.link_names[5]))
    doubled = external.copy()
    doubled[:, 5] *= 2
    assert close(both, ts.inverse_dynamics(puma, q, qd, qdd, loads=ts.Loads(external=doubled)))


def test_a_base_that_accelerates_is_gravity_that_leans(puma):
    q, qd, qdd = states(puma, 6)
    base = np.zeros(9)
    base[6:] = [1.5, -0.7, 2.0]
    leaning = puma.with_gravity(puma.gravity - base[6:])
    assert close(ts.inverse_dynamics(puma, q, qd, qdd, loads=ts.Loads(base=base)), ts.inverse_dynamics(leaning, q, qd, qdd))
    assert close(
        ts.forward_dynamics(puma, q, qd, qdd, loads=ts.Loads(base=base)), ts.forward_dynamics(leaning, q, qd, qdd), 1e-9
    )


TURNTABLE = """
format = 1
name = "arm on a turntable"
[[link]]
name = "table"
joint = { kind = "revolute", axis = [0, 0, 1] }
mass = 1
inertia = [1, 1, 1]
[[link]]
name = "upper"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = 2
com = [0.2, 0.03, 0]
inertia = [0.01, 0.05, 0.04]
[[link]]
name = "fore"
joint = { kind = "revolute", axis = [0, 1, 0.5] }
placement = { position = [0.4, 0, 0.1] }
mass = 1.5
com = [0.15, 0, 0.02]
inertia = [0.01, 0.02, 0.03]
"""


def test_a_base_that_turns_is_a_joint_more():
    whole = ts.load(TURNTABLE)
    upper = TURNTABLE[TURNTABLE.index('[[link]]\nname = "upper"') :]
    arm = ts.load('format = 1\nname = "arm"\n' + upper)
    q, qd, qdd = states(whole, 8)
    q[:, 0] = 0  # there the base is where it is without the table
    base = np.zeros((8, 9))
    base[:, 2], base[:, 5] = qd[:, 0], qdd[:, 0]
    tau = ts.inverse_dynamics(arm, q[:, 1:], qd[:, 1:], qdd[:, 1:], loads=ts.Loads(base=base))
    assert close(tau, ts.inverse_dynamics(whole, q, qd, qdd)[:, 1:])


def test_terms_and_derivatives_know_loads(puma):
    q, qd, qdd = states(puma, 3)
    loads = ts.Loads(base=np.linspace(-1, 1, 9), wrench=np.linspace(2, -5, 6))
    tau = ts.inverse_dynamics(puma, q, qd, qdd, loads=loads)
    terms = ts.terms(puma, q, qd, qdd, loads=loads)
    assert close(terms.tau, tau)
    rest = (terms.M @ qdd[..., None] + terms.C @ qd[..., None])[..., 0] + terms.gravity + terms.friction + terms.load
    assert close(rest, tau) and np.abs(terms.load).max() > 1
    assert not ts.terms(puma, q, qd, qdd).load.any()

    h = 1e-6
    dq, dqd, dqdd = ts.inverse_derivatives(puma, q, qd, qdd, loads=loads)
    fq, _, _ = ts.forward_derivatives(puma, q, qd, tau, loads=loads)
    for j in range(6):
        e = h * np.eye(6)[j]
        slope = (ts.inverse_dynamics(puma, q + e, qd, qdd, loads=loads) - ts.inverse_dynamics(puma, q - e, qd, qdd, loads=loads)) / (2 * h)
        assert close(dq[..., j], slope, 1e-7)
        slope = (ts.forward_dynamics(puma, q + e, qd, tau, loads=loads) - ts.forward_dynamics(puma, q - e, qd, tau, loads=loads)) / (2 * h)
        assert close(fq[..., j], slope, 1e-6)
    # and forget them afterwards
    assert np.array_equal(ts.inverse_derivatives(puma, q, qd, qdd)[0], ts.inverse_derivatives(ts.load("puma560"), q, qd, qdd)[0])
    assert np.array_equal(ts.inverse_dynamics(puma, q, qd, qdd), ts.inverse_dynamics(ts.load("puma560"), q, qd, qdd))


def test_float32_threads_and_broadcasting(puma):
    q, qd, qdd = states(puma, 5000, dtype=np.float32)
    loads = ts.Loads(wrench=np.ones(6, np.float32))
    one = ts.inverse_dynamics(puma, q, qd, qdd, loads=loads)
    assert one.dtype == np.float32 and np.array_equal(one, ts.inverse_dynamics(puma, q, qd, qdd, loads=loads, threads=3))
    many = ts.Loads(wrench=np.random.default_rng(1).uniform(-1, 1, (7, 1, 6)))
    assert ts.inverse_dynamics(puma, q[:4], loads=many).shape == (7, 4, 6)


@pytest.mark.parametrize(
    "loads, said",
    [
        (ts.Loads(wrench=[1, 2, 3]), r"loads.wrench has shape \(3,\); expected \(6,\) for one state"),
        (ts.Loads(base=[0] * 6), r"loads.base has shape \(6,\)"),
        (ts.Loads(external=np.zeros((5, 6))), r"loads.external has shape \(5, 6\); expected \(6, 6\)"),
        (ts.Loads(wrench=[0] * 6, frame="hnad"), 'frame "hnad" is none of the robot'),
    ],
)
def test_what_does_not_fit_is_told(puma, loads, said):
    with pytest.raises(ValueError, match="inverse_dynamics: " + said):
        ts.inverse_dynamics(puma, np.zeros(6), loads=loads)


def test_only_loads_are_loads(puma):
    with pytest.raises(TypeError, match="loads is no torsor.Loads"):
        ts.inverse_dynamics(puma, np.zeros(6), loads=[0] * 6)
    with pytest.raises(ValueError, match="\"kane\" does not take these loads: it has no term for forces from outside"):
        ts.inverse_dynamics(puma, np.zeros(6), formulation="kane", loads=ts.Loads(wrench=[1, 0, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="does not take these loads: it is written for a base at rest"):
        ts.inverse_dynamics(puma, np.zeros(6), formulation="lagrange-euler", loads=ts.Loads(base=[0, 0, 1] + [0] * 6))


@pytest.mark.parametrize("name", ["puma560_drives", "stanford"])
def test_formulations_take_loads_as_the_default_path_does(robots, name):
    robot = robots[name]
    q, qd, qdd = states(robot, 6)
    rng = np.random.default_rng(7)
    both = ts.Loads(base=rng.uniform(-2, 2, (6, 9)), wrench=rng.uniform(-20, 20, (6, 6)))
    expected = ts.inverse_dynamics(robot, q, qd, qdd, loads=both)
    assert abs(expected - ts.inverse_dynamics(robot, q, qd, qdd)).max() > 1
    for formulation in ("tree-newton-euler", "newton-euler-link", "newton-euler-base"):
        assert close(ts.inverse_dynamics(robot, q, qd, qdd, formulation, loads=both), expected, 1e-11)
    # once with loads is not always with loads
    assert close(ts.inverse_dynamics(robot, q, qd, qdd, "newton-euler-link"), ts.inverse_dynamics(robot, q, qd, qdd), 1e-11)
