"""Types: mypy --strict on the package, on the examples and on the code of the tutorials."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torsor
import tutorials

pytest.importorskip("mypy")
SOURCE = Path(os.environ["TORSOR_SOURCE_DIR"])


def mypy(folder, *arguments):
    """What it says of these files or packages; empty where it finds nothing."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", "--cache-dir", os.devnull, *arguments]
    done = subprocess.run([str(each) for each in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_the_package_the_examples_and_the_tutorials_are_typed(tmp_path):
    files = [*(SOURCE / "examples/python").glob("*.py")]
    for page in (SOURCE / "docs/tutorials").glob("*.md"):
        file = tmp_path / (page.stem.replace("-", "_").lstrip("0123456789_") + ".py")
        file.write_text(tutorials.module(page), encoding="utf-8")
        files.append(file)
    assert len(files) >= 5
    # one run: most of it is reading NumPy's types
    assert mypy(tmp_path, *files, *Path(torsor.__file__).parent.glob("*.py*")) == ""


def test_answers_that_can_be_gone_through_say_of_what(tmp_path):
    file = tmp_path / "branches.py"
    file.write_text(
        "import numpy as np\nimport torsor as ts\n"
        'answer = ts.inverse_kinematics(ts.load("puma560"), np.eye(4))\n'
        "words: list[str] = [branch.label for branch in answer]\n"
        "number: int = len(answer)\n"
        "first: ts.IkBranch = answer[0]\n"
    )
    assert mypy(tmp_path, file) == ""


def test_wrong_types_are_found(tmp_path):
    file = tmp_path / "wrong.py"
    file.write_text(
        "import torsor as ts\n"
        'robot = ts.load("puma560")\n'
        "ts.inverse_dynamics(robot, [0.0] * 6, formulaton=\"kane\")\n"
        "ts.mass_matrix([0.0] * 6)\n"
        'word: int = robot.name\n'
        "ts.simulate(robot, [0.0] * 6, time=1.0).qdot\n"
    )
    told = mypy(tmp_path, file)
    assert [line.split(":")[1] for line in told.splitlines() if ": error:" in line] == ["3", "4", "4", "5", "6"], told


def test_an_answer_with_the_mask_is_a_pair(tmp_path):
    file = tmp_path / "pairs.py"
    file.write_text(
        "import numpy as np\nimport torsor as ts\n"
        'robot, q = ts.load("puma560"), np.zeros((4, 6))\n'
        "plain: float = ts.forward_dynamics(robot, q, q, q).sum()\n"
        "qdd, valid = ts.forward_dynamics(robot, q, q, q, return_valid=True)\n"
        "(dq, dqd, dtau), valid = ts.forward_derivatives(robot, q, q, q, return_valid=True)\n"
        "dq, dqd, dtau = ts.forward_derivatives(robot, q, q, q)\n"
        "step, valid = ts.discrete_step(robot, q, q, q, 1e-3, return_valid=True)\n"
        "A = step.A @ ts.discrete_step(robot, q, q, q, 1e-3).A\n"
        "(branches, labels), valid = ts.ik_branches(robot, np.eye(4), return_valid=True)\n"
    )
    assert mypy(tmp_path, file) == ""
