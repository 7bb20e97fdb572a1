"""Dynamics as CasADi functions, with exact Jacobians, for nlpsol and whatever else takes a Function.

>>> import casadi as ca, torsor as ts, torsor.casadi as tc                 # doctest: +SKIP
>>> robot = ts.load("two_link")                                             # doctest: +SKIP
>>> f = tc.forward_dynamics(robot)                                          # doctest: +SKIP
>>> q, qd, tau = (ca.MX.sym(x, 2) for x in ("q", "qd", "tau"))              # doctest: +SKIP
>>> ca.jacobian(f(q, qd, tau), q)                                           # doctest: +SKIP

Each is a casadi.Callback that the engine answers: (q, qd, qdd) or (q, qd, tau), columns of nq and nv numbers, to torques or
accelerations. Jacobians and what reverse mode asks for are exact, by the numbers of q; Hessians, too, are exact (solvers
that want one get it). One state at a time. A state without an answer is NaN, which solvers take for a step that goes too far.
"""

# mypy: ignore-errors
# its types are those of casadi, which need not be installed where these are checked
from __future__ import annotations

import typing

import numpy as np

from . import _torsor

try:
    import casadi
except ImportError as error:
    raise ImportError("torsor.casadi needs casadi: pip install 'torsor[casadi]'") from error

__all__ = ["forward_dynamics", "inverse_dynamics", "mass_matrix"]


class _Question(casadi.Callback):
    """Columns in, columns out. derivative(name): the callback that answers its Jacobians."""

    def __init__(self, name: str, inputs: list[tuple[str, int, int]], outputs: list[tuple[str, int, int]], answer: typing.Callable, jacobian: typing.Callable | None):
        casadi.Callback.__init__(self)
        self._inputs, self._outputs, self._answer, self._jacobian = inputs, outputs, answer, jacobian
        self._kept: list[casadi.Function] = []  # CasADi refers to callbacks without holding them
        self.construct(name, {})

    def get_n_in(self):
        return len(self._inputs)

    def get_n_out(self):
        return len(self._outputs)

    def get_name_in(self, i):
        return self._inputs[i][0]

    def get_name_out(self, i):
        return self._outputs[i][0]

    def get_sparsity_in(self, i):
        return casadi.Sparsity.dense(*self._inputs[i][1:])

    def get_sparsity_out(self, i):
        return casadi.Sparsity.dense(*self._outputs[i][1:])

    def eval(self, args):
        given = [np.array(a, float).ravel() for a in args]
        try:
            answers = self._answer(*given[: len(self._inputs)])
        except ValueError:  # the engine says in words what a solver is to see as no number
            answers = [np.full(shape, np.nan) for _, *shape in self._outputs]
        return [casadi.DM(np.asarray(a).reshape(shape)) for a, (_, *shape) in zip(answers, self._outputs)]

    def has_jacobian(self):
        return self._jacobian is not None

    def get_jacobian(self, name, inames, onames, opts):
        assert self._jacobian is not None
        inputs = self._inputs + [("out_" + out, rows, columns) for out, rows, columns in self._outputs]
        blocks = [(r * c, n * m) for _, r, c in self._outputs for _, n, m in self._inputs]
        outputs = [(out, *block) for out, block in zip(onames, blocks)]
        answer, further = self._jacobian()
        made = _Question(name, inputs, outputs, lambda *x: answer(*x[: len(self._inputs)]), further)
        self._kept.append(made)
        return made


def _by_numbers(robot: _torsor.Robot, q, matrix):
    """A Jacobian along the velocity coordinates as one by the numbers of q."""
    if robot.position_names == robot.velocity_names:
        return matrix
    return _torsor.position_gradient(robot, np.broadcast_to(q, matrix.shape[:-1] + q.shape), matrix)


def _second(robot: _torsor.Robot, curvature: typing.Callable, x):
    """All second derivatives, (nv, n, n), n = nq + 2 nv, by pairs of directions."""
    n = robot.nq + 2 * robot.nv
    one = np.eye(n)
    tensor = curvature(robot, *x, one[:, None, :], one[None, :, :])
    return np.moveaxis(tensor, -1, 0)


def _function(robot: _torsor.Robot, name: str, last: str, out: str, value, derivatives, curvature) -> casadi.Function:
    _torsor._expect_tree(robot)
    sizes = [robot.nq, robot.nv, robot.nv]
    cuts = np.cumsum(sizes)[:-1]

    def jacobians(*x):
        by_q, by_qd, by_last = derivatives(robot, *x)
        return [_by_numbers(robot, x[0], by_q), by_qd, by_last]

    def second(*x):
        # d(block i)/d(argument j), a block's entries column by column, as CasADi counts; the blocks do not depend on the answer itself
        tensor = _second(robot, curvature, x[:3])
        rows = []
        for block in np.split(tensor, cuts, axis=1):
            flat = block.transpose(1, 0, 2).reshape(-1, tensor.shape[2])
            rows += [*np.split(flat, cuts, axis=1), np.zeros((flat.shape[0], robot.nv))]
        return rows

    inputs = [(each, size, 1) for each, size in zip(["q", "qd", last], sizes)]
    return _Question(name, inputs, [(out, robot.nv, 1)], lambda *x: [value(robot, *x)], lambda: (jacobians, lambda: (second, None)))


def inverse_dynamics(robot: _torsor.Robot, name: str = "inverse_dynamics") -> casadi.Function:
    """tau(q, qd, qdd), with exact first and second derivatives."""
    return _function(robot, name, "qdd", "tau", _torsor.inverse_dynamics, _torsor.inverse_derivatives, _torsor.inverse_curvature)


def forward_dynamics(robot: _torsor.Robot, name: str = "forward_dynamics") -> casadi.Function:
    """qdd(q, qd, tau), with exact first and second derivatives."""
    return _function(robot, name, "tau", "qdd", _torsor.forward_dynamics, _torsor.forward_derivatives, _torsor.forward_curvature)


def mass_matrix(robot: _torsor.Robot, name: str = "mass_matrix") -> casadi.Function:
    """M(q), nv x nv, with its exact Jacobian."""
    _torsor._expect_tree(robot)
    n, zero = robot.nv, np.zeros(robot.nv)

    def jacobian(q):
        # M e_j = inverse(q, 0, e_j) - gravity(q); entries of M column by column
        by_q = _torsor.inverse_derivatives(robot, q, zero, np.eye(n))[0] - _torsor.inverse_derivatives(robot, q, zero, zero)[0]
        return [_by_numbers(robot, q, by_q).reshape(n * n, robot.nq)]

    return _Question(name, [("q", robot.nq, 1)], [("M", n, n)], lambda q: [_torsor.mass_matrix(robot, q)], lambda: (jacobian, None))
