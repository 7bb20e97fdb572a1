"""Dynamics in JAX programs on the CPU: jit, vmap, grad, jvp, vjp, scan, to second order.

>>> import jax, jax.numpy as jnp, torsor as ts, torsor.jax as tj        # doctest: +SKIP
>>> robot = ts.load("puma560")                                          # doctest: +SKIP
>>> cost = lambda q: jnp.sum(tj.inverse_dynamics(robot, q) ** 2)        # doctest: +SKIP
>>> jax.jit(jax.vmap(jax.grad(cost)))(jnp.zeros((1000, 6)))             # doctest: +SKIP

Compiled programs call the engine itself (a foreign function of XLA), on their own memory; batches, whether by vmap or by
leading axes, go in lanes. Gradients by q are by its numbers, quaternions included; for those of any length but zero they
are exact, and never point along the length. A state without an answer (see forward_dynamics of torsor) is NaN.

Computation is in the type of the arguments, float64 (``jax.config.update("jax_enable_x64", True)``) or float32; derivatives
are computed in float64 either way. Robots that a program was compiled for stay in memory.
"""

# mypy: ignore-errors
# its types are those of jax, which need not be installed where these are checked
from __future__ import annotations

import typing

import numpy as np

from . import _torsor

try:
    import jax
    import jax.numpy as jnp
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir
except ImportError as error:
    raise ImportError("torsor.jax needs jax: pip install 'torsor[jax]'") from error

__all__ = ["forward_dynamics", "frame_pose", "inverse_dynamics", "mass_matrix"]

_NAME = "torsor_answers"
_engine: typing.Any = _torsor  # what of it begins with an underscore has no stub
jax.ffi.register_ffi_target(_NAME, _engine._xla_function(), platform="cpu")

# the order is that of python/bindings/jax_calls.cpp
_INVERSE, _FORWARD, _MASS, _POSE = 0, 1, 2, 3
_JVP, _VJP, _CURVATURE, _HVP = 4, 6, 8, 10

_robots: dict[int, _torsor.Robot] = {}
_frames: dict[tuple[int, str | None], int] = {}


class _Robot(typing.NamedTuple):
    """What stands for a robot in a program."""

    address: int
    nq: int
    nv: int
    threads: int
    frame: int = -1


def _of(robot: _torsor.Robot, threads: int) -> _Robot:
    address = _engine._xla_robot(robot)
    _robots[address] = robot
    return _Robot(address, robot.nq, robot.nv, threads)


def _primitive(name: str, question: int, columns: typing.Callable[[_Robot], list[tuple[int, ...]]]) -> Primitive:
    """A question as a primitive: arguments have leading axes in common, and so do the answers, with `columns` behind."""
    p = Primitive(name)
    p.multiple_results = True

    def call(*args, robot):
        shape, dtype = args[0].shape[:-1], args[0].dtype
        results = [jax.ShapeDtypeStruct(shape + row, dtype) for row in columns(robot)]
        return jax.ffi.ffi_call(_NAME, results)(
            *args,
            robot=np.int64(robot.address),
            question=np.int64(question),
            threads=np.int64(robot.threads),
            frame=np.int64(robot.frame),
        )

    def shapes(*args, robot):
        return [jax.core.ShapedArray(args[0].shape[:-1] + row, args[0].dtype) for row in columns(robot)]

    def batch(args, axes, *, robot):
        size = next(a.shape[axis] for a, axis in zip(args, axes) if axis is not None)
        front = [
            jnp.broadcast_to(a, (size,) + a.shape) if axis is None else jnp.moveaxis(a, axis, 0) for a, axis in zip(args, axes)
        ]
        answers = p.bind(*front, robot=robot)
        return answers, [0] * len(answers)

    p.def_impl(call)
    p.def_abstract_eval(shapes)
    mlir.register_lowering(p, mlir.lower_fun(call, multiple_results=True))
    batching.primitive_batchers[p] = batch
    return p


def _torques(robot: _Robot) -> list[tuple[int, ...]]:
    return [(robot.nv,)]


def _gradients(robot: _Robot) -> list[tuple[int, ...]]:
    return [(robot.nq,), (robot.nv,), (robot.nv,)]


