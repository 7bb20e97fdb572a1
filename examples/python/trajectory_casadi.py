"""A motion of least torque with CasADi and IPOPT: torques of Torsor as constraints, with exact Jacobians and Hessians.

Positions, speeds and accelerations of N + 1 instants are the unknowns; the trapezoidal rule ties them together (direct collocation),
torques, speeds and accelerations keep their limits, and the integral of the squared torques is as small as it can be.

    python trajectory_casadi.py          pip install 'torsor[casadi]'
"""

# mypy: ignore-errors
# its types are those of a package that need not be installed where these are checked
from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
import torsor as ts
import torsor.casadi as tc


class Plan(NamedTuple):
    """The motion found."""

    q: Any  # (instants, nv)
    qd: Any
    tau: Any
    cost: float  # integral of the squared torques, in parts of their limits
    first_cost: float  # that of the straight way
    iterations: int
    success: bool


FASTEST = 20.0  # rad/s^2: light wrists would else be flung about between two instants


def plan(robot: ts.Robot, start: Any, goal: Any, duration: float, pieces: int, exact: bool = True) -> Plan:
    """From rest to rest. exact: Hessians from the engine; else IPOPT's approximation of low memory."""
    n, h = robot.nv, duration / pieces
    limit = np.minimum(robot.effort_limits, 1e3)
    torques = tc.inverse_dynamics(robot)
    q, qd, qdd = (ca.MX.sym(name, n, pieces + 1) for name in ("q", "qd", "qdd"))
    tau = [torques(q[:, k], qd[:, k], qdd[:, k]) / limit for k in range(pieces + 1)]
    weight = [h / 2 if k in (0, pieces) else h for k in range(pieces + 1)]
    cost = sum(w * ca.sumsqr(each) for w, each in zip(weight, tau))
    ties, bounds = [], []
    for k in range(pieces):
        ties += [
            q[:, k + 1] - q[:, k] - h / 2 * (qd[:, k] + qd[:, k + 1]) - h**2 / 12 * (qdd[:, k] - qdd[:, k + 1]),
            qd[:, k + 1] - qd[:, k] - h / 2 * (qdd[:, k] + qdd[:, k + 1]),
        ]
    bounds = [(0.0, 0.0)] * (2 * n * pieces) + [(-1.0, 1.0)] * (n * (pieces + 1))
    unknowns = ca.vertcat(ca.vec(q), ca.vec(qd), ca.vec(qdd))
    options = {"ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes", "ipopt.max_iter": 200}
    if not exact:
        options["ipopt.hessian_approximation"] = "limited-memory"
    solver = ca.nlpsol("solver", "ipopt", {"x": unknowns, "f": cost, "g": ca.vertcat(*ties, *tau)}, options)

    # the straight way, by a polynomial of order five, is where it begins
    s = np.linspace(0, 1, pieces + 1)[:, None]
    way, way_d, way_dd = 10 * s**3 - 15 * s**4 + 6 * s**5, 30 * s**2 - 60 * s**3 + 30 * s**4, 60 * s - 180 * s**2 + 120 * s**3
    first = [start + way * (goal - start), way_d * (goal - start) / duration, way_dd * (goal - start) / duration**2]
    low = [np.tile(robot.lower, (pieces + 1, 1)), np.tile(-robot.velocity_limits, (pieces + 1, 1)), np.full_like(first[2], -FASTEST)]
    high = [np.tile(robot.upper, (pieces + 1, 1)), np.tile(robot.velocity_limits, (pieces + 1, 1)), np.full_like(first[2], FASTEST)]
    for k, at in ((0, start), (pieces, goal)):
        low[0][k] = high[0][k] = at
        low[1][k] = high[1][k] = 0
    flat = [np.concatenate([part.ravel() for part in parts]) for parts in (first, low, high)]
    found = solver(x0=flat[0], lbx=flat[1], ubx=flat[2], lbg=[b[0] for b in bounds], ubg=[b[1] for b in bounds])
    x = np.asarray(found["x"]).reshape(3, pieces + 1, n)
    straight = ts.inverse_dynamics(robot, *first) / limit
    stats = solver.stats()
    return Plan(
        x[0],
        x[1],
        ts.inverse_dynamics(robot, *x),
        float(found["f"]),
        float((np.array(weight)[:, None] * straight**2).sum()),
        int(stats["iter_count"]),
        bool(stats["success"]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="a motion of least torque")
    parser.add_argument("--robot", default="iiwa14")
    parser.add_argument("--pieces", type=int, default=30)
    options = parser.parse_args()
    robot = ts.load(options.robot)
    middle = 0.5 * (np.clip(robot.lower, -3, 3) + np.clip(robot.upper, -3, 3))
    start, goal = middle + 0.4, middle - 0.7 * (-1) ** np.arange(robot.nv)
    found = plan(robot, start, goal, 1.5, options.pieces)
    print(f"IPOPT: {'solved' if found.success else 'not solved'} in {found.iterations} iterations")
    print(f"squared torques: {found.cost:.4f} s of the limits, {found.first_cost:.4f} along the straight way")


if __name__ == "__main__":
    main()
