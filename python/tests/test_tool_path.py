"""Paths of the tool from files, their time scaled to limits, and the motion a robot has where none is given."""

import numpy as np
import pytest
import torsor as ts
from conftest import close

LINE = """motion = "tool"
path = "line"
duration = 2
[[point]]
position = [{0}, {1}, {2}]
[[point]]
position = [{0}, {3}, {2}]
"""


@pytest.fixture
def line(tmp_path):
    file = tmp_path / "line.toml"
    file.write_text(LINE.format(0.45, -0.15, 0.75, 0.15))
    return str(file)


def test_a_motion_file_is_the_same_path_as_its_motion(puma, line):
    path, motion = ts.load_tool_path(line, None, puma), ts.read_motion(line)
    assert path.duration == 2 and not path.sampled and path.timed and path.derivatives == 2
    start = ts.inverse_kinematics(puma, motion.sample(0.0)[0])[0].q
    by_path = ts.follow_path(puma, path, start=start, limits=False)
    by_motion = ts.follow_path(puma, motion, path.period, start=start, limits=False)
    assert by_path.finished and np.array_equal(by_path.q, by_motion.q) and np.array_equal(by_path.t, by_motion.t)
    assert len(ts.follow_path(puma, path, 0.5, start=start, limits=False).t) == 5
    with pytest.raises(ValueError, match="period"):
        ts.follow_path(puma, motion)


def test_rows_of_a_file_are_followed_where_they_are(puma, tmp_path):
    motion = ts.read_motion(LINE.format(0.45, -0.15, 0.75, 0.15))
    t = np.linspace(0, 2, 21)
    X, twist, acceleration = motion.sample(t)
    assert close(X[:, :3, :3], np.broadcast_to(np.eye(3), (21, 3, 3)))
    names = "t x y z e0 e1 e2 e3 wx wy wz vx vy vz wdx wdy wdz ax ay az".split()
    turn = np.tile([1.0, 0, 0, 0], (21, 1))
    rows = np.column_stack([t, X[:, :3, 3], turn, twist, acceleration])
    file = tmp_path / "rows.csv"
    file.write_text("\n".join([",".join(names), *(",".join(map(repr, map(float, row))) for row in rows)]) + "\n")
    path = ts.load_tool_path(str(file), None, puma)
    assert path.sampled and path.timed and abs(path.duration - 2) < 1e-12
    start = ts.inverse_kinematics(puma, X[0])[0].q
    followed = ts.follow_path(puma, path, start=start, limits=False)
    other = ts.follow_path(puma, motion, 0.1, start=start, limits=False)
    assert close(followed.t, t) and close(followed.q, other.q, 1e-9) and close(followed.qd, other.qd, 1e-8)
    with pytest.raises(ValueError, match="rows"):
        ts.follow_path(puma, path, 0.1, start=start)


def test_a_scaled_path_touches_its_limit(line):
    robot = ts.load("sixr_sim")
    path = ts.load_tool_path("sixr_sim", None, robot)
    for limits in ({"velocity": np.full(6, 0.5)}, {"acceleration": np.full(6, 2.0)}):
        scaling = ts.scale_path(robot, path, **limits)
        followed = ts.follow_path(robot, ts.load_tool_path("sixr_sim", None, robot).stretched(scaling.factor), 0.001)
        reached = np.abs(followed.qd if "velocity" in limits else followed.qdd).max() / next(iter(limits.values()))[0]
        assert scaling.possible and not scaling.warning and 0.99 < reached < 1.001
        assert close(scaling.path.duration, path.duration * scaling.factor)
    # slower is the one way out where that is asked for
    generous = ts.scale_path(robot, path, velocity=np.full(6, 1e3), only_slower=True)
    assert generous.factor == 1 and generous.path is path
    # a motion by formulas is a path, too
    motion = ts.published_motion("sixr_sim")
    assert ts.scale_path(robot, motion, velocity=np.full(6, 0.5)).factor == ts.scale_path(robot, ts.tool_path(motion), velocity=np.full(6, 0.5)).factor


