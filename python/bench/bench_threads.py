"""What limits two threads: batches of several sizes on one and two, beside what the memory gives to one and two.

    python bench_threads.py [ROBOT]          an interpreter with torsor; on a machine with two idle cores

Small batches wait for the second thread to wake, large ones for memory: where a batch moves as many bytes a second as numpy.add on as
many threads, no thread more makes it faster. What lies between shows the threads themselves.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torsor as ts

ROUNDS = 40


def least(*asks):
    """Seconds of each, in turns."""
    best = [float("inf")] * len(asks)
    for _ in range(ROUNDS):
        for k, ask in enumerate(asks):
            start = time.perf_counter()
            ask()
            best[k] = min(best[k], time.perf_counter() - start)
    return best


def bandwidth():
    """Bytes a second that numpy.add reads and writes, on one thread and on two."""
    x, y, z = (np.ones(16_000_000) for _ in range(3))
    half = len(x) // 2
    pool = ThreadPoolExecutor(1)

    def two():
        other = pool.submit(np.add, x[half:], y[half:], z[half:])
        np.add(x[:half], y[:half], z[:half])
        other.result()

    one_s, two_s = least(lambda: np.add(x, y, z), two)
    return 3 * x.nbytes / one_s, 3 * x.nbytes / two_s


robot = ts.load(sys.argv[1] if len(sys.argv) > 1 else "iiwa14")
one, two = bandwidth()
print(f"memory       numpy.add       {one / 1e9:6.1f} GB/s on one thread, {two / 1e9:6.1f} on two: {two / one:.2f} times")
for states in (2_000, 20_000, 200_000, 1_000_000):
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, states, robot.nv))
    tau, M = np.empty_like(q), np.empty((states, robot.nv, robot.nv))
    for name, ask, bytes_each in [
        ("inverse dynamics", lambda threads: ts.inverse_dynamics(robot, q, qd, qdd, out=tau, threads=threads), 32 * robot.nv),
        ("mass matrix", lambda threads: ts.mass_matrix(robot, q, out=M, threads=threads), 8 * robot.nv * (1 + robot.nv)),
    ]:
        a, b = least(lambda: ask(1), lambda: ask(2))
        print(
            f"{states:8} x {name:18} {1e9 * a / states:6.1f} ns a state on one thread, {1e9 * b / states:6.1f} on two: {a / b:.2f} times; "
            f"{bytes_each * states / a / 1e9:5.1f} and {bytes_each * states / b / 1e9:5.1f} GB/s",
            flush=True,
        )
