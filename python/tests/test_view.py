"""Robots and mechanisms that move on a page are where the package puts them."""

import base64
import json
import re

import numpy as np
import pytest
import torsor as ts


def data_of(page):
    data = json.loads(re.search(r"id='data'>(.*?)</script>", page, re.S)[1])
    (entry,) = data["figures"]
    return entry["figure"]


def numbers(text):
    return np.frombuffer(base64.b64decode(text), "<f4").astype(float)


def tool_of(figure, clip, frame):
    """The origin of the tool: the pose of its link, and its place there."""
    trace = figure["traces"][-1]
    poses = numbers(figure["clips"][clip]["poses"]).reshape(-1, len(figure["parts"]), 7)
    x = poses[frame, trace["part"]]
    e0, e, s = x[3], x[4:], np.array(trace["at"])
    return x[:3] + s + 2 * e0 * np.cross(e, s) + 2 * np.cross(e, np.cross(e, s))


def test_a_robot_goes_along_a_motion_and_its_tool_is_where_frame_pose_puts_it(puma):
    motion = ts.published_motion("puma560")
    figure = data_of(ts.view(puma, motion, samples=50))
    t = np.array(figure["clips"][0]["t"])
    assert len(t) == 50 and t[-1] == motion.duration
    q, qd, qdd = motion.sample(t)
    for k in (0, 20, 49):
        assert np.allclose(tool_of(figure, 0, k), ts.frame_pose(puma, q[k])[:3, 3], atol=1e-6)
    assert figure["share"] == "torque limit"
    shares = numbers(figure["clips"][0]["shares"]).reshape(50, -1)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    assert np.allclose(shares, np.abs(tau) / puma.effort_limits, rtol=1e-6)


def test_positions_runs_and_nothing_are_motions_too(puma):
    q = np.random.default_rng(3).uniform(-1, 1, (7, 6))
    figure = data_of(ts.view(puma, q, t=np.arange(7) * 0.5, title="<mine>"))
    assert figure["clips"][0]["t"] == [0, 0.5, 1, 1.5, 2, 2.5, 3] and figure["share"] == "position limit"
    assert np.allclose(tool_of(figure, 0, 6), ts.frame_pose(puma, q[6])[:3, 3], atol=1e-6)
    ranges = data_of(ts.view(puma))
    assert [clip["name"] for clip in ranges["clips"]] == list(puma.velocity_names)
    at = data_of(ts.view(puma, q[0]))
    assert np.allclose(tool_of(at, 2, at["clips"][2]["start"]), ts.frame_pose(puma, q[0])[:3, 3], atol=1e-6)
    run = ts.simulate(ts.load("two_link"), [0.1, 0.2], tau=[1, 2], time=0.1)
    figure = data_of(ts.view(ts.load("two_link"), run))
    assert np.allclose(figure["clips"][0]["t"], run.t) and figure["planar"] is not None


def test_a_mechanism_goes_along_a_run():
    four_bar = ts.load_mechanism("four_bar")
    run = ts.run_driven(four_bar, time=0.5)
    figure = data_of(ts.view(four_bar, run))
    poses = numbers(figure["clips"][0]["poses"]).reshape(len(run.t), 3, 7)
    assert np.allclose(poses[..., :3], run.poses[..., :3, 3], atol=1e-6)
    assert [part["name"] for part in figure["parts"]] == four_bar.body_names
    inverse = data_of(ts.view(four_bar, ts.mechanism_inverse(four_bar, time=0.5)))
    assert len(inverse["clips"][0]["t"]) == len(run.t)
    assert len(data_of(ts.view(four_bar))["clips"][0]["t"]) == 1
    assert len(data_of(ts.view(four_bar, run.poses[:4]))["clips"][0]["t"]) == 4


def test_a_page_is_shown_and_saved(puma, tmp_path):
    page = ts.view(puma, title="<mine>")
    assert isinstance(page, ts.Page) and "<title>&lt;mine&gt;</title>" in page
    assert page._repr_html_().startswith("<iframe srcdoc=") and "<title>" not in page._repr_html_()
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert len(page) < 250_000 and "http" not in page.replace("http-equiv", "")


def test_what_cannot_be_shown_is_refused(puma):
    four_bar = ts.load_mechanism("four_bar")
    for arguments, words in (
        ((puma, np.zeros((3, 5))), "q"),
        ((puma, np.full((3, 6), np.nan)), "view"),
        ((four_bar, np.zeros((3, 4))), "poses"),
        ((four_bar, np.zeros((3, 2, 4, 4))), "poses"),
    ):
        with pytest.raises(ValueError, match=words):
            ts.view(*arguments)
    with pytest.raises(ValueError, match="increase"):
        ts.view(puma, np.zeros((2, 6)), t=[1, 1])
    for wrong in ((four_bar, ts.published_motion("puma560")), (puma, ts.run_driven(four_bar, time=0.1))):
        with pytest.raises(TypeError, match="view"):
            ts.view(*wrong)
