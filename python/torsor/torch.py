"""Dynamics in PyTorch on the CPU, with gradients of first and second order.

>>> import torch, torsor as ts, torsor.torch as tt                          # doctest: +SKIP
>>> robot = ts.load("puma560")                                              # doctest: +SKIP
>>> q = torch.zeros(1000, 6, dtype=torch.float64, requires_grad=True)       # doctest: +SKIP
>>> tt.inverse_dynamics(robot, q).square().sum().backward()                 # doctest: +SKIP

Tensors of float64 whose rows lie together are used where they are, and answers are memory that the engine has written; batches
(leading axes, or torch.func.vmap) go in lanes, on all cores. Gradients by q are by its numbers, quaternions included; for those of
any length but zero they are exact, and never point along the length. Forward mode (torch.func.jvp) and double backward are
there for inverse_dynamics, forward_dynamics and mass_matrix; a third derivative is an error. A state without an answer (see
forward_dynamics of torsor) is NaN in a batch, alone it raises.
"""

# mypy: ignore-errors
# its types are those of torch, which need not be installed where these are checked
from __future__ import annotations

import dataclasses
import typing
import warnings

import numpy as np

from . import _torsor
from ._error import RowWarning

try:
    import torch
    from torch.autograd.function import once_differentiable
except ImportError as error:
    raise ImportError("torsor.torch needs torch: pip install 'torsor[torch]'") from error

__all__ = ["forward_dynamics", "frame_pose", "inverse_dynamics", "mass_matrix"]

_Tensor = torch.Tensor


def _array(x: _Tensor) -> np.ndarray:
    return x.detach().numpy()


def _tensor(x) -> _Tensor:
    return torch.from_numpy(x)


def _call(function: typing.Callable, *args, **named):
    """A question of states; a batch says with NaN that some have no answer, and warns no one at every step of a training."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RowWarning)
        return function(*args, **named)


class _Family(typing.NamedTuple):
    """y = f(x) of three arguments with its products: f' c, w f', f''[c, e], (w f'') e."""

    value: typing.Callable
    jvp: typing.Callable
    vjp: typing.Callable
    curvature: typing.Callable
    hvp: typing.Callable


_INVERSE = _Family(_torsor.inverse_dynamics, _torsor.inverse_jvp, _torsor.inverse_vjp, _torsor.inverse_curvature, _torsor.inverse_hvp)
_FORWARD = _Family(_torsor.forward_dynamics, _torsor.forward_jvp, _torsor.forward_vjp, _torsor.forward_curvature, _torsor.forward_hvp)


@dataclasses.dataclass(frozen=True)
class _Asked:
    """A question to a robot; no tuple, which torch would take apart."""

    family: _Family
    robot: _torsor.Robot
    threads: int

    def plain(self) -> bool:
        """Whether changes of the numbers of q are displacements: there are joints of one degree of freedom alone."""
        return self.robot.position_names == self.robot.velocity_names

    def jvp(self, x, c):
        dq = c[0] if self.plain() else _call(_torsor.position_tangent, self.robot, x[0], c[0])
        return _call(self.family.jvp, self.robot, *x, dq, *c[1:], threads=self.threads)

    def vjp(self, x, w):
        by_q, *rest = _call(self.family.vjp, self.robot, *x, w, threads=self.threads)
        return by_q if self.plain() else _call(_torsor.position_gradient, self.robot, x[0], by_q), *rest

    def curvature(self, x, c, e):
        return _call(self.family.curvature, self.robot, *x, np.concatenate(c, -1), np.concatenate(e, -1), threads=self.threads)

    def hvp(self, x, w, e):
        row = _call(self.family.hvp, self.robot, *x, w, np.concatenate(e, -1), threads=self.threads)
        return np.split(row, [self.robot.nq, self.robot.nq + self.robot.nv], -1)


def _full(changes, like):
    """Zeros where autograd gives none."""
    return [torch.zeros_like(x) if c is None else c for c, x in zip(changes, like)]


def _ordered(*tensors):
    return [_array(t.contiguous()) for t in tensors]


def _at_front(info, in_dims, args):
    """Arguments of a vmap with the mapped axis in front, which is a leading axis like any other."""
    asked, *tensors = args
    return asked, *(a.expand(info.batch_size, *a.shape) if d is None else a.movedim(d, 0) for a, d in zip(tensors, in_dims[1:]))


class _Keeping(torch.autograd.Function):
    """A function of what is asked and of tensors, which keeps both for its derivatives"""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.asked = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])


class _Value(_Keeping):
    """f(x)"""

    @staticmethod
    def forward(asked, q, qd, last):
        return _tensor(_call(asked.family.value, asked.robot, *_ordered(q, qd, last), threads=asked.threads))

    @staticmethod
    def backward(ctx, w):
        return None, *_Gradient.apply(ctx.asked, *ctx.saved_tensors, w)

    @staticmethod
    def jvp(ctx, _, *changes):
        x = ctx.saved_tensors
        return _Change.apply(ctx.asked, *x, *_full(changes, x))

    @staticmethod
    def vmap(info, in_dims, *args):
        return _Value.apply(*_at_front(info, in_dims, args)), 0


class _Change(_Keeping):
    """f'(x) c"""

    @staticmethod
    def forward(asked, q, qd, last, *change):
        return _tensor(asked.jvp(_ordered(q, qd, last), _ordered(*change)))

    @staticmethod
    def backward(ctx, w):
        x, c = ctx.saved_tensors[:3], ctx.saved_tensors[3:]
        return None, *_Hessian.apply(ctx.asked, *x, w, *c), *_Gradient.apply(ctx.asked, *x, w)

    @staticmethod
    def vmap(info, in_dims, *args):
        return _Change.apply(*_at_front(info, in_dims, args)), 0


