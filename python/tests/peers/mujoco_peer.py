"""MuJoCo's torques and mass matrices in Torsor's coordinates, of a model built link by link.

What is told differently: the linear velocity of a free joint is in the world, ours in the body, so that
v = T(q) qd and a = T qdd + dT/dt qd. Damping is in MuJoCo's efforts as in ours, armature is a rotor. Dry friction is a
soft constraint there, which creeps: it is switched off, and the tests add ours. Joints that follow others are brought
back by T; there are no planar and no helical joints: two slides and a hinge, and two joints that move together, stand for
them.
"""

from __future__ import annotations

import mujoco
import numpy as np
from coordinates import Coordinates
from tree import Robot, rotation, tensor, unit

FREE, BALL = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL
SLIDE, HINGE = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE

# it warns of mass matrices that cannot be solved, into a file; nobody solves them here
mujoco.set_mju_user_warning(lambda text: None)


def quaternion_of(R) -> np.ndarray:
    out = np.zeros(4)
    mujoco.mju_mat2Quat(out, np.asarray(R, float).ravel())
    return out


def rotation_of(quaternion) -> np.ndarray:
    out = np.zeros(9)
    mujoco.mju_quat2Mat(out, np.asarray(quaternion, float))
    return out.reshape(3, 3)


def link_by_link(robot: Robot) -> mujoco.MjModel:
    """ValueError where MuJoCo takes no such model."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = robot.gravity
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    bodies = []
    for link in robot.links:
        parent = spec.worldbody if link.parent < 0 else bodies[link.parent]
        # MuJoCo's compiler takes no impossible inertias, its dynamics do: a brick holds the place for the numbers
        body = parent.add_body(
            name=f"link/{link.name}", pos=link.xyz, quat=quaternion_of(rotation(link.rpy)), explicitinertial=True, mass=1,
            ipos=[0.1, 0.2, 0.3], fullinertia=[2, 2.1, 2.2, 0.1, 0.2, 0.3],
        )  # fmt: skip
        bodies.append(body)
        if link.kind == "free" and link.parent >= 0:
            raise ValueError("a free joint on a moving body")
        axis = unit(link.axis)
        if link.kind == "planar":  # shifted in the parent, then turned
            for name, along in (("x", [1, 0, 0]), ("y", [0, 1, 0])):
                body.add_joint(name=f"{link.joint}/{name}", type=SLIDE, axis=along)
        if link.kind == "helical":
            body.add_joint(name=f"{link.joint}/advance", type=SLIDE, axis=axis)
        if link.kind != "fixed":
            kind = {"free": FREE, "spherical": BALL, "prismatic": SLIDE}.get(link.kind, HINGE)
            body.add_joint(name=link.joint, type=kind, axis=axis, damping=link.damping, armature=link.rotor)
    model = spec.compile()
    for link in robot.links:
        body = model.body(f"link/{link.name}").id
        moments, axes = np.linalg.eigh(tensor(link))
        axes[:, 0] *= np.linalg.det(axes)
        model.body_mass[body], model.body_ipos[body] = link.mass, link.com
        model.body_inertia[body], model.body_iquat[body] = moments, quaternion_of(axes)
    return model


class MuJoCo:
    def __init__(self, model: mujoco.MjModel, robot: Robot, coordinates: Coordinates):
        self.model, self.robot, self.coordinates = model, robot, coordinates
        self.data = mujoco.MjData(model)
        self.joint = {name: mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name) for name in (
            model.joint(j).name for j in range(model.njnt))}  # fmt: skip

    def place(self, joint: str) -> tuple[int, int]:
        j = self.joint[joint]
        return int(self.model.jnt_qposadr[j]), int(self.model.jnt_dofadr[j])

    def motion(self, q, qd):
        """qpos, T and what dT/dt qd adds to the accelerations."""
        m = self.model
        qpos, T, drift = np.full(m.nq, np.nan), np.zeros((m.nv, self.coordinates.nv)), np.zeros(m.nv)
        for i, link in enumerate(self.robot.links):
            if link.kind == "fixed":
                continue
            leader, ratio, offset = self.coordinates.lead(i)
            mine, first = q[self.coordinates.q[leader] :], self.coordinates.v[leader]
            rate = qd[first:]
            at, v = self.place(link.joint)
            if link.kind == "free":
                placed = rotation(link.rpy)  # MuJoCo's free bodies are told in the world
                R = placed @ rotation_of(mine[:4])
                qpos[at : at + 3], qpos[at + 3 : at + 7] = link.xyz + placed @ mine[4:7], quaternion_of(R)
                T[v : v + 3, first + 3 : first + 6], T[v + 3 : v + 6, first : first + 3] = R, np.eye(3)
                drift[v : v + 3] = R @ np.cross(rate[:3], rate[3:6])
            elif link.kind == "spherical":
                qpos[at : at + 4] = mine[:4]
                T[v : v + 3, first : first + 3] = np.eye(3)
            elif link.kind == "planar":
                c, s = np.cos(mine[0]), np.sin(mine[0])
                qpos[at], T[v, first] = mine[0], 1
                for k, row in enumerate(((c, -s), (s, c))):
                    at, v = self.place(f"{link.joint}/{'xy'[k]}")
                    qpos[at], T[v, first + 1 : first + 3] = mine[1 + k], row
                    drift[v] = rate[0] * (np.array([(-s, -c), (c, -s)][k]) @ rate[1:3])
            else:
                qpos[at], T[v, first] = ratio * mine[0] + offset, ratio
                if link.kind == "helical":
                    at, v = self.place(f"{link.joint}/advance")
                    qpos[at], T[v, first] = link.pitch * (ratio * mine[0] + offset), link.pitch * ratio
        return qpos, T, drift

    def answers(self, q, qd, qdd, tau, frames) -> dict[str, np.ndarray]:
        """Without friction and rotors, as compare asks: the model has them, and they are taken away again."""
        m, d = self.model, self.data
        d.qpos[:], T, drift = self.motion(q, qd)
        d.qvel[:] = T @ qd
        d.qacc[:] = T @ qdd + drift
        mujoco.mj_inverse(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        damping = m.dof_damping * d.qvel
        return {
            "torques": T.T @ (d.qfrc_inverse - damping) - self.coordinates.rotors() @ qdd,
            "bias": T.T @ (d.qfrc_bias + M @ drift),
            "mass matrix": T.T @ M @ T - self.coordinates.rotors(),
        }
