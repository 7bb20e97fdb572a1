"""Pinocchio's answers in Torsor's coordinates.

What is told differently: Pinocchio puts linear before angular components, the scalar part of a quaternion last, and gives
joints without limits as (cos, sin). A joint that follows another has a coordinate of its own here and is brought back by
v = T qd, tau = T' f, which is exact since T is constant. Its efforts have no friction: where accelerations are asked for
it is taken from the efforts given, elsewhere the tests take it out of ours.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from coordinates import Coordinates
from tree import Robot, rotation, tensor, unit

# rows of Pinocchio's velocity in the order of ours
TURN_FIRST = {"free": [3, 4, 5, 0, 1, 2], "planar": [2, 0, 1]}


def from_text(text: str, floating: bool) -> pin.Model:
    return pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromXML(text)


def link_by_link(robot: Robot) -> pin.Model:
    """Built by Pinocchio's own functions, no file between."""
    model = pin.Model()
    model.gravity.linear[:] = robot.gravity
    carriers = {-1: (0, pin.SE3.Identity())}  # joint that carries the link, and the link's place on it
    waiting = [i for i, link in enumerate(robot.links) if link.parent < 0][::-1]
    while waiting:  # every branch to its end: Pinocchio counts on a subtree's joints being one after the other
        i = waiting.pop()
        waiting += [k for k, other in enumerate(robot.links) if other.parent == i][::-1]
        link = robot.links[i]
        joint, base = carriers[link.parent]
        place = base * pin.SE3(rotation(link.rpy), np.array(link.xyz))
        if link.kind != "fixed":
            joint = model.addJoint(joint, joint_model(link), place, link.joint)
            place = pin.SE3.Identity()
        body = pin.Inertia(link.mass, np.array(link.com), tensor(link))
        if joint:
            model.appendBodyToJoint(joint, body, place)
        model.addBodyFrame(link.name, joint, place, 0)
        carriers[i] = (joint, place)
    return model


def joint_model(link):
    axis = unit(link.axis)
    match link.kind:
        case "revolute":
            return pin.JointModelRevoluteUnaligned(axis)
        case "prismatic":
            return pin.JointModelPrismaticUnaligned(axis)
        case "helical":
            return pin.JointModelHelicalUnaligned(axis, link.pitch)
        case "spherical":
            return pin.JointModelSpherical()
        case "planar":
            return pin.JointModelPlanar()
        case "free":
            return pin.JointModelFreeFlyer()


class Pinocchio:
    def __init__(self, model: pin.Model, robot: Robot, coordinates: Coordinates):
        self.model, self.robot, self.coordinates = model, robot, coordinates
        self.data = model.createData()
        self.T = np.zeros((model.nv, coordinates.nv))
        self.joints = []  # of Pinocchio: index, link, and what leads it
        for i, link in enumerate(robot.links):
            if link.kind == "fixed":
                continue
            at = model.getJointId(link.joint)
            assert at < model.njoints, f"Pinocchio has no joint {link.joint}"
            leader, ratio, offset = coordinates.lead(i)
            self.joints.append((at, link.kind, leader, ratio, offset))
            v, first = model.joints[at].idx_v, coordinates.v[leader]
            for ours, theirs in enumerate(TURN_FIRST.get(link.kind, range(model.joints[at].nv))):
                self.T[v + theirs, first + ours] = ratio
        assert len(self.joints) == model.njoints - 1

    def position(self, q):
        out = np.full(self.model.nq, np.nan)
        for at, kind, leader, ratio, offset in self.joints:
            joint, mine = self.model.joints[at], q[self.coordinates.q[leader] :]
            if kind == "free":
                value = [*mine[4:7], *mine[1:4], mine[0]]
            elif kind == "spherical":
                value = [*mine[1:4], mine[0]]
            elif kind == "planar":
                value = [mine[1], mine[2], np.cos(mine[0]), np.sin(mine[0])]
            else:
                angle = ratio * mine[0] + offset
                value = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
            out[joint.idx_q : joint.idx_q + joint.nq] = value
        return out

    def answers(self, q, qd, qdd, tau, frames: list[str]) -> dict[str, np.ndarray]:
        """Without friction and rotors."""
        m, d, T = self.model, self.data, self.T
        p, v, a = self.position(q), T @ qd, T @ qdd
        out = {"torques": T.T @ pin.rnea(m, d, p, v, a)}
        out["gravity"] = T.T @ pin.computeGeneralizedGravity(m, d, p)
        out["bias"] = T.T @ pin.nonLinearEffects(m, d, p, v)
        M = np.triu(pin.crba(m, d, p))
        out["mass matrix"] = T.T @ (M + np.triu(M, 1).T) @ T
        out["Coriolis matrix"] = T.T @ pin.computeCoriolisMatrix(m, d, p, v) @ T
        pin.computeRNEADerivatives(m, d, p, v, a)
        out["d torques / dq"] = T.T @ d.dtau_dq @ T
        out["d torques / dqd"] = T.T @ d.dtau_dv @ T
        if not any(link.mimic for link in self.robot.links):  # else the other joints' efforts have a say
            friction, slopes = self.coordinates.friction(qd)
            efforts = T @ (tau - friction)
            out["accelerations"] = T.T @ pin.aba(m, d, p, v, efforts)
            pin.computeABADerivatives(m, d, p, v, efforts)
            full = np.triu(d.Minv)
            inverse = T.T @ (full + np.triu(full, 1).T) @ T
            out["d accelerations / dq"] = T.T @ d.ddq_dq @ T
            out["d accelerations / dqd"] = T.T @ d.ddq_dv @ T - inverse @ slopes
        pin.computeJointJacobiansTimeVariation(m, d, p, v)
        pin.updateFramePlacements(m, d)
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        places, jacobians, rates = [], [], []
        for name in frames:
            at = m.getFrameId(name, pin.FrameType.BODY)
            places.append(d.oMf[at].homogeneous)
            for into, J in (
                (jacobians, pin.getFrameJacobian(m, d, at, world)),
                (rates, pin.getFrameJacobianTimeVariation(m, d, at, world)),
            ):
                into.append((J.reshape(6, m.nv) @ T)[[3, 4, 5, 0, 1, 2]])
        out["poses"], out["Jacobians"], out["Jacobian rates"] = np.array(places), np.array(jacobians), np.array(rates)
        out["kinetic energy"] = np.array(pin.computeKineticEnergy(m, d, p, v))
        out["potential energy"] = np.array(pin.computePotentialEnergy(m, d, p))
        return out
