"""Every robot of example-robot-data beside Pinocchio and MuJoCo; docs/validation.md has the numbers."""

import os
import re
from pathlib import Path

import corpus
import pytest

FILES = corpus.files()


@pytest.mark.parametrize("file", FILES)
def test_answers_equal_those_of_the_peers(file):
    for row in corpus.compare_file(file):
        assert not row.too_far(), f"{row.base}: {row.too_far()}"
        assert row.pinocchio and row.mujoco or any(
            note == "nothing moves" or note.startswith("not read") for note in row.notes
        )


def test_the_document_lists_these_robots():
    text = (Path(os.environ["TORSOR_SOURCE_DIR"]) / "docs/validation.md").read_text()
    listed = text.split(corpus.BEGIN)[1].split(corpus.END)[0]
    assert sorted(set(re.findall(r"^\| (\S+\.urdf) \|", listed, re.M))) == FILES