class _Gradient(_Keeping):
    """w f'(x)"""

    @staticmethod
    def forward(asked, q, qd, last, w):
        return tuple(_tensor(g) for g in asked.vjp(_ordered(q, qd, last), *_ordered(w)))

    @staticmethod
    def backward(ctx, *e):
        *x, w = ctx.saved_tensors
        e = _full(e, x)
        return None, *_Hessian.apply(ctx.asked, *x, w, *e), _Change.apply(ctx.asked, *x, *e)

    @staticmethod
    def jvp(ctx, _, dq, dqd, dlast, dw):
        *x, w = ctx.saved_tensors
        by_x = _Hessian.apply(ctx.asked, *x, w, *_full((dq, dqd, dlast), x))
        return by_x if dw is None else tuple(a + b for a, b in zip(by_x, _Gradient.apply(ctx.asked, *x, dw)))

    @staticmethod
    def vmap(info, in_dims, *args):
        return _Gradient.apply(*_at_front(info, in_dims, args)), (0, 0, 0)


class _Hessian(torch.autograd.Function):
    """(w f''(x)) e, with no derivatives of its own by x"""

    @staticmethod
    def forward(asked, q, qd, last, w, *e):
        return tuple(_tensor(np.ascontiguousarray(h)) for h in asked.hvp(_ordered(q, qd, last), *_ordered(w), _ordered(*e)))

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    @once_differentiable
    def backward(ctx, *_):
        raise NotImplementedError("torsor.torch: third derivatives of dynamics are not offered")

    @staticmethod
    def vmap(info, in_dims, *args):
        return _Hessian.apply(*_at_front(info, in_dims, args)), (0, 0, 0)


def _states(function: str, *named: tuple[str, typing.Any, int]) -> list[_Tensor]:
    """Tensors of one type on the CPU with their leading axes in common; None for zeros."""
    given = {name: torch.as_tensor(x) for name, x, _ in named if x is not None}
    for name, x in given.items():
        if x.device.type != "cpu":
            raise ValueError(f"{function}: {name} is on {x.device}; expected a tensor on the cpu")
        if x.dtype not in (torch.float64, torch.float32):
            raise TypeError(f"{function}: {name} is of {x.dtype}; expected torch.float64 or torch.float32")
    for name, x, columns in named:
        if x is not None and (given[name].ndim == 0 or given[name].shape[-1] != columns):
            raise ValueError(f"{function}: {name} has shape {tuple(given[name].shape)}; expected ({columns},) for one state or (..., {columns}) for many")
    dtype = torch.float64 if any(x.dtype == torch.float64 for x in given.values()) else torch.float32
    leading = torch.broadcast_shapes(*(x.shape[:-1] for x in given.values()))
    return [
        torch.zeros(*leading, columns, dtype=dtype) if x is None else given[name].to(dtype).expand(*leading, columns) for name, x, columns in named
    ]


