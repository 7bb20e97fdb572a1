"""Forward dynamics of robots with loops beside Pinocchio's constrained dynamics: the same accelerations, and the time of a call.

    python bench_loops.py [ROBOT ...]          needs torsor and pin; robots with loops that close by hinges or balls
    python bench_loops.py chain                inverse dynamics of chains of four-bars

Pinocchio has the tree as URDF, rotors as armature, and a constraint of position (3d) for each loop. One state after the other, each
a millisecond of motion on, from Python in both; processor time, the least of several rounds in alternation. Friction is left out. The same positions of
all joints are given to Pinocchio, which closes nothing.
"""

from __future__ import annotations

import re
import sys
import time
import tomllib

import numpy as np
import pinocchio as pin
import torsor as ts

STATES = 200


def without(text, *, loops=False):
    text = re.sub(r"^friction = .*\n", "", text, flags=re.M)
    text = re.sub(r"^\[friction\..*\n(?:(?!\[).*\n)*", "", text, flags=re.M)
    if loops:
        text = re.sub(r"^\[\[loop\]\]\n(?:(?!\[\[).*\n)*", "", text, flags=re.M)
        text = re.sub(r", start = [-+.e\d]+", "", text)
    return text


class Beside:
    """The same robot in Pinocchio."""

    def __init__(self, robot):
        text = without(robot.to_toml())
        self.robot = ts.load(text, check=False)
        cut = ts.load(without(text, loops=True), check=False)
        self.model = pin.buildModelFromXML(cut.to_urdf())
        self.data = self.model.createData()
        m = self.model
        self.at = [m.joints[m.getJointId(name)].idx_v for name in cut.velocity_names]
        self.angles = [m.joints[m.getJointId(name)].nq == 2 for name in cut.velocity_names]
        m.gravity.linear = np.array(robot.gravity)
        zero = np.zeros(cut.nv)
        M = pin.crba(m, self.data, pin.neutral(m))
        rotors = np.diag(ts.mass_matrix(cut, zero)) - np.diag(M)[self.at]
        armature = np.zeros(m.nv)
        armature[self.at] = np.where(rotors > 1e-9, rotors, 0)
        m.armature = armature
        self.data = m.createData()
        self.contacts, self.datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in tomllib.loads(text)["loop"]:
            if loop["kind"] not in ("revolute", "spherical"):
                raise ValueError(f"loops of kind {loop['kind']}")
            ends = []
            for link, side in zip(loop["links"], ("first", "second")):
                frame = m.frames[m.getFrameId(link, pin.FrameType.BODY)]
                place = pin.SE3(np.eye(3), np.array(loop.get(side, {}).get("position", [0.0, 0, 0]), float))
                ends += [frame.parentJoint, frame.placement * place]
            contact = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, m, *ends, pin.LOCAL)
            self.contacts.append(contact)
        for contact in self.contacts:
            self.datas.append(contact.createData())
        pin.initConstraintDynamics(m, self.data, self.contacts, self.datas)
        self.settings = pin.ProximalSettings(1e-12, 1e-12, 1e-9, 50)

    def state(self, q, qd, tau):
        """Of all joints, in its order; rates by differences of positions that close."""
        r, m, h = self.robot, self.model, 1e-4
        along = [ts.joint_positions(r, q + k * h * qd) for k in (-2, -1, 0, 1, 2)]
        rates = (along[0] - 8 * along[1] + 8 * along[3] - along[4]) / (12 * h)
        x, v, t = pin.neutral(m), np.zeros(m.nv), np.zeros(m.nv)
        names = r.joint_position_names
        for name, value, rate, k in zip(names, along[2], rates, self.at):
            joint = m.joints[m.getJointId(name)]
            x[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(value), np.sin(value)] if joint.nq == 2 else value
            v[k] = rate
        for name, value in zip(r.velocity_names, tau):
            t[m.joints[m.getJointId(name)].idx_v] = value
        return x, v, t

    def forward(self, x, v, t):
        return pin.constraintDynamics(self.model, self.data, x, v, t, self.contacts, self.datas, self.settings)


