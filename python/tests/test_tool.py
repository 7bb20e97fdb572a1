"""From the hand to the joints: motions of frames, rates, and torques in one go, each against what it is made of."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda", "two_arm", "floating"])
def test_a_frame_moves_by_its_jacobian(robots, name):
    robot = robots[name]
    q, qd, qdd = states(robot, 6)
    for frame in (None, robot.link_names[-1]):
        pose, twist, acceleration = ts.frame_motion(robot, q, qd, qdd, frame)
        J, Jd = ts.jacobian(robot, q, frame), ts.jacobian_rate(robot, q, qd, frame)
        assert close(pose, ts.frame_pose(robot, q, frame))
        assert close(twist, (J @ qd[..., None])[..., 0])
        assert close(acceleration, (J @ qdd[..., None] + Jd @ qd[..., None])[..., 0], 1e-11)
        assert all(close(many[3], one) for many, one in zip((pose, twist, acceleration), ts.frame_motion(robot, q[3], qd[3], qdd[3], frame)))


@pytest.mark.parametrize("name", ["puma560", "stanford", "puma560_drives"])
def test_rates_of_six_joints_are_the_only_ones(robots, name):
    robot = robots[name]
    q, qd, qdd = states(robot, 20)
    _, twist, acceleration = ts.frame_motion(robot, q, qd, qdd)
    rates = ts.solve_rates(robot, q, twist, acceleration)
    away = rates.smallest_singular_value > 0.02
    assert away.sum() > 10 and not rates.lost[away].any() and rates.lost.dtype == np.int64
    assert close(rates.qd[away], qd[away], 1e-9) and close(rates.qdd[away], qdd[away], 1e-8)
    one = ts.solve_rates(robot, q[0], twist[0], acceleration[0])
    assert one.qd.shape == (6,) and close(one.qdd, rates.qdd[0])
    # without an acceleration the velocity stays
    steady = ts.solve_rates(robot, q[away], twist[away])
    assert close(ts.frame_motion(robot, q[away], steady.qd, steady.qdd)[2], np.zeros((away.sum(), 6)), 1e-8)


def test_of_many_rates_the_shortest_are_taken(robots):
    robot = robots["panda"]
    q, qd, _ = states(robot, 10)
    J = ts.jacobian(robot, q)
    twist = (J @ qd[..., None])[..., 0]
    rates = ts.solve_rates(robot, q, twist)
    regular = rates.lost == 0
    assert regular.sum() > 5
    assert close((J @ rates.qd[..., None])[regular, :, 0], twist[regular], 1e-9)
    assert np.all(np.linalg.norm(rates.qd, axis=1)[regular] <= np.linalg.norm(qd, axis=1)[regular] + 1e-9)
    assert close(rates.qd[regular], (np.linalg.pinv(J) @ twist[..., None])[regular, :, 0], 1e-8)


def test_what_cannot_be_followed_is_told(puma):
    q = np.array([0.1, 0.8, -2.6, 0.2, 0.0, 0.3])  # the wrist is stretched
    J = ts.jacobian(puma, q)
    u, s, _ = np.linalg.svd(J)
    rates = ts.solve_rates(puma, q, u[:, 5])
    assert s[5] < 1e-12 and rates.lost == 1 and np.linalg.norm(rates.missed) > 0.1
    assert close(J @ rates.qd + rates.missed, u[:, 5], 1e-9)
    followed = ts.solve_rates(puma, q, u[:, 0])
    assert close(J @ followed.qd, u[:, 0], 1e-9)


def test_torques_of_the_hand_are_those_of_the_joints(puma):
    q, qd, qdd = states(puma, 40)
    pose, twist, acceleration = ts.frame_motion(puma, q, qd, qdd)
    served = 0
    for row in ts.formulations("tool", puma):
        if row.refusal:
            continue
        served += 1
        matched = np.zeros(40, dtype=bool)
        for branch in np.ndindex(2, 2, 2):
            moved = ts.tool_torques(puma, pose, twist, acceleration, branch=[1 - 2 * s for s in branch], formulation=row.name)
            there = np.isfinite(moved.tau).all(axis=1)
            assert there.any()
            assert close(ts.frame_pose(puma, moved.q[there]), pose[there], 1e-9)
            back = ts.frame_motion(puma, moved.q[there], moved.qd[there], moved.qdd[there])
            assert close(back[1], twist[there], 1e-8) and close(back[2], acceleration[there], 1e-7)
            assert close(moved.tau[there], ts.inverse_dynamics(puma, moved.q[there], moved.qd[there], moved.qdd[there]), 1e-9)
            matched |= np.abs(np.exp(1j * moved.q) - np.exp(1j * q)).max(axis=1) < 1e-6
        assert matched.all(), row.name
    assert served >= 1


def test_poses_that_are_none_or_out_of_reach_have_no_torques(puma):
    poses = np.stack([ts.frame_pose(puma, np.array([0.1, 0.8, -2.6, 0.2, 0.5, 0.3]))] * 3)
    poses[1, 0, 3] += 10
    poses[2, :3, :3] *= 2
    tau = ts.tool_torques(puma, poses).tau
    assert np.isfinite(tau[0]).all() and np.isnan(tau[1:]).all()
    with pytest.raises(ValueError, match=r"tool_torques: pose has shape \(3, 3\); expected \(4, 4\)"):
        ts.tool_torques(puma, np.eye(3))
    with pytest.raises(ValueError, match="branch has 2 entries"):
        ts.tool_torques(puma, poses, branch=[1, 1])
    with pytest.raises(ts.Error):
        ts.tool_torques(ts.load("panda"), poses)


def test_reach_is_between_what_is_found_and_the_bound(robots):
    for name in ("puma560", "stanford", "panda", "two_link"):
        robot = robots[name]
        found = ts.reach(robot)
        at = np.linalg.norm(ts.frame_pose(robot, found.q)[:3, 3])
        assert close(at, found.found, 1e-9) and found.found <= found.bound + 1e-9
        q = ts.random_position(robot, 2000)
        assert np.linalg.norm(ts.frame_pose(robot, q)[:, :3, 3], axis=1).max() <= found.bound
        assert np.all(q >= np.where(np.isfinite(robot.lower), robot.lower, -np.inf)) and np.all(q <= robot.upper)
        assert np.array_equal(ts.random_position(robot, 2000), q)
