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


ANSWERS = """import numpy as np
import torsor as ts
answer = ts.inverse_kinematics(ts.load("puma560"), np.eye(4))
words: list[str] = [branch.label for branch in answer]
number: int = len(answer)
first: ts.IkBranch = answer[0]
"""

PAIRS = """import numpy as np
import torsor as ts
robot, q = ts.load("puma560"), np.zeros((4, 6))
plain: float = ts.forward_dynamics(robot, q, q, q).sum()
qdd, valid = ts.forward_dynamics(robot, q, q, q, return_valid=True)
(dq, dqd, dtau), valid = ts.forward_derivatives(robot, q, q, q, return_valid=True)
dq, dqd, dtau = ts.forward_derivatives(robot, q, q, q)
step, valid = ts.discrete_step(robot, q, q, q, 1e-3, return_valid=True)
A = step.A @ ts.discrete_step(robot, q, q, q, 1e-3).A
(branches, labels), valid = ts.ik_branches(robot, np.eye(4), return_valid=True)
"""

WRONG = """import torsor as ts
robot = ts.load("puma560")
ts.inverse_dynamics(robot, [0.0] * 6, formulaton="kane")
ts.mass_matrix([0.0] * 6)
word: int = robot.name
ts.simulate(robot, [0.0] * 6, time=1.0).qdot
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What mypy says, by the names of files; all in one run, most of which is reading NumPy's types."""
    folder = tmp_path_factory.mktemp("typed")
    files = [*(SOURCE / "examples/python").glob("*.py"), *Path(torsor.__file__).parent.glob("*.py*")]
    for page in (SOURCE / "docs/tutorials").glob("*.md"):
        files.append(folder / (page.stem.replace("-", "_").lstrip("0123456789_") + ".py"))
        files[-1].write_text(tutorials.module(page), encoding="utf-8")
    assert len(files) >= 5
    for name, text in {"answers_typed": ANSWERS, "pairs_typed": PAIRS, "wrong_typed": WRONG}.items():
        files.append(folder / f"{name}.py")
        files[-1].write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--no-error-summary", "--cache-dir", os.devnull, *files]
    done = subprocess.run([str(each) for each in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    lines: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        lines.setdefault(Path(line.split(":")[0]).name, []).append(line)
    return lines


def test_wrong_types_are_found(told):
    assert [line.split(":")[1] for line in told["wrong_typed.py"] if ": error:" in line] == ["3", "4", "4", "5", "6"], told


def test_the_package_the_examples_and_the_tutorials_are_typed(told):
    assert {name: lines for name, lines in told.items() if not name.endswith("_typed.py")} == {}


def test_answers_that_can_be_gone_through_say_of_what(told):
    assert "answers_typed.py" not in told, told


def test_an_answer_with_the_mask_is_a_pair(told):
    assert "pairs_typed.py" not in told, told