def inverse_dynamics(robot: _torsor.Robot, q: _Tensor, qd: _Tensor | None = None, qdd: _Tensor | None = None, *, threads: int = 0) -> _Tensor:
    """The torques that a motion needs, (..., nv): torsor.inverse_dynamics, with gradients of first and second order.

    q: (..., nq), qd, qdd: (..., nv), None for zeros; leading axes broadcast. threads: 0 for as many as the states are worth.
    """
    _torsor._expect_tree(robot)
    x = _states("inverse_dynamics", ("q", q, robot.nq), ("qd", qd, robot.nv), ("qdd", qdd, robot.nv))
    return _Value.apply(_Asked(_INVERSE, robot, threads), *x)


def forward_dynamics(robot: _torsor.Robot, q: _Tensor, qd: _Tensor, tau: _Tensor, *, threads: int = 0) -> _Tensor:
    """The accelerations under given torques, (..., nv): torsor.forward_dynamics, with gradients of first and second order."""
    _torsor._expect_tree(robot)
    x = _states("forward_dynamics", ("q", q, robot.nq), ("qd", qd, robot.nv), ("tau", tau, robot.nv))
    return _Value.apply(_Asked(_FORWARD, robot, threads), *x)


def mass_matrix(robot: _torsor.Robot, q: _Tensor, *, threads: int = 0) -> _Tensor:
    """M(q), (..., nv, nv): torsor.mass_matrix, with gradients of first and second order."""
    _torsor._expect_tree(robot)
    (q,) = _states("mass_matrix", ("q", q, robot.nq))
    if not (torch.is_grad_enabled() and q.requires_grad or torch._C._functorch.is_functorch_wrapped_tensor(q)):
        return _tensor(_call(_torsor.mass_matrix, robot, _array(q.contiguous()), threads=threads))
    # M e_j = inverse(q, 0, e_j) - gravity(q), and M is symmetric
    n = robot.nv
    wide = q.unsqueeze(-2).expand(*q.shape[:-1], n, robot.nq)
    columns = inverse_dynamics(robot, wide, None, torch.eye(n, dtype=q.dtype), threads=threads)
    return columns - inverse_dynamics(robot, q, threads=threads).unsqueeze(-2)


class _Pose(torch.autograd.Function):
    """Rotation and position of a frame, and its gradient from the Jacobian"""

    @staticmethod
    def forward(robot, frame, threads, q):
        X = _tensor(_call(_torsor.frame_pose, robot, *_ordered(q), frame, threads=threads))
        return X

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.robot, ctx.frame, ctx.threads, q = inputs
        ctx.save_for_backward(q, output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        q, X = (_array(t.contiguous()) for t in ctx.saved_tensors)
        J = _call(_torsor.jacobian, ctx.robot, q, ctx.frame, threads=ctx.threads)
        g = _array(g.contiguous())
        # a turn w changes the columns of R by w x R_k
        moment = np.cross(np.swapaxes(X[..., :3, :3], -1, -2), np.swapaxes(g[..., :3, :3], -1, -2)).sum(-2)
        along = np.einsum("...i,...ij->...j", np.concatenate([moment, g[..., :3, 3]], -1), J)
        return None, None, None, _tensor(_call(_torsor.position_gradient, ctx.robot, q, along))


def frame_pose(robot: _torsor.Robot, q: _Tensor, frame: str | None = None, *, threads: int = 0) -> _Tensor:
    """The pose of a frame in the world, (..., 4, 4): torsor.frame_pose, with gradients of first order.

    frame: a tool or a link by name, by default the tool of the robot.
    """
    _torsor._expect_tree(robot)
    (q,) = _states("frame_pose", ("q", q, robot.nq))
    return _Pose.apply(robot, frame, threads, q)
