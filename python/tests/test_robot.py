"""Robots: loading, showing, changing, writing, pickling."""

import pickle
import warnings

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


def test_robots_are_loaded_by_name_path_and_text(tmp_path, puma):
    q, qd, qdd = states(puma, 10)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    toml, urdf = tmp_path / "my arm.toml", tmp_path / "arm.urdf"
    toml.write_text(puma.to_toml())
    urdf.write_text(puma.to_urdf())
    for source in (toml, str(toml), puma.to_toml(), urdf, str(urdf), puma.to_urdf()):
        assert close(ts.inverse_dynamics(ts.load(source, check=False), q, qd, qdd), tau)


def test_faults_are_all_told():
    with pytest.raises(ts.Error) as caught:
        ts.load('format = 1\nname = "x"\n[[link]]\nname = "a"\njoint = { kind = "revolut" }\nmass = -1\n')
    error = caught.value
    assert isinstance(error, ValueError) and len(error.faults) >= 2
    assert error.where == ("text", 5) and error.rule == error.faults[0].rule
    assert all(str(fault) in str(error) for fault in error.faults)
    assert 'did you mean "revolute"?' in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert again.faults == error.faults


@pytest.mark.parametrize("source", ["", "-", "no_such_robot", "/no/such/file.toml", "<robot", "a\nb"])
def test_what_is_no_robot_is_refused(source):
    with pytest.raises(ValueError):
        ts.load(source)


def test_doubtful_numbers_are_warned_of(puma):
    doubtful = puma.to_toml().replace("accept = ", "# accept = ").replace("accept_reason", "# accept_reason")
    with pytest.warns(ts.RobotWarning, match=r"\d doubts about .PUMA 560.; torsor.check\(robot\) lists them all"):
        ts.load(doubtful)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = ts.load(doubtful, check=False)
    assert any(fault.rule == "triangle" for fault in ts.check(robot))


def test_a_robot_shows_itself(puma):
    text = repr(puma)
    assert text.startswith("<torsor.Robot 'PUMA 560': 6R, 6 coordinates, 23.45 kg>") and "upper_arm" in text
    html = puma._repr_html_()
    for piece in ("PUMA 560", "shoulder", "tree and limits", "masses", "alpha", "23.45 kg"):
        assert piece in html
    assert "DH" in puma.dh_table() and "|" in puma.dh_table("markdown") and "<table" in puma.dh_table("html")
    with pytest.raises(ValueError, match="expected text, markdown or html"):
        puma.dh_table("latex")


def test_control_characters_command_no_terminal_and_no_notebook():
    commands = "a\x1b[31m\x07\x7f\x9b2J\u202ez"
    text = ts.load("two_link").to_toml()
    quoted = "".join(c if c.isascii() and c.isprintable() else f"\\u{ord(c):04x}" for c in commands)
    robot = ts.load("\n".join(f'source = "{quoted}"' if line.startswith("source") else line for line in text.splitlines()))
    assert robot.source == commands
    shown = robot._repr_html_()
    assert "[31m" in shown
    for written in (shown, robot.to_urdf()):
        assert not set(commands) & set(written) - set("a[31m2Jz")
    assert ts.load(robot.to_urdf(), check=False).source == commands.replace("\x1b", " ").replace("\x07", " ")


@pytest.mark.parametrize("name", ts.robots())
def test_every_robot_shows_itself(name):
    robot = ts.load(name)
    assert robot.name in repr(robot) and "<table" in robot._repr_html_()
    assert len(robot.masses) == len(robot.link_names) == len(robot.mass_centres) == len(robot.inertias)
    assert len(robot.lower) == len(robot.velocity_names) == robot.nv and len(robot.position_names) == robot.nq
    assert robot.neutral_position().shape == (robot.nq,)


@pytest.mark.parametrize("name", ts.robots())
def test_a_pickled_robot_gives_the_same_bits(name):
    robot = ts.load(name)
    again = pickle.loads(pickle.dumps(robot))
    q, qd, qdd = states(robot, 10)
    assert np.array_equal(ts.inverse_dynamics(again, q, qd, qdd), ts.inverse_dynamics(robot, q, qd, qdd))
    assert again.link_names == robot.link_names


