"""Robots that differ from row to row: every method is the function of its name, asked of each robot alone."""

import pickle
import re

import numpy as np
import pytest
import torsor as ts
from conftest import close
from test_rows import drawn, loads_of, one_of

CASES = {
    "inverse_dynamics": lambda f, q, qd, a, loads: (f(q, qd, a, loads=loads),),
    "mass_matrix": lambda f, q, qd, a, loads: (f(q),),
    "forward_dynamics": lambda f, q, qd, a, loads: (f(q, qd, a, loads=loads),),
    "inverse_derivatives": lambda f, q, qd, a, loads: f(q, qd, a, loads=loads),
    "forward_derivatives": lambda f, q, qd, a, loads: f(q, qd, a, loads=loads),
    "terms": lambda f, q, qd, a, loads: f(q, qd, a, loads=loads),
    "reactions": lambda f, q, qd, a, loads: f(q, qd, a, loads=loads),
    "energy": lambda f, q, qd, a, loads: f(q, qd),
    "momentum": lambda f, q, qd, a, loads: f(q, qd),
    "frame_motion": lambda f, q, qd, a, loads: f(q, qd, a),
    "jacobian": lambda f, q, qd, a, loads: (f(q),),
    "jacobian_rate": lambda f, q, qd, a, loads: (f(q, qd),),
}


def other_lengths(text, random):
    """The text of a robot with every length, gear and mass of it multiplied by a number of its own."""

    def scaled(match):
        return f"{match[1]}{float(match[2]) * random.uniform(0.8, 1.25):.12g}"

    for key in ("a", "d", "gear", "mass"):
        text = re.sub(rf"(\b{key} = )(-?[0-9][0-9.e+-]*)", scaled, text)
    return text


def robots_of(name, count):
    text = ts.load(name).to_toml()
    random = np.random.default_rng(4)
    return [ts.load(other_lengths(text, random)) for _ in range(count)]


def with_payloads(name, count):
    robot, random = ts.load(name), np.random.default_rng(5)
    masses, centres = random.uniform(0.5, 4, count), random.uniform(-0.1, 0.1, (count, 3))
    alone = [robot.with_payload(m, com=c) for m, c in zip(masses, centres)]
    return ts.RobotRows(robot, payload_masses=masses, payload_centres=centres), alone


def check(rows, alone, loads=None):
    count = len(alone)
    assert len(rows) == count
    q, qd, a = drawn(alone[0], count)
    for name, ask in CASES.items():
        found = ask(lambda *x, n=name, **named: getattr(rows, n)(*x, **{k: v for k, v in named.items() if v is not None}), q, qd, a, loads)
        for k, robot in enumerate(alone):
            some = None if loads is None else one_of(loads, k)
            single = lambda *x, n=name, r=robot, **named: getattr(ts, n)(r, *x, **{k: v for k, v in named.items() if v is not None})
            expected = ask(single, q[k], qd[k], a[k], some)
            assert len(found) == len(expected)
            for part, (ours, theirs) in enumerate(zip(found, expected)):
                assert close(ours[k], theirs, 1e-8 if name.startswith("forward") else 1e-9), (name, part, k)


@pytest.mark.parametrize("name", ["puma560_drives", "two_arm", "floating"])
@pytest.mark.parametrize("loaded", [False, True])
def test_payloads_by_row(name, loaded):
    rows, alone = with_payloads(name, 11)
    check(rows, alone, loads_of(alone[0], 11) if loaded else None)


@pytest.mark.parametrize("name", ["puma560_drives", "scara"])
@pytest.mark.parametrize("loaded", [False, True])
def test_lengths_and_gears_by_row(name, loaded):
    alone = robots_of(name, 9)
    rows = ts.RobotRows.of(alone)
    reach = [ts.frame_pose(robot, np.full(robot.nq, 0.3))[:3, 3] for robot in alone]
    assert np.ptp(reach, axis=0).max() > 0.02, "their lengths are the same"
    check(rows, alone, loads_of(alone[0], 9) if loaded else None)
    h = rows.christoffel(np.full(rows.robot.nq, 0.3))
    for k, robot in enumerate(alone):
        assert close(h[k], ts.christoffel(robot, np.full(robot.nq, 0.3)), 1e-9)
    # they travel, and are rolled out
    again = pickle.loads(pickle.dumps(rows))
    assert len(again) == len(rows) and str(len(rows)) in repr(again)
    q, qd, tau = drawn(alone[0], 9)
    motions = again.rollout(q, qd, tau[:, None], 1e-3)
    for k, robot in enumerate(alone):
        assert close(motions.q[k], ts.rollout(robot, q[k], qd[k], tau[k][None], 1e-3).q, 1e-10)


