"""Runs of robots: efforts of every kind, energy that is accounted for, events, the ends of runs."""

import signal
import threading
import time

import numpy as np
import pytest
import torsor as ts
from conftest import close

Q = [0.2, 0.7, 2.9, 0.2, 0.5, 0.3]
HIGH = [0.2, -0.7, 0.2, 0.2, 0.5, 0.3]  # inside the limits


def test_accelerations_are_those_of_forward_dynamics(puma):
    tau = [1.0, -2.0, 0.5, 0.1, 0.2, -0.1]
    run = ts.simulate(puma, Q, [0.1] * 6, tau, time=0.05, every=0.01)
    assert run.finished and run.t.shape == (6,) and close(run.tau, np.tile(tau, (6, 1)))
    assert close(run.qdd, ts.forward_dynamics(puma, run.q, run.qd, run.tau), 1e-9)
    kinetic, potential = ts.energy(puma, run.q, run.qd)
    assert close(run.kinetic, kinetic) and close(run.potential, potential)
    assert np.abs(run.balance_error).max() <= run.energy.largest_balance_error < 1e-9


def test_every_integrator_comes_to_the_same_place():
    robot = ts.load("two_link")
    runs = [
        ts.simulate(robot, [0.0, 0.5], time=0.3, every=0.1, integrator=row.name, step=1e-3 if row.order > 1 else 1e-5)
        for row in ts.integrators()
    ]
    best = ts.simulate(robot, [0.0, 0.5], time=0.3, every=0.1, tolerance=1e-13)
    for run, row in zip(runs, ts.integrators()):
        assert run.integrator == row.name and run.steps > 0
        assert close(run.q, best.q, 1e-8 if row.order > 1 else 1e-3), row.name


def test_holding_holds(puma):
    run = ts.simulate(puma.with_gravity([0, 0, -9.81]), Q, tau="hold", time=0.1)
    assert close(run.q[-1], Q, 1e-6)


def test_efforts_of_samples_and_of_functions_are_the_same():
    robot = ts.load("two_link")
    times = np.linspace(0, 0.5, 51)
    tau = np.stack([np.sin(3 * times), np.cos(2 * times)], axis=1)
    by_samples = ts.simulate(robot, [0.0, 0.5], tau=tau, times=times, interpolation="cubic")
    by_function = ts.simulate(robot, [0.0, 0.5], tau=lambda t, q, qd: [np.sin(3 * t), np.cos(2 * t)], time=0.5)
    assert by_samples.t[-1] == 0.5 and close(by_samples.q, by_function.q, 1e-5)
    held = ts.simulate(robot, [0.0, 0.5], tau=tau, times=times, interpolation="hold")
    assert close(held.tau[:-1], tau[:-1])


def test_a_sampled_law_is_asked_once_in_a_period():
    robot = ts.load("two_link")
    asked = []

    def law(t, q, qd):
        asked.append(t)
        return -20 * (q - [0.0, 0.5]) - 2 * qd

    run = ts.simulate(robot, [0.1, 0.4], tau=law, time=0.1, period=0.01)
    assert close(np.unique(asked), np.arange(len(np.unique(asked))) * 0.01) and len(asked) <= 12 and run.finished


def test_what_a_function_raises_comes_back():
    def law(t, q, qd):
        if t > 0.1:
            raise KeyError("no more")
        return [0.0, 0.0]

    with pytest.raises(KeyError, match="no more"):
        ts.simulate(ts.load("two_link"), [0.0, 0.5], tau=law, time=1.0)
    with pytest.raises(ValueError, match=r"what tau\(t, q, qd\) returns has shape \(3,\)"):
        ts.simulate(ts.load("two_link"), [0.0, 0.5], tau=lambda t, q, qd: [0.0, 0.0, 0.0], time=1.0)


def test_ctrl_c_ends_a_run():
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ts.simulate(ts.load("puma560"), Q, time=1e6, every=10, integrator="rk4", step=1e-3)
    timer.join()


def slow(t):
    """A motion that is worked out in no hurry."""
    time.sleep(0.01)
    return [0.1 * t, 0.0], [0.1, 0.0], [0.0, 0.0]