def test_a_payload_is_part_of_the_robot(puma):
    q, qd, qdd = states(puma, 10)
    loaded = puma.with_payload(2.0, com=[0.1, 0, 0.2], inertia=[0.02, 0.03, 0.04, 0, 0.001, 0])
    assert loaded.masses.sum() == pytest.approx(puma.masses.sum() + 2)
    # a point mass in the hand weighs as a force there
    point = puma.with_payload(2.0)
    J = ts.jacobian(puma, q)
    weight = -np.einsum("kij,i->kj", J[:, 3:], 2.0 * puma.gravity)
    assert close(ts.gravity(point, q) - ts.gravity(puma, q), weight)
    for row in ("kane", "lagrange-euler"):
        tau = ts.inverse_dynamics(loaded, q, qd, qdd)
        assert close(ts.inverse_dynamics(loaded, q, qd, qdd, formulation=row), tau)
    with pytest.raises(ValueError, match="mass is -1"):
        puma.with_payload(-1)
    with pytest.raises(ValueError, match=r"^with_payload: its mass is 1e\+13 kg \[number-size\]; nothing beyond"):
        puma.with_payload(1e13)
    with pytest.raises(ValueError, match=r"^with_payload: its mass centre has a coordinate of 1e\+07 m"):
        puma.with_payload(1, com=[0, 0, 1e7])


def test_gravity_may_be_another(puma):
    q, _, _ = states(puma, 10)
    assert close(ts.gravity(puma.with_gravity(puma.gravity / 2), q), ts.gravity(puma, q) / 2)
    assert not ts.gravity(puma.with_gravity([0, 0, 0]), q).any()
    with pytest.raises(ValueError, match=r"gravity\[1\] is not finite"):
        puma.with_gravity([0, np.nan, 0])


def test_a_robot_cannot_be_changed(puma):
    with pytest.raises(AttributeError):
        puma.name = "other"


BARE = """<robot name="bare"><link name="a"/><link name="b"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry>
</collision></link><joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>"""


def test_a_robot_without_masses_is_for_kinematics_until_it_is_filled():
    bare = ts.load(BARE, check=False)
    assert ts.forward_kinematics(bare, [0.0]) is not None
    for call in (
        lambda: ts.inverse_dynamics(bare, [0.0]),
        lambda: ts.inverse_dynamics(bare, np.zeros((5000, 1))),
        lambda: ts.mass_matrix(bare, [0.0]),
        lambda: ts.forward_dynamics(bare, [0.0], [0.0], [0.0]),
        lambda: ts.simulate(bare, [0.0], time=0.1),
    ):
        with pytest.raises(ts.Error, match="fill_inertia") as caught:
            call()
        assert caught.value.faults[0].rule == "robot-massless"
    robot, filling = ts.fill_inertia(bare, density=1000)
    assert ts.inverse_dynamics(robot, [0.0]) == pytest.approx([-10 * 9.81 * 0.5])
    assert [link.state for link in filling.links] == ["no shape", "filled"]
    assert filling.links[1].mass == pytest.approx(10)
    assert filling.links[1].moments == pytest.approx([10 * 0.02 / 12, 10 * 1.01 / 12, 10 * 1.01 / 12])
    assert ts.fill_inertia(bare, total_mass=3)[1].total_mass == pytest.approx(3)
    with pytest.raises(ts.Error, match="link-unknown"):
        ts.fill_inertia(bare, masses={"c": 1})
    with pytest.raises(ValueError, match="thickness"):
        ts.fill_inertia(bare, density=1000, open="sheet")


def test_any_robot_can_stand_on_a_free_base():
    fixed = ts.load("puma560")
    with pytest.warns(ts.RobotWarning, match="\"base\": it has no mass of its own"):
        free = ts.load("puma560", base="floating")
    assert (free.nq, free.nv) == (13, 12)
    assert free.joint_names[0] == "floating_base" and free.link_names[0] == fixed.base_name
    q = np.concatenate([[1, 0, 0, 0, 0, 0, 0], np.full(6, 0.3)])
    assert np.allclose(ts.gravity(free, q)[6:], ts.gravity(fixed, q[7:]))
    assert ts.load("puma560", base="fixed").nv == 6
    again = ts.load(free.to_toml(), check=False)
    assert again.position_names == free.position_names
    assert pickle.loads(pickle.dumps(free)).nv == 12
    with pytest.raises(ts.Error, match="free joint already"):
        free.on_free_base()
    with pytest.raises(ValueError, match="base is \"flying\"; expected"):
        ts.load("puma560", base="flying")
