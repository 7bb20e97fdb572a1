"""Robots with closed loops: states, torques and poses in the independent joints, what they refuse, what has no answer."""

import inspect
import os
import pickle
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
import torsor as ts
from conftest import close

NAMES = ts.robots(loops=True)


@pytest.fixture(scope="module", params=NAMES)
def robot(request):
    return ts.load(request.param, check=False)


def drawn(robot, count, seed=1):
    """States whose loops close, with rates of the order of one."""
    random = np.random.default_rng(seed)
    return ts.random_position(robot, count, seed), *random.uniform(-1, 1, (2, count, robot.nv))


FOUR_BAR = """
name = "four-bar"
gravity = [0, -9.81, 0]
[[link]]
name = "crank"
joint = {{ kind = "revolute", start = 1.2 }}
mass = 1
com = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02]
[[link]]
name = "coupler"
joint = {{ kind = "revolute", start = -0.8 }}
placement = {{ position = [0.4, 0, 0] }}
mass = 2
com = [0.45, 0.1, 0]
inertia = [0.02, 0.1, 0.1]
[[link]]
name = "rocker"
parent = "base"
joint = {{ kind = "revolute", start = 1.7 }}
placement = {{ position = [1, 0, 0] }}
mass = 1.5
com = [0.4, 0, 0]
inertia = [0.02, 0.08, 0.08]
[[loop]]
name = "pin"
kind = "revolute"
links = ["coupler", "rocker"]
first = {{ position = [0.9, 0, 0] }}
second = {{ position = [0.8, 0, 0] }}
actuated = ["{driven}"]
"""

# MuJoCo's way: two arms whose ends are held together
CONNECT = """<mujoco model="pair"><option gravity="0 -9.81 0"/><worldbody>
<body name="crank"><joint name="crank" axis="0 0 1" range="-170 170"/><geom type="capsule" fromto="0 0 0 0 .4 0" size=".02"/>
<body name="rod" pos="0 .4 0"><joint name="rod" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/></body></body>
<body name="rocker" pos="1 0 0"><joint name="rocker" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0 .4 0" size=".02"/></body>
</worldbody><equality><connect body1="rod" body2="rocker" anchor="1 0 0"/></equality>
<actuator><motor joint="crank"/></actuator></mujoco>"""


def four_bar(driven="crank"):
    return ts.load(FOUR_BAR.format(driven=driven), check=False)


def test_names_limits_and_sizes_are_those_of_the_independent_joints(robot):
    assert robot.loops and robot.nv == len(robot.velocity_names) < len(robot.joint_position_names)
    assert set(robot.position_names) <= set(robot.joint_position_names)
    for limits in (robot.lower, robot.upper, robot.velocity_limits, robot.effort_limits):
        assert limits.shape == (robot.nv,)
    assert len(robot.link_names) == len(robot.joint_names) == len(robot.parents) == len(robot.masses) > robot.nv
    assert not robot.is_serial and robot.tools
    start = robot.neutral_position()
    assert start.shape == (robot.nq,) and np.isfinite(ts.gravity(robot, start)).all()
    assert f"'{robot.name}'" in repr(robot) and robot.name in robot._repr_html_()
    assert ts.load("puma560").loops == [] and ts.load("puma560").joint_position_names == ts.load("puma560").position_names


def test_a_parallelogram_moves_as_one():
    robot = ts.load("palletising_arm")
    assert robot.velocity_names == ["waist", "shoulder", "flange", "elbow_motor"]
    q = ts.random_position(robot, 200)
    shoulder, motor = q[:, 1], q[:, 3]
    joints = dict(zip(robot.joint_position_names, ts.joint_positions(robot, q).T))
    assert close(joints["elbow"], motor - shoulder) and close(joints["rod_hinge"], shoulder - motor)
    assert close(joints["plate_hinge"], -shoulder) and close(joints["wrist_hinge"], -motor)
    # so the flange stays level
    assert close(ts.frame_pose(robot, q, "flange")[:, 2, :3], np.tile([0.0, 0, 1], (200, 1)))


