"""Rows of robots that differ beside rows of one: masses of their own, and lengths of their own.

    python bench_rows.py [ROBOT]          an interpreter with torsor; processor time on one thread, in alternation
"""

import re
import sys
import time

import numpy as np
import torsor as ts

COUNT, ROUNDS = 1000, 60
random = np.random.default_rng(1)


def least(*asks):
    best = [float("inf")] * len(asks)
    for _ in range(ROUNDS):
        for k, ask in enumerate(asks):
            start = time.process_time()
            ask()
            best[k] = min(best[k], time.process_time() - start)
    return best


def other_lengths(text):
    """Every length of a robot file by a number of its own, be it of a DH row or a position."""

    def scaled(number):
        return f"{float(number) * random.uniform(0.9, 1.1):.12g}"

    text = re.sub(r"(\b[ad] = )(-?[0-9][0-9.e+-]*)", lambda found: found[1] + scaled(found[2]), text)
    return re.sub(r"(position = \[)([^\]]*)\]", lambda found: f"{found[1]}{', '.join(map(scaled, found[2].split(',')))}]", text)


robot = ts.load(sys.argv[1] if len(sys.argv) > 1 else "iiwa14")
masses = ts.RobotRows(robot, masses=robot.masses * random.uniform(0.8, 1.2, (COUNT, len(robot.masses))))
lengths = ts.RobotRows.of([ts.load(other_lengths(robot.to_toml()), check=False) for _ in range(COUNT)])
q, qd, a = ts.random_position(robot, COUNT), *random.uniform(-1, 1, (2, COUNT, robot.nv))
for name, given in [
    ("inverse_dynamics", (q, qd, a)),
    ("forward_dynamics", (q, qd, a)),
    ("mass_matrix", (q,)),
    ("inverse_derivatives", (q, qd, a)),
    ("forward_derivatives", (q, qd, a)),
    ("terms", (q, qd, a)),
    ("momentum", (q, qd)),
    ("frame_motion", (q, qd, a)),
]:
    alike, heavier, longer = least(
        lambda: getattr(ts, name)(robot, *given, threads=1),
        lambda: getattr(masses, name)(*given, threads=1),
        lambda: getattr(lengths, name)(*given, threads=1),
    )
    print(f"{name:20} alike {1e9 * alike / COUNT:6.0f} ns a row; own masses {heavier / alike:.2f}, own lengths {longer / alike:.2f} times as long")
