"""The verbs of the command inside Python, and the pages they make."""

import io
import json
import subprocess
import sys
import threading

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
        ts.page("report", "two_link", "--quick"),
        ts.page("mechanism simulate", "pendulum", "--time", "0.5s"),
        ts.page("simulate", puma, "--q", "0 0 0 0 0 0", "--torque", "hold", "--time", "0.2s"),
    ):
        assert page.lower().startswith("<!doctype html>") and page.rstrip().endswith("</html>")
        assert "http://" not in page.replace("http://www.w3.org", "") and "https://" not in page
        assert page._repr_html_().startswith("<iframe srcdoc=")
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


def test_a_page_that_cannot_be_had_says_why(puma):
    with pytest.raises(ts.CommandError, match="--nonsense"):
        ts.page("show", puma, "--nonsense")


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
