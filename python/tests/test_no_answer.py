"""States without an answer: each is NaN by itself, its neighbours stand, and what is said of it is true."""

import warnings

import numpy as np
import pytest
import torsor as ts
from conftest import close, states

# three axes through one point, and a body at the last: where the second joint is at zero, the first and the third are one
WRIST = """
name = "wrist"
convention = "placement"
[[link]]
name = "first"
joint = { kind = "revolute", name = "roll", axis = [0, 0, 1] }
[[link]]
name = "second"
joint = { kind = "revolute", name = "pitch", axis = [0, 1, 0] }
[[link]]
name = "third"
joint = { kind = "revolute", name = "spin", axis = [0, 0, 1] }
mass = 2
com = [0.0, 0.0, 0.1]
inertia = [0.03, 0.04, 0.05]
"""

# an arm whose end has inertia, but so little that it is lost beside what the first joint moves
LIGHT = """
name = "light"
convention = "placement"
[[link]]
name = "arm"
joint = { kind = "revolute", name = "shoulder", axis = [0, 0, 1] }
mass = 5
com = [0.2, 0, 0]
inertia = [0.1, 0.1, 0.1]
[[link]]
name = "finger"
joint = { kind = "revolute", name = "knuckle", axis = [0, 0, 1] }
placement = { position = [0.4, 0, 0] }
mass = 1e-36
inertia = [1e-38, 1e-38, 1e-38]
"""


def asks(robot, q, qd, tau, **more):
    yield "forward_dynamics", lambda: ts.forward_dynamics(robot, q, qd, tau, **more)
    for row in ts.formulations("forward", robot):
        yield row.name, lambda name=row.name: ts.forward_dynamics(robot, q, qd, tau, formulation=name, **more)
    yield "forward_derivatives", lambda: ts.forward_derivatives(robot, q, qd, tau, **more)
    yield "discrete_step", lambda: ts.discrete_step(robot, q, qd, tau, 1e-3, **more)
    yield "semi-implicit", lambda: ts.discrete_step(robot, q, qd, tau, 1e-3, method="semi-implicit", **more)


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def broken_states():
    """Robots with 256 states, of which row 100 has no accelerations, the rule it breaks and words of the reason."""
    puma = ts.load("puma560")
    fast = states(puma, 256)
    fast[1][100] = 1e160
    yield "too fast", puma, fast, "too-large", "too large"
    wrist = ts.load(WRIST, check=False)
    in_line = states(wrist, 256)
    in_line[0][:, 1] = np.random.default_rng(2).uniform(0.3, 2, 256)
    in_line[0][100, 1] = 0
    yield "in line", wrist, in_line, "massless-coordinate", '"roll" moves no mass, or so little'
    floating = ts.load("floating")
    lost = states(floating, 256)
    lost[0][100, :4] = 0
    yield "no quaternion", floating, lost, "quaternion-length", 'the quaternion of joint "root" has length zero'


@pytest.mark.parametrize("robot, state, rule, reason", [each[1:] for each in broken_states()], ids=[each[0] for each in broken_states()])
def test_one_row_never_kills_a_batch(robot, state, rule, reason):
    q, qd, tau = state
    sound = np.arange(256) != 100
    alone = [row[sound] for row in (q, qd, tau)]
    before = {name: parts(ask()) for name, ask in asks(robot, *alone)}
    for name, ask in asks(robot, q, qd, tau):
        with pytest.warns(ts.RowWarning) as told:
            after = parts(ask())
        assert len(told) == 1, name
        words = str(told[0].message)
        assert "1 of 256 states has no answer" in words and "state 100: " in words and reason in words and rule in words
        for x, y in zip(after, before[name]):
            assert np.isnan(x[100]).all() and close(x[sound], y, 1e-9), name
    # with the mask nothing is said
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, ask in asks(robot, q, qd, tau, return_valid=True):
            answer, valid = ask()
            assert valid.dtype == bool and np.array_equal(valid, sound), name
            cube = [x.reshape(4, 64, -1) for x in (q, qd, tau)]
        assert ts.forward_dynamics(robot, *cube, return_valid=True)[1].shape == (4, 64)
    # alone it is refused, for the same reason
    for name, ask in asks(robot, q[100], qd[100], tau[100]):
        with pytest.raises(ts.Error) as refused:
            ask()
        assert refused.value.rule == rule and reason in refused.value.what, name
    for name, ask in asks(robot, q[100], qd[100], tau[100], return_valid=True):
        answer, valid = ask()
        assert not valid and np.isnan(parts(answer)[0]).all()


def test_one_state_and_many_share_one_threshold():
    found = set()
    for size in (1, 1e-4, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16, 1e-20, 1e-36):
        robot = ts.load(LIGHT.replace("1e-36", repr(size)).replace("1e-38", repr(size * 0.01)), check=False)
        q, qd, tau = states(robot, 64)
        valid = {name: ask()[1] for name, ask in asks(robot, q, qd, tau, return_valid=True)}
        valid["float32"] = ts.forward_dynamics(robot, *(x.astype(np.float32) for x in (q, qd, tau)), return_valid=True)[1]
        for k in range(64):
            one = ts.forward_dynamics(robot, q[k], qd[k], tau[k], return_valid=True)[1]
            found.add(bool(one))
            assert valid["forward_dynamics"][k] == one == valid["float32"][k], size
            # derivatives may have none where accelerations have, never the other way round
            assert all(one or not each[k] for each in valid.values()), (size, valid)
    assert found == {True, False}


