"""Torsor's coordinates of a robot: which numbers of q and qd belong to which link, and random states of them."""

from __future__ import annotations

import numpy as np
from tree import Robot

POSITIONS = {"fixed": 0, "planar": 3, "spherical": 4, "free": 7}
VELOCITIES = {"fixed": 0, "planar": 3, "spherical": 3, "free": 6}


class Coordinates:
    """leader[i]: the link whose coordinates move link i, with ratio and offset; q[i], v[i]: where those begin."""

    def __init__(self, robot: Robot, torsor_robot):
        self.robot = robot
        self.nq, self.nv = torsor_robot.nq, torsor_robot.nv
        by_joint = {link.joint: i for i, link in enumerate(robot.links)}
        self.q: dict[int, int] = {}
        self.v: dict[int, int] = {}
        nq = nv = 0
        for joint, kind in zip(torsor_robot.joint_names, torsor_robot.kinds):
            i = by_joint[joint]
            link = robot.links[i]
            assert kind == link.kind, f"{joint} is {kind}, not {link.kind}"
            if kind == "fixed" or link.mimic:
                continue
            self.q[i], self.v[i] = nq, nv
            nq += POSITIONS.get(kind, 1)
            nv += VELOCITIES.get(kind, 1)
        assert (nq, nv) == (self.nq, self.nv)

    def lead(self, i: int) -> tuple[int, float, float]:
        """The link whose coordinate moves the joint of link i, ratio and offset: mimics may follow mimics."""
        ratio, offset = 1.0, 0.0
        while self.robot.links[i].mimic:
            i, more, shift = self.robot.links[i].mimic
            offset, ratio = offset + ratio * shift, ratio * more
        return i, ratio, offset

    def states(self, count: int, seed: int = 1):
        """Random q, qd, qdd; quaternions of unit length."""
        random = np.random.default_rng(seed)
        q = random.uniform(-2, 2, (count, self.nq))
        for i, start in self.q.items():
            if self.robot.links[i].kind in ("spherical", "free"):
                q[:, start : start + 4] /= np.linalg.norm(q[:, start : start + 4], axis=1, keepdims=True)
        qd, qdd = random.uniform(-2, 2, (2, count, self.nv))
        return q, qd, qdd

    def friction(self, qd):
        """Efforts of friction at the joints by the numbers of the robot, and their slopes by qd: mimics pass theirs on."""
        efforts, slopes = np.zeros(self.nv), np.zeros((self.nv, self.nv))
        for i, link in enumerate(self.robot.links):
            if not (link.damping or link.friction) or link.kind not in ("revolute", "prismatic", "helical"):
                continue
            leader, ratio, _ = self.lead(i)
            at = self.v[leader]
            speed = ratio * qd[at]
            efforts[at] += ratio * (link.damping * speed + link.friction * np.sign(speed))
            slopes[at, at] += ratio * link.damping * ratio
        return efforts, slopes

    def rotors(self):
        """What the rotors add to the mass matrix."""
        out = np.zeros((self.nv, self.nv))
        for i, link in enumerate(self.robot.links):
            if link.rotor:
                leader, ratio, _ = self.lead(i)
                out[self.v[leader], self.v[leader]] += ratio * link.rotor * ratio
        return out
