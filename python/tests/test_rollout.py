"""Rollouts and steps without Jacobians beside those with them; robots and loads that differ from row to row beside one at a time."""

import pickle

import numpy as np
import pytest
import torsor as ts
from conftest import close, states

METHODS = ["semi-implicit", "runge-kutta-4"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["puma560", "two_arm", "floating"])
def test_a_rollout_is_one_step_after_the_other(robots, name, method):
    robot, periods, h = robots[name], 3, 2e-3
    q, qd, _ = states(robot, 21)
    tau = np.random.default_rng(5).uniform(-3, 3, (21, periods, robot.nv))
    loads = ts.Loads(wrench=np.random.default_rng(6).uniform(-2, 2, (21, 6)), gravity=[1.0, -2.0, -9.0])
    motions = ts.rollout(robot, q, qd, tau, h, method, hold=2, loads=loads)
    assert motions.q.shape == (21, periods, robot.nq) and motions.qd.shape == (21, periods, robot.nv)
    x, v = q, qd
    for k in range(periods):
        for _ in range(2):
            x, v, _, _ = ts.discrete_step(robot, x, v, tau[:, k], h, method, loads=loads)
        assert close(motions.q[:, k], x, 1e-10) and close(motions.qd[:, k], v, 1e-9)
    # and so are single ones, and steps without Jacobians
    alone = ts.rollout(robot, q[4], qd[4], tau[4], h, method, hold=2, loads=ts.Loads(wrench=loads.wrench[4], gravity=loads.gravity))
    assert close(alone.q, motions.q[4], 1e-11) and close(alone.qd, motions.qd[4], 1e-10)
    for chosen in (slice(None), 7):
        some = ts.Loads(wrench=loads.wrench[chosen], gravity=loads.gravity)
        plain = ts.step(robot, q[chosen], qd[chosen], tau[chosen, 0], h, method, loads=some)
        with_jacobians = ts.discrete_step(robot, q[chosen], qd[chosen], tau[chosen, 0], h, method, loads=some)
        assert close(plain.q, with_jacobians.q, 1e-12) and close(plain.qd, with_jacobians.qd, 1e-10)


def test_starts_and_torques_broadcast_and_threads_change_no_bit(puma):
    tau = np.random.default_rng(1).uniform(-1, 1, (5000, 4, 6))
    q, qd = np.linspace(-1, 1, 6), np.zeros(6)
    one = ts.rollout(puma, q, qd, tau, 1e-3, threads=1)
    assert one.q.shape == (5000, 4, 6)
    for threads in (2, 3, 0):
        assert all(np.array_equal(a, b) for a, b in zip(one, ts.rollout(puma, q, qd, tau, 1e-3, threads=threads)))
    many = ts.rollout(puma, np.tile(q, (7, 1, 1)), qd, tau[:5], 1e-3)
    assert many.q.shape == (7, 5, 4, 6) and close(many.q[3], one.q[:5], 1e-14)
    out = (np.empty((5000, 4, 6)), np.empty((5000, 4, 6)))
    again = ts.rollout(puma, q, qd, tau, 1e-3, out=out)
    assert again.q is out[0] and again.qd is out[1] and np.array_equal(out[0], one.q)


def test_a_motion_that_is_lost_is_told_and_spoils_no_other(puma):
    q, qd = np.full((9, 6), 0.3), np.zeros((9, 6))
    tau = np.zeros((9, 3, 6))
    sound = ts.rollout(puma, q, qd, tau, 1e-3)
    tau[4, 1, 2] = 1e300
    with pytest.warns(ts.RowWarning, match=r"rollout: 1 of 9 states has no answer .*; state 4: .*too-large"):
        lost = ts.rollout(puma, q, qd, tau, 1e-3)
    assert np.isnan(lost.q[4]).all() and np.isnan(lost.qd[4]).all()
    rest = np.arange(9) != 4
    assert close(lost.q[rest], sound.q[rest], 1e-14)
    _, valid = ts.rollout(puma, q, qd, tau, 1e-3, return_valid=True)
    assert np.array_equal(valid, rest)
    with pytest.raises(ts.Error, match="too-large"):
        ts.rollout(puma, q[4], qd[4], tau[4], 1e-3)


def test_what_does_not_fit_is_told(puma):
    zero = np.zeros(6)
    for arguments, said in [
        ((zero, zero, zero, 1e-3), r"rollout: tau has shape \(6,\); expected \(..., periods, 6\)"),
        ((zero, zero, np.zeros((3, 5)), 1e-3), r"rollout: tau has shape \(3, 5\)"),
        ((zero, zero, np.zeros((3, 6)), 0), "rollout: h is 0.0; expected a number above zero"),
        ((zero, zero, np.zeros((3, 6)), 1e-3, "euler"), 'rollout: method is "euler"'),
        ((zero, zero, np.zeros((3, 6)), 1e-3, "semi-implicit", 0), "rollout: hold is 0; expected 1 or more"),
    ]:
        with pytest.raises(ValueError, match=said):
            ts.rollout(puma, *arguments)