def test_torques_are_those_of_the_tree_without_loops_by_virtual_work(robot):
    """tau_a = G^T tau(q, qd, qdd) of the tree that is cut open, its motion by differences of joint_positions."""
    if robot.name == "stewart platform":
        return  # its ball has four numbers of position and three of velocity
    text = re.sub(r"^\[\[loop\]\]\n(?:(?!\[\[).*\n)*", "", robot.to_toml(), flags=re.M)
    cut = ts.load(re.sub(r", start = [-+.e\d]+", "", text), check=False)
    assert cut.velocity_names == robot.joint_position_names and not cut.loops
    h = 1e-3
    for q, qd, qdd in zip(*drawn(robot, 20)):

        def at(t, q=q, qd=qd, qdd=qdd):
            return ts.joint_positions(robot, q + t * qd + t * t / 2 * qdd)

        a, b, c, d, e = (at(k * h) for k in (-2, -1, 0, 1, 2))
        rates, accelerations = (a - 8 * b + 8 * d - e) / (12 * h), (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h * h)
        G = np.stack([(-s(2) + 8 * s(1) - 8 * s(-1) + s(-2)) / (12 * h) for s in
                      (lambda k, u=unit: ts.joint_positions(robot, q + k * h * u) for unit in np.eye(robot.nv))], -1)  # fmt: skip
        tau = ts.inverse_dynamics(robot, q, qd, qdd)
        assert close(tau, G.T @ ts.inverse_dynamics(cut, c, rates, accelerations), 1e-7)
        assert close(ts.mass_matrix(robot, q), G.T @ ts.mass_matrix(cut, c) @ G, 1e-7)
        kinetic, potential = ts.energy(robot, q, qd)
        assert close([kinetic, potential], ts.energy(cut, c, G @ qd), 1e-7)
        assert close(ts.forward_kinematics(robot, q), ts.forward_kinematics(cut, c), 1e-12)
        assert close(ts.frame_pose(robot, q), ts.frame_pose(cut, c), 1e-12)
        assert close(ts.jacobian(robot, q), ts.jacobian(cut, c) @ G, 1e-8)


def test_a_simulation_keeps_energy_and_loops(robot):
    q, qd, _ = drawn(robot, 1)
    friction = ts.terms(robot, q[0], qd[0], 0 * qd[0]).friction
    run = ts.simulate(robot, q[0], 0.1 * qd[0], tau="hold", time=0.02, tolerance=1e-11)
    if not friction.any():
        assert np.ptp(run.kinetic + run.potential - run.torque_work) < 1e-8 * (1 + np.abs(run.potential).max())
    a = ts.forward_dynamics(robot, run.q[-1], run.qd[-1], run.tau[-1])
    assert close(run.qdd[-1], a, 1e-7)


def test_a_loop_on_a_floating_base_keeps_energy_and_momentum():
    text = FOUR_BAR.format(driven="crank").replace("gravity = [0, -9.81, 0]", "gravity = [0, 0, 0]").replace('parent = "base"', 'parent = "trunk"')
    trunk = '[[link]]\nname = "trunk"\njoint = "free"\nmass = 10\ninertia = [1, 1, 1]\n[[link]]\nname = "crank"\nparent = "trunk"'
    robot = ts.load(text.replace('[[link]]\nname = "crank"', trunk, 1), check=False)
    assert (robot.nq, robot.nv) == (8, 7)
    run = ts.simulate(robot, robot.neutral_position(), [0.3, -0.4, 0.5, 0.1, 0.2, -0.3, 3.0], tau="zero", time=1.0, tolerance=1e-12)
    energy = run.kinetic + run.potential
    assert np.ptp(energy) < 1e-10 * energy[0] and np.ptp(run.momentum, axis=0).max() < 1e-9
    # the same from the links themselves
    for q, qd, told in zip(run.q[::10], run.qd[::10], run.momentum[::10]):
        linear, angular = np.zeros(3), np.zeros(3)
        for name, m, c, inertia in zip(robot.link_names, robot.masses, robot.mass_centres, robot.inertias):
            X, J = ts.frame_pose(robot, q, name), ts.jacobian(robot, q, name)
            w, arm = J[:3] @ qd, X[:3, :3] @ c
            v = J[3:] @ qd + np.cross(w, arm)
            linear += m * v
            angular += np.cross(X[:3, 3] + arm, m * v) + X[:3, :3] @ inertia @ X[:3, :3].T @ w
        assert close(told, np.r_[angular, linear], 1e-11)


