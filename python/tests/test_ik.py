"""Inverse kinematics: every branch puts the tool there, and is named."""

import re
import warnings

import numpy as np
import pytest
import torsor as ts
from conftest import close, states

CLOSED = ["puma560", "stanford", "ur5", "sixr_sim"]


@pytest.mark.parametrize("name", CLOSED)
def test_every_branch_puts_the_tool_there(name):
    robot = ts.load(name)
    q, _, _ = states(robot, 50)
    poses = ts.frame_pose(robot, q)
    branches, labels = ts.ik_branches(robot, poses, threads=2)
    assert branches.shape == (50, 8, 6) and labels.shape == (50, 8, 4)
    for k in range(50):
        there = ~np.isnan(branches[k, :, 0])
        assert there.any()
        assert close(ts.frame_pose(robot, branches[k, there]), np.broadcast_to(poses[k], (there.sum(), 4, 4)), 1e-9)
        # one of them is where the pose came from, up to whole turns
        turns = np.abs(np.exp(1j * branches[k, there]) - np.exp(1j * q[k])).max(axis=1)
        assert turns.min() < 1e-6
        assert len({tuple(label) for label in labels[k, there]}) == there.sum()


@pytest.mark.parametrize("name", CLOSED)
def test_answers_agree_with_arrays_of_branches(name):
    robot = ts.load(name)
    q, _, _ = states(robot, 5)
    poses = ts.frame_pose(robot, q)
    branches, labels = ts.ik_branches(robot, poses)
    for k in range(5):
        answer = ts.inverse_kinematics(robot, poses[k])
        assert answer.status == "solved" and len(answer) == (~np.isnan(branches[k, :, 0])).sum() and answer.nearest is None
        assert [branch.label for branch in answer] == [branch.label for branch in answer.branches]
        for b, branch in enumerate(answer):
            assert np.array_equal(branch.q, branches[k, b])
            assert (branch.shoulder, branch.elbow, branch.wrist, branch.root) == tuple(labels[k, b])
            assert branch.status in ("ok", "near-singular", "singular", "outside limits") and branch.explanation
            assert branch.position_residual < 1e-9 and branch.label in repr(answer)


def test_poses_out_of_reach_say_by_how_much(puma):
    pose = np.eye(4)
    pose[:3, 3] = [3, 0, 0.6]
    answer = ts.inverse_kinematics(puma, pose)
    assert answer.status == "unreachable" and len(answer) == 0 and answer.short_by > 1 and answer.nearest is not None
    branches, _ = ts.ik_branches(puma, pose)
    assert np.isnan(branches).all()
    # however far it is: what is no pose has no rotation
    pose[:3, 3] = [1e8, 0, 0]
    answer, found = ts.inverse_kinematics(puma, pose), ts.solve_pose(puma, pose)
    assert answer.status == "unreachable" and found.status == "out of reach"
    for short_by in (answer.short_by, found.short_by):
        assert 1e8 - 2 < short_by < 1e8


def test_robots_without_a_closed_form_are_refused_with_the_reason():
    for name in ("panda", "two_link", "floating"):
        with pytest.raises(ts.Error):
            ts.inverse_kinematics(ts.load(name), np.eye(4))


NO_POSES = [
    (np.eye(3), r"shape \(3, 3\)"),
    (2 * np.eye(4), "last row"),
    (np.vstack([np.eye(4)[:3], [[7, 7, 7, 7]]]), "last row"),
    (np.ones((4, 4)), "last row"),
    (np.diag([1, 1, -1, 1.0]), "right-handed"),
    (np.diag([1.01, 1.01, 1.01, 1]), "right-handed"),
    (np.full((4, 4), np.nan), "nan|finite"),
]


@pytest.mark.parametrize("pose, reason", NO_POSES)
def test_what_is_no_pose_is_refused_with_the_reason(puma, pose, reason):
    with pytest.raises(ValueError, match=reason):
        ts.inverse_kinematics(puma, pose)
    with pytest.raises(ValueError, match=reason):
        ts.ik_branches(puma, pose)
    if pose.shape == (4, 4):
        poses = np.stack([np.eye(4), np.eye(4), pose])
        # among others it is NaN, and they stand
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            q, labels = ts.ik_branches(puma, poses)
        assert np.isnan(q[2]).all() and np.isnan(labels[2]).all()
        assert np.array_equal(q[:2], ts.ik_branches(puma, poses[:2])[0], equal_nan=True)
        assert [re.search(f"state 2: it is no pose: .*({reason})", str(each.message)) is not None for each in told] == (
            [] if np.isnan(pose).any() else [True]
        )


