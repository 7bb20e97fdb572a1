"""One robot shared by Python's threads: bit for bit what one thread gives."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torsor as ts
from conftest import states


@pytest.mark.parametrize("name", ["puma560", "floating", "puma560_drives"])
def test_eight_threads_on_one_robot_give_the_same_bits(name):
    robot = ts.load(name)
    q, qd, qdd = states(robot, 5000)

    def answers(_):
        return (
            ts.inverse_dynamics(robot, q, qd, qdd),
            ts.mass_matrix(robot, q),
            ts.forward_dynamics(robot, q, qd, qdd),
            ts.inverse_dynamics(robot, q[:200], qd[:200], qdd[:200], formulation="tree-newton-euler"),
            np.array([ts.inverse_dynamics(robot, *state) for state in zip(q[:200], qd[:200], qdd[:200])]),
            ts.jacobian(robot, q),
        )

    alone = answers(0)
    with ThreadPoolExecutor(8) as pool:
        for together in pool.map(answers, range(16)):
            for a, b in zip(alone, together):
                assert np.array_equal(a, b)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_threads_of_a_call_change_no_bit(dtype):
    for name in ("puma560", "floating"):
        robot = ts.load(name)
        q, qd, qdd = states(robot, 20_007, dtype=dtype)
        for threads in (2, 3, 8, 0):
            for ask in (
                lambda **k: ts.inverse_dynamics(robot, q, qd, qdd, **k),
                lambda **k: ts.mass_matrix(robot, q, **k),
                lambda **k: ts.frame_pose(robot, q, **k),
            ):
                assert np.array_equal(ask(threads=threads), ask(threads=1))


def test_many_states_take_the_machine_unless_told_otherwise(puma, monkeypatch):
    """By the processor's time: what this thread did not use others did."""
    import os
    import time

    def threads_used(calls, **settings):
        for _ in range(calls):
            here, everywhere = time.thread_time(), time.process_time()
            ts.inverse_derivatives(puma, q, qd, qdd, out=out, **settings)
            here, everywhere = time.thread_time() - here, time.process_time() - everywhere
            if everywhere > 1.1 * here:
                return True
        return False

    q, qd, qdd = states(puma, 40_000)
    out = ts.inverse_derivatives(puma, q, qd, qdd)
    if len(os.sched_getaffinity(0)) > 1:
        assert threads_used(calls=50)  # the other core may have other work
    assert not threads_used(calls=5, threads=1)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert not threads_used(calls=5)


def test_other_threads_run_meanwhile(puma):
    import threading

    q, qd, qdd = states(puma, 300_000)
    started, finished, seen = threading.Event(), threading.Event(), []

    def compute():
        started.set()
        for _ in range(3):
            ts.inverse_dynamics(puma, q, qd, qdd)
        finished.set()

    worker = threading.Thread(target=compute)
    worker.start()
    started.wait()
    while not finished.is_set():
        seen.append(1)
    worker.join()
    assert len(seen) > 1
