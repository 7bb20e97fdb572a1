"""Positions as a space with directions: integrate, difference, interpolate, their tangents; and the numbers of other programs."""

from types import SimpleNamespace

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ["puma560", "two_arm", "floating"])
def test_a_difference_leads_from_one_position_to_the_other(robots, name):
    robot = robots[name]
    q, qd, _ = states(robot, 200)
    to = ts.random_position(robot, 200, seed=3)
    d = ts.difference(robot, q, to)
    assert d.shape == (200, robot.nv)
    at = ts.integrate(robot, q, d)
    assert close(ts.forward_kinematics(robot, at), ts.forward_kinematics(robot, to), 1e-12)
    assert close(ts.difference(robot, q, ts.integrate(robot, q, 0.5 * qd)), 0.5 * qd, 1e-12)
    # alone as in a batch, and broadcast
    assert close(ts.difference(robot, q[7], to[7]), d[7], 1e-15) and close(ts.difference(robot, q[7], to)[9], ts.difference(robot, q[7], to[9]), 1e-15)
    assert close(ts.interpolate(robot, q, to, 0.0)[:, -1], q[:, -1], 1e-14)
    half = ts.interpolate(robot, q, to, np.full(200, 0.5))
    assert close(ts.difference(robot, q, half), 0.5 * d, 1e-12)
    # tangents by differences
    by_q, by_d = ts.integrate_tangents(robot, q, 0.5 * qd)
    by_start, by_end = ts.difference_tangents(robot, q, at)
    step = 1e-6
    for j in range(robot.nv):
        e = np.zeros(robot.nv)
        e[j] = step
        end = ts.integrate(robot, q, 0.5 * qd)
        quotient = ts.difference(robot, end, ts.integrate(robot, q, 0.5 * qd + e)) / step
        assert np.abs(quotient - by_d[:, :, j]).max() < 1e-5
        quotient = ts.difference(robot, end, ts.integrate(robot, ts.integrate(robot, q, e), 0.5 * qd)) / step
        assert np.abs(quotient - by_q[:, :, j]).max() < 1e-5
        near = np.abs(d).max(axis=1) < 2.5
        quotient = (ts.difference(robot, q, ts.integrate(robot, to, e)) - d) / step
        assert np.abs(quotient - ts.difference_tangents(robot, q, to)[1][:, :, j])[near].max(initial=0) < 1e-4
        assert np.isfinite(by_start).all() and np.isfinite(by_end).all()


def test_the_lengths_of_quaternions_do_not_matter_but_zero(robots):
    robot = robots["floating"]
    q = ts.random_position(robot, 2)
    longer = q.copy()
    longer[:, :4] *= [[3.0], [0.2]]
    assert close(ts.difference(robot, longer[0], longer[1]), ts.difference(robot, q[0], q[1]), 1e-14)
    for k in (0, 1):
        none = q.copy()
        none[k, :4] = 0
        with pytest.raises(ts.Error, match="quaternion-length"):
            ts.difference(robot, none[0], none[1])
    several = np.stack([q[1], none[1], q[1]])
    with pytest.warns(ts.RowWarning, match="1 of 3 states"):
        d = ts.difference(robot, q[0], several)
    assert np.isnan(d[1]).all() and np.array_equal(d[0], d[2])


class Joint:
    def __init__(self, nq, nv, idx_q, idx_v, name="JointModelRX"):
        self.nq, self.nv, self.idx_q, self.idx_v, self.name = nq, nv, idx_q, idx_v, name

    def shortname(self):
        return self.name


def test_numbers_of_pinocchio_by_its_conventions(robots):
    """A stand-in for its model: what joints there are, where their numbers begin. The real one is asked in tests/peers."""
    robot = robots["floating"]
    joints = [name for name in robot.joint_names[::-1] if name in robot.position_names]  # sorted otherwise
    model = SimpleNamespace(nq=robot.nq + 1, nv=robot.nv, names=["universe", "root_joint", *joints])
    model.joints = [Joint(0, 0, 0, 0), Joint(7, 6, 0, 0, "JointModelFreeFlyer"), Joint(2, 1, 7, 6, "JointModelRUBX")]
    model.joints += [Joint(1, 1, 9 + k, 7 + k) for k in range(len(joints) - 1)]
    q, qd, _ = states(robot, 50)
    theirs, v = ts.to_pinocchio(robot, model, q, qd)
    assert close(theirs[:, 3:7], q[:, [1, 2, 3, 0]], 0) and close(theirs[:, :3], q[:, 4:7], 0)
    assert close(v[:, :6], qd[:, [3, 4, 5, 0, 1, 2]], 0)
    first = robot.position_names.index(joints[0])
    assert close(theirs[:, 7:9], np.stack([np.cos(q[:, first]), np.sin(q[:, first])], -1), 1e-15)
    back, rates = ts.from_pinocchio(robot, model, theirs, v)
    assert close(back, q, 1e-15) and close(rates, qd, 0)
    assert close(ts.to_pinocchio(robot, model, q[3]), theirs[3], 0)
    model.names[2] = "unknown"
    with pytest.raises(ValueError, match=f'to_pinocchio: the model has no joint "{joints[0]}"'):
        ts.to_pinocchio(robot, model, q)
    with pytest.raises(ValueError, match=r"from_pinocchio: q has shape \(3,\)"):
        ts.from_pinocchio(robots["floating"], SimpleNamespace(**{**vars(model), "names": ["universe", "root_joint", *joints]}), [0, 0, 0])


def test_positions_of_robots_with_loops_are_those_of_their_independent_joints():
    robot = ts.load("palletising_arm")
    q = ts.random_position(robot, 2)
    d = ts.difference(robot, q[0], q[1])
    assert close(d, q[1] - q[0], 0) and close(ts.integrate(robot, q[0], d), q[1], 1e-15)
