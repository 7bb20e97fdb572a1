"""Mechanisms: what is known of them, against the robots they are, the book, and each other."""

import pickle
import threading

import numpy as np
import pytest
import torsor as ts
from conftest import close


def test_every_mechanism_of_the_package_closes_and_tells_its_freedoms():
    for name in ts.mechanisms():
        mechanism = ts.load_mechanism(name)
        start = ts.assemble_start(mechanism)
        assert start.poses.shape == (len(mechanism.body_names), 4, 4)
        assert start.measures.shape == (len(mechanism.measure_names),)
        found = ts.mobility(mechanism)
        for count in (found.joints, found.driven):
            assert count.degrees_of_freedom == 6 * len(mechanism.body_names) - count.rank
            assert count.redundant == count.equations - count.rank == count.degrees_of_freedom - count.counted
        assert len(found.dependences) == found.joints.redundant
        assert len(found.independent) == found.joints.degrees_of_freedom


def test_a_pendulum_is_where_the_benchmark_has_it():
    run = ts.run_forward(ts.load_mechanism("pendulum"))
    assert run.finished and run.t[-1] == 10
    # IFToMM A01
    assert np.abs(run.poses[-1, 0, :2, 3] - [-0.275087462576, -0.961419205099]).max() < 1e-8
    assert np.abs(np.abs(run.velocities[-1, 0, 2]) - 4.343160692865) < 1e-8
    assert np.abs(run.energy_error).max() < 1e-9
    assert np.abs(run.kinetic + run.potential - run.kinetic[0] - run.potential[0]).max() < 1e-9


def test_a_robot_is_the_same_as_a_mechanism(puma):
    q, qd = [0.1, 0.7, 2.9, 0.2, 0.5, 0.3], [0.2, -0.1, 0.3, 0.1, 0.2, -0.4]
    mechanism = ts.mechanism_of_robot(puma, q, qd)
    run = ts.run_forward(mechanism, time=1e-3, interval=1e-3)
    assert close(run.measures[0], q) and close(run.rates[0], qd)
    assert close(run.seconds[0], ts.forward_dynamics(puma, q, qd, np.zeros(6)), 1e-6)
    start = ts.assemble_start(mechanism)
    poses = ts.forward_kinematics(puma, q)
    for body, name in enumerate(puma.link_names):
        assert close(start.poses[mechanism.body_names.index(name)], poses[body])


def test_a_motion_by_drivers_differentiates_to_its_velocities():
    run = ts.run_driven(ts.load_mechanism("four_bar"), time=0.4, interval=1e-3)
    assert run.finished and run.largest_closure_error < 1e-12 and run.closure_error.max() <= run.largest_closure_error
    dt = run.t[2:, None, None] - run.t[:-2, None, None]
    assert np.abs((run.poses[2:, :, :3, 3] - run.poses[:-2, :, :3, 3]) / dt - run.velocities[1:-1, :, 3:]).max() < 1e-4
    assert np.abs((run.velocities[2:] - run.velocities[:-2]) / dt - run.accelerations[1:-1]).max() < 1e-2
    assert np.abs((run.measures[2:] - run.measures[:-2]) / dt[:, 0] - run.rates[1:-1]).max() < 1e-4
    assert np.abs((run.rates[2:] - run.rates[:-2]) / dt[:, 0] - run.seconds[1:-1]).max() < 1e-2


def test_efforts_make_up_for_the_energy():
    run = ts.mechanism_inverse(ts.load_mechanism("four_bar"), time=1, interval=1e-3)
    assert run.commanded == 1 and run.unbalanced.max() < 1e-8
    assert close(run.power, run.torques[:, 0] * run.rates[:, 0], 1e-9)
    energy = run.kinetic + run.potential
    assert np.abs((energy[2:] - energy[:-2]) / 2e-3 - run.power[1:-1]).max() < 1e-3 * np.abs(run.power).max()


def test_without_actuators_efforts_are_those_of_the_drivers():
    run = ts.mechanism_inverse(ts.load_mechanism(TURNED.format(function="t^2")), time=1, interval=0.1)
    assert run.torques_of == "drivers" and run.actuator_names == ["turn"]
    # 1 kg at 1 m, with 2 rad/s^2, and held on its circle
    assert close(run.torques[:, 0], np.full(11, 2.0), 1e-9) and close(run.power, 2 * 2 * run.t, 1e-9)
    assert close(np.linalg.norm(run.reactions[:, 0, 3:5], axis=1), np.hypot(2, 4 * run.t**2), 1e-9)
    with_actuators = ts.mechanism_inverse(ts.load_mechanism("four_bar"), time=0.1)
    assert with_actuators.torques_of == "actuators"


