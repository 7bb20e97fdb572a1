"""Dynamics: one state, many states and every formulation agree, on every robot."""

import re

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ts.robots())
def test_batches_equal_single_states(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 37)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    M = ts.mass_matrix(robot, q)
    for k in range(0, 37, 6):
        assert close(tau[k], ts.inverse_dynamics(robot, q[k], qd[k], qdd[k]))
        assert close(M[k], ts.mass_matrix(robot, q[k]))
        assert close(ts.bias(robot, q, qd)[k], ts.bias(robot, q[k], qd[k]))
        assert close(ts.gravity(robot, q)[k], ts.gravity(robot, q[k]))
        assert close(ts.frame_pose(robot, q)[k], ts.frame_pose(robot, q[k]))
        assert close(ts.jacobian(robot, q)[k], ts.jacobian(robot, q[k]))


@pytest.mark.parametrize("name", ts.robots())
def test_efforts_are_mass_times_acceleration_plus_bias(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 20)
    parts = np.einsum("kij,kj->ki", ts.mass_matrix(robot, q), qdd) + ts.bias(robot, q, qd)
    assert close(ts.inverse_dynamics(robot, q, qd, qdd), parts)


@pytest.mark.parametrize("name", ts.robots())
def test_forward_dynamics_undoes_inverse_dynamics(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 20)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    assert close(ts.forward_dynamics(robot, q, qd, tau), qdd, 1e-8)
    assert close(ts.forward_dynamics(robot, q[3], qd[3], tau[3]), qdd[3], 1e-8)
    for row in ts.formulations("forward", robot):
        if not row.refusal:
            assert close(ts.forward_dynamics(robot, q, qd, tau, formulation=row.name), qdd, 1e-8)


@pytest.mark.parametrize("name", ts.robots())
def test_every_formulation_gives_the_same(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 5)
    answers = {
        "inverse": lambda **k: ts.inverse_dynamics(robot, q, qd, qdd, **k),
        "mass": lambda **k: ts.mass_matrix(robot, q, **k),
        "gravity": lambda **k: ts.gravity(robot, q, **k),
    }
    served = 0
    for question, ask in answers.items():
        for row in ts.formulations(question, robot):
            if row.refusal:
                with pytest.raises(ValueError, match="does not serve this robot"):
                    ask(formulation=row.name)
            else:
                served += 1
                assert close(ask(formulation=row.name), ask(), 1e-11), (question, row.name)
    assert served >= 3


@pytest.mark.parametrize("name", ["puma560", "ur5", "panda"])
def test_formulations_compute_on_the_robot_as_typed(name):
    text, count = re.subn(r"1\.57079632679\d*", "1.5708", ts.load(name).to_urdf())
    assert count >= 3
    robot = ts.load(text, check=False)
    q, qd, qdd = states(robot, 5)
    tau, M, g = ts.inverse_dynamics(robot, q, qd, qdd), ts.mass_matrix(robot, q), ts.gravity(robot, q)
    served = 0
    for row in ts.formulations("inverse", robot):
        if not row.refusal:
            served += 1
            assert close(ts.inverse_dynamics(robot, q, qd, qdd, formulation=row.name), tau, 1e-11), row.name
    assert served >= 10
    for row in ts.formulations("coefficients", robot):
        D, h, c = ts.coefficients(robot, q, qd, formulation=row.name)
        assert close(D, M, 1e-11) and close(c, g, 1e-11)
        assert close((D @ qdd[..., None])[..., 0] + h + c, tau, 1e-11)
    for row in ts.formulations("christoffel", robot):
        h = np.einsum("sikm,sk,sm->si", ts.christoffel(robot, q, formulation=row.name), qd, qd)
        assert close(h, ts.bias(robot, q, qd) - g, 1e-11), row.name
    found = ts.agree(robot, states=10)
    assert found.holds(1e-12) and not found.snaps
    assert {"fast", "fast-batch", "motion-terms"} <= set(found.names)
    # exact answers are of the robot with right angles, and say how far that is from this one
    exact = ts.structure(robot)
    assert exact.snaps and 1e-9 < exact.snap_effect < 1e-3
    written = ts.equations(robot, coefficients="G") if robot.nv == 6 else exact
    assert written.snaps and 1e-9 < written.snap_effect < 1e-3
    other = ts.inverse_dynamics(robot, q, qd, qdd, formulation="kane")
    assert ts.agree_against(robot, q, qd, qdd, other, level=1e-10).agree


