"""Gradients inside of JAX and PyTorch beside other packages there, and an iteration of iLQR beside the same on Pinocchio.

    python bench_gradients.py [ROBOT ...]          (iiwa14, g1 ...) needs torsor; jax, torch, frax, adam-robotics, pin where they are to be compared

One process, in alternation, the least of several rounds; everything compiled and warm. The gradient is that of w . tau(q, qd, qdd) by q,
qd and qdd, of a batch. adam has no inverse dynamics of its own: tau = M qdd + bias, its base held.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import torsor as ts

STATES = 1024


def least(asks, rounds=9):
    best = [float("inf")] * len(asks)
    for _ in range(rounds):
        for k, ask in enumerate(asks):
            start = time.perf_counter()
            ask()
            best[k] = min(best[k], time.perf_counter() - start)
    return best


def tell(robot, what, ours, theirs, name, per=STATES):
    print(f"{robot.name:10} {what:44} torsor {1e9 * ours / per:10.0f} ns   {name} {1e9 * theirs / per:10.0f} ns   {theirs / ours:7.1f} x", flush=True)


def states(robot):
    return np.random.default_rng(1).uniform(-1, 1, (4, STATES, robot.nv))


def in_jax(robot, urdf):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    import torsor.jax as tj

    q, qd, qdd, w = (jnp.asarray(x) for x in states(robot))

    def gradient(torques):
        return jax.jit(lambda q, v, a, w: jax.vjp(torques, q, v, a)[1](w))

    ours = gradient(lambda q, v, a: tj.inverse_dynamics(robot, q, v, a))
    exact = ours(q, qd, qdd, w)

    def of_frax():
        import frax

        # it asks for inertias of all links, the base's too, which no torque depends on
        tree = ElementTree.parse(urdf)
        for link in tree.iter("link"):
            if link.find("inertial") is None:
                inertial = ElementTree.SubElement(link, "inertial")
                ElementTree.SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
                ElementTree.SubElement(inertial, "mass", value="1e-9")
                ElementTree.SubElement(inertial, "inertia", ixx="1e-9", iyy="1e-9", izz="1e-9", ixy="0", ixz="0", iyz="0")
        whole = urdf.with_name("whole.urdf")
        tree.write(whole)
        other = frax.Robot(str(whole), joint_ordering=robot.velocity_names)
        upwards = -jnp.concatenate([jnp.asarray(robot.gravity), jnp.zeros(3)])
        return lambda q, v, a: other.rnea(q, v, a, upwards, None)

    def of_adam():
        from adam.jax import KinDynComputations

        kin = KinDynComputations(str(urdf), robot.velocity_names, gravity=jnp.concatenate([jnp.asarray(robot.gravity), jnp.zeros(3)]))
        base, still = jnp.eye(4), jnp.zeros(6)

        def one(q, v, a):
            M, h = kin.mass_matrix(base, q), kin.bias_force(base, q, still, v)
            return (M @ jnp.concatenate([still, a]) + h)[6:]

        return one

    for name, make in (("frax", of_frax), ("adam", of_adam)):
        try:
            theirs = gradient(jax.vmap(make()))
            other = theirs(q, qd, qdd, w)
        except Exception as fault:  # missing, or a version that does not go with this JAX
            print(f"{robot.name:10} {name} in JAX: not compared: {type(fault).__name__}: {fault}")
            continue
        apart = max(float(abs(x - y).max() / (1 + abs(y).max())) for x, y in zip(exact, other))
        a, b = least([lambda: jax.block_until_ready(ours(q, qd, qdd, w)), lambda: jax.block_until_ready(theirs(q, qd, qdd, w))])
        tell(robot, f"vjp of inverse dynamics in JAX ({apart:.0e} apart)", a, b, name)


def in_torch(robot, urdf):
    import torch
    import torsor.torch as tt
    from adam.pytorch import KinDynComputationsBatch

    torch.set_default_dtype(torch.float64)
    q, qd, qdd, w = (torch.tensor(x) for x in states(robot))
    fall = torch.cat([torch.tensor(robot.gravity), torch.zeros(3)])
    kin = KinDynComputationsBatch(str(urdf), robot.velocity_names, torch.device("cpu"), torch.float64, gravity=fall)
    base, still = torch.eye(4).expand(STATES, 4, 4), torch.zeros(STATES, 6)

    def theirs(q, v, a):
        M, h = kin.mass_matrix(base, q), kin.bias_force(base, q, still, v)
        return (torch.einsum("kij,kj->ki", M, torch.cat([still, a], 1)) + h)[:, 6:]

    def gradient(torques):
        x = [each.clone().requires_grad_() for each in (q, qd, qdd)]
        return torch.autograd.grad((torques(*x) * w).sum(), x)

    def mine(q, v, a):
        return tt.inverse_dynamics(robot, q, v, a)

    apart = max(float((x - y).abs().max() / (1 + y.abs().max())) for x, y in zip(gradient(mine), gradient(theirs)))
    a, b = least([lambda: gradient(mine), lambda: gradient(theirs)], 5)
    tell(robot, f"the same in PyTorch ({apart:.0e} apart)", a, b, "adam")


def iterations(robot, urdf):
    """iLQR of examples/python/ilqr_arm.py, and the same with derivatives, poses and steps by Pinocchio."""
    import pinocchio as pin

    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples/python"))
    import ilqr_arm

    model = pin.buildModelFromUrdf(str(urdf))
    data, n = model.createData(), robot.nv
    tool = model.getFrameId(model.frames[-1].name)

    class OnPinocchio:
        """What the planner asks of torsor."""

        @staticmethod
        def discrete_step(_, q, qd, tau, h, method):
            A, B = np.empty((len(q), 2 * n, 2 * n)), np.empty((len(q), 2 * n, n))
            for k in range(len(q)):
                Fq, Fv, Ft = pin.computeABADerivatives(model, data, q[k], qd[k], tau[k])
                A[k, n:, :n], A[k, n:, n:], B[k, n:] = h * Fq, np.eye(n) + h * Fv, h * Ft
                A[k, :n, :n], A[k, :n, n:], B[k, :n] = np.eye(n) + h * A[k, n:, :n], h * A[k, n:, n:], h * B[k, n:]
            return None, None, A, B

        @staticmethod
        def step(_, q, qd, tau, h, method, out, threads=1, return_valid=True):
            out[1][:] = qd + h * np.array([pin.aba(model, data, *x) for x in zip(q, qd, tau)])
            out[0][:] = q + h * out[1]

        @staticmethod
        def frame_pose(_, q):
            rows = q.reshape(-1, n)
            out = np.empty((len(rows), 4, 4))
            for k, x in enumerate(rows):
                pin.framesForwardKinematics(model, data, x)
                out[k] = data.oMf[tool].homogeneous
            return out.reshape(*q.shape[:-1], 4, 4)

        @staticmethod
        def jacobian(_, q):
            out = np.empty((len(q), 6, n))
            for k, x in enumerate(q):
                J = pin.computeFrameJacobian(model, data, x, tool, pin.LOCAL_WORLD_ALIGNED)
                out[k, :3], out[k, 3:] = J[3:], J[:3]
            return out

    q = np.linspace(0.4, -0.5, n)
    hold, M = ts.gravity(robot, q), ts.mass_matrix(robot, q)
    goal = ts.frame_pose(robot, q)[:3, 3] + [-0.2, 0.3, -0.1]

    def run(engine):
        kept, ilqr_arm.ts = ilqr_arm.ts, engine
        try:
            planner = ilqr_arm.Planner(robot, ilqr_arm.Task(goal))
            planner.tau[:] = planner.hold = hold
            planner.price = 1e-4 / np.diag(M) ** 2
            return [planner.improve(q, np.zeros(n))[1] for _ in range(3)]
        finally:
            ilqr_arm.ts = kept

    ours, theirs = run(ts), run(OnPinocchio)
    apart = abs(ours[0] - theirs[0]) / theirs[0]  # later ones tell roundings apart
    a, b = least([lambda: run(ts), lambda: run(OnPinocchio)], 5)
    tell(robot, f"iteration of iLQR, horizon 100 ({apart:.0e} apart)", a, b, "pin", per=3)


for name in sys.argv[1:] or ["puma560", "iiwa14"]:
    robot = ts.load(name)
    if robot.nq != robot.nv:  # the others hold the base of a robot that walks
        robot = ts.load(robot.to_urdf().replace('type="floating"', 'type="fixed"'), check=False)
    with tempfile.TemporaryDirectory() as folder:
        urdf = Path(folder) / "robot.urdf"
        urdf.write_text(robot.to_urdf())
        for part in (in_jax, in_torch, iterations):
            try:
                part(robot, urdf)
            except ImportError as missing:
                print(f"{robot.name:10} {part.__name__}: not compared: {missing}")