def test_reactions_are_on_either_body_and_along_either_axes():
    on_j, on_i, turned = (
        ts.mechanism_inverse(ts.load_mechanism("slider_crank"), time=0.04, **choice).reactions
        for choice in ({}, {"on": "i"}, {"axes": "joint"})
    )
    assert close(on_i[..., 3:], -on_j[..., 3:])
    assert not close(turned, on_j) and close(np.linalg.norm(turned[..., 3:], axis=-1), np.linalg.norm(on_j[..., 3:], axis=-1))


def test_formulations_and_integrators_agree():
    mechanism = ts.load_mechanism("bricard")
    runs = [
        ts.run_forward(mechanism, time=0.2, interval=0.1, formulation=formulation, integrator=integrator, step=2e-4)
        for formulation in ("augmented", "partitioned")
        for integrator in ("dormand-prince", "rk4")
    ]
    for run in runs[1:]:
        assert run.finished and close(run.poses, runs[0].poses, 1e-8)


def test_rest_and_small_motions():
    rest = ts.find_equilibrium(ts.load_mechanism("pendulum"))
    assert rest.stable and close(rest.poses[0, :3, 3], [0, -1, 0], 1e-9)
    assert close(np.linalg.norm(rest.reactions[0, 3:]), 9.81, 1e-9)
    modes = ts.linearise(ts.load_mechanism("pendulum"))
    assert close(modes.frequencies, [np.sqrt(9.81) / (2 * np.pi)], 1e-6) and close(modes.K, [[9.81]], 1e-6)
    assert close(modes.s.imag, [np.sqrt(9.81)], 1e-6)
    assert not modes.moving and not modes.unsteady


TOP = """
[[body]]
name = "top"
mass = 0.5
com = [0, 0, 0.1]
inertia = [0.02, 0.02, 0.01]
angular_velocity = [0, 0, {spin}]
[[joint]]
name = "ball"
kind = "spherical"
bodies = ["ground", "top"]
point = [0, 0, 0]
"""


@pytest.mark.parametrize("spin", [15, 200])
def test_small_motions_about_steady_motion(spin):
    found = ts.linearise(ts.load_mechanism(TOP.format(spin=spin)), at="start")
    assert found.moving and not found.unsteady
    # 0.025 s^2 - 0.01 i spin s - 0.4905 = 0: it stands from 22.1 rad/s on
    exact = np.roots([0.025, -0.01j * spin, -0.4905])
    for s in exact:
        assert min(abs(found.s - s).min(), abs(found.s - s.conj()).min()) < 1e-8 * abs(s)
    assert (found.s.real.max() > 1) == (spin < 22)
    space = found.state_space
    assert space.A.shape == (6, 6) and space.B.shape == (6, 0) and space.C.shape == (3, 6) and space.D.shape == (3, 0)
    outputs = [each.name for each in space.outputs]
    assert [each.name for each in space.states] == [*outputs, *("rate." + each for each in outputs)]
    of_A = np.linalg.eigvals(space.A)
    for s in exact:
        assert abs(of_A - s).min() < 1e-7 * abs(s)


def test_small_motions_bear_inertias_far_apart():
    rotors = """
[[body]]
name = "{name}"
mass = 1
inertia = [{inertia}, {inertia}, {inertia}]
[[joint]]
name = "{name} bearing"
kind = "revolute"
bodies = ["ground", "{name}"]
point = [0, 0, 0]
axis = [0, 0, 1]
"""
    for small in (1e-5, 1e-10):
        text = rotors.format(name="rotor", inertia=small) + rotors.format(name="table", inertia=15)
        found = ts.linearise(ts.load_mechanism(text))
        assert found.degrees_of_freedom == 2 and close(abs(found.s), np.zeros(4), 1e-9)


def test_velocities_left_out_at_the_start_are_free():
    start = ts.assemble_start(ts.load_mechanism(TOP.format(spin=3).replace("com = [0, 0, 0.1]", "com = [0.1, 0, 0]")))
    assert close(start.velocities[0, :3], [0, 0, 3], 1e-12) and close(start.velocities[0, 3:], [0, 0, 0], 1e-12)


