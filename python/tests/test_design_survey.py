"""examples/python/design_survey.py, while a worker is killed in the middle of it and the whole study in another."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from dask.distributed import Client, LocalCluster

EXAMPLES = Path(os.environ["TORSOR_SOURCE_DIR"]) / "examples/python"
sys.path.insert(0, str(EXAMPLES))

import design_survey as survey  # noqa: E402

STUDY = survey.Study(((0.4, 0.6), (0.5, 0.5), (0.6, 0.4)), count=30_000, chunk=1_000)
CHUNKS = 90


@pytest.fixture(scope="module")
def client():
    """Two workers in processes of their own."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as each:
        yield each


def finished(out):
    return len(list(out.glob("*.npy")))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The study without dask: each chunk once, in order."""
    out = tmp_path_factory.mktemp("undisturbed")
    for chunk in STUDY.chunks:
        survey.run_chunk(STUDY, str(out), *chunk)
    return out


def assert_same(out, undisturbed):
    assert not survey.missing(STUDY, out)
    assert finished(out) == CHUNKS
    for chunk in STUDY.chunks:
        name = survey.file_of(out, *chunk).name
        assert (out / name).read_bytes() == (undisturbed / name).read_bytes()
    assert survey.totals(STUDY, out) == survey.totals(STUDY, undisturbed)
    assert [row.configurations for row in survey.totals(STUDY, out)] == [STUDY.count] * 3


def test_a_killed_worker_loses_nothing_and_nothing_counts_twice(tmp_path, undisturbed, client):
    victim, done = min(client.run(os.getpid).values()), []

    def kill():
        while finished(tmp_path) < 5:
            time.sleep(0.001)
        os.kill(victim, signal.SIGKILL)
        done.append(finished(tmp_path))

    killer = threading.Thread(target=kill)
    killer.start()
    survey.run(STUDY, tmp_path, client)
    killer.join()
    assert done[0] < CHUNKS  # there was work left when it died
    assert_same(tmp_path, undisturbed)


def test_a_killed_study_goes_on_where_it_was(tmp_path, undisturbed, client):
    program = f"""
import sys; sys.path.insert(0, {str(EXAMPLES)!r})
import design_survey as survey
from pathlib import Path
for chunk in survey.missing({STUDY!r}, Path({str(tmp_path)!r})):
    survey.run_chunk({STUDY!r}, {str(tmp_path)!r}, *chunk)
""".replace("Study(", "survey.Study(")
    running = subprocess.Popen([sys.executable, "-c", program])
    while finished(tmp_path) < 5:
        assert running.poll() is None
        time.sleep(0.001)
    running.kill()
    running.wait()
    done = finished(tmp_path)
    assert 5 <= done < CHUNKS
    (tmp_path / "chunk-0000-000029.host-1.part").write_bytes(b"half a chunk")  # what a death between the lines leaves
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.npy")}
    assert survey.run(STUDY, tmp_path, client) == CHUNKS - done
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert_same(tmp_path, undisturbed)


def test_a_folder_with_another_study_is_refused(tmp_path):
    (tmp_path / "study.txt").write_text("another")
    with pytest.raises(ValueError, match="another study"):
        survey.run(STUDY, tmp_path, None)


def test_coupling_and_load_are_those_of_their_definition():
    robot = survey.robot_of(0.4, 0.6)
    rows = survey.survey(robot, 1000, np.random.default_rng(3))
    assert rows.shape == (1000, 2)
    assert np.all((rows[:, 0] >= 0) & (rows[:, 0] < 1))
    tubes = 2700 * np.pi * np.array([(0.05**2 - 0.045**2) * 0.4, (0.04**2 - 0.036**2) * 0.6])
    assert np.allclose(robot.masses, [12, tubes[0], tubes[1] + 4])