def test_a_file_that_asks_for_limits_is_scaled_to_them(puma, tmp_path):
    file = tmp_path / "scaled.toml"
    file.write_text(LINE.format(0.45, -0.15, 0.75, 0.15) + "[scale]\nvelocity = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]\n")
    path = ts.load_tool_path(str(file), None, puma)
    start = ts.inverse_kinematics(puma, ts.read_motion(LINE.format(0.45, -0.15, 0.75, 0.15)).sample(0.0)[0])[0].q
    scaling = ts.scale_path(puma, path, start)
    assert path.scaled and scaling.factor == ts.scale_path(puma, path, start, velocity=np.full(6, 0.1)).factor


def test_what_cannot_be_a_path_is_refused(puma, tmp_path):
    with pytest.raises(ts.Error):
        ts.load_tool_path(str(tmp_path / "none.toml"), None, puma)
    with pytest.raises(ts.Error):
        ts.load_tool_path("puma560", None, puma)  # of the joints
    with pytest.raises((ValueError, TypeError)):
        ts.scale_path(puma, ts.published_motion("puma560"))


def test_usual_motions():
    puma = ts.load("puma560")
    name, motion = ts.usual_motion(puma, "puma560")
    assert name and np.array_equal(motion.sample(1.0)[0], ts.published_motion("puma560").sample(1.0)[0])
    robot = ts.load("two_link")
    swept = ts.usual_motion(robot, "no such robot").motion
    q = swept.sample(np.linspace(0, swept.duration, 101))[0]
    assert swept.size == 2 and np.ptp(q, axis=0).min() > 0
    with pytest.raises(ValueError, match="quaternion"):
        ts.usual_motion(ts.load("floating"), "floating")


def test_tables_in_degrees_are_those_in_radians(tmp_path):
    robot = ts.load("stanford")  # its third joint is prismatic
    rows = np.random.default_rng(3).uniform(-1, 1, (5, 6))
    radians, degrees, named = (tmp_path / name for name in ("rad.csv", "deg.csv", "named.csv"))
    scale = np.full(6, 180 / np.pi)
    scale[2] = 1.0
    header = ["t"] + [f"q{k}" for k in range(1, 7)]

    def write(path, names, numbers, separator=","):
        lines = [separator.join(names)]
        for t, row in enumerate(numbers):
            cells = [repr(0.1 * t)] + [repr(float(x)) for x in row]
            lines.append(separator.join(cell.replace(".", ",") if separator == ";" else cell for cell in cells))
        path.write_text("\n".join(lines) + "\n")

    write(radians, header, rows)
    write(degrees, header, rows * scale)
    write(named, ["t (s)"] + [f"j{k}_pos" + ("" if k == 3 else " (deg)") for k in range(1, 7)], rows * scale, ";")
    plain = ts.load_motion_table(robot, str(radians))
    assert plain.has_time and plain.derived and plain.q.shape == (5, 6) and plain.qd.shape == (5, 6)
    for table in (ts.load_motion_table(robot, str(degrees), degrees=True), ts.load_motion_table(robot, str(named))):
        for part in ("t", "q", "qd", "qdd"):
            np.testing.assert_allclose(getattr(table, part), getattr(plain, part), rtol=1e-9, atol=1e-9)


def test_degrees_that_are_not_said_are_warned_of(tmp_path):
    path = tmp_path / "deg.csv"
    path.write_text("t,q1,q2,q3,q4,q5,q6\n0,0,45,-90,0,30,0\n1,5,45,-90,0,30,0\n2,9,45,-90,0,30,0\n")
    with pytest.warns(ts.RowWarning, match="degrees=True"):
        ts.load_motion_table(ts.load("puma560"), str(path))
    with pytest.raises(ts.Error) as caught:
        path.write_text("t,q1 (grad),q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n")
        ts.load_motion_table(ts.load("puma560"), str(path))
    assert caught.value.rule == "column-unit"
