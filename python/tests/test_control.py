"""Control laws: each by itself, compared on tasks, against speed; what motions ask of drives."""

import numpy as np
import pytest
import torsor as ts
from conftest import close

Q, QD = np.array([0.1, 0.7, -2.0, 0.2, 0.5, 0.3]), np.full(6, 0.2)
SHORT = {"duration": 0.5, "rest": 0.1}


def test_every_law_holds_an_arm_that_is_where_it_should_be(puma):
    held = ts.gravity(puma, Q)
    pose = ts.frame_pose(puma, Q)
    for row in ts.control_laws():
        law = ts.ControlLaw(puma, row.name, start=Q)
        tau = law.effort(Q, np.zeros(6), Q, pose=pose)
        assert law.name == row.name and law.tool == row.tool and law.saturated == 0
        if row.need != "none":
            assert close(tau, held, 1e-9), row.name


def test_computed_torque_is_inverse_dynamics_of_what_is_wanted(puma):
    wanted, wanted_d, wanted_dd = Q + 0.01, QD - 0.02, np.full(6, 0.5)
    law = ts.ControlLaw(puma, "computed-torque", kp=400, kv=40)
    asked = wanted_dd + 40 * (wanted_d - QD) + 400 * (wanted - Q)
    assert close(law.effort(Q, QD, wanted, wanted_d, wanted_dd), ts.inverse_dynamics(puma, Q, QD, asked), 1e-9)


def test_a_law_controls_with_a_reduced_model(puma):
    small = ts.reduce(puma, ts.published_motion("puma560"), tolerance=0.05, consistent=True)
    law = ts.ControlLaw(puma, "computed-torque", kp=400, kv=40, model=small)
    q, qd, qdd = ts.published_motion("puma560").sample(0.2)
    tau = law.effort(q, qd, q + 0.001, qd, qdd)
    assert close(tau, small.inverse_dynamics(q, qd, qdd + 400 * 0.001), 1e-9)
    assert not close(tau, ts.inverse_dynamics(puma, q, qd, qdd + 400 * 0.001), 1e-6)
    # the law keeps its model
    del small
    assert close(law.effort(q, qd, q + 0.001, qd, qdd), tau, 0)
    with pytest.raises(ts.Error):
        ts.ControlLaw(ts.load("stanford"), "computed-torque", model=ts.reduce(puma, ts.published_motion("puma560"), consistent=True))


def test_laws_are_cut_at_the_limits_of_joints(puma):
    law = ts.ControlLaw(puma, "pd", kp=1e6, kv=10)
    tau = law.effort(Q, QD, Q + 1)
    assert law.saturated > 0 and np.all(np.abs(tau) <= puma.effort_limits)


def test_wrong_arguments_of_laws_are_named(puma):
    with pytest.raises(ValueError, match='law is "computed-torqe"; did you mean "computed-torque"'):
        ts.ControlLaw(puma, "computed-torqe")
    with pytest.raises(ValueError, match="start has shape"):
        ts.ControlLaw(puma, "pd", start=[1.0])
    with pytest.raises(ValueError, match="q_wanted is missing"):
        ts.ControlLaw(puma, "pd").effort(Q, QD)
    with pytest.raises(ValueError, match="pose is missing"):
        ts.ControlLaw(puma, "operational-space").effort(Q, QD, Q)
    with pytest.raises(ValueError, match="ControlLaw"):
        ts.ControlLaw(ts.load("floating"), "pd")


def test_a_law_in_python_follows_as_the_library_has_it():
    robot = ts.load("two_link")
    law = ts.ControlLaw(robot, "computed-torque")
    run = ts.simulate(robot, [0.1, 0.4], tau=lambda t, q, qd: law.effort(q, qd, [0.0, 0.5]), time=1.0, period=1e-3)
    assert close(run.q[-1], [0.0, 0.5], 1e-6)


