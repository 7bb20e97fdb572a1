"""Robots that have all but some numbers in common, one for each row of a batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from . import _torsor
from ._functions import signature
from ._torsor import Robot

Array = npt.NDArray[Any]
P = ParamSpec("P")
Answer = TypeVar("Answer")


def _each(
    function: Callable[Concatenate[Robot, P], Answer], what: str, example: str, shape: tuple[int, ...]
) -> Callable[Concatenate[RobotRows, P], Answer]:
    """The method that asks the function of every robot, with the arguments of the function; its formulation is the default."""
    name = function.__name__
    asked = list(signature(function).parameters.values())[1:]
    # what is no state and no motion is given by name
    named = {"frame", "out", "threads", "loads", "return_valid"}
    taken = [each.replace(kind=each.KEYWORD_ONLY) if each.name in named else each for each in asked if each.name != "formulation"]
    head = inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *taken])
    given = ", ".join(repr(each.default) if each.name == "formulation" else each.name for each in asked)
    made: dict[str, Any] = {}
    exec(f"def {name}{head}: return self._rows.{name}({given})", globals(), made)
    method: Callable[Concatenate[RobotRows, P], Answer] = made[name]
    method.__qualname__, method.__annotations__ = f"RobotRows.{name}", {each.name: each.annotation for each in taken}
    method.__doc__ = f"""{what}

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.{name}{example}
        {shape}
        """
    return method


class RobotRows:
    """Robots with the joints of one, and masses, rotors or friction of their own: for models drawn at random, payloads and
    studies of a design. What is not given is that of the robot. RobotRows.of takes whole robots, whose lengths and gears may differ, too.

    masses: (count, links), kg; mass_centres: (count, links, 3), in link frames; inertias: (count, links, 3, 3), about the mass
    centres along the axes of the link frames; rotors: (count, nv), rotor inertias seen at the joints, of
    robots whose motors move one joint each; viscous: (count, nv), coulomb: (count, nv), which replace all friction of the robot. payload_masses: (count,), points at payload_centres (count, 3)
    in the frame of the tool, beside what the links have. Each of them may also be one for all, without the leading axis.

    Methods are the functions of the package of that name, all robots at once: the last of the leading axes of their arguments
    is the robots, so q has shape (count, nq), or (k, count, nq), or (nq,) for all alike. They go in lanes, as all batches do.

    >>> import numpy as np, torsor as ts
    >>> robot = ts.load("two_link")
    >>> robots = ts.RobotRows(robot, masses=robot.masses * np.random.default_rng(1).uniform(0.8, 1.2, (500, 2)))
    >>> len(robots), robots.inverse_dynamics([0.1, 0.2]).shape
    (500, (500, 2))
    >>> alike = ts.RobotRows(robot, payload_masses=[0.0, 1.0])
    >>> bool(np.allclose(alike.inverse_dynamics([0.1, 0.2])[0], ts.gravity(robot, [0.1, 0.2])))
    True
    """

    def __init__(
        self,
        robot: Robot,
        *,
        masses: npt.ArrayLike | None = None,
        mass_centres: npt.ArrayLike | None = None,
        inertias: npt.ArrayLike | None = None,
        rotors: npt.ArrayLike | None = None,
        viscous: npt.ArrayLike | None = None,
        coulomb: npt.ArrayLike | None = None,
        payload_masses: npt.ArrayLike | None = None,
        payload_centres: npt.ArrayLike | None = None,
    ) -> None:
        links, nv = len(robot.link_names), robot.nv
        given = {
            "masses": (masses, (links,)),
            "mass_centres": (mass_centres, (links, 3)),
            "inertias": (inertias, (links, 3, 3)),
            "rotors": (rotors, (nv,)),
            "viscous": (viscous, (nv,)),
            "coulomb": (coulomb, (nv,)),
            "payload_masses": (payload_masses, ()),
            "payload_centres": (payload_centres, (3,)),
        }
        if payload_centres is not None and payload_masses is None:
            raise ValueError("RobotRows: payload_centres without payload_masses; expected both, or masses alone")
        arrays = {name: _rows(name, value, row) for name, (value, row) in given.items() if value is not None}
        counts = {name: len(array) for name, array in arrays.items() if len(array) != 1}
        count = next(iter(counts.values()), 1)
        for name, other in counts.items():
            if other != count:
                raise ValueError(f"RobotRows: {name} has {other} robots; expected {count}, as {next(iter(counts))} has")
        for name in ("masses", "payload_masses", "rotors", "viscous", "coulomb"):
            if name in arrays and (arrays[name] < 0).any():
                raise ValueError(f"RobotRows: {name} has a negative number; expected none")
        for name in ("inertias",):
            if name in arrays and not np.allclose(arrays[name], np.swapaxes(arrays[name], -1, -2), rtol=1e-9, atol=0):
                raise ValueError(f"RobotRows: {name} has a tensor that is not symmetric; expected symmetric ones")
        if "inertias" in arrays:
            _refuse_impossible(robot, arrays["inertias"])

        def every(name: str, else_: Array) -> Array:
            array = arrays.get(name, else_)
            return np.ascontiguousarray(np.broadcast_to(array, (count, *array.shape[1:])), dtype=np.float64)

        m = every("masses", robot.masses[None])
        c = every("mass_centres", robot.mass_centres[None])
        tensors = every("inertias", robot.inertias[None])
        if "payload_masses" in arrays:
            m, c, tensors = _loaded(
                robot, m, c, tensors, every("payload_masses", m), every("payload_centres", np.zeros((1, 3)))
            )
        friction = None
        if "viscous" in arrays or "coulomb" in arrays:
            dry = every("coulomb", np.zeros((1, nv)))
            friction = np.hstack([every("viscous", np.zeros((1, nv))), dry, dry])
        turned = every("rotors", np.zeros((1, nv))) if "rotors" in arrays else None
        self.robot = robot
        """What they have in common."""
        self._given: dict[str, Any] = arrays
        self._rows: Any = _torsor._RobotRows(robot, count, m, c, tensors, turned, friction)  # type: ignore[attr-defined]
        self._count = count

    @classmethod
    def of(cls, robots: Sequence[Robot]) -> RobotRows:
        """Robots as they are: with the same joints, and lengths (of a DH table or any other), masses, gears, rotors and friction
        of their own. Where lengths differ, torques, accelerations and mass matrices go on the recursions of trees,
        and take 3 to 5 times as long; all else takes 1.2 to 1.6 times as long as for robots that are alike.

        >>> import torsor as ts
        >>> text = ts.load("two_link").to_toml()
        >>> robots = ts.RobotRows.of([ts.load(text), ts.load(text).with_payload(1.0)])
        >>> robots.inverse_dynamics([0.1, 0.2]).shape
        (2, 2)
        """
        each = list(robots)
        if not each or not all(isinstance(robot, Robot) for robot in each):
            raise ValueError("RobotRows.of: expected a list of one robot or more")
        self = cls.__new__(cls)
        self.robot, self._given, self._count = each[0], {"each": each}, len(each)
        self._rows = _torsor._RobotRows(each)  # type: ignore[attr-defined]
        return self

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        if "each" in self._given:
            return f"<{self._count} robots with the joints of {self.robot.name}>"
        return f"<{self._count} robots like {self.robot.name}, with their own {', '.join(self._given) or 'nothing'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.robot, self._given)

    inverse_dynamics = _each(
        _torsor.inverse_dynamics, "The torques that a motion needs, of every robot: (..., count, nv).", "([0.1, 0.2]).shape", (2, 2)
    )
    mass_matrix = _each(_torsor.mass_matrix, "The mass matrix of every robot: (..., count, nv, nv).", "([0.1, 0.2]).shape", (2, 2, 2))
    # with return_valid a pair: of such functions mypy takes but the first overload
    forward_dynamics: Callable[..., Any] = _each(
        _torsor.forward_dynamics,
        "The accelerations under given torques, of every robot: (..., count, nv); with return_valid a pair, as of the function.",
        "([0.1, 0.2], [0, 0], [1, 0]).shape",
        (2, 2),
    )
    inverse_derivatives = _each(
        _torsor.inverse_derivatives,
        "Derivatives of the torques of every robot by q, qd and qdd: three arrays (..., count, nv, nv).",
        "([0.1, 0.2])[0].shape",
        (2, 2, 2),
    )
    forward_derivatives: Callable[..., Any] = _each(
        _torsor.forward_derivatives,
        "Derivatives of the accelerations of every robot by q, qd and tau; with return_valid a pair, as of the function.",
        "([0.1, 0.2], [0, 0], [1, 0])[2].shape",
        (2, 2, 2),
    )
    terms = _each(
        _torsor.terms, "Every term of the equations of motion of every robot.", "([0.1, 0.2], [1, 0], [0, 0]).C.shape", (2, 2, 2)
    )
    reactions = _each(_torsor.reactions, "What the joints of every robot carry.", "([0.1, 0.2], [1, 0], [0, 0]).joints.shape", (2, 2, 6))
    christoffel = _each(
        _torsor.christoffel, "Christoffel coefficients of every robot: (..., count, nv, nv, nv).", "([0.1, 0.2]).shape", (2, 2, 2, 2)
    )
    energy = _each(
        _torsor.energy, "Kinetic and potential energy of every robot: two arrays (..., count).", "([0.1, 0.2], [1, 0])[0].shape", (2,)
    )
    momentum = _each(
        _torsor.momentum, "Mass centre and momentum of every robot, with their matrices.", "([0.1, 0.2]).matrix.shape", (2, 6, 2)
    )
    frame_motion = _each(
        _torsor.frame_motion,
        "Pose, twist and acceleration of a frame, of every robot: (..., count, 4, 4) and twice (..., count, 6).",
        "([0.1, 0.2])[0].shape",
        (2, 4, 4),
    )
    jacobian = _each(_torsor.jacobian, "Jacobian of a frame, of every robot: (..., count, 6, nv).", "([0.1, 0.2]).shape", (2, 6, 2))
    jacobian_rate = _each(_torsor.jacobian_rate, "Rate of that Jacobian: (..., count, 6, nv).", "([0.1, 0.2], [1, 0]).shape", (2, 6, 2))
    rollout: Callable[..., Any] = _each(
        _torsor.rollout,
        "The motion of every robot through periods of torques: a Rollout of (..., count, periods, nq) and (..., nv).",
        "([0.1, 0.2], [0, 0], [[1, 0]] * 3, 0.01).q.shape",
        (2, 3, 2),
    )


def _again(robot: Robot, given: dict[str, Any]) -> RobotRows:
    return RobotRows.of(given["each"]) if "each" in given else RobotRows(robot, **given)


def _refuse_impossible(robot: Robot, tensors: Array) -> None:
    """Tensors that no body has, unless the robot has them: a moment below zero, or, of links that are possible bodies in the
    robot itself, one above the sum of the other two."""

    def beyond(tensors: Array) -> tuple[Array, Array, Array]:
        moments = np.linalg.eigvalsh(tensors)
        least, middle, most = np.moveaxis(moments, -1, 0)
        slack = 1e-9 * most
        return moments, least < -slack, most - middle - least > slack

    moments, below_zero, too_large = beyond(tensors)
    refused = below_zero | too_large & ~beyond(robot.inertias)[2]
    refused &= (tensors != robot.inertias).any(axis=(-2, -1))
    for row, link in np.argwhere(refused)[:1]:
        listed = " ".join(f"{x:.6g}" for x in moments[row, link])
        raise ValueError(
            f'RobotRows: inertias of row {row}, link "{robot.link_names[link]}", have the principal moments {listed} '
            "kg m^2, which no body has; expected none below zero and none above the sum of the other two"
        )


def _rows(name: str, value: npt.ArrayLike, row: tuple[int, ...]) -> Array:
    """(count, *row), count 1 where it is one for all."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"RobotRows: {name} is no array of numbers") from None
    if array.shape == row:
        array = array[None]
    if array.ndim != len(row) + 1 or array.shape[1:] != row or array.shape[0] == 0:
        expected = ", ".join(["count", *map(str, row)]) + ("," if not row else "")
        raise ValueError(f"RobotRows: {name} has shape {array.shape}; expected ({expected})")
    if not np.isfinite(array).all():
        raise ValueError(f"RobotRows: {name} has a number that is not finite; expected finite numbers")
    return array


def _loaded(robot: Robot, m: Array, c: Array, tensors: Array, masses: Array, centres: Array) -> tuple[Array, Array, Array]:
    """The links with point masses at the tool: centres and tensors about them."""
    # where the tool is on its link does not depend on the position
    link = robot.tool_links[-1] if robot.tool_links else len(robot.link_names) - 1
    q = robot.neutral_position()
    X = np.linalg.solve(_torsor.forward_kinematics(robot, q)[link], _torsor.frame_pose(robot, q))
    at = centres @ X[:3, :3].T + X[:3, 3]
    m, c, tensors = m.copy(), c.copy(), tensors.copy()
    total = m[:, link] + masses
    apart = at - c[:, link]
    reduced = np.where(total > 0, m[:, link] * masses / np.where(total > 0, total, 1), 0)
    squares = (apart**2).sum(-1)[:, None, None] * np.eye(3) - apart[:, :, None] * apart[:, None, :]
    tensors[:, link] += reduced[:, None, None] * squares
    c[:, link] = c[:, link] + np.where(total > 0, masses / np.where(total > 0, total, 1), 0)[:, None] * apart
    m[:, link] = total
    return m, c, tensors
