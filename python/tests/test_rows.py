"""Answers in several parts: many states in lanes are what each state has alone, under loads of its own."""

import numpy as np
import pytest
import torsor as ts


def drawn(robot, count, seed=1):
    random = np.random.default_rng(seed)
    q = ts.random_position(robot, count, seed=seed)
    return (q, *random.uniform(-1, 1, (2, count, robot.nv)))


def loads_of(robot, count):
    random = np.random.default_rng(2)
    return ts.Loads(
        base=random.uniform(-1, 1, (count, 9)),
        wrench=random.uniform(-5, 5, (count, 6)),
        external=random.uniform(-3, 3, (count, len(robot.link_names), 6)),
        gravity=random.uniform(-9, 9, (count, 3)),
    )


def one_of(loads, k):
    return ts.Loads(base=loads.base[k], wrench=loads.wrench[k], external=loads.external[k], gravity=loads.gravity[k])


def near(found, expected):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0) <= 1e-9 * (1 + np.abs(expected).max(initial=0))


@pytest.mark.parametrize("name", ["puma560_drives", "two_arm", "floating"])
def test_rows_are_what_each_state_has_alone(name):
    robot, count = ts.load(name), 21
    q, qd, a = drawn(robot, count)
    loads = loads_of(robot, count)
    for ask in [
        lambda k, load: ts.inverse_derivatives(robot, q[k], qd[k], a[k], loads=load),
        lambda k, load: ts.forward_derivatives(robot, q[k], qd[k], a[k], loads=load),
        lambda k, load: ts.terms(robot, q[k], qd[k], a[k], loads=load),
        lambda k, load: ts.reactions(robot, q[k], qd[k], a[k], loads=load),
        lambda k, load: ts.energy(robot, q[k], qd[k]),
        lambda k, load: ts.momentum(robot, q[k], qd[k]),
        lambda k, load: ts.frame_motion(robot, q[k], qd[k], a[k]),
        lambda k, load: (ts.jacobian_rate(robot, q[k], qd[k]),),
    ]:
        for given in (None, loads):
            rows = ask(slice(None), given)
            for k in range(count):
                alone = ask(k, None if given is None else one_of(loads, k))
                assert len(alone) == len(rows)
                for part, expected in zip(rows, alone):
                    near(part[k], expected)


def test_a_row_that_is_no_number_spoils_no_other():
    robot = ts.load("puma560")
    q, qd, a = drawn(robot, 40)
    sound = ts.terms(robot, q, qd, a), ts.inverse_derivatives(robot, q, qd, a), ts.momentum(robot, q, qd)
    qd[7, 2] = np.nan
    spoiled = ts.terms(robot, q, qd, a), ts.inverse_derivatives(robot, q, qd, a), ts.momentum(robot, q, qd)
    others = np.arange(40) != 7
    for before, after in zip(sound, spoiled):
        for x, y in zip(before, after):
            assert np.isnan(y[7]).all()
            near(y[others], x[others])


@pytest.mark.parametrize("name", ["iiwa14", "floating"])
def test_momentum_moves_the_mass_centre(name):
    robot = ts.load(name)
    q, qd, _ = drawn(robot, 9)
    m = ts.momentum(robot, q, qd)
    near(np.einsum("sij,sj->si", m.matrix, qd), m.momentum)
    total = ts.terms(robot, q, qd, 0 * qd)
    near(m.mass_centre, total.mass_centre)
    near(m.momentum[:, 3:], total.momentum[:, 3:])
    near(m.momentum[:, :3] + np.cross(m.mass_centre, m.momentum[:, 3:]), total.momentum[:, :3])
    mass = sum(robot.masses)
    near(np.einsum("sij,sj->si", m.mass_centre_jacobian, qd) * mass, m.momentum[:, 3:])