def test_formulations_of_all_questions_are_listed():
    questions = {row.question for row in ts.formulations()}
    assert questions == {"inverse", "coefficients", "christoffel", "mass", "gravity", "forward", "tool"}
    with pytest.raises(ValueError, match="expected inverse, coefficients"):
        ts.formulations("torque")


def test_accelerations_that_are_not_determined_are_refused():
    bare = ts.load(
        "<robot name='bare'><link name='base'/><link name='arm'/><link name='body'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='turn' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint>"
        "<joint name='swing' type='continuous'><parent link='base'/><child link='body'/><axis xyz='0 0 1'/></joint></robot>",
        check=False,
    )
    for count in ((), (3,), (40,)):
        state = np.zeros((*count, 2)), np.zeros(2), np.ones(2)
        for ask in (ts.forward_dynamics, ts.forward_derivatives, lambda *given: ts.discrete_step(*given, 1e-3)):
            if count:  # a batch has NaN in their places, and says so
                with pytest.warns(ts.RowWarning, match=f"{count[0]} of {count[0]} states have no answer.*not determined"):
                    answer = ask(bare, *state)
                assert np.isnan(answer[0]).all()
                continue
            with pytest.raises(ts.Error, match="not determined") as caught:
                ask(bare, *state)
            assert caught.value.rule == "massless-coordinate"


@pytest.mark.parametrize("name", ts.robots())
def test_jacobians_are_derivatives_of_poses(name):
    robot = ts.load(name)
    q, qd, _ = states(robot, 4)
    frame = robot.link_names[-1]
    J = ts.jacobian(robot, q, frame)
    if robot.nq == robot.nv and "planar" not in robot.kinds:
        h = 1e-6
        for j in range(robot.nv):
            step = np.zeros(robot.nv)
            step[j] = h
            ahead, behind = ts.frame_pose(robot, q + step, frame), ts.frame_pose(robot, q - step, frame)
            assert close(J[:, 3:, j], (ahead - behind)[:, :3, 3] / (2 * h), 1e-8)
        rate = (ts.jacobian(robot, q + h * qd, frame) - ts.jacobian(robot, q - h * qd, frame)) / (2 * h)
        assert close(ts.jacobian_rate(robot, q, qd, frame), rate, 1e-7)
    assert close(ts.forward_kinematics(robot, q)[:, -1], ts.frame_pose(robot, q, frame))


def test_a_floating_base_has_turns_before_shifts_and_velocities_along_its_own_axes():
    robot = ts.load("floating")
    assert [name.split(".")[-1] for name in robot.position_names[:7]] == ["e0", "e1", "e2", "e3", "px", "py", "pz"]
    assert [name.split(".")[-1] for name in robot.velocity_names[:6]] == ["wx", "wy", "wz", "vx", "vy", "vz"]
    q, qd, h = robot.neutral_position(), np.zeros(robot.nv), 1e-6
    q[:4] = np.cos(0.4), 0, 0, np.sin(0.4)  # 0.8 rad about z
    q[4:7] = 1, 2, 3
    R = np.array([[np.cos(0.8), -np.sin(0.8), 0], [np.sin(0.8), np.cos(0.8), 0], [0, 0, 1]])
    pose = ts.forward_kinematics(robot, q)[0]
    assert close(pose[:3, :3], R) and close(pose[:3, 3], q[4:7])
    qd[:6] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
    tau = ts.inverse_dynamics(robot, q, qd)
    moved = ts.forward_kinematics(robot, ts.discrete_step(robot, q, qd, tau, h).q)[0]
    spin = R.T @ (moved[:3, :3] - R) / h
    assert close((moved[:3, 3] - q[4:7]) / h, R @ qd[3:6], 1e-5)
    assert close([spin[2, 1], spin[0, 2], spin[1, 0]], qd[:3], 1e-5)


@pytest.mark.parametrize("name", ["puma560", "panda", "two_arm", "floating"])
def test_a_frame_by_its_name_goes_in_lanes_as_the_default_one_does(name):
    robot = ts.load(name)
    q = states(robot, 20_000)[0]
    default = robot.tools[-1]
    for ask in (ts.frame_pose, ts.jacobian):
        assert np.array_equal(ask(robot, q, default), ask(robot, q))
        # every frame is what it is state by state, in either precision
        for frame in {*robot.tools, robot.link_names[0], robot.link_names[-1]}:
            rows = ask(robot, q[:70], frame)
            assert close(rows, np.stack([ask(robot, each, frame) for each in q[:70]]))
            assert close(ask(robot, q[:70].astype(np.float32), frame), rows, 1e-4)