def test_poses_in_single_precision_are_poses(puma):
    q, _, _ = states(puma, 2000)
    branches, _ = ts.ik_branches(puma, ts.frame_pose(puma, q.astype(np.float32)))
    assert not np.isnan(branches[:, 0]).any()


@pytest.mark.parametrize("name", ["panda", "iiwa14", "puma560", "two_arm"])
def test_the_general_solver_serves_any_arm(name):
    robot = ts.load(name)
    frame = robot.link_names[-1]
    low, high = np.clip(robot.lower, -2, 2), np.clip(robot.upper, -2, 2)
    for q in np.random.default_rng(3).uniform(low, high, (4, robot.nv)):
        pose = ts.frame_pose(robot, q, frame)
        found = ts.solve_pose(robot, pose, start=q + 0.05, frame=frame, limits=False)
        assert found.solved and close(ts.frame_pose(robot, found.q, frame), pose, 1e-8)
    centred = ts.solve_pose(ts.load("panda"), ts.frame_pose(ts.load("panda"), [0, 0.3, 0, -1.5, 0, 1.8, 0.5]), aim="centre")
    assert centred.solved
    with pytest.raises(ValueError, match="expected one of near, centre, manipulability"):
        ts.solve_pose(robot, pose, aim="up")


def test_parts_of_a_pose_may_be_free():
    robot = ts.load("two_link")
    pose = ts.frame_pose(robot, [0.3, 0.8])
    pose[:3, :3] = np.eye(3)
    found = ts.solve_pose(robot, pose, start=[0.1, 0.5], weights=[0, 0, 0, 1, 1, 1])
    assert found.solved and close(ts.frame_pose(robot, found.q)[:3, 3], pose[:3, 3], 1e-9)
    with pytest.raises(ValueError, match="weights are no task"):
        ts.solve_pose(robot, pose, weights=[0] * 6)


def test_seven_joints_have_every_solution_where_one_is_held():
    robot = ts.load("panda")
    q = np.array([0.3, -0.4, 0.2, -1.9, 0.3, 1.7, 0.6])
    pose = ts.frame_pose(robot, q)
    found = ts.ik_solutions(robot, pose, redundancy=0.6)
    assert found.solution_count == len(found.solutions) >= 2
    apart = [np.abs(np.remainder(np.asarray(each.q) - q + np.pi, 2 * np.pi) - np.pi).max() for each in found.solutions]
    assert sum(each < 1e-8 for each in apart) == 1
    for each in found.solutions:
        assert np.abs(ts.frame_pose(robot, np.asarray(each.q)) - pose).max() < 1e-12
    assert any(low < 0.6 < high for low, high in ts.feasible_redundancy(robot, pose))
    best = ts.best_solution(robot, pose, "distance", near=q)
    assert np.abs(np.asarray(best.solutions[0].q) - q).max() < 1e-6
    with pytest.raises(ts.Error):
        ts.ik_solutions(robot, pose, swivel=0.3)
    with pytest.raises(ValueError):
        ts.ik_solutions(robot, pose, redundancy=0.6, redundant_joint="nose")
    iiwa = ts.load("iiwa14")
    assert ts.ik_solutions(iiwa, ts.frame_pose(iiwa, q), swivel=0.3).solution_count == 8


def test_few_joints_have_every_solution():
    robot = ts.load("two_link")
    found = ts.ik_solutions(robot, ts.frame_pose(robot, [0.3, 0.5]))
    assert found.solution_count == 1
    assert np.abs(np.asarray(found.solutions[0].q) - [0.3, 0.5]).max() < 1e-9


@pytest.mark.parametrize("name, joints, most", [("puma560", 6, 8), ("panda", 7, 16), ("two_link", 2, 16)])
def test_many_poses_are_arrays_with_counts(name, joints, most):
    robot = ts.load(name)
    draws = np.random.default_rng(3).uniform(-1, 1, (6, joints))
    if name == "panda":
        draws[:, 3] -= 1.5
        draws[:, 5] += 1.5
    poses = ts.frame_pose(robot, draws)
    poses[2] = np.nan
    q, counts = ts.inverse_kinematics(robot, poses.reshape(2, 3, 4, 4), threads=2)
    assert q.shape == (2, 3, most, joints)
    assert counts.shape == (2, 3) and counts.dtype == np.int64
    assert counts[0, 2] == 0 and np.isnan(q[0, 2]).all()
    for k in range(6):
        found, count = q.reshape(6, most, joints)[k], counts.ravel()[k]
        assert np.isnan(found[count:]).all()
        for solution in found[:count]:
            assert np.abs(ts.frame_pose(robot, solution) - poses[k]).max() < 1e-9
    assert counts.sum() >= 5