def _none(tangents) -> bool:
    return all(type(t) is ad.Zero for t in tangents)


def _sum(*terms):
    return [sum(each[1:], each[0]) for each in zip(*terms)]


def _third(*_, **__):
    raise NotImplementedError("torsor.jax: third derivatives of dynamics are not offered")


def _family(name: str, question: int) -> Primitive:
    """y = f(x) of three arguments with its products: f' c, w f', f''[c, e], (w f'') e, each the derivative or the transpose of another."""
    value = _primitive(f"torsor_{name}", question, _torques)
    jvp = _primitive(f"torsor_{name}_jvp", _JVP + question, _torques)
    vjp = _primitive(f"torsor_{name}_vjp", _VJP + question, _gradients)
    curvature = _primitive(f"torsor_{name}_curvature", _CURVATURE + question, _torques)
    hvp = _primitive(f"torsor_{name}_hvp", _HVP + question, _gradients)
    full = ad.instantiate_zeros

    def changes(tangents):
        return [full(t) for t in tangents]

    def value_rule(x, dx, *, robot):
        return value.bind(*x, robot=robot), jvp.bind(*x, *changes(dx), robot=robot)

    def jvp_rule(primals, tangents, *, robot):
        x, c, dx, dc = primals[:3], primals[3:], tangents[:3], tangents[3:]
        terms = []
        if not _none(dc):
            terms.append(jvp.bind(*x, *changes(dc), robot=robot))
        if not _none(dx):
            terms.append(curvature.bind(*x, *c, *changes(dx), robot=robot))
        return jvp.bind(*primals, robot=robot), _sum(*terms)

    def vjp_rule(primals, tangents, *, robot):
        x, w, dx, dw = primals[:3], primals[3], tangents[:3], tangents[3]
        terms = []
        if type(dw) is not ad.Zero:
            terms.append(vjp.bind(*x, dw, robot=robot))
        if not _none(dx):
            terms.append(hvp.bind(*x, w, *changes(dx), robot=robot))
        return vjp.bind(*primals, robot=robot), _sum(*terms)

    def curvature_rule(primals, tangents, *, robot):
        if not _none(tangents[:3]):
            _third()
        x, c, e, dc, de = primals[:3], primals[3:6], primals[6:], tangents[3:6], tangents[6:]
        terms = []
        if not _none(dc):
            terms.append(curvature.bind(*x, *changes(dc), *e, robot=robot))
        if not _none(de):
            terms.append(curvature.bind(*x, *c, *changes(de), robot=robot))
        return curvature.bind(*primals, robot=robot), _sum(*terms)

    def hvp_rule(primals, tangents, *, robot):
        if not _none(tangents[:3]):
            _third()
        x, w, e, dw, de = primals[:3], primals[3], primals[4:], tangents[3], tangents[4:]
        terms = []
        if type(dw) is not ad.Zero:
            terms.append(hvp.bind(*x, dw, *e, robot=robot))
        if not _none(de):
            terms.append(hvp.bind(*x, w, *changes(de), robot=robot))
        return hvp.bind(*primals, robot=robot), _sum(*terms)

    for p, rule in [(value, value_rule), (jvp, jvp_rule), (vjp, vjp_rule), (curvature, curvature_rule), (hvp, hvp_rule)]:
        ad.primitive_jvps[p] = rule

    # transposes: an argument that is not known is one that the answer is linear in
    def known(group):
        """Whether all of a group of arguments are known; those that a program is linear in may be so one by one."""
        return not any(ad.is_undefined_primal(a) for a in group)

    def zeros(group):
        return [jnp.zeros(a.aval.shape, a.aval.dtype) if ad.is_undefined_primal(a) else a for a in group]

    def for_unknown(group, gradient):
        return [g if ad.is_undefined_primal(a) else None for a, g in zip(group, gradient)]

    def jvp_transpose(cts, *args, robot):
        (w,) = cts
        if type(w) is ad.Zero:
            return [None] * len(args)
        return [None] * 3 + for_unknown(args[3:], vjp.bind(*args[:3], w, robot=robot))

    def vjp_transpose(cts, *args, robot):
        if _none(cts):
            return [None] * len(args)
        return [None] * 3 + [jvp.bind(*args[:3], *changes(cts), robot=robot)[0]]

    def curvature_transpose(cts, *args, robot):
        (w,) = cts
        if type(w) is ad.Zero:
            return [None] * len(args)
        x, c, e = args[:3], args[3:6], args[6:]
        if known(c):
            return [None] * 6 + for_unknown(e, hvp.bind(*x, w, *c, robot=robot))
        return [None] * 3 + for_unknown(c, hvp.bind(*x, w, *zeros(e), robot=robot)) + [None] * 3

    def hvp_transpose(cts, *args, robot):
        if _none(cts):
            return [None] * len(args)
        x, w, e = args[:3], args[3], args[4:]
        if ad.is_undefined_primal(w):
            return [None] * 3 + [curvature.bind(*x, *e, *changes(cts), robot=robot)[0]] + [None] * 3
        return [None] * 4 + for_unknown(e, hvp.bind(*x, w, *changes(cts), robot=robot))

    ad.primitive_transposes[jvp] = jvp_transpose
    ad.primitive_transposes[vjp] = vjp_transpose
    ad.primitive_transposes[curvature] = curvature_transpose
    ad.primitive_transposes[hvp] = hvp_transpose
    return value


