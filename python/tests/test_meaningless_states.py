"""States that mean nothing: every function refuses one alone and says what is wrong, and gives a row of NaN among others."""

import warnings

import numpy as np
import pytest
import torsor as ts
from conftest import states

ROWS, BAD = 24, 7

FUNCTIONS = {
    "inverse_dynamics": lambda r, q, qd, a: ts.inverse_dynamics(r, q, qd, a),
    "inverse_dynamics by a formulation": lambda r, q, qd, a: ts.inverse_dynamics(r, q, qd, a, formulation="tree-newton-euler"),
    "inverse_dynamics with loads": lambda r, q, qd, a: ts.inverse_dynamics(r, q, qd, a, loads=ts.Loads(wrench=[0, 0, 0, 1, 0, 0])),
    "bias": lambda r, q, qd, a: ts.bias(r, q, qd),
    "gravity": lambda r, q, qd, a: ts.gravity(r, q),
    "mass_matrix": lambda r, q, qd, a: ts.mass_matrix(r, q),
    "forward_dynamics": lambda r, q, qd, a: ts.forward_dynamics(r, q, qd, a),
    "forward_kinematics": lambda r, q, qd, a: ts.forward_kinematics(r, q),
    "frame_pose": lambda r, q, qd, a: ts.frame_pose(r, q),
    "frame_pose of the first link": lambda r, q, qd, a: ts.frame_pose(r, q, r.link_names[0]),
    "jacobian": lambda r, q, qd, a: ts.jacobian(r, q),
    "jacobian of the first link": lambda r, q, qd, a: ts.jacobian(r, q, r.link_names[0]),
    "jacobian_rate": lambda r, q, qd, a: ts.jacobian_rate(r, q, qd),
    "frame_motion": lambda r, q, qd, a: ts.frame_motion(r, q, qd, a),
    "frame_motion of the first link": lambda r, q, qd, a: ts.frame_motion(r, q, qd, a, r.link_names[0]),
    "inverse_derivatives": lambda r, q, qd, a: ts.inverse_derivatives(r, q, qd, a),
    "forward_derivatives": lambda r, q, qd, a: ts.forward_derivatives(r, q, qd, a),
    "inverse_vjp": lambda r, q, qd, a: ts.inverse_vjp(r, q, qd, a, np.ones(r.nv)),
    "forward_vjp": lambda r, q, qd, a: ts.forward_vjp(r, q, qd, a, np.ones(r.nv)),
    "inverse_jvp": lambda r, q, qd, a: ts.inverse_jvp(r, q, qd, a, np.ones(r.nv)),
    "forward_jvp": lambda r, q, qd, a: ts.forward_jvp(r, q, qd, a, np.ones(r.nv)),
    "inverse_hvp": lambda r, q, qd, a: ts.inverse_hvp(r, q, qd, a, np.ones(r.nv), np.ones(r.nq + 2 * r.nv)),
    "forward_curvature": lambda r, q, qd, a: ts.forward_curvature(r, q, qd, a, *np.ones((2, r.nq + 2 * r.nv))),
    "discrete_step": lambda r, q, qd, a: ts.discrete_step(r, q, qd, a, 1e-3),
    "regressor": lambda r, q, qd, a: ts.regressor(r, q, qd, a),
    "coefficients": lambda r, q, qd, a: ts.coefficients(r, q, qd),
    "christoffel": lambda r, q, qd, a: ts.christoffel(r, q),
    "coriolis_matrix": lambda r, q, qd, a: ts.coriolis_matrix(r, q, qd),
    "energy": lambda r, q, qd, a: ts.energy(r, q, qd),
    "terms": lambda r, q, qd, a: ts.terms(r, q, qd, a),
    "coupling": lambda r, q, qd, a: ts.coupling(r, q),
}
# which of q, qd, and qdd or tau a function takes
TAKES = {name: 1 for name in ("gravity", "mass_matrix", "forward_kinematics", "christoffel", "coupling")}
TAKES |= {name: 1 for name in FUNCTIONS if name.startswith(("frame_pose", "jacobian"))}
TAKES |= {name: 2 for name in ("bias", "jacobian_rate", "coefficients", "coriolis_matrix", "energy")}
# what is linear in the speeds, or does not know that of the third joint
NO_OVERFLOW = {"jacobian_rate", "coriolis_matrix", "frame_motion of the first link"}


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


def serves(robot, name):
    return robot.nq == robot.nv or name not in ("coefficients", "christoffel")


def served(*robots):
    """Robots with the functions that they have an answer of: coefficients are not for quaternions."""
    return [(which, name) for which in robots for name in FUNCTIONS if serves(ts.load(which), name)]


def check(robot, name, state, offender):
    """The row among others is all NaN, and they are not; alone it is a ValueError that names the offender."""
    ask = FUNCTIONS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = parts(ask(robot, *state))
    others = np.arange(ROWS) != BAD
    for x in answers:
        assert np.isnan(x[BAD]).all(), name
        assert np.isfinite(x[others]).all(), name
    with pytest.raises(ValueError, match=offender):
        ask(robot, *(x[BAD] for x in state))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which, name", served("puma560", "two_arm", "floating"))
def test_numbers_that_are_not_finite(which, value, name):
    robot = ts.load(which)
    for argument in range(TAKES.get(name, 3)):
        # the first and the last coordinate, which many an answer does not depend on
        for place in (0, -1):
            state = states(robot, ROWS)
            state[argument][BAD, place] = value
            columns = state[argument].shape[1]
            label = ("q", "qd", "(qdd|tau)")[argument]
            check(robot, name, state, rf"{label}\[{place % columns}\] is {value}; expected finite numbers")