@pytest.mark.parametrize("bad", [3 * np.eye(4), np.diag([1, 1, -1, 1.0]), np.zeros((4, 4)), np.full((4, 4), 1e200)])
def test_a_matrix_that_is_no_pose_is_said_and_harms_no_other(puma, bad):
    poses = ts.frame_pose(puma, np.random.default_rng(4).uniform(-1, 1, (4, 6)))
    whole, _ = ts.inverse_kinematics(puma, poses)
    poses[2] = bad
    with pytest.warns(ts.RowWarning, match="no pose"):
        q, counts = ts.inverse_kinematics(puma, poses)
    assert counts[2] == 0 and np.isnan(q[2]).all()
    assert np.array_equal(q[[0, 1, 3]], whole[[0, 1, 3]], equal_nan=True) and (counts[[0, 1, 3]] > 0).all()


def test_many_poses_of_seven_joints_with_one_held():
    robot = ts.load("panda")
    poses = ts.frame_pose(robot, [[0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2], [0.3, 0.1, -0.2, -2, 0.2, 1.9, 0.2]])
    q, counts = ts.inverse_kinematics(robot, poses, redundancy=0.2)
    assert (counts >= 2).all()
    assert np.allclose(q[0, : counts[0], 6], 0.2)
    with pytest.raises(ts.Error):
        ts.inverse_kinematics(ts.load("puma560"), poses, redundancy=0.2)


def test_seven_joints_without_a_value_and_proofs():
    robot = ts.load("panda")
    pose = ts.frame_pose(robot, [0.1, 0.2, 0.3, -1.5, 0.1, 1.5, 0.2])
    found = ts.ik_solutions(robot, pose)
    assert found.status == "solved" and found.redundant_joint == "joint7"
    assert any(s.inside_limits for s in found.solutions)
    proven = ts.ik_solutions(robot, pose, redundancy=found.redundancy, prove=True)
    assert proven.proof.proven and proven.proof.count == found.solution_count
    assert found.proof is None


def test_a_place_or_an_axis_alone():
    robot = ts.load("two_link")
    pose = np.eye(4)
    pose[:3, 3] = 1.2, 0.8, 0
    assert ts.ik_solutions(robot, pose, position_only=True).solution_count == 2
    assert ts.ik_solutions(robot, pose).solution_count == 0
    with pytest.raises(ValueError):
        ts.ik_solutions(robot, pose, position_only=True, free_turn="z")


def test_nearly_special_arms_have_room_for_what_the_family_has_not():
    # three parallel axes written with a right angle of six digits: beside singular positions there may be more than eight
    robot = ts.load("ur5")
    text = robot.to_urdf()
    assert "1.5707963267948966" in text
    nearly = ts.load(text.replace("1.5707963267948966", "1.570799"))
    pose = ts.frame_pose(nearly, np.zeros((3, 6)))
    q, labels = ts.ik_branches(nearly, pose)
    assert q.shape == (3, 16, 6) and labels.shape == (3, 16, 4)
    assert ts.ik_branches(robot, pose)[0].shape == (3, 8, 6)


def test_a_rail_without_limits_goes_as_far_as_the_place_asks():
    text = """
name = "PRP"
[[link]]
name = "rail"
joint = "prismatic"
mass = 1
[[link]]
name = "arm"
joint = "revolute"
placement = { position = [0.35, 0, 0], rpy_deg = [0, -90, 90] }
mass = 1
inertia = [0.01, 0.01, 0.01]
[[link]]
name = "boom"
joint = "prismatic"
placement = { position = [0.35, 0, 0], rpy_deg = [180, 0, 0] }
mass = 1
[[tool]]
name = "t"
link = "boom"
"""
    robot = ts.load(text, check=False)
    for rail in (4.0, -6.0, 8.0):
        found = ts.ik_solutions(robot, ts.frame_pose(robot, [rail, 0.5, 0.1]), position_only=True)
        assert any(abs(s.q[0] - rail) < 1e-6 for s in found.solutions)
