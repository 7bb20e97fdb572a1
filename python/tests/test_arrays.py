"""NumPy in, NumPy out: shapes, types, broadcasting, out=, and what is said of wrong arguments."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


def test_leading_axes_are_states(puma):
    q, qd, qdd = states(puma, 24)
    rows = ts.inverse_dynamics(puma, q, qd, qdd)
    assert rows.shape == (24, 6)
    cube = ts.inverse_dynamics(puma, q.reshape(2, 3, 4, 6), qd.reshape(2, 3, 4, 6), qdd.reshape(2, 3, 4, 6))
    assert cube.shape == (2, 3, 4, 6)
    assert np.array_equal(cube.reshape(24, 6), rows)
    assert ts.inverse_dynamics(puma, q[:1]).shape == (1, 6)
    assert ts.inverse_dynamics(puma, q[0]).shape == (6,)
    assert ts.mass_matrix(puma, q.reshape(4, 6, 6)).shape == (4, 6, 6, 6)


def test_no_states_give_no_answers(puma):
    assert ts.inverse_dynamics(puma, np.zeros((0, 6))).shape == (0, 6)
    assert ts.mass_matrix(puma, np.zeros((3, 0, 6))).shape == (3, 0, 6, 6)


def test_one_state_is_broadcast_against_many(puma):
    q, qd, qdd = states(puma, 50)
    repeated = ts.inverse_dynamics(puma, np.repeat(q[:1], 50, axis=0), qd, qdd)
    assert np.array_equal(ts.inverse_dynamics(puma, q[0], qd, qdd), repeated)
    assert np.array_equal(ts.inverse_dynamics(puma, q[:1], qd, qdd), repeated)


def test_leading_axes_broadcast_as_numpy_does(puma):
    q, qd, qdd = states(puma, 35)
    q, qd = q[:5].reshape(5, 1, 6), qd[:7].reshape(1, 7, 6)
    tau = ts.inverse_dynamics(puma, q, qd, qdd.reshape(5, 7, 6))
    whole = [np.ascontiguousarray(np.broadcast_to(x, (5, 7, 6))).reshape(35, 6) for x in (q, qd)]
    assert np.array_equal(tau.reshape(35, 6), ts.inverse_dynamics(puma, *whole, qdd))
    assert ts.inverse_dynamics(puma, q, qd[0]).shape == (5, 7, 6)


def test_none_stands_for_zeros(puma):
    q, qd, _ = states(puma, 20)
    zero = np.zeros_like(qd)
    assert close(ts.inverse_dynamics(puma, q), ts.inverse_dynamics(puma, q, zero, zero))
    assert close(ts.inverse_dynamics(puma, q[0], qdd=qd[0]), ts.inverse_dynamics(puma, q[0], zero[0], qd[0]))


def test_strided_and_foreign_arrays_give_the_same(puma):
    q, qd, qdd = states(puma, 64)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    wide = np.full((64, 18), np.nan)
    wide[:, 3:9] = q
    for other in (
        wide[:, 3:9],                                   # rows apart
        np.asfortranarray(q),                           # columns together
        q.astype(">f8"),                                # bytes swapped
        np.repeat(q, 2, axis=1)[:, ::2],                # numbers apart
        q[::-1].copy()[::-1],                           # backwards
        q.tolist(),
    ):
        assert np.array_equal(ts.inverse_dynamics(puma, other, qd, qdd), tau)
    unaligned = np.frombuffer(b"x" + q.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(64, 6)
    assert np.array_equal(ts.inverse_dynamics(puma, unaligned, qd, qdd), tau)
    assert np.array_equal(ts.inverse_dynamics(puma, q[1::2], qd[1::2], qdd[1::2]), tau[1::2])


def test_integers_count_as_doubles(puma):
    assert np.array_equal(ts.gravity(puma, [0, 1, 2, 0, 1, 0]), ts.gravity(puma, np.array([0, 1, 2, 0, 1, 0.0])))


@pytest.mark.parametrize("count", [1, 7, 300])
def test_floats_stay_floats(puma, count):
    q, qd, qdd = states(puma, count)
    small = [x.astype(np.float32) for x in (q, qd, qdd)]
    for ask in (
        lambda a, b, c, **k: ts.inverse_dynamics(puma, a, b, c, **k),
        lambda a, b, c, **k: ts.inverse_dynamics(puma, a, b, c, formulation="kane", **k),
        lambda a, b, c, **k: ts.mass_matrix(puma, a, **k),
        lambda a, b, c, **k: ts.forward_dynamics(puma, a, b, c, **k),
        lambda a, b, c, **k: ts.frame_pose(puma, a, **k),
        lambda a, b, c, **k: ts.jacobian(puma, a, frame="forearm", **k),
    ):
        single, double = ask(*small), ask(q, qd, qdd)
        assert single.dtype == np.float32 and double.dtype == np.float64
        # the mass matrix of a PUMA has a condition of some hundreds
        assert close(single, double, 1e-3)
        out = np.empty_like(single)
        assert ask(*small, out=out) is out
        assert np.array_equal(out, single)


def test_one_double_makes_all_double(puma):
    q, qd, qdd = states(puma, 5)
    assert ts.inverse_dynamics(puma, q.astype(np.float32), qd, qdd).dtype == np.float64


def test_out_is_filled_and_returned(puma):
    q, qd, qdd = states(puma, 40)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    out = np.full((40, 6), np.nan)
    assert ts.inverse_dynamics(puma, q, qd, qdd, out=out) is out
    assert np.array_equal(out, tau)
    wide = np.full((40, 8), np.nan)
    ts.inverse_dynamics(puma, q, qd, qdd, out=wide[:, 1:7])
    assert np.array_equal(wide[:, 1:7], tau) and np.isnan(wide[:, [0, 7]]).all()
    columns = np.asfortranarray(np.empty((40, 6)))
    ts.inverse_dynamics(puma, q, qd, qdd, out=columns)
    assert np.array_equal(columns, tau)


def test_out_may_be_an_argument(puma):
    q, qd, qdd = states(puma, 40)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    same = qdd.copy()
    ts.inverse_dynamics(puma, q, qd, same, out=same)
    assert np.array_equal(same, tau)
    shifted = np.vstack([qdd, np.zeros((1, 6))])
    ts.inverse_dynamics(puma, q, qd, shifted[:-1], out=shifted[1:])
    assert np.array_equal(shifted[1:], tau)


def test_an_out_that_overlaps_itself_is_refused(puma):
    q, qd, qdd = states(puma, 4)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    room = np.zeros(100)
    for strides in ((0, 8), (8, 8), (8, 0), (40, 8), (-0, 16), (24, 16)):
        out = np.lib.stride_tricks.as_strided(room, (4, 6), strides)
        with pytest.raises(ValueError, match="inverse_dynamics: out overlaps itself"):
            ts.inverse_dynamics(puma, q, qd, qdd, out=out)
    assert not room.any()
    for out in (
        np.lib.stride_tricks.as_strided(room, (4, 6), (8, 32)),
        np.lib.stride_tricks.as_strided(room, (4, 6), (56, 16)),       # between one another, none on another
        np.zeros((4, 6))[::-1, ::-1],
        np.zeros((8, 12))[::2, ::2],
    ):
        ts.inverse_dynamics(puma, q, qd, qdd, out=out)
        assert np.array_equal(out, tau)


def test_arrays_of_doubles_are_not_copied(puma):
    import tracemalloc

    q, qd, qdd = states(puma, 100_000)
    out = np.empty_like(q)
    ts.inverse_dynamics(puma, q, qd, qdd, out=out)
    tracemalloc.start()
    ts.inverse_dynamics(puma, q, qd, qdd, out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000  # bytes; one array has 4 800 000


def test_nan_spoils_its_own_state_only(puma):
    q, qd, qdd = states(puma, 100)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    q[17, 2] = np.nan
    spoilt = ts.inverse_dynamics(puma, q, qd, qdd)
    others = np.arange(100) != 17
    # neighbours in its register take the sines of the C library, which may round otherwise
    assert np.isnan(spoilt[17]).any() and close(spoilt[others], tau[others])


@pytest.mark.parametrize("spoilt", ["q", "qd", "tau", "loads"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_nan_spoils_its_own_step_and_derivatives_only(puma, spoilt, value):
    q, qd, tau = states(puma, 20)
    wrench = np.zeros((20, 6))
    asks = (
        lambda: (ts.forward_dynamics(puma, q, qd, tau, loads=ts.Loads(wrench=wrench)),),
        lambda: ts.forward_derivatives(puma, q, qd, tau, loads=ts.Loads(wrench=wrench)),
        lambda: ts.discrete_step(puma, q, qd, tau, 1e-3, loads=ts.Loads(wrench=wrench)),
        lambda: ts.discrete_step(puma, q, qd, tau, 1e-3, method="semi-implicit", loads=ts.Loads(wrench=wrench)),
    )
    sound = [ask() for ask in asks]
    {"q": q, "qd": qd, "tau": tau, "loads": wrench}[spoilt][7, 2] = value
    others = np.arange(20) != 7
    for ask, before in zip(asks, sound):
        after = ask()
        assert any(np.isnan(x[7]).any() for x in after)
        # what goes in lanes may differ in its last digits beside other neighbours
        same = close if ask in asks[:2] else np.array_equal
        assert all(same(x[others], y[others]) for x, y in zip(after, before))


REFUSALS = [
    (lambda r: ts.inverse_dynamics(r, np.zeros(5)), r"inverse_dynamics: q has shape \(5,\); expected \(6,\) for one state or \(\.\.\., 6\)"),
    (lambda r: ts.inverse_dynamics(r, 1.0), r"q has shape \(\); expected"),
    (lambda r: ts.inverse_dynamics(r, None), r"q is None; expected"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), np.zeros((4, 7))), r"qd has shape \(4, 7\); expected"),
    (lambda r: ts.inverse_dynamics(r, np.zeros((3, 6)), np.zeros((4, 6))), r"qd has shape \(4, 6\).*broadcast against q \(3, 6\)"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6, complex)), r"q has dtype complex128; expected real numbers"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6, bool)), r"q has dtype bool"),
    (lambda r: ts.inverse_dynamics(r, np.array([None] * 6)), r"q has dtype object"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6, "g")), r"q has dtype (longdouble|float128); expected real numbers"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), [np.longdouble(0)] * 6), r"qd has dtype (longdouble|float128)"),
    (lambda r: r.with_gravity(np.zeros(3, "g")), r"with_gravity: gravity has dtype (longdouble|float128)"),
    (lambda r: ts.inverse_dynamics(r, np.ma.array(np.zeros(6), mask=[1] * 6)), r"q is a masked array.*fill it first"),
    (lambda r: ts.inverse_dynamics(r, np.ma.zeros(6, int)), r"q is a masked array"),
    (lambda r: r.with_gravity(np.ma.zeros(3)), r"with_gravity: gravity is a masked array"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), out=np.ma.zeros(6)), r"out is a masked array"),
    (lambda r: ts.inverse_dynamics(r, "abcdef"), r"q has dtype <U6"),
    (lambda r: ts.inverse_dynamics(r, [[0] * 6, [0] * 5]), r"q is no array of numbers"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), threads=-1), r"threads is -1; expected 1 or more"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), formulation="kanee"), r'formulation "kanee" is not in the catalogue; did you mean "kane"\?'),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), formulation=3), r"formulation is no name"),
    (lambda r: ts.inverse_dynamics(r, np.zeros((2, 6)), out=np.zeros((3, 6))), r"out has shape \(3, 6\); expected a writable array of float64 with shape \(2, 6\)"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), out=np.zeros(6, np.float32)), r"out has dtype float32; expected a writable array of float64"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), out=[0] * 6), r"out is no array"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), out=np.broadcast_to(0.0, 6)), r"out cannot be written to"),
    (lambda r: ts.load("\ud800"), r"load: source is no text: '\\ud800'; expected a str without lone surrogates"),
    (lambda r: ts.load_mechanism("\ud800"), r"load_mechanism: source is no text"),
    (lambda r: ts.read_motion("\ud800"), r"read_motion: source is no text"),
    (lambda r: ts.inverse_dynamics(r, np.zeros(6), formulation="\ud800"), r"inverse_dynamics: formulation is no text"),
    (lambda r: ts.jacobian(r, np.zeros(6), frame="\ud800"), r"jacobian: frame is no text"),
    (lambda r: ts.equations(r, joint="\ud800"), r"equations: joint is no text"),
    (lambda r: ts.codegen(r, ["\ud800"]), r"codegen: functions is no text"),
    (lambda r: ts.codegen(r, 3), r"codegen: functions is <class 'int'>; expected a str or a list of them"),
    (lambda r: ts.control(r, laws=[3]), r"control: laws is <class 'int'>; expected a str"),
    (lambda r: ts.jacobian(r, np.zeros(6), frame="hnd"), r'frame "hnd" is none of the robot; did you mean "hand"\?'),
]


@pytest.mark.parametrize("call, message", REFUSALS, ids=[m[:40] for _, m in REFUSALS])
def test_refusals_name_argument_what_came_and_what_was_expected(puma, call, message):
    with pytest.raises(ValueError, match=message):
        call(puma)


def test_frames_to_choose_from_are_named_once(puma):
    with pytest.raises(ValueError, match="expected one of ") as caught:
        ts.jacobian(puma, np.zeros(6), frame="x")
    names = str(caught.value).split("expected one of ")[1].split(", ")
    assert "hand" in names and len(set(names)) == len(names)
