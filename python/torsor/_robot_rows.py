"""Robots that have all but some numbers in common, one for each row of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _torsor
from ._answers import Momentum, Reactions, Rollout, Terms
from ._loads import Loads
from ._torsor import Robot

Array = npt.NDArray[Any]


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

    def inverse_dynamics(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike | None = None,
        qdd: npt.ArrayLike | None = None,
        *,
        out: Array | None = None,
        threads: int = 0,
        loads: Loads | None = None,
    ) -> Array:
        """The torques that a motion needs, of every robot: (..., count, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.inverse_dynamics([0.1, 0.2]).shape
        (2, 2)
        """
        answer: Array = self._rows.inverse_dynamics(q, qd, qdd, None, out, threads, loads)
        return answer

    def mass_matrix(self, q: npt.ArrayLike, *, out: Array | None = None, threads: int = 0) -> Array:
        """The mass matrix of every robot: (..., count, nv, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.mass_matrix([0.1, 0.2]).shape
        (2, 2, 2)
        """
        answer: Array = self._rows.mass_matrix(q, None, out, threads)
        return answer

    def forward_dynamics(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        tau: npt.ArrayLike,
        *,
        out: Array | None = None,
        threads: int = 0,
        loads: Loads | None = None,
        return_valid: bool = False,
    ) -> Any:
        """The accelerations under given torques, of every robot: (..., count, nv); with return_valid a pair, as of the function.

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.forward_dynamics([0.1, 0.2], [0, 0], [1, 0]).shape
        (2, 2)
        """
        return self._rows.forward_dynamics(q, qd, tau, None, out, threads, loads, return_valid)

    def inverse_derivatives(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike | None = None,
        qdd: npt.ArrayLike | None = None,
        *,
        out: tuple[Array, Array, Array] | None = None,
        threads: int = 0,
        loads: Loads | None = None,
    ) -> tuple[Array, Array, Array]:
        """Derivatives of the torques of every robot by q, qd and qdd: three arrays (..., count, nv, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.inverse_derivatives([0.1, 0.2])[0].shape
        (2, 2, 2)
        """
        answer: tuple[Array, Array, Array] = self._rows.inverse_derivatives(q, qd, qdd, out, threads, loads)
        return answer

    def forward_derivatives(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        tau: npt.ArrayLike,
        *,
        out: tuple[Array, Array, Array] | None = None,
        threads: int = 0,
        loads: Loads | None = None,
        return_valid: bool = False,
    ) -> Any:
        """Derivatives of the accelerations of every robot by q, qd and tau; with return_valid a pair, as of the function.

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.forward_derivatives([0.1, 0.2], [0, 0], [1, 0])[2].shape
        (2, 2, 2)
        """
        return self._rows.forward_derivatives(q, qd, tau, out, threads, loads, return_valid)

    def terms(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        qdd: npt.ArrayLike,
        *,
        threads: int = 0,
        loads: Loads | None = None,
    ) -> Terms:
        """Every term of the equations of motion of every robot.

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.terms([0.1, 0.2], [1, 0], [0, 0]).C.shape
        (2, 2, 2)
        """
        answer: Terms = self._rows.terms(q, qd, qdd, threads, loads)
        return answer

    def reactions(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        qdd: npt.ArrayLike,
        *,
        threads: int = 0,
        loads: Loads | None = None,
    ) -> Reactions:
        """What the joints of every robot carry.

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.reactions([0.1, 0.2], [1, 0], [0, 0]).joints.shape
        (2, 2, 6)
        """
        answer: Reactions = self._rows.reactions(q, qd, qdd, threads, loads)
        return answer

    def christoffel(
        self,
        q: npt.ArrayLike,
        *,
        out: Array | None = None,
        threads: int = 0,
    ) -> Array:
        """Christoffel coefficients of every robot: (..., count, nv, nv, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.christoffel([0.1, 0.2]).shape
        (2, 2, 2, 2)
        """
        answer: Array = self._rows.christoffel(q, "composite-body", out, threads)
        return answer

    def energy(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        *,
        out: tuple[Array, Array] | None = None,
        threads: int = 0,
    ) -> tuple[Array, Array]:
        """Kinetic and potential energy of every robot: two arrays (..., count).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.energy([0.1, 0.2], [1, 0])[0].shape
        (2,)
        """
        answer: tuple[Array, Array] = self._rows.energy(q, qd, out, threads)
        return answer

    def momentum(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike | None = None,
        *,
        threads: int = 0,
    ) -> Momentum:
        """Mass centre and momentum of every robot, with their matrices.

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.momentum([0.1, 0.2]).matrix.shape
        (2, 6, 2)
        """
        answer: Momentum = self._rows.momentum(q, qd, threads)
        return answer

    def frame_motion(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike | None = None,
        qdd: npt.ArrayLike | None = None,
        *,
        frame: str | None = None,
        out: tuple[Array, Array, Array] | None = None,
        threads: int = 0,
    ) -> tuple[Array, Array, Array]:
        """Pose, twist and acceleration of a frame, of every robot: (..., count, 4, 4) and twice (..., count, 6).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.frame_motion([0.1, 0.2])[0].shape
        (2, 4, 4)
        """
        answer: tuple[Array, Array, Array] = self._rows.frame_motion(q, qd, qdd, frame, out, threads)
        return answer

    def jacobian(
        self,
        q: npt.ArrayLike,
        *,
        frame: str | None = None,
        out: Array | None = None,
        threads: int = 0,
    ) -> Array:
        """Jacobian of a frame, of every robot: (..., count, 6, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.jacobian([0.1, 0.2]).shape
        (2, 6, 2)
        """
        answer: Array = self._rows.jacobian(q, frame, out, threads)
        return answer

    def jacobian_rate(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        *,
        frame: str | None = None,
        out: Array | None = None,
        threads: int = 0,
    ) -> Array:
        """Rate of that Jacobian: (..., count, 6, nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.jacobian_rate([0.1, 0.2], [1, 0]).shape
        (2, 6, 2)
        """
        answer: Array = self._rows.jacobian_rate(q, qd, frame, out, threads)
        return answer

    def rollout(
        self,
        q: npt.ArrayLike,
        qd: npt.ArrayLike,
        tau: npt.ArrayLike,
        h: float,
        method: str = "runge-kutta-4",
        hold: int = 1,
        *,
        out: tuple[Array, Array] | None = None,
        threads: int = 0,
        loads: Loads | None = None,
        return_valid: bool = False,
    ) -> Any:
        """The motion of every robot through periods of torques: a Rollout of (..., count, periods, nq) and (..., nv).

        >>> import torsor as ts
        >>> robots = ts.RobotRows(ts.load("two_link"), payload_masses=[0.0, 1.0])
        >>> robots.rollout([0.1, 0.2], [0, 0], [[1, 0]] * 3, 0.01).q.shape
        (2, 3, 2)
        """
        return self._rows.rollout(q, qd, tau, h, method, hold, out, threads, loads, return_valid)


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