def test_comparisons_are_repeated_to_the_last_digit(puma):
    first = ts.control(puma, laws=["pd", "computed-torque"], seed=7, model_error=0.1, **SHORT)
    again = ts.run_experiment(puma, first.toml)
    assert [run.law for run in first.runs] == ["pd", "computed-torque"]
    for run, same in zip(first.runs, again.runs):
        assert np.array_equal(run.position_error, same.position_error)
        assert run.finished and run.tau.shape == (len(run.t), 6)
        assert close(run.position_error.max(), run.peak_position, 1e-2)
    better = ts.control(puma, laws="computed-torque", seed=7, **SHORT)
    assert better.runs[0].peak_position < first.runs[1].peak_position


def test_tasks_have_what_they_are_named_for(puma):
    contact = ts.control(puma, "contact", laws="impedance", **SHORT).runs[0]
    assert contact.force.max() > 0 and contact.peak_force > 0
    for wrong, message in (
        ({"task": "lines"}, 'task is "lines"; did you mean "line"'),
        ({"laws": ["pid"]}, 'law is "pid"'),
        ({"model": "no-corolis"}, 'model is "no-corolis"; did you mean "no-coriolis"'),
        ({"duration": 0.0}, "duration is 0.0"),
        ({"model_error": -1.0}, "error"),
        ({"rate": -5.0}, "rate"),
        ({"start": [0.0]}, "start has shape"),
    ):
        with pytest.raises(ValueError, match=message):
            ts.control(puma, **wrong)


def test_what_models_leave_out_is_felt_with_speed(puma):
    runs = ts.run_speeds(puma, "computed-torque", [0.5, 1.0], duration=0.5)
    assert [run.factor for run in runs] == [0.5, 1.0] and runs[0].duration == 2 * runs[1].duration
    for run in runs:
        assert run.figures["full"].peak_position < run.figures["no-coriolis"].peak_position
    assert runs[0].figures["no-coriolis"].peak_position < runs[1].figures["no-coriolis"].peak_position


DRIVES = """
format = 1
[[motor]]
name = "M1"
inertia = 2e-4
peak = [[0, 3], [400, 3]]
continuous = [[0, 1], [400, 0.8]]
"""


def swing(t):
    s, sd, sdd = t**2 * (1 - t) ** 2, 2 * t - 6 * t**2 + 4 * t**3, 2 - 12 * t + 12 * t**2
    return np.full(6, s), np.full(6, sd), np.full(6, sdd)


def test_sizing_gathers_inverse_dynamics():
    robot = ts.load("puma560_drives", check=False)
    found = ts.size(robot, swing, 1.0, ratios=[20.0, 50.0, 100.0])
    t = np.linspace(0, 1, 2001)
    q, qd, qdd = (np.stack(part) for part in zip(*(swing(x) for x in t)))
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    assert found.settled and close([abs(s.peak_torque) for s in found.joints], np.abs(tau).max(axis=0), 1e-3)
    assert close([s.rms_torque for s in found.joints], np.sqrt((tau**2).mean(axis=0)), 1e-2)
    power = tau * qd
    assert close([s.energy_taken for s in found.joints], np.maximum(power, 0).mean(axis=0), 1e-2)
    rows = ts.size_rows(robot, t, q, qd, qdd)
    assert close([s.energy_taken for s in rows.joints], [s.energy_taken for s in found.joints], 1e-4)
    assert len(found.drives) == 6 and all(d.fits is None for d in found.drives)
    assert any([each.ratio for each in d.sweep] == [20.0, 50.0, 100.0] for d in found.drives)
    rested = ts.size(robot, swing, 1.0, dwell=1.0, brake=True)
    assert close([s.rms_torque for s in rested.joints], [s.rms_torque / np.sqrt(2) for s in found.joints], 1e-6)


def test_wrong_motions_are_named(puma):
    with pytest.raises(ValueError, match="duration is missing"):
        ts.size(puma, swing)
    with pytest.raises(ValueError, match="t does not increase"):
        ts.size_rows(puma, [0, 0], *np.zeros((3, 2, 6)))
    with pytest.raises(ValueError, match="ratios"):
        ts.size(puma, swing, 1.0, ratios=[-1.0])
    with pytest.raises(ts.Error):
        ts.size(puma, swing, 1.0, drives="format = 1\n[[motor]]\nname = 3\n")
