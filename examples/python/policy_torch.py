"""A small network learns to swing an arm to a pose, its gradient taken through the dynamics, in PyTorch.

A policy (two layers of 32) sees positions and speeds and gives torques within their limits, beside those that hold the arm. A batch of
starts is simulated with it, and what the motions cost is differentiated through every step: forward_dynamics of torsor.torch computes
all starts at once, in lanes, and its backward pass is exact.

    python policy_torch.py               needs torch
"""

# mypy: ignore-errors
# its types are those of a package that need not be installed where these are checked
from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
import torch
import torsor as ts
import torsor.torch as tt


class Policy(torch.nn.Module):
    """Torques of states, in parts of their limits."""

    def __init__(self, robot: ts.Robot, goal: Any) -> None:
        super().__init__()
        self.robot, self.goal = robot, goal
        # what turns each joint by up to 20 rad/s^2, within its limit
        inertia = np.diag(ts.mass_matrix(robot, robot.neutral_position()))
        self.limit = torch.tensor(np.minimum(20 * inertia, robot.effort_limits))
        n = robot.nv
        self.net = torch.nn.Sequential(torch.nn.Linear(3 * n, 32), torch.nn.Tanh(), torch.nn.Linear(32, n)).double()
        torch.nn.init.zeros_(self.net[-1].weight)
        torch.nn.init.zeros_(self.net[-1].bias)

    def forward(self, q: Any, qd: Any) -> Any:
        hold = tt.inverse_dynamics(self.robot, q)
        seen = torch.cat([self.goal - q, torch.sin(q), qd], dim=-1)
        return hold + self.limit * torch.tanh(self.net(seen))


def cost(robot: ts.Robot, policy: Policy, q: Any, qd: Any, steps: int, h: float) -> Any:
    """Mean over the starts: how far from the goal, and how fast, the arm is on its way and above all at the end."""
    total = torch.zeros(())
    for _ in range(steps):
        qd = qd + h * tt.forward_dynamics(robot, q, qd, policy(q, qd))
        q = q + h * qd
        total = total + ((q - policy.goal) ** 2).sum(-1).mean() / steps
    return total + 5 * ((q - policy.goal) ** 2 + 0.1 * qd**2).sum(-1).mean()


class Outcome(NamedTuple):
    """Before and after."""

    first: float
    last: float


def train(robot: ts.Robot, updates: int, starts: int = 64, steps: int = 40, h: float = 0.02, seed: int = 1) -> Outcome:
    """So many updates by Adam, from new starts each time; the costs are those of starts that were not trained on."""
    torch.manual_seed(seed)
    goal = torch.full((robot.nv,), 0.4, dtype=torch.float64)
    policy = Policy(robot, goal)

    def drawn(count: int) -> Any:
        return goal + torch.rand((count, robot.nv), dtype=torch.float64) - 0.5

    held_back = drawn(256)
    rest = torch.zeros_like(held_back)
    with torch.no_grad():
        first = float(cost(robot, policy, held_back, rest, steps, h))
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(updates):
        optimizer.zero_grad()
        loss = cost(robot, policy, drawn(starts), rest[:starts], steps, h)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        return Outcome(first, float(cost(robot, policy, held_back, rest, steps, h)))


def main() -> None:
    parser = argparse.ArgumentParser(description="a policy learns through the dynamics")
    parser.add_argument("--robot", default="puma560")
    parser.add_argument("--updates", type=int, default=200)
    options = parser.parse_args()
    outcome = train(ts.load(options.robot), options.updates)
    print(f"the cost of {256} starts that it never saw fell from {outcome.first:.2f} to {outcome.last:.2f}")


if __name__ == "__main__":
    main()