# robots that differ


def drawn(robot, count):
    """How many times as heavy each link of each robot is, and numbers of their own."""
    random = np.random.default_rng(3)
    scale = random.uniform(0.6, 1.4, (count, len(robot.masses)))
    return scale, {
        "masses": robot.masses * scale,
        "mass_centres": robot.mass_centres + random.uniform(-0.02, 0.02, (count, *robot.mass_centres.shape)),
        "inertias": robot.inertias * scale[..., None, None],
        "rotors": random.uniform(0, 0.2, (count, robot.nv)),
        "viscous": random.uniform(0, 1, (count, robot.nv)),
        "coulomb": random.uniform(0, 1, (count, robot.nv)),
    }


@pytest.mark.parametrize("name", ["puma560", "two_arm"])
def test_rows_of_robots_answer_for_their_parameters(robots, name):
    """The regressor is the witness: torques are linear in inertias, which it knows by itself."""
    robot, count = robots[name], 13
    scale, numbers = drawn(robot, count)
    rows = ts.RobotRows(robot, **numbers)
    q, qd, qdd = states(robot, count)
    tau = rows.inverse_dynamics(q, qd, qdd)
    parameters = ts.dynamic_parameters(robot)
    values, links = np.array([p.value for p in parameters]), len(robot.masses)
    assert [p.name for p in parameters[:10]] != [p.name for p in parameters[10:20]] and len(values) >= 10 * links
    Y = ts.regressor(robot, q, qd, qdd)
    assert close(np.einsum("kij,j->ki", Y, values), ts.inverse_dynamics(robot, q, qd, qdd), 1e-10)
    heavier = np.ones((count, len(values)))
    heavier[:, : 10 * links] = np.repeat(scale, 10, axis=1)
    only_heavier = ts.RobotRows(robot, masses=numbers["masses"], inertias=numbers["inertias"])
    assert close(only_heavier.inverse_dynamics(q, qd, qdd), np.einsum("kij,j,kj->ki", Y, values, heavier), 1e-9)
    # friction and rotors by their formulas
    bare = ts.RobotRows(robot, **{**numbers, "rotors": np.zeros(robot.nv), "viscous": np.zeros(robot.nv), "coulomb": np.zeros(robot.nv)})
    drives = numbers["rotors"] * qdd + numbers["viscous"] * qd + numbers["coulomb"] * np.sign(qd)
    assert close(tau - bare.inverse_dynamics(q, qd, qdd), drives, 1e-9)
    # and the rest by these torques
    assert close(rows.forward_dynamics(q, qd, tau), qdd, 1e-8)
    M = rows.mass_matrix(q)
    assert close(np.einsum("kij,kj->ki", M, qdd), tau - rows.inverse_dynamics(q, qd), 1e-9)


def test_a_robot_of_rows_is_the_robot_with_that_payload(puma):
    masses = np.array([0.0, 0.5, 2.0])
    centres = np.array([[0.0, 0, 0], [0, 0, 0.1], [0.05, -0.02, 0.03]])
    rows = ts.RobotRows(puma, payload_masses=masses, payload_centres=centres)
    q, qd, qdd = states(puma, 3)
    for k in range(3):
        alone = puma.with_payload(masses[k], centres[k]) if masses[k] else puma
        assert close(rows.inverse_dynamics(q, qd, qdd)[k], ts.inverse_dynamics(alone, q[k], qd[k], qdd[k]), 1e-11)
        assert close(rows.mass_matrix(q)[k], ts.mass_matrix(alone, q[k]), 1e-11)


def test_rollouts_of_rows_are_those_of_each_robot_alone(puma):
    masses = np.array([0.5, 1.0, 2.0])
    rows = ts.RobotRows(puma, payload_masses=masses)
    q, qd, tau = states(puma, 3)
    tau = np.stack([tau, -tau], axis=1)
    for method in METHODS:
        motions = rows.rollout(q, qd, tau, 1e-3, method, hold=3)
        for k in range(3):
            alone = ts.rollout(puma.with_payload(masses[k]), q[k], qd[k], tau[k], 1e-3, method, hold=3)
            assert close(motions.q[k], alone.q, 1e-11) and close(motions.qd[k], alone.qd, 1e-10)