def test_parallel_robots_have_every_working_mode():
    for name, count, place in (("delta", 8, True), ("five_bar", 4, True), ("ankle", 4, False), ("stewart_robot", 64, False)):
        robot = ts.load(name, check=False)
        q = robot.neutral_position()
        found = ts.parallel_solutions(robot, ts.frame_pose(robot, q), position_only=place)
        assert found.status == "solved" and len(found.solutions) <= count
        first = found.solutions[0]
        assert first.assembled and close(first.q, q, 1e-8) and first.residual < 1e-9
        for each in found.solutions:
            assert each.closure_error < 1e-9
    far = np.eye(4)
    far[2, 3] = -5
    assert ts.parallel_solutions(ts.load("delta"), far, position_only=True).status == "unreachable"
    with pytest.raises(ts.Error, match="parallel-leg"):
        ts.parallel_solutions(ts.load("palletising_arm"), np.eye(4))


def test_terms_add_up(robot):
    q, qd, qdd = drawn(robot, 30)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    t = ts.terms(robot, q, qd, qdd)
    product = lambda A, x: np.einsum("kij,kj->ki", A, x)  # noqa: E731
    assert close(product(t.M, qdd) + product(t.C, qd) + t.gravity + t.friction, tau, 1e-11) and close(t.tau, tau)
    assert close(t.bias, ts.bias(robot, q, qd)) and close(t.M, ts.mass_matrix(robot, q)) and close(t.C, ts.coriolis_matrix(robot, q, qd))
    assert close(t.gravity, ts.gravity(robot, q)) and not t.load.any()
    r = ts.reactions(robot, q, qd, qdd)
    assert close(t.reactions, r.joints) and r.joints.shape == (30, len(robot.link_names), 6) and np.isfinite(r.joints).all()
    assert r.loops.shape == (30, len(robot.loops), 6) and set(np.unique(r.unique)) <= {0.0, 1.0}
    assert close(ts.forward_dynamics(robot, q, qd, tau), qdd, 1e-8)
    push = ts.Loads(wrench=[0.0, 0, 0, 3, -2, 5])
    loaded = ts.terms(robot, q, qd, qdd, loads=push)
    assert close(loaded.tau, ts.inverse_dynamics(robot, q, qd, qdd, loads=push)) and close(loaded.tau - loaded.load, tau, 1e-11)
    # a force at the tool, along its axes, works on what the tool does
    X, J = ts.frame_pose(robot, q), ts.jacobian(robot, q)
    force = np.einsum("kij,j->ki", X[:, :3, :3], [3, -2, 5])
    assert close(loaded.load, -np.einsum("kij,ki->kj", J[:, 3:], force), 1e-11)


def test_derivatives_are_those_of_differences(robot):
    q, qd, qdd = drawn(robot, 5)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    n, h = robot.nv, 1e-4

    def slopes(f, x):
        return np.stack([(f(x + h * u) - f(x - h * u)) / (2 * h) for u in np.eye(n)], -1)

    for found, expected in zip(
        ts.inverse_derivatives(robot, q, qd, qdd),
        [
            slopes(lambda x: ts.inverse_dynamics(robot, x, qd, qdd), q),
            slopes(lambda x: ts.inverse_dynamics(robot, q, x, qdd), qd),
            slopes(lambda x: ts.inverse_dynamics(robot, q, qd, x), qdd),
        ],
    ):
        assert close(found, expected, 1e-5)
    for found, expected in zip(
        ts.forward_derivatives(robot, q, qd, tau),
        [
            slopes(lambda x: ts.forward_dynamics(robot, x, qd, tau), q),
            slopes(lambda x: ts.forward_dynamics(robot, q, x, tau), qd),
            slopes(lambda x: ts.forward_dynamics(robot, q, qd, x), tau),
        ],
    ):
        assert close(found, expected, 1e-5)


