"""Random trees with every kind of joint, friction, rotors and mimics: built link by link for the peers, given to Torsor as
TOML and, where it can hold them, as URDF; and the robots that come with Torsor, written as URDF."""

import os

import corpus
import mujoco_peer
import numpy as np
import pinocchio_peer
import pytest
import torsor as ts
from compare import worst_differences
from coordinates import Coordinates
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tree import ONE, Link, Robot, from_urdf, to_toml, to_urdf

DRAWS = int(os.environ.get("TORSOR_PEER_DRAWS", 200))
# robots are small as they are drawn; to make a failing one smaller takes minutes
EXAMPLES = settings(
    max_examples=DRAWS, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
)  # fmt: skip

angles = st.tuples(*[st.floats(-3, 3)] * 3)
places = st.tuples(*[st.floats(-1, 1)] * 3)
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda a: np.linalg.norm(a) > 0.1)
KINDS = (*ONE, "fixed", "planar", "spherical", "free")


@st.composite
def bodies(draw):
    """Mass, mass centre and the inertia of a brick, in axes of its own."""
    mass, sides = draw(st.floats(0.1, 20)), np.array(draw(st.tuples(*[st.floats(0.05, 0.8)] * 3)))
    moments = mass / 12 * (np.sum(sides**2) - sides**2)
    return {"mass": mass, "com": draw(places), "inertia": (*map(float, moments), 0.0, 0.0, 0.0), "turned": draw(angles)}


@st.composite
def robots(draw, kinds=KINDS, rotors=True, free_anywhere=False):
    links: list[Link] = []
    leaders: list[int] = []
    for i in range(draw(st.integers(1, 8))):
        parent = draw(st.integers(-1, i - 1))
        kind = draw(st.sampled_from(kinds))
        if kind == "free" and parent >= 0 and not free_anywhere:  # MuJoCo has free bodies in the world alone
            kind = "revolute"
        single = kind in ONE
        follows = single and [k for k in leaders if (links[k].kind == "prismatic") == (kind == "prismatic")]
        mimic = None
        if follows and draw(st.integers(0, 4)) == 0:
            mimic = (draw(st.sampled_from(follows)), draw(st.floats(-2, 2).filter(lambda r: abs(r) > 0.1)), draw(st.floats(-1, 1)))
        links.append(
            Link(
                f"link{i}", parent, kind, f"joint{i}", draw(places), draw(angles),
                draw(directions) if single else (0.0, 0.0, 1.0), draw(st.floats(-0.3, 0.3)) if kind == "helical" else 0.0,
                damping=draw(st.sampled_from((0.0, 0.3))) if single else 0.0,
                friction=draw(st.sampled_from((0.0, 0.7))) if single else 0.0,
                rotor=draw(st.sampled_from((0.0, 0.2))) if single and rotors and not mimic else 0.0, mimic=mimic, **draw(bodies()),
            )  # fmt: skip
        )
        if single and not mimic:
            leaders.append(i)
    if all(link.kind == "fixed" for link in links):
        links[0] = Link("link0", -1, "revolute", "joint0", mass=1.0, com=(0.3, 0.0, 0.0), inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0))
    return Robot("random", links, draw(st.tuples(*[st.floats(-10, 10)] * 3)))


def agree(robot: Robot, text: str, seed: int, peers=("Pinocchio", "MuJoCo")):
    torsor_robot = ts.load(text, check=False)
    coordinates = Coordinates(robot, torsor_robot)
    if "Pinocchio" in peers:
        peer = pinocchio_peer.Pinocchio(pinocchio_peer.link_by_link(robot), robot, coordinates)
        condition = np.linalg.cond(ts.mass_matrix(torsor_robot, coordinates.states(2, seed)[0])).max()
        found = worst_differences(torsor_robot, coordinates, peer, 2, seed)
        row = corpus.Row("random", "", pinocchio=found, condition=condition)
        assert not row.too_far(), row.too_far()
    if "MuJoCo" in peers:
        peer = mujoco_peer.MuJoCo(mujoco_peer.link_by_link(robot), robot, coordinates)
        row = corpus.Row("random", "", mujoco=worst_differences(torsor_robot, coordinates, peer, 2, seed, frames=[]))
        assert not row.too_far(), row.too_far()


@EXAMPLES
@given(robots(), st.integers(0, 2**31))
def test_random_robots_in_toml(robot, seed):
    agree(robot, to_toml(robot), seed)


@EXAMPLES
@given(robots(kinds=("revolute", "prismatic", "fixed", "planar", "spherical", "free"), rotors=False), st.integers(0, 2**31))
def test_random_robots_in_urdf(robot, seed):
    agree(robot, to_urdf(robot), seed)


@EXAMPLES
@given(robots(kinds=("revolute", "prismatic", "free"), free_anywhere=True), st.integers(0, 2**31))
def test_random_robots_with_free_joints_anywhere(robot, seed):
    agree(robot, to_toml(robot), seed, peers=("Pinocchio",))


NOT_IN_URDF = {"puma560_drives"}  # its friction has more numbers than a URDF holds


@pytest.mark.parametrize("name", sorted(set(ts.robots()) - NOT_IN_URDF))
def test_robots_that_come_with_torsor(name):
    """Written as URDF by Torsor, read by the tests, built link by link."""
    text = ts.load(name).to_urdf()
    agree(from_urdf(text), text, seed=1)
