// What runs inside the user's Python: one robot file, one table of states, one table of torques. No engine is a dependency
// of this project; the script is text, written to a temporary folder and given to the interpreter by its path.
#include "cli/engine.hpp"

namespace torsor {

const char* engine_script() {
  return R"py("""torsor agree --against ENGINE: torques of another engine for given states.

Arguments: engine, robot file (URDF, MJCF or SDF), states (CSV: q.NAME, qd.NAME, qdd.NAME), where to write (the same columns and
tau.NAME). Exit code 3: the package is not installed; 4: the engine does not take this robot, the reason is on stderr.
"""
import csv
import sys
import tempfile
import os
import xml.etree.ElementTree as ET
import xml.parsers.expat


def refuse(reason, code=4):
    print(" ".join(str(reason).split()), file=sys.stderr)
    sys.exit(code)


def read_xml(path):
    """The document with the names as they are typed, drake:gear_ratio among them: ElementTree by itself would resolve a prefix,
    refuse one that is not declared, and write another one."""
    builder = ET.TreeBuilder()
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    with open(path, "rb") as file:
        parser.ParseFile(file)
    return builder.close()


# What couples joints: rows of ({joint: coefficient}, constant), each coefficient times its joint summed up is the constant.


def plain_urdf(root):
    """The URDF without shapes, whose meshes need not be at hand: inertias are in <inertial>. And what its mimics couple."""
    rows = []
    for link in root.findall("link"):
        for shape in ("visual", "collision"):
            for each in link.findall(shape):
                link.remove(each)
    for joint in root.findall("joint"):
        for mimic in [each for each in joint if each.tag in ("mimic", "drake:mimic")]:
            ratio, offset = float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0"))
            rows.append(({joint.get("name"): 1.0, mimic.get("joint"): -ratio}, offset))
            joint.remove(mimic)
    return rows


def mjcf_rows(root):
    """Equalities of joints in an MJCF, for engines that do not say what they made of them."""
    zero = {joint.get("name"): float(joint.get("ref", "0")) for joint in root.iter("joint") if joint.get("name")}
    rows = []
    for each in root.findall("equality/joint"):
        if each.get("active", "true") == "false":
            continue
        one, two = each.get("joint1"), each.get("joint2")
        c = [float(x) for x in each.get("polycoef", "0 1 0 0 0").split()] + [0.0, 0.0]
        if two is None:
            rows.append(({one: 1.0}, zero.get(one, 0.0) + c[0]))
        else:
            rows.append(({one: 1.0, two: -c[1]}, zero.get(one, 0.0) + c[0] - c[1] * zero.get(two, 0.0)))
    return rows


def own_names(model):
    """What torsor calls the joints whose names it could not keep where it wrote the SDF."""
    return {joint.get("name"): joint.get("torsor:name", joint.get("name")) for joint in model.iter("joint")}


def sdf_rows(model, scope=""):
    """Mimics of an SDF; joints of nested models go by inner::joint, the two axes of a universal one by joint.axis and .axis2."""
    two = {joint.get("name") for joint in model.findall("joint") if joint.get("type") in ("universal", "revolute2")}
    own = own_names(model)
    called = lambda joint, axis: scope + own.get(joint, joint) + ("." + axis if joint in two else "")
    rows = []
    for joint in model.findall("joint"):
        for axis, mimic in [(a.tag, m) for a in joint if a.tag in ("axis", "axis2") for m in a if m.tag in ("mimic", "drake:mimic")]:
            number = lambda key: float(mimic.findtext(key, "0"))
            leader = called(mimic.get("joint"), mimic.get("axis", "axis"))
            ratio = number("multiplier")
            rows.append(({called(joint.get("name"), axis): 1.0, leader: -ratio}, number("offset") - ratio * number("reference")))
    for inner in model.findall("model"):
        rows += sdf_rows(inner, f"{scope}{inner.get('name')}::")
    return rows


def sdf_gravity(root):
    """That of the world, which Drake passes over; 0 0 -9.8 where a world says nothing, none where there is no world."""
    world = root.find("world")
    if world is None:
        return None
    text = world.findtext("gravity") or world.findtext("physics/gravity") or "0 0 -9.8"
    return [float(x) for x in text.split()]


def spread(rows, names, joints):
    """Each joint of the engine by the coordinates of torsor: ({name: ratio}, offset)."""
    known = {name: ({name: 1.0}, 0.0) for name in names}
    waiting = list(rows)
    while True:
        ready = [row for row in waiting if sum(c != 0 and j not in known for j, c in row[0].items()) == 1]
        if not ready:
            break
        coefficients, rest = ready[0]
        waiting.remove(ready[0])
        unknown = next(j for j, c in coefficients.items() if c != 0 and j not in known)
        by = {}
        for joint, c in coefficients.items():
            if joint == unknown or c == 0:
                continue
            for name, ratio in known[joint][0].items():
                by[name] = by.get(name, 0.0) - c * ratio / coefficients[unknown]
            rest -= c * known[joint][1]
        known[unknown] = (by, rest / coefficients[unknown])
    for joint in joints:
        if joint not in known:
            refuse(f"it has a joint {joint} that torsor has not")
    return {joint: known[joint] for joint in joints}


def save(root, folder):
    path = os.path.join(folder, "robot.urdf")
    ET.ElementTree(root).write(path)
    return path


class Pinocchio:
    def __init__(self, path, root, folder, called):
        import pinocchio as pin

        root = root if root.tag == "robot" else None
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
    def __init__(self, path, root, folder, called):
        import mujoco

        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_path(save(root, folder) if root.tag == "robot" else path)
        # what is held by soft forces: limits, contacts and couplings, which are put into the coordinates; and dry friction, which
        # near standstill is less there than its number, and is added by the law
        off = mujoco.mjtDisableBit
        for soft in (off.mjDSBL_CONTACT, off.mjDSBL_LIMIT, off.mjDSBL_EQUALITY, off.mjDSBL_FRICTIONLOSS):
            self.model.opt.disableflags |= int(soft)
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
        self.rows = [row for k in range(self.model.neq) for row in self.row(k)]

    def sum(self, kind, k):
        """Joints and coefficients of one side of an equality, and the value that they sum up to in the model's pose."""
        model, mujoco = self.model, self.mujoco
        if kind == int(mujoco.mjtEq.mjEQ_JOINT):
            return [(mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, k), 1.0)], float(model.qpos0[model.jnt_qposadr[k]])
        wraps = range(int(model.tendon_adr[k]), int(model.tendon_adr[k] + model.tendon_num[k]))
        if any(int(model.wrap_type[w]) != int(mujoco.mjtWrap.mjWRAP_JOINT) for w in wraps):
            refuse("an equality couples a tendon along sites")
        name = lambda w: mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, int(model.wrap_objid[w]))
        return [(name(w), float(model.wrap_prm[w])) for w in wraps], float(model.tendon_length0[k])

    def row(self, k):
        """Equality k of joints or tendons, y1 - y1_0 = c0 + c1 (y2 - y2_0), as a row."""
        mujoco, kind, c = self.mujoco, int(self.model.eq_type[k]), [float(x) for x in self.model.eq_data[k]]
        if not self.model.eq_active0[k] or kind not in (int(mujoco.mjtEq.mjEQ_JOINT), int(mujoco.mjtEq.mjEQ_TENDON)):
            return []
        one, two = int(self.model.eq_obj1id[k]), int(self.model.eq_obj2id[k])
        if two >= 0 and any(c[2:5]):
            refuse("an equality is no straight line")
        row, constant = self.sum(kind, one)
        row, constant = dict(row), constant + c[0]
        if two >= 0:
            other, there = self.sum(kind, two)
            constant -= c[1] * there
            for joint, coefficient in other:
                row[joint] = row.get(joint, 0.0) - c[1] * coefficient
        return [(row, constant)]

    def torques(self, q, qd, qdd):
        for dof, at in self.position.items():
            self.data.qpos[at] = q[dof]
        self.data.qvel[:] = qd
        self.data.qacc[:] = qdd
        self.mujoco.mj_inverse(self.model, self.data)
        dry = [f if v > 0 else -f if v < 0 else 0.0 for f, v in zip(self.model.dof_frictionloss, qd)]
        return self.data.qfrc_inverse + dry


