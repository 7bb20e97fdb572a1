"""Friction and torque constants of an arm, found by the gradient through its simulation, in JAX.

A record has currents and positions, no accelerations and no torques. The arm is simulated from where the record starts, each step a
call of the engine inside a compiled scan; the distance of the simulated positions from the recorded ones is a function of torque
constants and friction, and JAX differentiates it through all steps, by the exact products of torsor.jax. Gauss-Newton steps (the
Jacobian by as many forward tangents as there are unknowns) take the unknowns to the truth.

    python identify_through_simulation.py        pip install 'torsor[jax]'
"""

# mypy: ignore-errors
# its types are those of a package that need not be installed where these are checked
from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import torsor as ts
import torsor.jax as tj

jax.config.update("jax_enable_x64", True)


class Drives(NamedTuple):
    """What is not known, one number for each joint."""

    constant: Any  # N m per A
    viscous: Any  # N m s
    dry: Any  # N m


def simulated(robot: ts.Robot, drives: Drives, current: Any, q: Any, qd: Any, h: float) -> Any:
    """Positions after every step of h under these currents (steps, nv): semi-implicit steps, dry friction smooth around rest."""

    def step(state, amperes):
        x, v = state
        tau = drives.constant * amperes - drives.viscous * v - drives.dry * jnp.tanh(v / 0.05)
        v = v + h * tj.forward_dynamics(robot, x, v, tau)
        x = x + h * v
        return (x, v), x

    return jax.lax.scan(step, (q, qd), current)[1]


class Outcome(NamedTuple):
    """What was found."""

    drives: Drives
    first_error: float  # rms of the positions, rad
    error: float
    iteration_ms: float


def identify(robot: ts.Robot, current: Any, recorded: Any, q: Any, qd: Any, h: float, guess: Drives, iterations: int) -> Outcome:
    """Levenberg-Marquardt from a guess; the unknowns are logarithms, since none is negative."""

    def miss(logarithms):
        drives = Drives(*jnp.exp(logarithms).reshape(3, -1))
        return (simulated(robot, drives, current, q, qd, h) - recorded).ravel()

    of = jax.jit(miss)
    both = jax.jit(lambda x: (miss(x), jax.jacfwd(miss)(x)))
    x = jnp.log(jnp.concatenate([jnp.asarray(each) for each in guess]))
    first = best = float(jnp.sqrt(jnp.mean(of(x) ** 2)))
    damping, times = 1e-3, []
    for _ in range(iterations):
        begin = perf_counter()
        r, J = both(x)
        H, g = np.asarray(J.T @ J), np.asarray(J.T @ r)
        for _ in range(8):
            trial = x - np.linalg.solve(H + damping * np.diag(np.diag(H)), g)
            error = float(jnp.sqrt(jnp.mean(of(trial) ** 2)))
            if error < best:
                x, best, damping = trial, error, damping / 5
                break
            damping *= 10
        times.append(perf_counter() - begin)
    return Outcome(Drives(*np.exp(np.asarray(x)).reshape(3, -1)), first, best, 1e3 * float(np.median(times)))


def drawn(robot: ts.Robot, seed: int = 3) -> Drives:
    """Drives for an arm: friction in proportion to what each joint moves."""
    random, inertia = np.random.default_rng(seed), np.diag(ts.mass_matrix(robot, robot.neutral_position()))
    return Drives(random.uniform(2, 8, robot.nv), random.uniform(1, 3, robot.nv) * inertia, random.uniform(1, 3, robot.nv) * inertia)


def record(robot: ts.Robot, truth: Drives, steps: int, h: float, seed: int = 1) -> tuple[Any, Any, Any, Any]:
    """Currents that swing around what holds the arm, and the positions that they lead to, with the noise of an encoder."""
    random = np.random.default_rng(seed)
    q, qd, n = np.linspace(0.3, -0.5, robot.nv), np.zeros(robot.nv), robot.nv
    t = h * np.arange(steps)[:, None]
    hold = ts.gravity(robot, q)
    strength = 8 * np.diag(ts.mass_matrix(robot, q)) + np.asarray(truth.dry)
    swing = sum(np.sin(2 * np.pi * f * t + random.uniform(0, 2 * np.pi, n)) for f in (0.7, 1.7, 2.9))
    current = (hold + strength * swing) / truth.constant
    at = simulated(robot, truth, jnp.asarray(current), jnp.asarray(q), jnp.asarray(qd), h)
    return current, np.asarray(at) + random.normal(0, 1e-6, (steps, n)), q, qd


def main() -> None:
    parser = argparse.ArgumentParser(description="torque constants and friction by gradients through a simulation")
    parser.add_argument("--robot", default="puma560")
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    robot = ts.load(options.robot)
    truth = drawn(robot)
    current, positions, q, qd = record(robot, truth, options.steps, 2e-3)
    guess = Drives(1.15 * truth.constant, 0.5 * truth.viscous, 2 * truth.dry)
    found = identify(robot, current, positions, q, qd, 2e-3, guess, 12)
    print(f"positions miss the record by {found.first_error:.1e} rad at first and by {found.error:.1e} rad at the end")
    for name, right, got in zip(Drives._fields, truth, found.drives):
        print(f"{name}: within {100 * np.abs(got / right - 1).max():.2f} %")
    print(f"an iteration takes {found.iteration_ms:.0f} ms")


if __name__ == "__main__":
    main()