_inverse_p = _family("inverse", _INVERSE)
_forward_p = _family("forward", _FORWARD)
_mass_p = _primitive("torsor_mass", _MASS, lambda robot: [(robot.nv, robot.nv)])
_pose_p = _primitive("torsor_pose", _POSE, lambda robot: [(12,), (6, robot.nv)])


def _no_second(*_, **__):
    raise NotImplementedError("torsor.jax: second derivatives of poses are not offered")


ad.primitive_jvps[_pose_p] = _no_second


def _states(function: str, *named: tuple[str, typing.Any, int]) -> list[jax.Array]:
    """Arrays of one type with their leading axes in common; None for zeros."""
    given = {name: jnp.asarray(x) for name, x, _ in named if x is not None}
    dtype = jnp.result_type(*given.values(), jnp.float32)
    if dtype not in (jnp.float32, jnp.float64):
        raise TypeError(f"{function}: the arguments are of {dtype}; expected float64 or float32")
    for name, x, columns in named:
        if x is not None and (given[name].ndim == 0 or given[name].shape[-1] != columns):
            raise ValueError(f"{function}: {name} has shape {given[name].shape}; expected ({columns},) for one state or (..., {columns}) for many")
    leading = jnp.broadcast_shapes(*(x.shape[:-1] for x in given.values()))
    return [
        jnp.zeros(leading + (columns,), dtype) if x is None else jnp.broadcast_to(given[name].astype(dtype), leading + (columns,))
        for name, x, columns in named
    ]


def inverse_dynamics(robot: _torsor.Robot, q, qd=None, qdd=None, *, threads: int = 0) -> jax.Array:
    """The torques that a motion needs, (..., nv): torsor.inverse_dynamics, with derivatives of first and second order.

    q: (..., nq), qd, qdd: (..., nv), None for zeros; leading axes broadcast. threads: 0 for as many as the states are worth.
    """
    x = _states("inverse_dynamics", ("q", q, robot.nq), ("qd", qd, robot.nv), ("qdd", qdd, robot.nv))
    return _inverse_p.bind(*x, robot=_of(robot, threads))[0]


def forward_dynamics(robot: _torsor.Robot, q, qd, tau, *, threads: int = 0) -> jax.Array:
    """The accelerations under given torques, (..., nv): torsor.forward_dynamics, with derivatives of first and second order.

    NaN where a coordinate moves no mass.
    """
    x = _states("forward_dynamics", ("q", q, robot.nq), ("qd", qd, robot.nv), ("tau", tau, robot.nv))
    return _forward_p.bind(*x, robot=_of(robot, threads))[0]


