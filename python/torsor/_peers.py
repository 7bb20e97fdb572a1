"""Positions and velocities of a robot in the numbers of Pinocchio and of MuJoCo, and back.

Joints are found by their names; a free joint that has another name there (a free base has none of its own) is the only one
that is left. What differs: Pinocchio puts the scalar part of a quaternion last, linear before angular velocities, gives joints
without limits and planar ones as cosine and sine, and sorts its joints; MuJoCo has the linear velocity of a free joint in the
world. Neither package is imported: the model that is given has all that is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _torsor
from ._torsor import Robot

Array = npt.NDArray[Any]

_WIDTHS = {"planar": (3, 3), "spherical": (4, 3), "free": (7, 6)}
_FIRST = {"planar": (".angle", ".wz"), "spherical": (".e0", ".wx"), "free": (".e0", ".wx")}


class _Joint(NamedTuple):
    name: str
    kind: str
    q: slice
    v: slice


class _Theirs(NamedTuple):
    kind: str  # ours, or "circle" for an angle as cosine and sine
    q: slice
    v: slice


def _joints(robot: Robot) -> list[_Joint]:
    """Those that have coordinates of their own."""
    positions = {name: k for k, name in enumerate(robot.position_names)}
    velocities = {name: k for k, name in enumerate(robot.velocity_names)}
    found = []
    for name, kind in zip(robot.joint_names, robot.kinds):
        first, turn = _FIRST.get(kind, ("", ""))
        if name + first not in positions:
            continue
        nq, nv = _WIDTHS.get(kind, (1, 1))
        q, v = positions[name + first], velocities[name + turn]
        found.append(_Joint(name, kind, slice(q, q + nq), slice(v, v + nv)))
    return found


def _pinocchio_joints(model: Any) -> dict[str, _Theirs]:
    found = {}
    for name, joint in list(zip(model.names, model.joints))[1:]:
        kind = {(7, 6): "free", (4, 3): "spherical", (2, 1): "circle", (1, 1): "one"}.get((joint.nq, joint.nv), "")
        if "Planar" in joint.shortname():
            kind = "planar"
        if joint.nv:
            found[name] = _Theirs(kind, slice(joint.idx_q, joint.idx_q + joint.nq), slice(joint.idx_v, joint.idx_v + joint.nv))
    return found


def _mujoco_joints(model: Any) -> dict[str, _Theirs]:
    found = {}
    for k in range(model.njnt):
        kind, nq, nv = {0: ("free", 7, 6), 1: ("spherical", 4, 3)}.get(int(model.jnt_type[k]), ("one", 1, 1))
        q, v = int(model.jnt_qposadr[k]), int(model.jnt_dofadr[k])
        found[model.joint(k).name or f"joint {k}"] = _Theirs(kind, slice(q, q + nq), slice(v, v + nv))
    return found


def _pairs(function: str, robot: Robot, theirs: dict[str, _Theirs]) -> list[tuple[_Joint, _Theirs]]:
    _torsor._expect_tree(robot)  # type: ignore[attr-defined]
    left, pairs, without = dict(theirs), [], []
    for ours in _joints(robot):
        if ours.name in left:
            pairs.append((ours, left.pop(ours.name)))
        else:
            without.append(ours)
    free, floating = [name for name, joint in left.items() if joint.kind == "free"], [ours for ours in without if ours.kind == "free"]
    if len(free) == 1 and len(floating) == 1:
        without.remove(floating[0])
        pairs.append((floating[0], left.pop(free[0])))
    if without:
        raise ValueError(f'{function}: the model has no joint "{without[0].name}"; expected every joint of the robot by its name')
    if left:
        raise ValueError(
            f'{function}: joint "{next(iter(left))}" of the model is none of the robot\'s, or follows another there; expected '
            "one joint of the robot for each"
        )
    for ours, other in pairs:
        if other.kind != ours.kind and (other.kind not in ("one", "circle") or ours.kind in _WIDTHS):
            raise ValueError(f'{function}: joint "{ours.name}" is {ours.kind} here and another kind in the model')
    return pairs


def _state(function: str, name: str, value: npt.ArrayLike, width: int) -> Array:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(f"{function}: {name} has shape {array.shape}; expected (..., {width})")
    return array


def _rotated(e: Array, v: Array, sign: float) -> Array:
    """Along the axes of the world what is along those of a body (sign 1), and back (-1); e of any length."""
    e = e / np.linalg.norm(e, axis=-1, keepdims=True)
    w, u = e[..., :1], sign * e[..., 1:]
    return np.asarray(v + 2 * np.cross(u, np.cross(u, v) + w * v))


_XYZW, _WXYZ = [1, 2, 3, 0], [3, 0, 1, 2]


def _to_pinocchio(kind: str, circle: bool, q: Array) -> Array:
    if kind == "free":
        return np.concatenate([q[..., 4:], q[..., _XYZW]], -1)
    if kind == "spherical":
        return q[..., _XYZW]
    if kind == "planar":
        return np.concatenate([q[..., 1:], np.cos(q[..., :1]), np.sin(q[..., :1])], -1)
    return np.concatenate([np.cos(q), np.sin(q)], -1) if circle else q


def _from_pinocchio(kind: str, circle: bool, q: Array) -> Array:
    if kind == "free":
        return np.concatenate([q[..., [6, 3, 4, 5]], q[..., :3]], -1)
    if kind == "spherical":
        return q[..., _WXYZ]
    if kind == "planar":
        return np.concatenate([np.arctan2(q[..., 3:], q[..., 2:3]), q[..., :2]], -1)
    return np.arctan2(q[..., 1:], q[..., :1]) if circle else q


def to_pinocchio(robot: Robot, model: Any, q: npt.ArrayLike, qd: npt.ArrayLike | None = None) -> Any:
    """A state in the numbers of a pinocchio.Model of the same robot: q, or with qd the pair (q, v).

    q: (..., nq), qd: (..., nv); accelerations and torques change as velocities do. Joints are found by name. Quaternions come
    as they are given: Pinocchio wants them of unit length. So pin.rnea(model, data, *ts.to_pinocchio(robot, model, q, qd), a).

    >>> import torsor as ts
    >>> robot = ts.load("two_link")
    >>> from types import SimpleNamespace as Of  # for pin.buildModelFromUrdf(...), which might have the joints the other way round
    >>> joints = [Of(nq=1, nv=1, idx_q=k, idx_v=k, shortname=lambda: "JointModelRZ") for k in (0, 0, 1)]
    >>> model = Of(nq=2, nv=2, names=["universe", *robot.joint_names[::-1]], joints=joints)
    >>> ts.to_pinocchio(robot, model, [0.1, 0.2])
    array([0.2, 0.1])
    """
    return _changed("to_pinocchio", robot, _pinocchio_joints(model), (model.nq, model.nv), q, qd, True, _to_pinocchio, _pinocchio_rates)


def from_pinocchio(robot: Robot, model: Any, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> Any:
    """The way back: a state of a pinocchio.Model of the same robot in the robot's own numbers: q, or with v the pair (q, qd).

    Angles that Pinocchio has as cosine and sine come out between -pi and pi.

    >>> import torsor as ts
    >>> robot = ts.load("two_link")
    >>> from types import SimpleNamespace as Of  # for pin.buildModelFromUrdf(...), which might have the joints the other way round
    >>> joints = [Of(nq=1, nv=1, idx_q=k, idx_v=k, shortname=lambda: "JointModelRZ") for k in (0, 0, 1)]
    >>> model = Of(nq=2, nv=2, names=["universe", *robot.joint_names[::-1]], joints=joints)
    >>> ts.from_pinocchio(robot, model, [0.2, 0.1])
    array([0.1, 0.2])
    """
    return _changed("from_pinocchio", robot, _pinocchio_joints(model), (model.nq, model.nv), q, v, False, _from_pinocchio, _pinocchio_rates)


def to_mujoco(robot: Robot, model: Any, q: npt.ArrayLike, qd: npt.ArrayLike | None = None) -> Any:
    """A state in the numbers of a mujoco.MjModel of the same robot: qpos, or with qd the pair (qpos, qvel).

    q: (..., nq), qd: (..., nv). Joints are found by name. Of a free joint MuJoCo has the linear velocity in the world: its
    accelerations and forces do not change as velocities do.

    >>> import torsor as ts
    >>> robot = ts.load("two_link")
    >>> from types import SimpleNamespace as Of  # for mujoco.MjModel.from_xml_path(...)
    >>> names = robot.joint_names[::-1]
    >>> model = Of(njnt=2, nq=2, nv=2, jnt_type=[3, 3], jnt_qposadr=[0, 1], jnt_dofadr=[0, 1], joint=lambda k: Of(name=names[k]))
    >>> ts.to_mujoco(robot, model, [0.1, 0.2], [3.0, 4.0])
    (array([0.2, 0.1]), array([4., 3.]))
    """
    return _changed("to_mujoco", robot, _mujoco_joints(model), (model.nq, model.nv), q, qd, True, _of_mujoco(True), _mujoco_rates(1.0))


def from_mujoco(robot: Robot, model: Any, q: npt.ArrayLike, v: npt.ArrayLike | None = None) -> Any:
    """The way back: qpos and qvel of a mujoco.MjModel of the same robot in the robot's own numbers.

    >>> import torsor as ts
    >>> robot = ts.load("two_link")
    >>> from types import SimpleNamespace as Of  # for mujoco.MjModel.from_xml_path(...)
    >>> names = robot.joint_names[::-1]
    >>> model = Of(njnt=2, nq=2, nv=2, jnt_type=[3, 3], jnt_qposadr=[0, 1], jnt_dofadr=[0, 1], joint=lambda k: Of(name=names[k]))
    >>> ts.from_mujoco(robot, model, [0.2, 0.1])
    array([0.1, 0.2])
    """
    return _changed("from_mujoco", robot, _mujoco_joints(model), (model.nq, model.nv), q, v, False, _of_mujoco(False), _mujoco_rates(-1.0))


def _pinocchio_rates(kind: str, e: Array | None, v: Array, there: bool) -> Array:
    if kind == "free":
        return v[..., [3, 4, 5, 0, 1, 2]]
    if kind == "planar":
        return v[..., [1, 2, 0] if there else [2, 0, 1]]
    return v


def _of_mujoco(there: bool) -> Callable[[str, bool, Array], Array]:
    order = [4, 5, 6, 0, 1, 2, 3] if there else [3, 4, 5, 6, 0, 1, 2]
    return lambda kind, circle, q: q[..., order] if kind == "free" else q


def _mujoco_rates(sign: float) -> Callable[[str, Array | None, Array, bool], Array]:
    def rates(kind: str, e: Array | None, v: Array, there: bool) -> Array:
        if kind != "free":
            return v
        assert e is not None
        angular, linear = (v[..., :3], v[..., 3:]) if there else (v[..., 3:], v[..., :3])
        linear = _rotated(e, linear, sign)
        return np.concatenate([linear, angular] if there else [angular, linear], -1)

    return rates


def _changed(
    function: str,
    robot: Robot,
    theirs: dict[str, _Theirs],
    sizes: tuple[int, int],
    q: npt.ArrayLike,
    v: npt.ArrayLike | None,
    there: bool,
    positions: Callable[[str, bool, Array], Array],
    rates: Callable[[str, Array | None, Array, bool], Array],
) -> Any:
    pairs = _pairs(function, robot, theirs)
    ours = (robot.nq, robot.nv)
    given, wanted = (ours, sizes) if there else (sizes, ours)
    q = _state(function, "q", q, given[0])
    out = np.zeros((*q.shape[:-1], wanted[0]))
    for mine, other in pairs:
        start, end = (mine.q, other.q) if there else (other.q, mine.q)
        out[..., end] = positions(mine.kind, other.kind == "circle", q[..., start])
    if v is None:
        return out
    v = _state(function, "qd" if there else "v", v, given[1])
    quaternions = q if there else out  # in our order
    moved = np.zeros((*np.broadcast_shapes(q.shape[:-1], v.shape[:-1]), wanted[1]))
    for mine, other in pairs:
        start, end = (mine.v, other.v) if there else (other.v, mine.v)
        e = quaternions[..., mine.q][..., :4] if mine.kind == "free" else None
        moved[..., end] = rates(mine.kind, e, v[..., start], there)
    return out, moved
