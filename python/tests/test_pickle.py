"""Functions, classes and answers travel to other processes, by pickle and by what dask and joblib make of it."""

import inspect
import pickle
import re
from functools import partial
from multiprocessing import get_context

import cloudpickle
import numpy as np
import pytest
import torsor as ts
from conftest import states


def functions():
    return [name for name in ts.__all__ if not inspect.isclass(getattr(ts, name))]


@pytest.mark.parametrize("name", functions())
def test_every_function_is_itself_again(name):
    function = getattr(ts, name)
    for by in (pickle, cloudpickle):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(by.dumps(function, protocol=protocol)) is function


def test_methods_travel_too(puma):
    for by in (pickle, cloudpickle):
        assert pickle.loads(by.dumps(ts.Robot.to_toml))(puma) == puma.to_toml()
        assert pickle.loads(by.dumps(puma.to_toml))() == puma.to_toml()


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_pool_maps_a_function_of_a_robot(puma, start):
    q = states(puma, 4)[0]
    with get_context(start).Pool(2) as pool:
        assert np.array_equal(pool.map(partial(ts.gravity, puma), list(q)), [ts.gravity(puma, each) for each in q])


def things():
    """One of every class of the extension module, by its name."""
    puma, two = ts.load("puma560"), ts.load("two_link")
    q = [0.1, 0.8, -2.6, 0.2, 0.5, 0.3]
    pose = ts.frame_pose(puma, q)
    hand = ts.pose_motion([pose, ts.frame_pose(puma, [0.2, 0.7, -2.5, 0.2, 0.5, 0.3])], 1.0)
    followed = ts.follow_path(puma, hand, 0.1, start=q, limits=False)
    motion = ts.point_to_point([0, 0.5], [1, 1], 1.0)
    points = np.array([[0, 0], [1, 2], [0.5, 1]])
    states = motion.sample([0.1, 0.5])
    branches = ts.inverse_kinematics(puma, pose)
    far = pose.copy()
    far[:3, 3] *= 10
    yield from (puma, ts.load_mechanism("four_bar"), ts.reduce(two, motion, tolerance=0.05))
    yield from (motion, motion.stretched(2.0), followed.motion(), ts.published_motion("puma560"))
    yield ts.fastest_point_to_point([0, 0], [1, 2], velocity=[1, 1], acceleration=[2, 2])
    yield ts.via_point_motion(points, [1.0, 2.0], [0.1, 0.0])
    yield ts.fastest_via_point_motion(points, velocity=[1, 1], acceleration=[2, 2])
    yield ts.spline_motion([0, 1, 2], points)
    yield ts.blended_motion(points, [1, 1], [0.1, 0.2, 0.1])
    yield from (hand, hand.stretched(1.5), ts.published_motion("sixr_sim"), followed)
    path = ts.tool_path(hand, 0.1)
    yield from (path, path.stretched(1.5), ts.load_tool_path("sixr_sim", None, ts.load("sixr_sim")))
    yield ts.usual_motion(puma, "puma560").motion
    yield from (ts.time_laws()[0], ts.smallest_time_factor(two, motion, velocity=[1, 1]), ts.structure(two, positions=50))
    yield from (ts.dominance(two, *states)[0], ts.formulations("inverse", two)[0])
    yield from (ts.equations(two), ts.equations(two).lines[0])
    yield from (branches, branches[0], ts.inverse_kinematics(puma, far))
    yield ts.limits_passed(puma, [np.full(6, 50.0)])[0]
    yield from (ts.solve_pose(puma, pose, start=q), ts.ControlLaw(two, "computed-torque", kp=100.0))


THINGS = list(things())


def shown(thing):
    """All that is seen of it: its text, its attributes, what it computes."""
    out = [re.sub(" object at 0x.*", "", repr(thing))]
    for name in sorted(dir(type(thing))):
        # what travelled is no longer in its file
        if name.startswith("_") or name == "file" or callable(getattr(type(thing), name)):
            continue
        value = getattr(thing, name)
        out.append((name, value.tobytes() if isinstance(value, np.ndarray) else repr(value)))
    if hasattr(thing, "sample"):
        out += [x.tobytes() for x in thing.sample(np.linspace(0, thing.duration, 7))]
    if isinstance(thing, ts.ControlLaw):
        out.append(thing.effort([0.1, 0.2], [1, 2], q_wanted=[0.3, 0.4]).tobytes())
    return out


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_everything_comes_back_as_it_was(thing):
    for by in (pickle, cloudpickle):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(by.dumps(thing, protocol=protocol))
            assert type(again) is type(thing) and shown(again) == shown(thing), protocol
        assert shown(pickle.loads(pickle.dumps(again))) == shown(thing)


def test_no_class_of_the_module_is_left_out():
    from torsor import _torsor

    # private ones are held by classes of Python, which travel themselves (RobotRows: test_rollout.py)
    classes = {name for name in dir(_torsor) if inspect.isclass(getattr(_torsor, name)) and name[0] != "_"}
    assert classes <= {type(thing).__name__ for thing in THINGS}


def test_a_motion_keeps_the_points_it_was_made_of():
    points = np.array([[0.0, 0.0], [1.0, 2.0]])
    motion = ts.via_point_motion(points, [1.0])
    before = shown(motion)
    points[1] = 7
    assert shown(pickle.loads(pickle.dumps(motion))) == before


def test_a_motion_of_a_file_travels_as_its_text(tmp_path, puma):
    file = tmp_path / "motion.toml"
    file.write_text('motion = "joints"\n[[point]]\nq_deg = [0, 0, 0, 0, 0, 0]\n[[point]]\nq_deg = [60, 0, 0, 0, 0, 0]\nduration = 1.5')
    motion = ts.read_motion(file, puma)
    before, kept = shown(motion), pickle.dumps(motion)
    file.unlink()
    assert shown(pickle.loads(kept)) == before


ROD = """<robot name="rod"><link name="base"/><link name="rod"><inertial><origin xyz="0.1 0 0" rpy="0.1 0.2 {yaw}"/>
<mass value="1"/><inertia ixx="{thin}" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/></joint></robot>"""


def test_what_is_written_is_read_back():
    # the tensor of a turned rod has moments of a last digit's size, and either sign
    for negative in (-5.4e-20, -1e-12, 0.0):
        text = ROD.format(yaw=0, thin=negative).replace('rpy="0.1 0.2 0"', 'rpy="0 0 0"')
        robot = ts.load(text, check=False)
        assert ts.load(robot.to_toml(), check=False).inertias[0, 0, 0] == negative
    rng = np.random.default_rng(5)
    for yaw in rng.uniform(-3, 3, 200):
        robot = ts.load(ROD.format(yaw=yaw, thin=0), check=False)
        again = ts.load(robot.to_toml(), check=False)
        assert np.array_equal(again.inertias, robot.inertias)
    # one that no rounding makes is refused in a robot file, doubted in a URDF, and travels all the same
    wrong = ts.load(ROD.format(yaw=0, thin=-0.001), check=False)
    with pytest.raises(ts.Error, match="inertia-negative"):
        ts.load(wrong.to_toml())
    assert np.allclose(pickle.loads(pickle.dumps(wrong)).inertias, wrong.inertias, atol=1e-15)
