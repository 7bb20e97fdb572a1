"""Motions: their rates are derivatives, their ends are met, limits are kept; hand to joints to torques."""

import numpy as np
import pytest
import torsor as ts
from conftest import close

POINTS = [[0, 0.5], [1, -0.5], [2, 0.25]]
MOTIONS = {
    **{law.name: ts.point_to_point([0, 1], [2, -1], 1.5, law=law.name) for law in ts.time_laws()},
    "fastest": ts.fastest_point_to_point([0, 1], [2, -1], velocity=[2, 3], acceleration=[5, 5], jerk=[60, 60]),
    "via": ts.via_point_motion(POINTS, [1, 2], [0.5, 0]),
    "cubic spline": ts.spline_motion([0, 1, 3], POINTS, degree="cubic"),
    "natural spline": ts.spline_motion([0, 1, 3], POINTS, ends="natural"),
    "blended": ts.blended_motion(POINTS, [1, 1], [0.2, 0.3, 0.2], blend="parabolic"),
}


@pytest.mark.parametrize("name", MOTIONS)
def test_rates_are_derivatives(name):
    motion = MOTIONS[name]
    # a little off whatever knots there are
    t, h = np.linspace(0.0137, motion.duration - 0.0137, 61), 1e-5
    q, qd, qdd = motion.sample(t)
    assert q.shape == qd.shape == qdd.shape == (61, 2) == (61, motion.size)
    ahead, behind = motion.sample(t + h), motion.sample(t - h)
    assert close(qd, (ahead[0] - behind[0]) / (2 * h), 1e-6)
    assert close(qdd, (ahead[1] - behind[1]) / (2 * h), 1e-5)
    single = motion.sample(t[7])
    assert all(np.array_equal(many[7], one) for many, one in zip((q, qd, qdd), single))


def test_ends_are_met_at_rest_and_stay():
    motion = ts.point_to_point([0, 1], [2, -1], 1.5)
    for t, q in ((0, [0, 1]), (-3, [0, 1]), (1.5, [2, -1]), (9, [2, -1])):
        at = motion.sample(t)
        assert np.array_equal(at[0], q) and not at[1].any()
    with pytest.raises(ValueError, match="t is nan|t.*nan"):
        motion.sample(np.nan)


def test_limits_are_kept_and_touched(puma):
    motion = ts.published_motion("puma560")
    scaling = ts.smallest_time_factor(puma, motion, velocity=[2.0] * 6)
    fast = motion.stretched(scaling.factor)
    q, qd, qdd = fast.sample(np.linspace(0, fast.duration, 4001))
    use = max(
        (np.abs(qd) / 2.0).max(), (np.abs(ts.inverse_dynamics(puma, q, qd, qdd)) / puma.effort_limits).max()
    )
    assert scaling.status == "ok" and 0.999 < use < 1.0001 and "times" in repr(scaling)


def test_hand_to_joints_to_torques():
    robot = ts.load("puma560")
    start = np.array([0.2, 0.9, -2.4, 0.3, 0.8, 0.1])
    poses = np.stack([ts.frame_pose(robot, start)] * 3)
    poses[1, :3, 3] += [-0.1, 0.05, 0]
    poses[2, :3, 3] += [-0.15, -0.05, -0.05]
    motion = ts.pose_motion(poses, duration=2.0, rounding=0.02)
    path = ts.follow_path(robot, motion, 0.01, start=start, limits=False)
    assert path.finished and path.stop == "none" and len(path.t) == 201 and path.position_residual.max() < 1e-9
    X, twist, acceleration = motion.sample(path.t)
    assert close(ts.frame_pose(robot, path.q), X, 1e-9)
    J = ts.jacobian(robot, path.q)
    assert close(np.einsum("kij,kj->ki", J, path.qd), twist, 1e-8)
    Jd = ts.jacobian_rate(robot, path.q, path.qd)
    assert close(np.einsum("kij,kj->ki", J, path.qdd) + np.einsum("kij,kj->ki", Jd, path.qd), acceleration, 1e-7)
    assert np.isfinite(ts.inverse_dynamics(robot, path.q, path.qd, path.qdd)).all()
    again = path.motion().sample(path.t)
    assert close(again[0], path.q) and close(again[2], path.qdd, 1e-9)


def test_paths_that_cannot_be_followed_say_why():
    robot = ts.load("puma560")
    start = np.array([0.2, 0.9, -2.4, 0.3, 0.8, 0.1])
    poses = np.stack([ts.frame_pose(robot, start)] * 2)
    poses[1, 0, 3] += 5
    path = ts.follow_path(robot, ts.pose_motion(poses, duration=2.0), 0.05, start=start, limits=False)
    assert not path.finished and path.stop in ("out of reach", "branch lost") and path.explanation
    assert 0 < path.stop_time < 2 and len(path.t) > 3


