// What runs inside the user's Python: one robot file, one table of states, one table of torques. No engine is a dependency
// of this project; the script is text, written to a temporary folder and given to the interpreter by its path.
#include "cli/engine.hpp"

namespace torsor {

const char* engine_script() {
  return R"py("""torsor agree --against ENGINE: torques of another engine for given states.

Arguments: engine, robot file (URDF or MJCF), states (CSV: q.NAME, qd.NAME, qdd.NAME), where to write (the same columns and
tau.NAME). Exit code 3: the package is not installed; 4: the engine does not take this robot, the reason is on stderr.
"""
import csv
import sys
import tempfile
import os
import xml.etree.ElementTree as ET


def refuse(reason, code=4):
    print(" ".join(str(reason).split()), file=sys.stderr)
    sys.exit(code)


def plain_urdf(path):
    """The URDF without shapes, whose meshes need not be at hand: inertias are in <inertial>. And who follows whom."""
    tree = ET.parse(path)
    root = tree.getroot()
    follow = {}
    for link in root.findall("link"):
        for shape in ("visual", "collision"):
            for each in link.findall(shape):
                link.remove(each)
    for joint in root.findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            follow[joint.get("name")] = (mimic.get("joint"), float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0")))
            joint.remove(mimic)
    return root, follow


def leader_of(name, follow):
    ratio, offset = 1.0, 0.0
    while name in follow:
        name, r, o = follow[name]
        offset += ratio * o
        ratio *= r
    return name, ratio, offset


def save(root, folder):
    path = os.path.join(folder, "robot.urdf")
    ET.ElementTree(root).write(path)
    return path


class Pinocchio:
    def __init__(self, path, root, folder):
        import pinocchio as pin

        if root is None and not hasattr(pin, "buildModelFromMJCF"):
            refuse("this Pinocchio reads no MJCF")
        self.pin = pin
        self.model = pin.buildModelFromMJCF(path) if root is None else pin.buildModelFromUrdf(save(root, folder))
        self.data = self.model.createData()
        self.version = "Pinocchio " + pin.__version__
        self.joints = {}
        for k in range(1, self.model.njoints):
            if self.model.joints[k].nv != 1:
                refuse(f"joint {self.model.names[k]} has {self.model.joints[k].nv} coordinates: joints with one alone are compared")
            self.joints[self.model.names[k]] = self.model.joints[k].idx_v

    def torques(self, q, qd, qdd):
        pin = self.pin
        # from the neutral position: joints without limits have two numbers there
        return pin.rnea(self.model, self.data, pin.integrate(self.model, pin.neutral(self.model), q), qd, qdd)


class MuJoCo:
    def __init__(self, path, root, folder):
        import mujoco

        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_path(path if root is None else save(root, folder))
        off = mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_LIMIT)
        self.data = mujoco.MjData(self.model)
        self.version = "MuJoCo " + mujoco.__version__
        self.joints = {}
        self.position = {}
        for k in range(self.model.njnt):
            name = mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, k)
            if int(self.model.jnt_type[k]) not in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)):
                refuse(f"joint {name} has several coordinates: joints with one alone are compared")
            self.joints[name] = int(self.model.jnt_dofadr[k])
            self.position[int(self.model.jnt_dofadr[k])] = int(self.model.jnt_qposadr[k])

    def torques(self, q, qd, qdd):
        for dof, at in self.position.items():
            self.data.qpos[at] = q[dof]
        self.data.qvel[:] = qd
        self.data.qacc[:] = qdd
        self.mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()


class Drake:
    def __init__(self, path, root, folder):
        import pydrake
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import MultibodyForces

        self.plant = plant = MultibodyPlant(0.0)
        bodies = Parser(plant).AddModels(path if root is None else save(root, folder))
        if root is not None:
            children = {joint.find("child").get("link") for joint in root.findall("joint")}
            for link in root.findall("link"):
                if link.get("name") not in children and link.get("name") != "world":
                    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(link.get("name"), bodies[0]))
        plant.Finalize()
        self.context = plant.CreateDefaultContext()
        self.forces = MultibodyForces(plant)
        from importlib import metadata
        self.version = "Drake"
        try:
            self.version += " " + metadata.version("drake")
        except metadata.PackageNotFoundError:
            pass  # built from its sources: it has no version
        self.joints = {}
        for k in plant.GetJointIndices(bodies[0]):
            joint = plant.get_joint(k)
            if joint.num_velocities() == 0:
                continue
            if joint.num_velocities() != 1:
                refuse(f"joint {joint.name()} has {joint.num_velocities()} coordinates: joints with one alone are compared")
            self.joints[joint.name()] = joint.velocity_start()

    def torques(self, q, qd, qdd):
        self.plant.SetPositions(self.context, q)
        self.plant.SetVelocities(self.context, qd)
        self.plant.CalcForceElementsContribution(self.context, self.forces)
        return self.plant.CalcInverseDynamics(self.context, qdd, self.forces)


def main(name, robot, states, out):
    engine = {"pinocchio": Pinocchio, "mujoco": MuJoCo, "drake": Drake}[name]
    try:
        import numpy as np
        __import__({"pinocchio": "pinocchio", "mujoco": "mujoco", "drake": "pydrake"}[name])
    except ImportError as missing:
        refuse(missing, 3)
    root, follow = None, {}
    if ET.parse(robot).getroot().tag == "robot":
        root, follow = plain_urdf(robot)
    with tempfile.TemporaryDirectory() as folder:
        try:
            other = engine(robot, root, folder)
        except SystemExit:
            raise
        except BaseException as reason:  # whatever it throws is its refusal
            refuse(reason)
    with open(states, newline="") as file:
        rows = list(csv.DictReader(file))
    names = [key[2:] for key in rows[0] if key.startswith("q.")]
    lead = {joint: leader_of(joint, follow) for joint in other.joints}
    for joint, (leader, _, _) in lead.items():
        if leader not in names:
            refuse(f"it has a joint {joint} that torsor has not")
    for joint in names:
        if joint not in other.joints:
            refuse(f"it has no joint {joint}")
    n = len(other.joints)
    print(other.version)
    with open(out, "w", newline="") as file:
        write = csv.writer(file)
        write.writerow([f"{kind}.{joint}" for kind in ("q", "qd", "qdd", "tau") for joint in names])
        for row in rows:
            q, qd, qdd = np.zeros(n), np.zeros(n), np.zeros(n)
            for joint, at in other.joints.items():
                leader, ratio, offset = lead[joint]
                q[at] = ratio * float(row["q." + leader]) + offset
                qd[at] = ratio * float(row["qd." + leader])
                qdd[at] = ratio * float(row["qdd." + leader])
            tau = other.torques(q, qd, qdd)
            sums = dict.fromkeys(names, 0.0)
            for joint, at in other.joints.items():
                leader, ratio, _ = lead[joint]
                sums[leader] += ratio * float(tau[at])
            write.writerow([row[f"{kind}.{joint}"] for kind in ("q", "qd", "qdd") for joint in names] + [repr(sums[joint]) for joint in names])


if __name__ == "__main__":
    main(*sys.argv[1:5])
)py";
}

}  // namespace torsor
