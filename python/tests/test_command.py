"""The verbs of the command inside Python, and the pages they make."""

import io
import json
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
import torsor as ts


def test_verbs_give_what_the_library_gives(puma):
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    answer = ts.command("id", "puma560", "--q", " ".join(map(str, q)), "--json")
    assert json.loads(answer.out) and answer.code == 0
    tau = ts.inverse_dynamics(puma, q)
    assert f"{tau[1]:.4f}"[:6] in answer.out
    shown = ts.command("show", puma.with_payload(2.5)).out
    assert shown != ts.command("show", puma).out and puma.name in shown


def test_what_goes_wrong_is_raised_with_what_was_said():
    with pytest.raises(ts.CommandError, match="did you mean") as refused:
        ts.command("show", "pumma560")
    assert refused.value.code == 2 and "robot-unknown" in refused.value.err
    assert ts.command("nonsense", check=False).code == 2
    assert ts.command("show", "two_link").code == 0  # and nothing is left behind


def test_pages_are_whole(puma, tmp_path):
    for page in (
        ts.page("show", puma),
        ts.page("structure", ts.load("two_link")),
        ts.page("report", "two_link", states=5),
        ts.page("guide", "two_link", steps=20),
        ts.page("id", puma, ts.published_motion("puma560"), samples=50, degrees=True),
        ts.page("track", puma, ts.pose_motion(poses_of_a_line(puma), duration=1.0), period=0.05, start=[0, 0.8, -0.8, 0, 0.5, 0]),
        ts.page("ik", puma, ts.frame_pose(puma, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])),
        ts.page("ik", ts.load("panda"), ts.frame_pose(ts.load("panda"), [0.1] * 7)),
        ts.page("size", ts.load("puma560_drives"), ts.published_motion("puma560"), dwell=0.5),
        ts.page("mechanism kinematics", "four_bar", time=0.1),
        ts.page("mechanism inverse", ts.load_mechanism("four_bar"), time=0.1, interval=0.01),
        ts.page("mechanism simulate", "pendulum", time=0.5),
    ):
        assert page.lower().startswith("<!doctype html>") and page.rstrip().endswith("</html>")
        assert "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page
        assert page._repr_html_().startswith("<iframe srcdoc=")
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


def test_a_page_is_saved_whole_or_not_at_all(tmp_path):
    """A full disk, here a limit on the size of files: the page of before is still there, and nothing lies beside it."""
    before = tmp_path / "page.html"
    before.write_text("before")
    run = subprocess.run(
        [sys.executable, "-c", f"""
import resource, signal
import torsor as ts
page = ts.page("show", ts.load("two_link"))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    page.save({str(before)!r})
except OSError as error:
    print("OSError:", "page.html" in str(error))
"""],
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.stdout == "OSError: True\n", run.stderr
    assert before.read_text() == "before" and os.listdir(tmp_path) == ["page.html"]
    with pytest.raises(OSError, match="no/page.html"):
        ts.page("show", ts.load("two_link")).save(tmp_path / "no/page.html")


def poses_of_a_line(robot):
    poses = np.stack([ts.frame_pose(robot, [0, 0.8, -0.8, 0, 0.5, 0])] * 2)
    poses[1, 0, 3] += 0.05
    return poses


def data_of(page):
    return json.loads(re.search(r"id='data'>(.*?)</script>", page, re.S)[1])


def test_pages_are_those_of_the_command(puma, tmp_path):
    def of_command(*words):
        ts.command(*words, "--html", tmp_path / "page.html")
        return data_of((tmp_path / "page.html").read_text(encoding="utf-8"))

    mine, theirs = data_of(ts.page("show", puma)), of_command("show", "puma560")
    assert mine["tables"] == theirs["tables"] and mine["verdict"] == theirs["verdict"]
    mine, theirs = data_of(ts.page("structure", puma)), of_command("structure", "puma560")
    assert mine["tables"] == theirs["tables"] and mine["verdict"] == theirs["verdict"] and len(mine["tables"]) > 5
    mine = data_of(ts.page("mechanism inverse", "four_bar", time=0.2))
    theirs = of_command("mechanism", "inverse", "four_bar", "--time", "0.2s", "-o", tmp_path / "rows.csv")
    assert mine["columns"] == theirs["columns"] and mine["highlights"] == theirs["highlights"]


def test_a_page_that_cannot_be_had_says_why(puma):
    with pytest.raises(TypeError):
        ts.page("show", puma, nonsense=1)
    with pytest.raises(ValueError, match="no page 'shw'; expected one of .*show"):
        ts.page("shw", puma)
    with pytest.raises(ValueError, match="page: digits is 99"):
        ts.page("show", puma, digits=99)
    with pytest.raises(ts.Error, match="not-driven|not driven"):
        ts.page("mechanism inverse", "bricard")


def test_threads_wait_for_each_other():
    alone = ts.command("show", "puma560").out
    found = []
    threads = [threading.Thread(target=lambda: found.append(ts.command("show", "puma560").out)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 8


def test_standard_streams_of_python_are_left_alone(capfd, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("not mine"))
    ts.command("list")
    assert capfd.readouterr() == ("", "")


def test_the_command_is_part_of_the_package():
    run = subprocess.run([sys.executable, "-m", "torsor", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout == f"torsor {ts.__version__}\n"
    run = subprocess.run([sys.executable, "-m", "torsor", "show", "pumma560"], capture_output=True, text=True)
    assert run.returncode == 2 and "did you mean" in run.stderr