def test_motion_files_are_read(tmp_path, puma):
    text = 'motion = "joints"\n[[point]]\nq = [0, 0]\n[[point]]\nq = [1, 2]\nduration = 2\n'
    file = tmp_path / "motion.toml"
    file.write_text(text)
    for source in (text, file, str(file)):
        assert ts.read_motion(source).duration == 2
    with pytest.raises(ts.Error, match="key-missing"):
        ts.read_motion("duration = 2\n")
    with pytest.raises(ts.Error):
        ts.read_motion(text, puma)
    assert isinstance(ts.published_motion("sixr_sim"), ts.ToolMotion)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ts.point_to_point([0, 0], [1], 1.0), r"q1 has shape \(1,\); expected \(2,\)"),
        (lambda: ts.point_to_point([0], [1], -1.0), "duration"),
        (lambda: ts.point_to_point([0], [1], 1.0, law="quintc"), "quintic"),
        (lambda: ts.spline_motion([0, 1], [[0], [1]], degree="linear"), "expected cubic or quintic"),
        (lambda: ts.spline_motion([0, 0], [[0], [1]]), "increas|time"),
        (lambda: ts.point_to_point([0], [1], 1.0).stretched(0), "factor is 0.*expected a number above zero"),
        (lambda: ts.published_motion("toaster"), "there is none"),
    ],
)
def test_faults_of_motions_are_told(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_fastest_way_through_points_is_that_of_its_legs():
    points = np.array([[0.0, 0.2], [1.0, -0.3], [0.4, 0.9]])
    limits = {"velocity": [1.0, 2.0], "acceleration": [3.0, 2.0], "jerk": [20.0, 30.0]}
    motion = ts.fastest_via_point_motion(points, **limits, waits=[0.25, 0])
    first, second = (ts.fastest_point_to_point(a, b, **limits) for a, b in zip(points, points[1:]))
    assert motion.duration == pytest.approx(first.duration + 0.25 + second.duration, rel=1e-12)
    t = np.linspace(0, second.duration, 50)
    for there, leg in zip(motion.sample(first.duration + 0.25 + t), second.sample(t)):
        assert np.abs(there - leg).max() < 1e-9
    _, qd, qdd = motion.sample(np.linspace(0, motion.duration, 3000))
    assert np.all(np.abs(qd).max(axis=0) <= np.array(limits["velocity"]) * (1 + 1e-9))
    assert np.all(np.abs(qdd).max(axis=0) <= np.array(limits["acceleration"]) * (1 + 1e-9))
    with pytest.raises(ValueError, match="via_point_motion: durations is None"):
        ts.via_point_motion(points, None)


def test_limits_that_rows_pass_are_named_with_their_worst_values():
    robot = ts.load("ur5")
    t = np.linspace(0, 2, 41)
    qd = np.zeros((41, 6))
    qd[:, 2] = 5 * np.sin(t)
    (passed,) = ts.limits_passed(robot, qd=qd, t=t)
    worst = np.argmax(np.abs(qd[:, 2]))
    assert (passed.joint, passed.quantity) == ("elbow", "speed")
    assert (passed.value, passed.time) == (qd[worst, 2], t[worst])
    assert passed.instants == np.sum(np.abs(qd[:, 2]) > passed.limit * (1 + 1e-9))
    assert "joint='elbow'" in str(passed)
    assert ts.limits_passed(robot, q=np.zeros((3, 6)), tau=np.zeros((3, 6))) == []
    with pytest.raises(ValueError, match="nothing is given"):
        ts.limits_passed(robot)
    with pytest.raises(ValueError, match="rows"):
        ts.limits_passed(robot, q=np.zeros((3, 6)), qd=np.zeros((2, 6)))


def test_a_motion_with_a_corner_that_no_drive_follows_warns():
    text = """motion = "tool"
path = "polygon"
duration = 1
[[point]]
position = [0, 0, 0]
[[point]]
position = [1, 0, 0]
[[point]]
position = [1, 1, 0]
"""
    with pytest.warns(UserWarning, match="at point 2 the velocity jumps"):
        ts.read_motion(text)


def test_a_spline_through_equal_positions_does_not_move():
    times = np.linspace(0, 1, 30)
    positions = np.column_stack([np.sin(times), np.full(30, 0.02)])
    for degree in ("cubic", "quintic"):
        for ends in ("clamped", "natural"):
            _, qd, qdd = ts.spline_motion(times, positions, degree, ends).sample(np.linspace(0, 1, 101))
            assert not qd[:, 1].any() and not qdd[:, 1].any()
