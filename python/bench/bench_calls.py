"""Single calls and batches of products with derivatives beside Pinocchio's from Python, in alternation in one run.

    python python/bench/bench_calls.py puma560 iiwa14 two_arm        (an interpreter with torsor and pin; robots of torsor by name)

Each row is the least of many rounds, so that what else the machine does matters little; ratios carry over, times do not.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio as pin
import torsor as ts

ROUNDS, CALLS, STATES, LOOP = 60, 40, 2048, 64


def least(*timed):
    """ns of each, from (function, how many states a call has), in turns."""
    best = [float("inf")] * len(timed)
    for _ in range(ROUNDS):
        for k, (f, states) in enumerate(timed):
            calls = CALLS if states == 1 else 1
            start = time.perf_counter_ns()
            for _ in range(calls):
                f()
            best[k] = min(best[k], (time.perf_counter_ns() - start) / (calls * states))
    return best


def print_row(name, what, ours, theirs):
    print(f"{name:12} {what:40} torsor {ours:8.0f} ns   pin {theirs:8.0f} ns   {theirs / ours:6.2f} times as fast", flush=True)


def bench(name):
    robot = ts.load(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        path.write_text(robot.to_urdf())
        model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    assert model.nq == robot.nq, "the two have different coordinates"
    Q, V, A, W = np.random.default_rng(1).uniform(-1, 1, (4, STATES, robot.nv))
    q, v, a, tool = Q[0], V[0], A[0], model.nframes - 1
    ours = pin.rnea(model, data, q, v, a), ts.inverse_dynamics(robot, q, v, a)
    assert np.abs(ours[0] - ours[1]).max() < 1e-8 * (1 + np.abs(ours[0]).max()), "the two are different robots"

    for what, f, g in [
        ("inverse dynamics", lambda: ts.inverse_dynamics(robot, q, v, a), lambda: pin.rnea(model, data, q, v, a)),
        ("all link poses", lambda: ts.forward_kinematics(robot, q), lambda: pin.framesForwardKinematics(model, data, q)),
        ("Jacobian of the tool", lambda: ts.jacobian(robot, q), lambda: pin.computeFrameJacobian(model, data, q, tool, pin.LOCAL_WORLD_ALIGNED)),
        ("Coriolis matrix", lambda: ts.coriolis_matrix(robot, q, v), lambda: pin.computeCoriolisMatrix(model, data, q, v)),
        ("all terms", lambda: ts.terms(robot, q, v, a), lambda: pin.computeAllTerms(model, data, q, v)),
        ("regressor", lambda: ts.regressor(robot, q, v, a), lambda: pin.computeJointTorqueRegressor(model, data, q, v, a)),
        ("derivatives of inverse dynamics", lambda: ts.inverse_derivatives(robot, q, v, a), lambda: pin.computeRNEADerivatives(model, data, q, v, a)),
    ]:
        print_row(name, what, *least((f, 1), (g, 1)))

    out = tuple(np.empty((STATES, robot.nv)) for _ in range(3))

    def loop(derivatives):
        for k in range(LOOP):
            for matrix in derivatives(model, data, Q[k], V[k], A[k]):
                W[k] @ matrix

    for what, f, g in [
        ("vjp of inverse dynamics, batch", ts.inverse_vjp, pin.computeRNEADerivatives),
        ("vjp of forward dynamics, batch", ts.forward_vjp, pin.computeABADerivatives),
    ]:
        print_row(name, what, *least((lambda f=f: f(robot, Q, V, A, W, out=out, threads=1), STATES), (lambda g=g: loop(g), LOOP)))

    def each_of(question):
        for k in range(LOOP):
            question(model, data, Q[k], V[k], A[k])

    matrices = tuple(np.empty((STATES, robot.nv, robot.nv)) for _ in range(3))

    # batches of what has several parts, beside a loop of Python that leaves its answers where they are
    for what, f, g in [
        ("derivatives of inverse dynamics, batch", lambda *x, threads: ts.inverse_derivatives(*x, threads=threads, out=matrices), pin.computeRNEADerivatives),
        ("derivatives of forward dynamics, batch", lambda *x, threads: ts.forward_derivatives(*x, threads=threads, out=matrices), pin.computeABADerivatives),
        ("all terms, batch", ts.terms, lambda m, d, q, v, a: pin.computeAllTerms(m, d, q, v)),
        ("motion of the tool, batch", ts.frame_motion, lambda m, d, q, v, a: (pin.forwardKinematics(m, d, q, v, a), pin.getFrameAcceleration(m, d, tool, pin.LOCAL_WORLD_ALIGNED))),
        ("centroidal momentum matrix, batch", lambda r, q, v, a, threads: ts.momentum(r, q, v, threads=threads), lambda m, d, q, v, a: pin.ccrba(m, d, q, v)),
    ]:
        print_row(name, what, *least((lambda f=f: f(robot, Q, V, A, threads=1), STATES), (lambda g=g: each_of(g), LOOP)))


for each in sys.argv[1:] or ["puma560", "iiwa14"]:
    bench(each)
