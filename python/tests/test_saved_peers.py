"""What Pinocchio and MuJoCo said about three robots (saved_peers.json, made by peers/save.py). The whole comparison is in
peers/ and needs them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torsor as ts

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "peers"))

from compare import torsor_answers  # noqa: E402
from coordinates import Coordinates  # noqa: E402
from tree import from_urdf  # noqa: E402

SAVED = json.loads((HERE / "saved_peers.json").read_text())


@pytest.mark.parametrize("peer", ["Pinocchio", "MuJoCo"])
@pytest.mark.parametrize("name", [name for name in SAVED if name != "by"])
def test_answers_equal_those_saved(name, peer):
    saved = SAVED[name]
    text = ts.load(name).to_urdf()
    robot = ts.load(text, check=False)
    state = (np.array(saved["state"][x]) for x in ("q", "qd", "qdd", "tau"))
    ours = torsor_answers(robot, Coordinates(from_urdf(text), robot), *state, saved["frames"])
    for question, answer in saved[peer].items():
        theirs = np.array(answer)
        assert ours[question].shape == theirs.shape
        assert np.max(np.abs(ours[question] - theirs)) <= 1e-9 * np.max(np.abs(theirs)), question