def mass_matrix(robot: _torsor.Robot, q, *, threads: int = 0) -> jax.Array:
    """M(q), (..., nv, nv): torsor.mass_matrix, with derivatives of first and second order."""
    at = _of(robot, threads)

    @jax.custom_jvp
    def value(q):
        return _mass_p.bind(q, robot=at)[0]

    def columns(q):
        # M e_j = inverse(q, 0, e_j) - gravity(q), and M is symmetric
        n = robot.nv
        wide = jnp.broadcast_to(q[..., None, :], q.shape[:-1] + (n, robot.nq))
        return inverse_dynamics(robot, wide, None, jnp.eye(n, dtype=q.dtype), threads=threads) - inverse_dynamics(robot, wide, threads=threads)

    @value.defjvp
    def _(primals, tangents):
        return value(*primals), jax.jvp(columns, primals, tangents)[1]

    (q,) = _states("mass_matrix", ("q", q, robot.nq))
    return value(q)


def _displacement(robot: _torsor.Robot, q, dq):
    """Along the velocity coordinates, for a change of the numbers of q (torsor.position_tangent)."""
    out = [dq[..., i] for i in range(robot.nq)]
    places = {name: k for k, name in enumerate(robot.position_names)}
    answer = []
    for name in robot.velocity_names:
        joint, _, part = name.rpartition(".")
        if name in places:
            answer.append(out[places[name]])
        elif joint + ".e0" in places:
            e = q[..., places[joint + ".e0"] : places[joint + ".e0"] + 4]
            if part[0] == "w":
                de = dq[..., places[joint + ".e0"] : places[joint + ".e0"] + 4]
                v, dv = e[..., 1:], de[..., 1:]
                w = 2 * (e[..., :1] * dv - de[..., :1] * v - jnp.cross(v, dv)) / jnp.sum(e * e, -1, keepdims=True)
                answer.append(w[..., "xyz".index(part[1])])
            else:
                u = e / jnp.linalg.norm(e, axis=-1, keepdims=True)
                dp = dq[..., places[joint + ".px"] : places[joint + ".px"] + 3]
                # R^T dp
                t = 2 * jnp.cross(-u[..., 1:], dp)
                answer.append((dp + u[..., :1] * t + jnp.cross(-u[..., 1:], t))[..., "xyz".index(part[1])])
        else:
            angle, dx, dy = (q[..., places[joint + ".angle"]], out[places[joint + ".px"]], out[places[joint + ".py"]])
            c, s = jnp.cos(angle), jnp.sin(angle)
            answer.append({"wz": out[places[joint + ".angle"]], "vx": c * dx + s * dy, "vy": c * dy - s * dx}[part])
    return jnp.stack(answer, -1)


def frame_pose(robot: _torsor.Robot, q, frame: str | None = None, *, threads: int = 0) -> jax.Array:
    """The pose of a frame in the world, (..., 4, 4): torsor.frame_pose, with derivatives of first order.

    frame: a tool or a link by name, by default the tool of the robot.
    """
    at = _of(robot, threads)
    if frame is not None:
        key = (at.address, frame)
        if key not in _frames:
            _frames[key] = _engine._xla_frame(robot, frame)
        at = at._replace(frame=_frames[key])

    @jax.custom_jvp
    def value(q):
        numbers = _pose_p.bind(q, robot=at)[0]
        return numbers[..., :9].reshape(numbers.shape[:-1] + (3, 3)), numbers[..., 9:]

    @value.defjvp
    def _(primals, tangents):
        (q,), (dq,) = primals, tangents
        numbers, J = _pose_p.bind(q, robot=at)
        R, p = numbers[..., :9].reshape(numbers.shape[:-1] + (3, 3)), numbers[..., 9:]
        v = jnp.einsum("...ij,...j->...i", J, _displacement(robot, q, dq))
        # the columns of R turn with the frame
        turned = jnp.swapaxes(jnp.cross(v[..., None, :3], jnp.swapaxes(R, -1, -2)), -1, -2)
        return (R, p), (turned, v[..., 3:])

    (q,) = _states("frame_pose", ("q", q, robot.nq))
    R, p = value(q)
    last = jnp.broadcast_to(jnp.array([0, 0, 0, 1], q.dtype), q.shape[:-1] + (1, 4))
    return jnp.concatenate([jnp.concatenate([R, p[..., None]], -1), last], -2)