def questions(robot, q, qd, qdd):
    yield lambda **k: ts.inverse_dynamics(robot, q, qd, qdd, **k)
    yield lambda **k: ts.bias(robot, q, qd, **k)
    yield lambda **k: ts.gravity(robot, q, **k)
    yield lambda **k: ts.mass_matrix(robot, q, **k)
    yield lambda **k: ts.forward_dynamics(robot, q, qd, qdd, **k)
    yield lambda **k: ts.coriolis_matrix(robot, q, qd, **k)
    yield lambda **k: np.stack(ts.energy(robot, q, qd, **k), -1)
    yield lambda **k: ts.terms(robot, q, qd, qdd, **k).M
    yield lambda **k: ts.inverse_derivatives(robot, q, qd, qdd, **k)[0]
    yield lambda **k: ts.forward_derivatives(robot, q, qd, qdd, **k)[0]
    yield lambda **k: ts.forward_kinematics(robot, q, **k)
    yield lambda **k: ts.frame_pose(robot, q, **k)
    yield lambda **k: ts.frame_pose(robot, q, robot.link_names[0], **k)
    yield lambda **k: ts.jacobian(robot, q, **k)
    yield lambda **k: ts.jacobian(robot, q, robot.link_names[-1], **k)
    yield lambda **k: ts.joint_positions(robot, q, **k)


def test_rows_are_single_states_and_threads_change_no_bit(robot, request):
    q, qd, qdd = drawn(robot, 40)
    # more than one piece for two threads
    long = [np.concatenate([x] * (60 if os.environ.get("TORSOR_FULL") else 30)) for x in (q, qd, qdd)]
    # every question of some robots, or of all
    which, of = NAMES.index(request.node.callspec.params["robot"]), 1 if os.environ.get("TORSOR_FULL") else 3
    for k, (ask, one, many) in enumerate(
        zip(
            questions(robot, q, qd, qdd),
            zip(*(questions(robot, *state) for state in zip(q, qd, qdd))),
            questions(robot, *long),
        )
    ):
        batch, single = ask(), np.array([each() for each in one])
        assert close(batch, single, 1e-9)
        # whoever asked before, and for what
        assert np.array_equal(ask(), batch) and np.array_equal([each() for each in reversed(one)][::-1], single)
        if (k + which) % of == 0:
            assert np.array_equal(many(threads=1), many(threads=2))


def test_threads_of_python_share_a_robot(robot):
    q, qd, qdd = drawn(robot, 300)
    alone = [ts.inverse_dynamics(robot, *state) for state in zip(q, qd, qdd)]
    with ThreadPoolExecutor(8) as pool:
        assert np.array_equal(list(pool.map(lambda k: ts.inverse_dynamics(robot, q[k], qd[k], qdd[k]), range(300))), alone)


def test_float32_in_float32_out(robot):
    q, qd, qdd = drawn(robot, 10)
    for single, double in zip(questions(robot, *(x.astype(np.float32) for x in (q, qd, qdd))), questions(robot, q, qd, qdd)):
        answer = single()
        assert answer.dtype == np.float32 and close(answer, double(), 2e-4)