def test_axes_of_rows(puma):
    rows = ts.RobotRows(puma, payload_masses=[0.0, 1.0, 2.0, 3.0, 4.0])
    assert len(rows) == 5 and "5 robots" in repr(rows)
    q, qd, qdd = states(puma, 10)
    assert rows.inverse_dynamics(q[0]).shape == (5, 6)
    many = rows.inverse_dynamics(q.reshape(2, 5, 6), qd.reshape(2, 5, 6))
    assert many.shape == (2, 5, 6) and close(many[1], rows.inverse_dynamics(q[5:], qd[5:]), 1e-14)
    assert rows.inverse_dynamics(q[:2, None], threads=2).shape == (2, 5, 6)
    loads = ts.Loads(gravity=np.random.default_rng(1).uniform(-9, 9, (2, 5, 3)))
    loaded = rows.inverse_dynamics(q.reshape(2, 5, 6), loads=loads)
    assert close(loaded[1, 3], rows.inverse_dynamics(q[8], loads=ts.Loads(gravity=loads.gravity[1, 3]))[3], 1e-13)
    again = pickle.loads(pickle.dumps(rows))
    assert np.array_equal(again.inverse_dynamics(q[0]), rows.inverse_dynamics(q[0]))
    with pytest.raises(ValueError, match="robots"):
        rows.inverse_dynamics(q[:4])
    for wrong, said in [
        ({"masses": np.ones(5)}, r"masses has shape \(5,\); expected \(count, 6\)"),
        ({"masses": -np.ones(6)}, "masses has a negative number"),
        ({"rotors": np.full((2, 6), np.nan)}, "rotors has a number that is not finite"),
        ({"rotors": np.ones((2, 6)), "viscous": np.ones((3, 6))}, "viscous has 3 robots; expected 2, as rotors has"),
        ({"payload_centres": np.zeros((2, 3))}, "payload_centres without payload_masses"),
        ({"inertias": np.ones((6, 3, 3)) * np.array([1, 2, 3])}, "not symmetric"),
    ]:
        with pytest.raises(ValueError, match=said):
            ts.RobotRows(puma, **wrong)


def test_a_robot_without_mass_among_the_rows_is_told(robots):
    robot = robots["two_link"]
    rows = ts.RobotRows(robot, masses=[[1.0, 1.0], [1.0, 0.0]], inertias=np.zeros((2, 3, 3)), mass_centres=[[0.5, 0, 0]] * 2)
    with pytest.warns(ts.RowWarning, match="1 of 2 states has no answer.*state 1.*massless-coordinate"):
        qdd = rows.forward_dynamics([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    assert np.isfinite(qdd[0]).all() and np.isnan(qdd[1]).all()


def test_loads_go_in_lanes_and_gravity_is_one_of_them(puma):
    q, qd, qdd = states(puma, 300)
    random = np.random.default_rng(9)
    loads = ts.Loads(
        base=random.uniform(-1, 1, (300, 9)), external=random.uniform(-5, 5, (300, 6, 6)), gravity=random.uniform(-9, 9, (300, 3))
    )
    tau = ts.inverse_dynamics(puma, q, qd, qdd, loads=loads)
    qdd_again = ts.forward_dynamics(puma, q, qd, tau, loads=loads)
    assert close(qdd_again, qdd, 1e-8)
    for k in range(0, 300, 37):
        one = ts.Loads(base=loads.base[k], external=loads.external[k], gravity=loads.gravity[k])
        assert close(tau[k], ts.inverse_dynamics(puma, q[k], qd[k], qdd[k], loads=one), 1e-12)
        assert close(tau[k], ts.inverse_dynamics(puma.with_gravity(loads.gravity[k]), q[k], qd[k], qdd[k],
                                                 loads=ts.Loads(base=one.base, external=one.external)), 1e-12)


def test_rotors_of_coupled_motors_are_refused():
    text = """
format = 1
name = "pair"
[[link]]
name = "a"
parent = "base"
joint = { kind = "revolute", name = "j1", axis = [0, 0, 1] }
mass = 1
com = [0.1, 0, 0]
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[[link]]
name = "b"
parent = "a"
joint = { kind = "revolute", name = "j2", axis = [0, 0, 1] }
mass = 1
com = [0.1, 0, 0]
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[[transmission]]
motors = ["left", "right"]
joints = ["j1", "j2"]
matrix = [[0.01, 0.01], [0.01, -0.01]]
rotor_inertia = [2e-4, 1e-4]
"""
    robot = ts.load(text)
    with pytest.raises(ValueError, match="several joints at once"):
        ts.RobotRows(robot, rotors=[0.0, 0.0])


def test_inertias_that_no_body_has_are_refused(puma):
    own = puma.inertias
    link = puma.link_names[1]
    with pytest.raises(ValueError, match=f'row 0, link ".*", have the principal moments'):
        ts.RobotRows(puma, inertias=-own)
    wrong = np.stack([own, own])
    wrong[1, 1] = np.diag([1.0, 1.0, 2.5])
    with pytest.raises(ValueError, match=f'row 1, link "{link}", have the principal moments 1 1 2.5'):
        ts.RobotRows(puma, inertias=wrong)
    wrong[1, 1] = np.diag([1.0, 1.0, 2.0])
    assert len(ts.RobotRows(puma, inertias=wrong)) == 2
