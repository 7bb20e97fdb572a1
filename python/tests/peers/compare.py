"""Torsor beside its peers: the same questions, and the worst relative difference of each answer.

A difference is measured against the largest entry of the peer's answers to that question, or of the mass matrix (the
Jacobians, the kinetic energy) where this is larger: a rotor that turns about its own axis has nothing but rounding in its
Coriolis terms.
"""

from __future__ import annotations

import numpy as np
import torsor as ts
from coordinates import Coordinates

# what has to be small to be nothing but rounding: the answer to another question, at 1/s or 1/s²
MEASURES = {
    **dict.fromkeys(("torques", "gravity", "bias", "Coriolis matrix", "d torques / dq", "d torques / dqd"), "mass matrix"),
    "Jacobian rates": "Jacobians",
    "potential energy": "kinetic energy",
}


def torsor_answers(robot, coordinates: Coordinates, q, qd, qdd, tau, frames: list[str]) -> dict[str, np.ndarray]:
    """Friction and rotors of the robot's own numbers are taken away, where the peer has none."""
    friction, slopes = coordinates.friction(qd)
    rotors = coordinates.rotors()
    out = {"torques": ts.inverse_dynamics(robot, q, qd, qdd) - friction - rotors @ qdd}
    out["gravity"] = ts.gravity(robot, q)
    out["bias"] = ts.bias(robot, q, qd) - friction
    out["mass matrix"] = ts.mass_matrix(robot, q) - rotors
    out["Coriolis matrix"] = ts.coriolis_matrix(robot, q, qd)
    dq, dqd, dqdd = ts.inverse_derivatives(robot, q, qd, qdd)
    out["d torques / dq"], out["d torques / dqd"] = dq, dqd - slopes
    if not rotors.any():
        try:
            out["accelerations"] = ts.forward_dynamics(robot, q, qd, tau)
            dq, dqd, _ = ts.forward_derivatives(robot, q, qd, tau)
            out["d accelerations / dq"], out["d accelerations / dqd"] = dq, dqd
        except ts.Error as error:
            assert [fault.rule for fault in error.faults] == ["massless-coordinate"]
    out["poses"] = np.array([ts.frame_pose(robot, q, frame) for frame in frames])
    out["Jacobians"] = np.array([ts.jacobian(robot, q, frame) for frame in frames])
    out["Jacobian rates"] = np.array([ts.jacobian_rate(robot, q, qd, frame) for frame in frames])
    kinetic, potential = ts.energy(robot, q, qd)
    out["kinetic energy"], out["potential energy"] = kinetic - qd @ rotors @ qd / 2, potential
    return out


def worst_differences(robot, coordinates, peer, count=5, seed=1, frames=None) -> dict[str, float]:
    """For every question that both answered the worst relative difference over `count` random states."""
    frames = robot.link_names if frames is None else frames
    ours: dict[str, list] = {}
    theirs: dict[str, list] = {}
    for q, qd, qdd in zip(*coordinates.states(count, seed)):
        tau = ts.inverse_dynamics(robot, q, qd, qdd)
        for answers, into in (
            (torsor_answers(robot, coordinates, q, qd, qdd, tau, frames), ours),
            (peer.answers(q, qd, qdd, tau, frames), theirs),
        ):
            for question, answer in answers.items():
                into.setdefault(question, []).append(answer)
    sizes = {question: np.max(np.abs(answers), initial=0) for question, answers in theirs.items()}
    for question in ("d accelerations / dq", "d accelerations / dqd"):
        sizes[question] = max(1.0, sizes.get(question, 0.0))
    out = {}
    for question in theirs:
        a, b = np.array(ours.get(question, [])), np.array(theirs[question])
        if not len(a) == len(b) == count:
            continue
        assert a.shape == b.shape
        if question == "potential energy":  # Pinocchio leaves out what is fixed to the base
            a, b = a - a[0], b - b[0]
        size = max(sizes[question], sizes.get(MEASURES.get(question), 0.0))
        gap = np.max(np.abs(a - b), initial=0) / (size or 1)
        out[question] = float(gap) if np.isfinite(gap) else np.inf
    return out