@pytest.mark.parametrize("which, name", served("floating"))
def test_a_quaternion_of_length_zero(which, name):
    robot = ts.load(which)
    state = states(robot, ROWS)
    state[0][BAD, :4] = 0
    check(robot, name, state, 'the quaternion of joint "root" has length zero')
    with pytest.warns(ts.RowWarning, match="1 of 24 states has no answer.*state 7.*quaternion-length"):
        FUNCTIONS[name](robot, *state)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if TAKES.get(name, 3) > 1 and name not in NO_OVERFLOW])
def test_speeds_whose_squares_are_too_large(name):
    robot = ts.load("puma560")
    state = states(robot, ROWS)
    state[1][BAD, 2] = 1e160
    with pytest.raises(ts.Error) as refused:
        FUNCTIONS[name](robot, *(x[BAD] for x in state))
    assert refused.value.rule == "too-large"
    check(robot, name, state, rf'qd\[2\], of "{robot.velocity_names[2]}", is 1e\+160')
    with pytest.warns(ts.RowWarning, match="1 of 24 states has no answer.*state 7.*too-large") as told:
        FUNCTIONS[name](robot, *state)
    assert len(told) == 1


def test_rates_of_the_tool_that_are_too_large():
    puma = ts.load("puma560")
    q, twist = np.full((ROWS, 6), 0.3), np.full((ROWS, 6), 0.1)
    sound = ts.solve_rates(puma, q, twist)
    for size in (1e160, 1e308):  # squares overflow, then sums
        twist[BAD] = size
        with pytest.raises(ts.Error) as refused:
            ts.solve_rates(puma, q[BAD], twist[BAD])
        assert refused.value.rule == "too-large" and f"twist[0] is {size!r}" in refused.value.what
        with pytest.warns(ts.RowWarning, match="1 of 24 states has no answer.*state 7.*too-large") as told:
            rates = ts.solve_rates(puma, q, twist)
        others = np.arange(ROWS) != BAD
        assert len(told) == 1 and rates.lost.dtype == np.int64 and rates.lost[BAD] == 0
        assert np.isnan(rates.qd[BAD]).all() and np.isnan(rates.qdd[BAD]).all()
        assert np.array_equal(rates.qd[others], sound.qd[others]) and np.array_equal(rates.qdd[others], sound.qdd[others])


def test_surveys_and_estimates_that_are_too_large():
    robot = ts.load("two_link")
    random = np.random.default_rng(3)
    q, qd, qdd, tau = random.uniform(-1, 1, (4, 100, 2))
    for size in (1e160, 1e308):
        fast = qd.copy()
        fast[BAD, 0] = size
        for ask in (lambda: ts.dominance(robot, q, fast, qdd), lambda: ts.identify(robot, q, fast, qdd, tau)):
            with pytest.raises(ts.Error) as refused:
                ask()
            assert refused.value.rule == "not-finite"
    jump = ts.point_to_point([0, -0.5], [1, 0.5], 1e-160)
    for ask in (lambda: ts.motion_survey(robot, jump, steps=20), lambda: ts.guide(robot, jump)):
        with pytest.raises(ts.Error) as refused:
            ask()
        assert refused.value.rule == "not-finite"


def test_the_reason_is_the_largest_number_also_of_gravity():
    puma = ts.load("puma560").with_gravity([0, 0, -1e308])
    with pytest.raises(ts.Error, match=r"the robot's gravity has -1e\+308 m/s\^2 \[too-large\]"):
        ts.gravity(puma, [0.1] * 6)
    with pytest.raises(ts.Error, match=r'qd\[0\], of "waist", is 1e\+200 \[too-large\]'):
        ts.bias(ts.load("puma560"), [0.1] * 6, [1e200] + [0] * 5)


def test_loads_that_are_not_finite_are_told_where_they_are_used():
    robot = ts.load("two_link")
    push = ts.Loads(wrench=[0, 0, 0, np.nan, 0, 0])
    with pytest.raises(ValueError, match=r"loads.wrench\[3\] is nan; expected finite numbers"):
        ts.inverse_dynamics(robot, [0.0, 0.0], loads=push)


def test_single_precision_has_the_same_convention():
    robot = ts.load("floating")
    for name in ("inverse_dynamics", "gravity", "mass_matrix", "forward_dynamics", "frame_pose", "jacobian", "energy"):
        state = [x.astype(np.float32) for x in states(robot, ROWS)]
        state[0][BAD, :4] = 0
        check(robot, name, state, "has length zero")


def test_out_is_left_alone_where_one_state_is_refused():
    robot = ts.load("puma560")
    out = np.full(6, 3.0)
    with pytest.raises(ValueError, match=r"gravity: q\[1\] is nan"):
        ts.gravity(robot, [0, np.nan, 0, 0, 0, 0], out=out)
    assert (out == 3).all()


def test_reduced_models_have_it_too():
    robot = ts.load("two_link")
    reduced = ts.reduce(robot, ts.point_to_point([0, 0], [1, 1], 1.0), 0.01)
    q = np.zeros((3, 2))
    q[1, 0] = np.nan
    assert np.isnan(reduced.inverse_dynamics(q)[1]).all() and np.isnan(reduced.mass_matrix(q)[1]).all()
    for ask in (reduced.inverse_dynamics, reduced.mass_matrix):
        with pytest.raises(ValueError, match=r"q\[0\] is nan"):
            ask(q[1])