def least(asks, rounds=9):
    best = [float("inf")] * len(asks)
    for _ in range(rounds):
        for k, ask in enumerate(asks):
            start = time.process_time()
            ask()
            best[k] = min(best[k], time.process_time() - start)
    return best


def chain(count):
    """So many four-bars, each on the coupler of the one before."""
    links, loops, parent = ['name = "chain"\n'], [], "base"
    bodies = (("crank", 1.2, 0.0), ("coupler", -0.8, 0.4), ("rocker", 1.7, 1.0))
    for k in range(count):
        at = 0.0 if parent == "base" else 0.9
        for name, start, x in bodies:
            on = f"crank{k}" if name == "coupler" else parent
            place = x if name == "coupler" else x + at
            links.append(
                f'[[link]]\nname = "{name}{k}"\nparent = "{on}"\njoint = {{ kind = "revolute", start = {start} }}\n'
                f"placement = {{ position = [{place}, 0, 0] }}\nmass = 1\ncom = [0.2, 0, 0]\ninertia = [0.01, 0.02, 0.02]\n"
            )
        loops.append(
            f'[[loop]]\nname = "pin{k}"\nkind = "revolute"\nlinks = ["coupler{k}", "rocker{k}"]\nactuated = ["crank{k}"]\n'
            "first = { position = [0.9, 0, 0] }\nsecond = { position = [0.8, 0, 0] }\n"
        )
        parent = f"coupler{k}"
    return ts.load("".join(links + loops), check=False)


def tell_chains():
    for count in (10, 100, 1000):
        start = time.perf_counter()
        robot = chain(count)
        load = time.perf_counter() - start
        q = robot.neutral_position() + 1e-3 * np.arange(40)[:, None]
        qd = np.random.default_rng(0).uniform(-0.1, 0.1, q.shape)
        (each,) = least([lambda q=q, qd=qd, robot=robot: ts.inverse_dynamics(robot, q, qd, qd, threads=1)])
        print(f"{count:5} four-bars   read in {load:5.2f} s   inverse dynamics {1e9 * each / 40 / count:5.0f} ns a four-bar", flush=True)


def main():
    if sys.argv[1:] == ["chain"]:
        return tell_chains()
    for name in sys.argv[1:] or ["five_bar", "palletising_arm", "excavator", "four_bar_knee", "ankle"]:
        beside = Beside(ts.load(name, check=False))
        r = beside.robot
        random = np.random.default_rng(2)
        at = ts.random_position(r, 1, 7)[0]
        q = at + 1e-3 * np.minimum(np.arange(STATES), STATES - np.arange(STATES))[:, None] * random.uniform(-1, 1, r.nv)
        qd, tau = random.uniform(-1, 1, (2, STATES, r.nv))
        theirs = [beside.state(*each) for each in zip(q, qd, tau)]
        places = [beside.model.joints[beside.model.getJointId(n)].idx_v for n in r.velocity_names]
        worst = 0.0
        for each, other in zip(zip(q, qd, tau), theirs):
            ours, wanted = ts.forward_dynamics(r, *each), beside.forward(*other)[places]
            worst = max(worst, np.abs(ours - wanted).max() / max(np.abs(wanted).max(), 9.81))

        def ask_ours(q=q, qd=qd, tau=tau, r=r):
            for each in zip(q, qd, tau):
                ts.forward_dynamics(r, *each)

        def ask_rows(q=q, qd=qd, tau=tau, r=r):
            ts.forward_dynamics(r, q, qd, tau, threads=1)

        def ask_theirs(theirs=theirs, beside=beside):
            for each in theirs:
                beside.forward(*each)

        single, rows, pinocchio = (1e9 * t / STATES for t in least([ask_ours, ask_rows, ask_theirs]))
        print(
            f"{name:16} apart {worst:7.1e}   torsor {single:7.0f} ns, in rows {rows:7.0f}   pinocchio {pinocchio:7.0f} ns   "
            f"{pinocchio / single:5.1f} x, {pinocchio / rows:5.1f} x",
            flush=True,
        )


if __name__ == "__main__":
    main()