def test_float32_of_a_tree_is_not_refused_for_its_rounding():
    robot = ts.load("two_arm")
    q, qd, tau = states(robot, 300, dtype=np.float32)
    qdd, valid = ts.forward_dynamics(robot, q, qd, tau, return_valid=True)
    assert qdd.dtype == np.float32 and valid.all()


def test_nan_says_nothing_and_spoils_its_own_row(puma):
    q, qd, tau = states(puma, 30)
    qd[5, 1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(ts.forward_dynamics(puma, q, qd, tau)[5]).all()
        assert not ts.forward_dynamics(puma, q, qd, tau, return_valid=True)[1][5]


def test_what_is_no_pose_is_nan_among_branches(puma):
    q = states(puma, 40)[0]
    poses = ts.frame_pose(puma, q)
    sound = ts.ik_branches(puma, poses)
    poses[7, 0, 3] = np.nan
    poses[9, :3, :3] *= 2
    others = ~np.isin(np.arange(40), (7, 9))
    with pytest.warns(ts.RowWarning, match="1 of 40 states has no answer.*state 9: it is no pose: the columns"):
        answer = ts.ik_branches(puma, poses)
    for x, y in zip(answer, sound):
        assert np.isnan(x[[7, 9]]).all() and np.array_equal(x[others], y[others], equal_nan=True)
    (branches, labels), valid = ts.ik_branches(puma, poses, return_valid=True)
    assert np.array_equal(valid, others) and np.array_equal(branches[others], sound[0][others], equal_nan=True)
    with pytest.raises(ValueError, match="poses is no pose: some of it is not finite"):
        ts.ik_branches(puma, poses[7])
    assert not ts.ik_branches(puma, poses[7], return_valid=True)[1]


def test_nan_spoils_its_own_rates_torques_and_samples_only(puma):
    motion = ts.pose_motion([ts.frame_pose(puma, q) for q in ([0.1, 0.8, -2.6, 0.2, 0.5, 0.3], [0.2, 0.7, -2.5, 0.2, 0.5, 0.3])], 1.0)
    t = np.linspace(0, 1, 20)
    pose, twist, acceleration = motion.sample(t)
    moved = ts.tool_torques(puma, pose, twist, acceleration)
    rates = ts.solve_rates(puma, moved.q, twist)
    others = np.arange(20) != 4
    twist[4, 3] = np.nan
    t[4] = np.nan
    again = ts.tool_torques(puma, pose, twist, acceleration)
    assert np.isnan(again.tau[4]).all() and np.array_equal(again.tau[others], moved.tau[others])
    slower = ts.solve_rates(puma, moved.q, twist)
    assert np.isnan(slower.qd[4]).all() and np.array_equal(slower.qd[others], rates.qd[others])
    for of in (motion, ts.point_to_point([0, 0], [1, 2], 1.0)):
        assert all(np.isnan(x[4]).all() and np.isfinite(x[others]).all() for x in of.sample(t))
        with pytest.raises(ValueError, match="t.* is nan; expected finite numbers"):
            of.sample(np.nan)


@pytest.mark.parametrize("length", [1e-300, 1e-160, 1e-155, 1e20, 1e155, 1e160, 1e300])
def test_quaternions_may_have_any_length(length):
    robot = ts.load("floating")
    q, qd, qdd = states(robot, 50)
    wild = q.copy()
    wild[::7, :4] *= length
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    assert close(ts.inverse_dynamics(robot, wild, qd, qdd), tau)
    assert close(ts.inverse_dynamics(robot, wild[7], qd[7], qdd[7]), tau[7])
    assert close(ts.forward_dynamics(robot, wild, qd, tau), qdd, 1e-9)
    for ask in (ts.mass_matrix, ts.frame_pose, ts.jacobian, ts.forward_kinematics):
        assert close(ask(robot, wild), ask(robot, q)) and close(ask(robot, wild[7]), ask(robot, q[7]))
    for x, y in zip(ts.forward_derivatives(robot, wild, qd, tau), ts.forward_derivatives(robot, q, qd, tau)):
        assert close(x, y, 1e-9)


def test_a_payload_is_a_body(puma):
    def turned(moments, seed=3):
        R = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
        I = R @ np.diag(moments) @ R.T
        return [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]

    assert puma.with_payload(1, inertia=turned([0.02, 0.03, 0.04])).nv == 6
    assert puma.with_payload(1, inertia=turned([0, 0.03, 0.03])).nv == 6  # a rod
    for moments, why in (([-0.01, 0.03, 0.03], "one is negative"), ([0.01, 0.01, 0.05], "larger than the other two")):
        for seed in range(20):
            with pytest.raises(ValueError, match=f"with_payload: inertia has the principal moments .*{why}"):
                puma.with_payload(1, inertia=turned(moments, seed))
    with pytest.raises(ValueError, match="one is negative"):
        puma.with_payload(1, inertia=[1, 1, 1, 0.9, 0.9, -0.9])
    with pytest.raises(ValueError, match="mass is -1"):
        puma.with_payload(-1)
    for more in ({"com": [0, 0, 0.1]}, {"inertia": [0.1, 0.1, 0.1, 0, 0, 0]}):
        with pytest.raises(ValueError, match="with_payload: mass is 0, and there is a com or an inertia"):
            puma.with_payload(0, **more)
    assert np.array_equal(puma.with_payload(0, com=[0, 0, 0], inertia=[0] * 6).masses, puma.masses)
