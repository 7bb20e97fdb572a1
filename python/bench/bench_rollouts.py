"""Rollouts beside mujoco.rollout, of the same order, step and threads; and rows of robots that differ beside one robot for all rows.

    python bench_rollouts.py [ROBOT ...]          needs torsor, mujoco

Both run in alternation in one process; figures are the least of several. MuJoCo takes the robot as torsor writes it (to_mjcf), without
contacts and limits, and its motions are compared with ours first. Its Euler steps are semi-implicit, as ours; damping is not taken
implicitly.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

import mujoco
import mujoco.rollout
import numpy as np
import torsor as ts

STARTS, STEPS, H = 1000, 100, 1e-3


def least(asks, rounds=7):
    """Seconds of each, the least of some rounds in alternation."""
    times = [[] for _ in asks]
    for _ in range(rounds):
        for mine, ask in zip(times, asks):
            begin = perf_counter()
            ask()
            mine.append(perf_counter() - begin)
    return [min(each) for each in times]


def peer(robot, method):
    """MuJoCo's model and states (time, qpos, qvel) made from ours; torques enter as forces on the coordinates."""
    model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
    model.opt.timestep = H
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4 if method == "runge-kutta-4" else mujoco.mjtIntegrator.mjINT_EULER
    for flag in ("CONTACT", "LIMIT", "EULERDAMP", "CONSTRAINT"):
        model.opt.disableflags |= getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}")
    if model.nv != robot.nv or model.nq != robot.nv:
        raise SystemExit(f"{robot.name}: only robots whose positions are as many as their speeds")
    return model


def main():
    threads = len(os.sched_getaffinity(0))
    print(f"{STARTS} starts x {STEPS} steps of {H} s, {threads} threads; MuJoCo {mujoco.__version__}")
    for name in sys.argv[1:] or ["iiwa14", "panda", "ur5e"]:
        robot = ts.load(name)
        n = robot.nv
        random = np.random.default_rng(1)
        q = np.array([ts.random_position(robot, seed=k) for k in range(STARTS)])
        qd = random.uniform(-0.5, 0.5, (STARTS, n))
        tau = ts.gravity(robot, q)[:, None] + random.uniform(-0.05, 0.05, (STARTS, STEPS, n)) * np.minimum(robot.effort_limits, 10)
        for method in ("semi-implicit", "runge-kutta-4"):
            model = peer(robot, method)
            data = [mujoco.MjData(model) for _ in range(threads)]
            start = np.hstack([np.zeros((STARTS, 1)), q, qd])
            kind = int(mujoco.mjtState.mjSTATE_QFRC_APPLIED)
            pool = mujoco.rollout.Rollout(nthread=threads)
            out = (np.empty((STARTS, STEPS, n)), np.empty((STARTS, STEPS, n)))
            theirs = [None]

            def ours():
                ts.rollout(robot, q, qd, tau, H, method, out=out, threads=threads)

            def mujocos():
                theirs[0] = pool.rollout(model, data, start, tau, control_spec=kind)[0]

            ours(), mujocos()
            apart = np.abs(theirs[0][:, :, 1 : 1 + n] - out[0]).max()
            a, b = least([ours, mujocos])
            per = 1e9 / (STARTS * STEPS)
            print(f"{name:10} {method:14} torsor {a * per:8.1f} ns a step, mujoco {b * per:8.1f}: {b / a:5.1f} x   (apart {apart:.1e} at most)")
            pool.close()
            gradients = random.uniform(-1, 1, (STARTS, STEPS, n))
            a, b = least([ours, lambda: ts.rollout_vjp(robot, q, qd, tau, H, gradients, gradients, method, threads=threads)])
            print(f"{name:10} {method:14} gradient back through all steps {b * per:8.1f} ns a step: {b / a:5.1f} rollouts")

        # robots that differ, one thread
        rows = ts.RobotRows(robot, masses=robot.masses * random.uniform(0.7, 1.3, (STARTS, len(robot.masses))))
        qdd = random.uniform(-1, 1, (STARTS, n))
        one, M = np.empty((STARTS, n)), np.empty((STARTS, n, n))
        for what, alike, differ in [
            ("inverse_dynamics", lambda: ts.inverse_dynamics(robot, q, qd, qdd, out=one, threads=1), lambda: rows.inverse_dynamics(q, qd, qdd, out=one, threads=1)),
            ("forward_dynamics", lambda: ts.forward_dynamics(robot, q, qd, qdd, out=one, threads=1), lambda: rows.forward_dynamics(q, qd, qdd, out=one, threads=1)),
            ("mass_matrix", lambda: ts.mass_matrix(robot, q, out=M, threads=1), lambda: rows.mass_matrix(q, out=M, threads=1)),
        ]:
            a, b = least([alike, differ], 200)
            print(f"{name:10} {what:17} {STARTS} rows of one robot {1e9 * a / STARTS:6.1f} ns a row, of as many robots {1e9 * b / STARTS:6.1f}: {b / a:4.2f}")


if __name__ == "__main__":
    main()