@pytest.mark.parametrize(
    "verb",
    [
        lambda: ts.size(ts.load("two_link"), slow, 1000.0),
        lambda: ts.roundtrip(ts.load("two_link"), slow, 1000.0),
        lambda: ts.run_driven(ts.load_mechanism("four_bar"), time=9e4, interval=1e-2),
        lambda: ts.run_forward(ts.load_mechanism("pendulum"), time=1e6, interval=1.0),
        lambda: ts.mechanism_inverse(ts.load_mechanism("four_bar"), time=9e4, interval=1e-2),
        lambda: ts.motion_survey(ts.load("puma560"), ts.published_motion("puma560"), steps=5_000_000),
    ],
)
def test_ctrl_c_ends_whatever_is_long(verb):
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        verb()
    timer.join()
    assert time.monotonic() - start < 10


def test_friction_and_stops_are_events():
    robot = ts.load("puma560_drives", check=False)
    run = ts.simulate(robot, HIGH, [0.5] * 6, time=1.0, stops="stiff")
    assert run.finished and {"slides", "touches_stop"} <= {event.kind for event in run.events}
    assert all(event.coordinate in robot.velocity_names and 0 <= event.t <= 1 for event in run.events)
    assert run.friction_loss[-1] > 0 and np.all(np.diff(run.friction_loss) >= 0)
    gained = run.kinetic + run.potential - run.kinetic[0] - run.potential[0]
    assert close(gained - run.effort_work - run.stop_work + run.friction_loss, run.balance_error, 1e-9)


def test_the_end_before_the_end_is_told(puma):
    with pytest.warns(ts.RunWarning, match="stopped at"):
        run = ts.simulate(puma, HIGH, time=5.0, stops="error")
    assert not run.finished and run.end_time < 5 and run.t[-1] <= run.end_time and "stopped" in run.end


def test_wrong_arguments_are_named(puma):
    for wrong, message in (
        ({"q": Q[:5]}, r"q has shape \(5,\)"),
        ({"tau": [1.0]}, r"tau has shape \(1,\)"),
        ({"tau": "hodl"}, 'tau is "hodl"; did you mean "hold"'),
        ({"time": None}, "time is missing"),
        ({"time": -1.0}, "time is -1.0"),
        ({"every": -1.0}, "every is negative"),
        ({"every": 1e-9}, "more than 1e7"),
        ({"integrator": "euler"}, 'integrator is "euler"'),
        ({"stops": "soft"}, "expected one of none, stiff, error"),
        ({"q": [np.nan] * 6}, "q"),
        ({"period": -1.0}, "period|rate|sampl"),
        ({"times": [0.0, 1.0], "tau": np.zeros((3, 6))}, "tau has shape"),
        ({"times": [0.0, 0.5], "tau": np.zeros((2, 6))}, "times ends before"),
    ):
        with pytest.raises(ValueError, match=message):
            ts.simulate(puma, **{"q": Q, "time": 1.0, **wrong})


def test_there_and_back(puma):
    def motion(t):
        s, sd, sdd = (x * 0.3 for x in (3 * t**2 - 2 * t**3, 6 * t - 6 * t**2, 6 - 12 * t))
        return np.add(Q, s), np.full(6, sd), np.full(6, sdd)

    exact = ts.roundtrip(puma, motion, 1.0)
    few, many = (ts.roundtrip(puma, motion, 1.0, interpolation="linear", samples=n) for n in (51, 201))
    assert exact.position_error < 1e-6 and exact.finished
    assert few.position_error > 8 * many.position_error > 8 * exact.position_error
    t, tau = ts.sample_efforts(puma, motion, 5, duration=1.0)
    assert close(tau, np.stack([ts.inverse_dynamics(puma, *motion(each)) for each in t]))
    with pytest.raises(ValueError, match="duration is missing"):
        ts.roundtrip(puma, motion)
    with pytest.raises(ZeroDivisionError):
        ts.roundtrip(puma, lambda t: 1 / 0, 1.0)
    with pytest.raises(ValueError, match="expected q, qd, qdd"):
        ts.roundtrip(puma, lambda t: 1.0, 1.0)