def test_a_run_that_ends_early_keeps_what_came_before():
    mechanism = ts.load_mechanism(TURNED.format(function="3*sqrt(0.5 - t)"))
    assert ts.run_driven(mechanism, time=0.1, interval=0.05).finished
    with pytest.warns(ts.RunWarning, match="turn"):
        run = ts.run_driven(mechanism, time=1, interval=0.01)
    assert not run.finished and run.why and 0.4 < run.t[-1] < 0.51 and run.closure_error.max() < 1e-9


def test_faults_name_what_is_wrong():
    with pytest.raises(ts.Error, match="four_bar"):
        ts.load_mechanism("four_barr")
    with pytest.raises(ts.Error, match="not-driven|not driven"):
        ts.run_driven(ts.load_mechanism("pendulum"))
    with pytest.raises(ts.Error, match="not-driven|not driven"):
        ts.mechanism_inverse(ts.load_mechanism("bricard"))
    pendulum = ts.load_mechanism("pendulum")
    for wrong, message in (
        ({"time": -1.0}, "time is -1.0; expected a number above zero"),
        ({"interval": 0.0}, "interval is 0.0"),
        ({"interval": 1e-12}, "more than 1e7 instants"),
        ({"integrator": "rk5"}, 'integrator is "rk5"; did you mean "rk4"'),
        ({"formulation": "both"}, "expected one of augmented, partitioned"),
        ({"tolerance": float("nan")}, "tolerance is nan"),
    ):
        with pytest.raises(ValueError, match=message):
            ts.run_forward(pendulum, **wrong)
    with pytest.raises(ValueError, match="q has shape"):
        ts.mechanism_of_robot(ts.load("two_link"), [0.0])
    with pytest.raises(ts.Error) as refused:
        ts.load_mechanism("format = 1\nname = \"x\"\n[[body]]\nname = \"b\"\nmass = -1\n")
    assert refused.value.faults[0].line > 0


def test_threads_share_a_mechanism():
    mechanism = ts.load_mechanism("four_bar")
    alone = ts.run_forward(mechanism, time=0.3, interval=0.1)
    found = [None] * 4

    def run(k):
        found[k] = ts.run_forward(mechanism, time=0.3, interval=0.1)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in found:
        assert np.array_equal(each.poses, alone.poses)


TURNED = '''
format = 1
name = "turned"
[[body]]
name = "bob"
mass = 1
position = [1, 0, 0]
[[joint]]
name = "pivot"
kind = "revolute"
bodies = ["ground", "bob"]
point = [0, 0, 0]
axis = [0, 0, 1]
[[driver]]
name = "turn"
joint = "pivot"
function = "{function}"
'''


@pytest.mark.parametrize("name", ts.mechanisms())
def test_a_pickled_mechanism_starts_where_it_did(name):
    mechanism = ts.load_mechanism(name)
    again = pickle.loads(pickle.dumps(mechanism))
    assert repr(again) == repr(mechanism)
    assert np.array_equal(ts.assemble_start(again).measures, ts.assemble_start(mechanism).measures)


def test_a_pickled_mechanism_brings_its_robots_and_tables(tmp_path, monkeypatch):
    (tmp_path / "arm.toml").write_text(ts.load("two_link").to_toml().replace("two-link arm", "my own arm"))
    t = np.linspace(0, 1, 21)
    (tmp_path / "turn.csv").write_text("t,angle\n" + "".join(f"{x},{0.4 * x**2}\n" for x in t))
    (tmp_path / "driven.toml").write_text(
        """
format = 1
name = "driven arm"
robot = "arm.toml"
[[driver]]
name = "turn"
joint = "q1"
function = { table = "turn.csv", column = "angle" }
"""
    )
    mechanism = ts.load_mechanism(tmp_path / "driven.toml")
    text = pickle.dumps(mechanism)
    for file in tmp_path.iterdir():
        file.unlink()
    again = pickle.loads(text)
    run, same = (ts.run_forward(each, time=0.2, interval=0.05) for each in (mechanism, again))
    assert np.array_equal(run.measures, same.measures) and len(run.t) == 5


def test_a_pickled_robot_is_still_a_mechanism(puma):
    mechanism = ts.mechanism_of_robot(puma, np.full(6, 0.3), np.full(6, 0.1))
    again = pickle.loads(pickle.dumps(mechanism))
    assert np.array_equal(ts.assemble_start(again).measures, ts.assemble_start(mechanism).measures)