@pytest.mark.parametrize("driven", ["crank", "rocker"])
def test_states_without_an_answer_are_told_and_spoil_no_neighbour(driven):
    """A driven rocker turns back where crank and coupler are in line: there it has a dead centre, beyond it nothing closes."""
    robot = four_bar(driven)
    if driven == "crank":
        q = np.linspace(-6, 6, 50)[:, None]
        assert np.isfinite(ts.gravity(robot, q)).all()  # it turns round
        q[7] = np.nan
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            bad = ~np.isfinite(ts.gravity(robot, q)).all(-1)
        assert bad.tolist() == [k == 7 for k in range(50)]
        return
    # the longest way from the rocker's pivot to the crank's end
    limit = np.pi - np.arccos((1 + 0.8**2 - 1.3**2) / (2 * 0.8))
    q = np.array([[1.7], [2.0], [limit], [limit - 0.5], [1.6], [np.nan], [1.8]])
    good = [0, 1, 4, 6]
    for state, rule, who in ((q[2], "loop-dead-centre", "rocker"), (q[3], "loop-open", "rocker")):
        for ask in (
            lambda: ts.gravity(robot, state),
            lambda: ts.forward_dynamics(robot, state, [0], [0]),
            lambda: ts.forward_derivatives(robot, state, [0], [0]),
            lambda: ts.frame_pose(robot, state),
            lambda: ts.forward_kinematics(robot, state),
            lambda: ts.joint_positions(robot, state),
            lambda: ts.terms(robot, state, [0], [0]),
            lambda: ts.energy(robot, state, [0]),
        ):
            with pytest.raises(ts.Error) as told:
                ask()
            assert told.value.rule == rule and who in told.value.offender
    with pytest.raises(ValueError, match=r"q\[0\] is nan"):
        ts.gravity(robot, q[5])
    zero = np.zeros((7, 1))
    for ask, alone in zip(questions(robot, q, zero, zero), questions(robot, q[good], zero[good], zero[good])):
        with pytest.warns(ts.RowWarning, match=r"2 of 7 states have no answer.*state 2: .*\[loop-dead-centre\]"):
            answer = ask()
        assert np.array_equal(answer[good], alone()) and np.isnan(answer[[2, 3, 5]]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qdd, valid = ts.forward_dynamics(robot, q, zero, zero, return_valid=True)
    assert valid.tolist() == [k in good for k in range(7)] and np.isfinite(qdd[good]).all()


def test_they_travel_and_are_changed_as_other_robots(robot, tmp_path):
    q, qd, qdd = drawn(robot, 5)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    again = pickle.loads(pickle.dumps(robot))
    assert again.loops == robot.loops and again.velocity_names == robot.velocity_names and again.to_toml() == robot.to_toml()
    assert close(ts.inverse_dynamics(again, q, qd, qdd), tau, 1e-11)
    file = tmp_path / "robot.toml"
    file.write_text(robot.to_toml())
    assert close(ts.inverse_dynamics(ts.load(file, check=False), q, qd, qdd), tau, 1e-11)
    afloat = robot.with_gravity([0, 0, 0])
    assert afloat.loops and not afloat.gravity.any() and abs(ts.gravity(afloat, q)).max() < 1e-9
    heavy = robot.with_payload(2.0)
    assert heavy.loops and np.isclose(heavy.masses.sum(), robot.masses.sum() + 2)
    lift = -2 * np.einsum("kij,i->kj", ts.jacobian(robot, q)[:, 3:], robot.gravity)
    assert close(ts.gravity(heavy, q) - ts.gravity(robot, q), lift, 1e-10)
    for each in (afloat, heavy):
        assert pickle.loads(pickle.dumps(each)).to_toml() == each.to_toml()
    assert ts.command("id", robot, "--q", ",".join(map(repr, q[0].tolist())), "--json").code == 0


def test_an_mjcf_with_connect_is_one_of_them():
    robot = ts.load(CONNECT, check=False)
    assert robot.loops and robot.velocity_names == ["crank"]
    q = np.linspace(-0.9, 0.9, 9)[:, None]
    crank, rod, rocker = ts.joint_positions(robot, q).T
    assert close(rocker, crank) and close(rod, -crank)


def test_products_with_derivatives_are_those_of_the_matrices(robot):
    q, qd, qdd = drawn(robot, 6)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    dq, dqd, dx, w = np.random.default_rng(3).uniform(-1, 1, (4, 6, robot.nv))
    for x, matrices, jvp, vjp in (
        (qdd, ts.inverse_derivatives(robot, q, qd, qdd), ts.inverse_jvp, ts.inverse_vjp),
        (tau, ts.forward_derivatives(robot, q, qd, tau), ts.forward_jvp, ts.forward_vjp),
    ):
        wanted = sum(np.einsum("kij,kj->ki", A, v) for A, v in zip(matrices, (dq, dqd, dx)))
        assert close(jvp(robot, q, qd, x, dq, dqd, dx), wanted, 1e-11)
        assert close(jvp(robot, q[0], qd[0], x[0], dq[0], dqd[0], dx[0]), wanted[0], 1e-9)
        for got, A in zip(vjp(robot, q, qd, x, w), matrices):
            assert close(got, np.einsum("ki,kij->kj", w, A), 1e-11)


def test_regressors_have_the_parameters_of_all_links(robot):
    q, qd, qdd = drawn(robot, 20)
    phi = np.array([p.value for p in ts.dynamic_parameters(robot)])
    Y = ts.regressor(robot, q, qd, qdd)
    assert Y.shape == (20, robot.nv, len(phi)) and close(Y @ phi, ts.inverse_dynamics(robot, q, qd, qdd), 1e-11)
    assert close(ts.regressor(robot, q[3], qd[3], qdd[3]), Y[3], 1e-9)
    long = [np.concatenate([x] * 60) for x in (q, qd, qdd)]
    assert np.array_equal(ts.regressor(robot, *long, threads=1), ts.regressor(robot, *long, threads=2))
    if robot.name == "stewart platform":
        return  # minutes for so many parameters
    base = ts.base_parameters(robot)
    assert 0 < len(base.kept) < len(phi)
    reduced = Y[..., base.kept]
    assert close(reduced @ base.values, Y @ phi, 1e-9)


def test_motors_identify_links_and_rods():
    truth, file = ts.load("five_bar", check=False), ts.load("five_bar", check=False).with_payload(0.7)
    q, qd, qdd = drawn(truth, 300)
    tau = ts.inverse_dynamics(truth, q, qd, qdd)
    found = ts.identify(file, q, qd, qdd, tau)
    assert found.robot.loops and all(joint.held_fit < 1e-9 < joint.held_file for joint in found.joints)
    assert close(ts.inverse_dynamics(found.robot, q, qd, qdd), tau, 1e-9)


def test_computed_torque_keeps_a_robot_on_its_plan(robot):
    if robot.name == "parallel gripper arm":
        return  # dry friction of measured and planned rates is not one
    q, qd, qdd = drawn(robot, 5)
    law = ts.ControlLaw(robot, "computed-torque", start=q[0], kp=100, kv=20)
    wide = np.isinf(robot.effort_limits).all()
    for a, b, c in zip(q, qd, qdd):
        tau = law.effort(a, b, q_wanted=a + 0.01, qd_wanted=b, qdd_wanted=c)
        if law.saturated == 0:
            assert close(ts.forward_dynamics(robot, a, b, tau), c + 1.0, 1e-6)
    assert wide or (abs(tau) <= robot.effort_limits).all()
    with pytest.raises(ValueError, match="has loops"):
        ts.ControlLaw(robot, "operational-space")


def test_c_of_planar_loops_is_proven_and_others_are_named(robot):
    planar = {"palletising arm", "five-bar", "excavator", "four-bar knee", "parallel gripper arm"}
    if robot.name not in planar:
        with pytest.raises(ts.Error) as told:
            ts.codegen(robot)
        assert told.value.rule == "codegen-loops"
        return
    code = ts.codegen(robot, ["id", "jacobian"], name="robot")
    assert "void robot_id(" in code.source and f"q[{robot.nv}]" in code.header
    if robot.name == "five-bar":
        assert ts.prove_code(robot, ["id", "mass", "fd"], states=20).holds


def test_drives_are_sized(robot):
    q = robot.neutral_position()
    motion = ts.point_to_point(q, q + 0.02, 0.5)
    found = ts.size(robot, motion)
    assert len(found.joints) == robot.nv
    t = np.linspace(0, 0.5, 41)
    rows = motion.sample(t)
    peaks = abs(ts.inverse_dynamics(robot, *rows)).max(0)
    assert close([abs(joint.peak_torque) for joint in found.joints], peaks, 2e-2)
    summary = ts.torque_summary(robot, ts.inverse_dynamics(robot, *rows), rows[0], rows[1], t)
    assert close([abs(joint.peak_torque) for joint in summary.joints], peaks)
    assert isinstance(ts.limits_passed(robot, rows[0]), list)
    assert len(ts.size_rows(robot, t, *rows).joints) == robot.nv


def test_assembly_modes_are_all_ways_to_close():
    five_bar = ts.load("five_bar", check=False)
    q = five_bar.neutral_position()
    found = ts.assembly_modes(five_bar, q)
    assert found.settled and found.missing == 0 and len(found.modes) == 2
    first, second = found.modes
    assert first.assembled and close(first.joints, ts.joint_positions(five_bar, q)) and not second.assembled
    assert max(mode.closure_error for mode in found.modes) < 1e-12
    assert len(ts.assembly_modes(ts.load("delta", check=False), [0.3, 0.4, 0.2]).modes) == 2
    with pytest.raises(ValueError, match="no loops"):
        ts.assembly_modes(ts.load("puma560"), np.zeros(6))


SERVED = {
    *"inverse_dynamics forward_dynamics mass_matrix bias gravity coriolis_matrix energy terms".split(),
    *"inverse_derivatives forward_derivatives forward_kinematics frame_pose jacobian joint_positions random_position".split(),
    *"integrate difference interpolate integrate_tangents difference_tangents".split(),
    *"reactions simulate parallel_solutions assembly_modes check load robots".split(),
    *"dynamic_parameters regressor base_parameters identify ControlLaw codegen prove_code size size_rows read_motion".split(),
    *"inverse_jvp inverse_vjp forward_jvp forward_vjp torque_summary limits_passed view page".split(),
    *"Robot.with_gravity Robot.with_payload Robot.neutral_position Robot.to_toml Robot.__repr__".split(),
}


NO_JOINTS = SimpleNamespace(nq=0, nv=0, names=[], joints=[], njnt=0)  # a model of another program


def refused(robot):
    """Every other question that a robot can be asked, with arguments that a tree of as many coordinates would answer."""
    n, q = robot.nv, robot.neutral_position()
    x, rows, pose = np.zeros(n), np.tile(q, (4, 1)), np.eye(4)
    motion = ts.point_to_point(q, q + 0.1, 1.0)
    far = pose.copy()
    far[0, 3] = 0.5
    hand = ts.pose_motion([pose, far], 1.0)
    change = np.zeros(3 * n)
    r = robot
    return {
        "agree": lambda: ts.agree(r, states=3),
        "agree_exact": lambda: ts.agree_exact(r),
        "agree_against": lambda: ts.agree_against(r, rows, rows * 0, rows * 0, rows * 0),
        "control": lambda: ts.control(r),
        "run_experiment": lambda: ts.run_experiment(r, 'laws = ["pd"]\n'),
        "run_speeds": lambda: ts.run_speeds(r, "pd", [1.0]),
        "inverse_hvp": lambda: ts.inverse_hvp(r, q, x, x, x, change),
        "forward_hvp": lambda: ts.forward_hvp(r, q, x, x, x, change),
        "inverse_curvature": lambda: ts.inverse_curvature(r, q, x, x, change, change),
        "forward_curvature": lambda: ts.forward_curvature(r, q, x, x, change, change),
        "position_tangent": lambda: ts.position_tangent(r, q, x),
        "position_gradient": lambda: ts.position_gradient(r, q, x),
        "guide": lambda: ts.guide(r),
        "diff": lambda: ts.diff(r, r),
        "discrete_step": lambda: ts.discrete_step(r, q, x, x, 1e-3),
        "step": lambda: ts.step(r, q, x, x, 1e-3),
        "rollout": lambda: ts.rollout(r, q, x, np.zeros((2, n)), 1e-3),
        "rollout_vjp": lambda: ts.rollout_vjp(r, q, x, [x], 1e-3),
        "momentum": lambda: ts.momentum(r, q),
        "to_pinocchio": lambda: ts.to_pinocchio(r, NO_JOINTS, q),
        "from_pinocchio": lambda: ts.from_pinocchio(r, NO_JOINTS, q),
        "to_mujoco": lambda: ts.to_mujoco(r, NO_JOINTS, q),
        "from_mujoco": lambda: ts.from_mujoco(r, NO_JOINTS, q),
        "RobotRows": lambda: ts.RobotRows(r, payload_masses=[1.0]),
        "derivative_sparsity": lambda: ts.derivative_sparsity(r),
        "coefficients": lambda: ts.coefficients(r, q, x),
        "christoffel": lambda: ts.christoffel(r, q),
        "equations": lambda: ts.equations(r),
        "fill_inertia": lambda: ts.fill_inertia(r, density=1000.0, partial=True),
        "formulations": lambda: ts.formulations("inverse", r),
        "inverse_kinematics": lambda: ts.inverse_kinematics(r, pose),
        "ik_branches": lambda: ts.ik_branches(r, pose),
        "ik_solutions": lambda: ts.ik_solutions(r, pose),
        "feasible_redundancy": lambda: ts.feasible_redundancy(r, pose),
        "best_solution": lambda: ts.best_solution(r, pose, "limits"),
        "solve_pose": lambda: ts.solve_pose(r, pose),
        "solve_rates": lambda: ts.solve_rates(r, q, np.zeros(6)),
        "tool_torques": lambda: ts.tool_torques(r, pose),
        "jacobian_rate": lambda: ts.jacobian_rate(r, q, x),
        "frame_motion": lambda: ts.frame_motion(r, q),
        "reach": lambda: ts.reach(r),
        "mechanism_of_robot": lambda: ts.mechanism_of_robot(r),
        "reduce": lambda: ts.reduce(r, motion),
        "read_reduced": lambda: ts.read_reduced(ts.reduce(ts.load("two_link"), ts.point_to_point([0, 0], [1, 1], 1.0)).to_toml(), r),
        "roundtrip": lambda: ts.roundtrip(r, motion),
        "sample_efforts": lambda: ts.sample_efforts(r, motion, 5),
        "structure": lambda: ts.structure(r),
        "coupling": lambda: ts.coupling(r, q),
        "dominance": lambda: ts.dominance(r, rows, rows, rows),
        "workspace_survey": lambda: ts.workspace_survey(r, positions=5),
        "motion_survey": lambda: ts.motion_survey(r, motion),
        "follow_path": lambda: ts.follow_path(r, hand, 0.1),
        "plan_path": lambda: ts.plan_path(r, hand, period=0.1),
        "load_tool_path": lambda: ts.load_tool_path("sixr_sim", None, r),
        "load_motion_table": lambda: ts.load_motion_table(r, "no_such_file.csv"),
        "scale_path": lambda: ts.scale_path(r, ts.tool_path(hand, 0.1)),
        "usual_motion": lambda: ts.usual_motion(r, "five_bar"),
        "smallest_time_factor": lambda: ts.smallest_time_factor(r, motion),
        "load(base)": lambda: ts.load(r.to_toml(), base="floating"),
        "inverse_dynamics(formulation)": lambda: ts.inverse_dynamics(r, q, formulation="kane"),
        "gravity(formulation)": lambda: ts.gravity(r, q, formulation="tree-newton-euler"),
        "mass_matrix(formulation)": lambda: ts.mass_matrix(r, q, formulation="composite-body"),
        "forward_dynamics(formulation)": lambda: ts.forward_dynamics(r, q, x, x, formulation="mass-matrix"),
        "_xla_robot": lambda: ts._torsor._xla_robot(r),
        "_expect_tree": lambda: ts._torsor._expect_tree(r),
        "Robot.on_free_base": lambda: r.on_free_base(),
        "Robot.chain": lambda: r.chain(),
        "Robot.dh_table": lambda: r.dh_table(),
        "Robot.to_urdf": lambda: r.to_urdf(),
        "Robot.to_mjcf": lambda: r.to_mjcf(),
        "Robot.to_sdf": lambda: r.to_sdf(),
    }


@pytest.mark.parametrize("name", NAMES)
def test_whatever_else_takes_a_robot_refuses_one_with_loops(name):
    robot = ts.load(name, check=False)
    wrong = {}
    for question, ask in refused(robot).items():
        try:
            answer = ask()
        except ts.Error as told:
            if told.rule != "robot-loops" or f'robot "{robot.name}"' not in told.offender or robot.loops[0] not in told.what:
                wrong[question] = f"{type(told).__name__}: {told}"
        except Exception as other:
            wrong[question] = f"{type(other).__name__}: {other}"
        else:
            wrong[question] = repr(answer)[:100]
    assert not wrong, "\n".join(f"{k}: {v}" for k, v in wrong.items())


def test_no_function_of_the_module_is_left_out():
    takes = set()
    for name in ts.__all__:
        thing = getattr(ts, name)
        if not inspect.isclass(thing) or thing is ts.ControlLaw:
            if any("Robot" in str(each.annotation) for each in inspect.signature(thing).parameters.values()):
                takes.add(name)
    takes |= {f"Robot.{name}" for name, method in vars(ts.Robot).items() if name[0] != "_" and callable(method)}
    listed = SERVED | set(refused(ts.load("five_bar")))
    assert len(takes) > 70 and not takes - listed - {"command"}


@pytest.mark.parametrize("name", NAMES)
def test_a_robot_with_loops_is_shown_on_a_page(name):
    robot = ts.load(name, check=False)
    for page in (ts.view(robot), ts.page("show", robot)):
        assert robot.link_names[-1] in page and len(page) > 10000


def test_a_robot_with_loops_is_shown_along_a_motion():
    robot = ts.load("palletising_arm", check=False)
    q = np.linspace([0, 0, 0, 0], [0.3, 0.2, 0.1, 0.2], 30)
    page = ts.view(robot, q, torques=ts.gravity(robot, q))
    assert "torque limit" in page and "are not shown" not in page
    run = ts.simulate(robot, q[0], time=0.1)
    assert "plate" in ts.view(robot, run)
    # beyond what the linkage reaches
    far = np.linspace(q[0], [0, 0, 3, 3], 30)
    assert "are not shown, the first at" in ts.view(robot, far)