class Drake:
    def __init__(self, path, root, folder, called):
        import pydrake
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import MultibodyForces

        self.plant = plant = MultibodyPlant(0.0)
        urdf, sdf = root.tag == "robot", root.tag == "sdf"
        bodies = Parser(plant).AddModels(save(root, folder) if urdf else path)
        if urdf:
            children = {joint.find("child").get("link") for joint in root.findall("joint")}
            for link in root.findall("link"):
                if link.get("name") not in children and link.get("name") != "world":
                    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName(link.get("name"), bodies[0]))
        if sdf and sdf_gravity(root) is not None:
            plant.mutable_gravity_field().set_gravity_vector(sdf_gravity(root))
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
        own = own_names(root) if sdf else {}
        for k in plant.GetJointIndices():
            joint = plant.get_joint(k)
            if joint.num_velocities() == 0:
                continue
            # of m::inner, the model in the model m, where Drake puts what moves it, though it may be a joint of m
            scope = plant.GetModelInstanceName(joint.model_instance()).split("::") if sdf else []
            inner = own.get(joint.name(), joint.name())
            longer = ["::".join(scope[k:j] + [inner]) for k in range(2) for j in range(len(scope), k, -1)]
            name = next((each for each in longer if each in called or each + ".axis" in called), inner)
            if joint.type_name() == "universal":
                for k, axis in enumerate((".axis", ".axis2")):
                    self.joints[name + axis] = joint.velocity_start() + k
            elif joint.num_velocities() == 1:
                self.joints[name] = joint.velocity_start()
            else:
                refuse(f"joint {name} has {joint.num_velocities()} coordinates: joints with one alone are compared")

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
    root = read_xml(robot)
    if root.tag == "robot":
        rows = plain_urdf(root)
    elif root.tag == "mujoco":
        rows = mjcf_rows(root)
    else:
        worlds = root.findall("world")
        tops = [model for each in [root] + worlds for model in each.findall("model")]
        rows = [row for model in tops for row in sdf_rows(model, "" if len(tops) == 1 else model.get("name") + "::")]
    with open(states, newline="") as file:
        states = list(csv.DictReader(file))
    names = [key[2:] for key in states[0] if key.startswith("q.")]
    called = set(names).union(*(row for row, _ in rows))
    with tempfile.TemporaryDirectory() as folder:
        try:
            other = engine(robot, root, folder, called)
        except SystemExit:
            raise
        except BaseException as reason:  # whatever it throws is its refusal
            refuse(reason)
    # mimics of a URDF were taken out of what the engine got
    by = spread(getattr(other, "rows", []) or rows, names, other.joints)
    for joint in names:
        if joint not in other.joints:
            refuse(f"it has no joint {joint}")
    n = len(other.joints)
    print(other.version)
    with open(out, "w", newline="") as file:
        write = csv.writer(file)
        write.writerow([f"{kind}.{joint}" for kind in ("q", "qd", "qdd", "tau") for joint in names])
        for state in states:
            q, qd, qdd = np.zeros(n), np.zeros(n), np.zeros(n)
            for joint, at in other.joints.items():
                ratios, q[at] = by[joint]
                for name, ratio in ratios.items():
                    q[at] += ratio * float(state["q." + name])
                    qd[at] += ratio * float(state["qd." + name])
                    qdd[at] += ratio * float(state["qdd." + name])
            tau = other.torques(q, qd, qdd)
            sums = dict.fromkeys(names, 0.0)
            for joint, at in other.joints.items():
                for name, ratio in by[joint][0].items():
                    sums[name] += ratio * float(tau[at])
            write.writerow([state[f"{kind}.{joint}"] for kind in ("q", "qd", "qdd") for joint in names] + [repr(sums[joint]) for joint in names])


if __name__ == "__main__":
    main(*sys.argv[1:5])
)py";
}

}  // namespace torsor