def test_links_by_name_and_many_laps():
    alone = robots_of("puma560", 5)
    rows = ts.RobotRows.of(alone)
    random = np.random.default_rng(6)
    q, qd = random.uniform(-1, 1, (2, 3, 5, 6))
    link = alone[0].link_names[2]
    pose, twist, _ = rows.frame_motion(q, qd, frame=link)
    push = ts.Loads(wrench=random.uniform(-5, 5, (3, 5, 6)), frame=link)
    tau = rows.inverse_dynamics(q, qd, loads=push)
    for lap in range(3):
        for k, robot in enumerate(alone):
            one = ts.frame_motion(robot, q[lap, k], qd[lap, k], frame=link)
            assert close(pose[lap, k], one[0], 1e-12) and close(twist[lap, k], one[1], 1e-12)
            some = ts.Loads(wrench=push.wrench[lap, k], frame=link)
            assert close(tau[lap, k], ts.inverse_dynamics(robot, q[lap, k], qd[lap, k], loads=some), 1e-11)


def test_a_row_that_is_no_number_spoils_no_other_and_threads_change_no_bit():
    rows = ts.RobotRows.of(robots_of("puma560", 7))
    q, qd, a = np.random.default_rng(7).uniform(-1, 1, (3, 300, 7, 6))
    sound = rows.inverse_derivatives(q, qd, a, threads=1)
    for x, y in zip(sound, rows.inverse_derivatives(q, qd, a, threads=8)):
        assert np.array_equal(x, y)
    qd[11, 3, 2] = np.nan
    spoiled = rows.inverse_derivatives(q, qd, a, threads=1)
    others = np.ones((300, 7), bool)
    others[11, 3] = False
    for x, y in zip(sound, spoiled):
        assert np.isnan(y[11, 3]).any() and np.array_equal(x[others], y[others])


def test_what_rows_cannot_differ_in_is_told():
    puma = ts.load("puma560")
    with pytest.raises(ValueError, match="RobotRows.of: robot 1 differs from robot 0 in gravity"):
        ts.RobotRows.of([puma, puma.with_gravity([0, 0, -1.6])])
    with pytest.raises(ValueError, match="robot 2 differs from robot 0 in the number of its joints"):
        ts.RobotRows.of([puma, puma, ts.load("two_link")])
    for wrong in ([], ["puma560"]):
        with pytest.raises(ValueError, match="expected a list of one robot or more"):
            ts.RobotRows.of(wrong)
    # a tool of the same name on another link is another tool
    text = ts.load("two_link").to_toml()
    links = ts.load("two_link").link_names
    tools = [ts.load(text + f'\n[[tool]]\nname = "hand"\nlink = "{link}"\n') for link in links]
    rows = ts.RobotRows.of(tools)
    with pytest.raises(ValueError, match='frame_motion: frame "hand" is not on the same link of every robot'):
        rows.frame_motion([0.1, 0.2], frame="hand")
    assert rows.frame_motion([0.1, 0.2], frame=links[1])[0].shape == (2, 4, 4)
    with pytest.warns(ts.RowWarning, match="massless-coordinate"):
        bare = ts.RobotRows(ts.load("two_link"), masses=[[1.0, 1.0], [1.0, 0.0]], inertias=np.zeros((2, 3, 3)), mass_centres=[[0.5, 0, 0]] * 2)
        derivatives = bare.forward_derivatives([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    assert np.isfinite(derivatives[2][0]).all() and np.isnan(derivatives[2][1]).any()
