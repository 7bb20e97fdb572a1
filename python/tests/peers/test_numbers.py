"""States in the numbers of Pinocchio and MuJoCo: their torques and energies there are ours here."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest
import torsor as ts


def drawn(robot, count=20):
    q = ts.random_position(robot, count, seed=5)
    return (q, *np.random.default_rng(6).uniform(-1, 1, (2, count, robot.nv)))


@pytest.mark.parametrize("name, floating", [("iiwa14", False), ("two_arm", False), ("two_arm", True), ("puma560", True)])
def test_torques_of_pinocchio(name, floating):
    text = ts.load(name).to_urdf()
    text = "\n".join(line for line in text.splitlines() if "<?xml" not in line)
    robot = ts.load(text, base="floating") if floating else ts.load(text)
    model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromXML(text)
    data = model.createData()
    q, qd, qdd = drawn(robot)
    at, v = ts.to_pinocchio(robot, model, q, qd)
    _, a = ts.to_pinocchio(robot, model, q, qdd)
    tau = ts.inverse_dynamics(robot, q, qd, qdd)
    _, efforts = ts.to_pinocchio(robot, model, q, tau)  # of robots without friction and rotors
    for k in range(len(q)):
        theirs = pin.rnea(model, data, at[k], v[k], a[k])
        assert np.abs(theirs - efforts[k]).max() < 1e-9 * (1 + np.abs(theirs).max())
        pin.computeKineticEnergy(model, data, at[k], v[k])
        assert abs(data.kinetic_energy - ts.energy(robot, q[k], qd[k])[0]) < 1e-9 * (1 + data.kinetic_energy)
    back, rates = ts.from_pinocchio(robot, model, at, v)
    assert np.abs(np.sin(ts.difference(robot, back, q) / 2)).max() < 1e-9  # angles, as cosine and sine
    assert np.array_equal(rates, qd)


@pytest.mark.parametrize("name", ["iiwa14", "two_arm", "floating", "go2"])
def test_energies_of_mujoco(name):
    robot = ts.load(name)
    model = mujoco.MjModel.from_xml_string(robot.to_mjcf())
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    data = mujoco.MjData(model)
    q, qd, _ = drawn(robot)
    at, v = ts.to_mujoco(robot, model, q, qd)
    offset = None
    for k in range(len(q)):
        data.qpos, data.qvel = at[k], v[k]
        mujoco.mj_forward(model, data)
        kinetic, potential = ts.energy(robot, q[k], qd[k])
        assert abs(data.energy[1] - kinetic) < 1e-8 * (1 + abs(kinetic))
        offset = data.energy[0] - potential if offset is None else offset
        assert abs(data.energy[0] - potential - offset) < 1e-8 * (1 + abs(potential))
    back, rates = ts.from_mujoco(robot, model, at, v)
    assert np.array_equal(back, q) and np.abs(rates - qd).max() < 1e-12
