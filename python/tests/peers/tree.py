"""A robot link by link, in nobody's format: what the tests hand to Torsor (URDF, TOML) and, by other ways, to its peers.

Nothing here is computed by Torsor: a URDF is read by a few lines of our own, so that Torsor's reader is tested too.
"""

from __future__ import annotations

import xml.etree.ElementTree as xml
from dataclasses import dataclass, replace

import numpy as np

ONE = ("revolute", "prismatic", "helical")  # kinds with one coordinate


@dataclass(frozen=True)
class Link:
    name: str
    parent: int  # -1 for the base
    kind: str  # of the joint that carries it: fixed, revolute, prismatic, helical, planar, spherical, free
    joint: str
    xyz: tuple[float, ...] = (0.0, 0.0, 0.0)
    rpy: tuple[float, ...] = (0.0, 0.0, 0.0)
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)
    pitch: float = 0.0
    mass: float = 0.0
    com: tuple[float, ...] = (0.0, 0.0, 0.0)
    inertia: tuple[float, ...] = (0.0,) * 6  # about the mass centre: xx yy zz xy xz yz, entries of the tensor
    turned: tuple[float, ...] = (0.0, 0.0, 0.0)  # roll, pitch, yaw of the axes that the inertia is given in
    damping: float = 0.0
    friction: float = 0.0
    rotor: float = 0.0  # gear^2 times the inertia of the rotor
    mimic: tuple[int, float, float] | None = None  # link whose joint it follows, ratio, offset


@dataclass(frozen=True)
class Robot:
    name: str
    links: list[Link]
    gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
    base: str = "base"
    base_link: Link | None = None  # with its mass; nobody feels it unless the base is freed

    def freed(self) -> Robot:
        """The same with a floating base: the base becomes a link on a free joint."""
        root = replace(self.base_link or Link(self.base, -1, "free", "root_joint"), kind="free", joint="root_joint", parent=-1)
        moved = [
            replace(link, parent=link.parent + 1, mimic=link.mimic and (link.mimic[0] + 1, *link.mimic[1:]))
            for link in self.links
        ]
        return replace(self, links=[root, *moved], base="surroundings", base_link=None)


def rotation(rpy) -> np.ndarray:
    """About the fixed axes x, then y, then z."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array([
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ])  # fmt: skip


def tensor(link: Link) -> np.ndarray:
    """Inertia about the mass centre in the axes of the link frame."""
    xx, yy, zz, xy, xz, yz = link.inertia
    turn = rotation(link.turned)
    return turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T


def heavy(link: Link) -> bool:
    return bool(link.mass or any(link.inertia))


def unit(axis) -> np.ndarray:
    length = np.linalg.norm(axis)
    return np.asarray(axis, float) / (length if length else 1.0)


# --- a URDF, read

KINDS = {
    "revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed", "floating": "free",
    "planar": "planar", "spherical": "spherical",
}  # fmt: skip


def numbers(element, name, default):
    text = element.get(name) if element is not None else None
    return default if text is None else tuple(map(float, text.split()))


def number(element, name):
    return float(element.get(name, 0)) if element is not None else 0.0


def body_of(element) -> dict:
    inertial = element.find("inertial")
    if inertial is None:
        return {}
    origin, entries = inertial.find("origin"), inertial.find("inertia")
    return {
        "mass": number(inertial.find("mass"), "value"),
        "com": numbers(origin, "xyz", (0.0, 0.0, 0.0)),
        "turned": numbers(origin, "rpy", (0.0, 0.0, 0.0)),
        "inertia": tuple(number(entries, "i" + e) for e in ("xx", "yy", "zz", "xy", "xz", "yz")),
    }


def from_urdf(text: str) -> Robot:
    top = xml.fromstring(text)
    bodies = {e.get("name"): body_of(e) for e in top.findall("link")}
    joints = {e.find("child").get("link"): e for e in top.findall("joint")}
    (base,) = set(bodies) - set(joints)
    links: list[Link] = []
    place = {base: -1}
    waiting = list(joints.items())
    while waiting:  # parents first
        later = []
        for child, e in waiting:
            parent = e.find("parent").get("link")
            if parent not in place:
                later.append((child, e))
                continue
            origin, dynamics = e.find("origin"), e.find("dynamics")
            place[child] = len(links)
            links.append(
                Link(
                    child, place[parent], KINDS[e.get("type")], e.get("name"), numbers(origin, "xyz", (0.0, 0.0, 0.0)),
                    numbers(origin, "rpy", (0.0, 0.0, 0.0)), numbers(e.find("axis"), "xyz", (1.0, 0.0, 0.0)),
                    damping=number(dynamics, "damping"), friction=number(dynamics, "friction"), **bodies[child],
                )  # fmt: skip
            )
        waiting = later
    by_joint = {link.joint: i for i, link in enumerate(links)}
    for i, link in enumerate(links):
        mimic = joints[link.name].find("mimic")
        if mimic is not None and link.kind != "fixed":
            followed = (by_joint[mimic.get("joint")], float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0)))
            links[i] = replace(link, mimic=followed)
    gravity = numbers(top.find("torsor"), "gravity", Robot.gravity)
    return Robot(top.get("name"), links, gravity, base=base, base_link=Link(base, -1, "fixed", "", **bodies[base]))


# --- written for Torsor


def triple(values) -> str:
    return " ".join(repr(float(x)) for x in values)


def to_urdf(robot: Robot) -> str:
    """Helical joints and rotors have no place in a URDF."""
    kinds = {"revolute": "continuous", "free": "floating"}
    body = "<inertial><origin xyz='{}' rpy='{}'/><mass value='{!r}'/><inertia {}/></inertial>"

    def inertial(link):
        entries = " ".join(f"i{e}='{x!r}'" for e, x in zip(("xx", "yy", "zz", "xy", "xz", "yz"), link.inertia))
        return body.format(triple(link.com), triple(link.turned), link.mass, entries) if heavy(link) else ""

    lines = [f"<robot name='{robot.name}'>", f"<torsor gravity='{triple(robot.gravity)}'/>"]
    lines.append(f"<link name='{robot.base}'>{inertial(robot.base_link) if robot.base_link else ''}</link>")
    for link in robot.links:
        assert link.kind != "helical" and not link.rotor
        parent = robot.base if link.parent < 0 else robot.links[link.parent].name
        lines.append(f"<link name='{link.name}'>{inertial(link)}</link>")
        lines.append(f"<joint name='{link.joint}' type='{kinds.get(link.kind, link.kind)}'>")
        lines.append(f"<parent link='{parent}'/><child link='{link.name}'/>")
        lines.append(f"<origin xyz='{triple(link.xyz)}' rpy='{triple(link.rpy)}'/>")
        if link.kind in ("revolute", "prismatic", "planar"):
            lines.append(f"<axis xyz='{triple(link.axis)}'/>")
        if link.kind == "prismatic":
            lines.append("<limit lower='-9' upper='9' velocity='9' effort='900'/>")
        if link.damping or link.friction:
            lines.append(f"<dynamics damping='{link.damping!r}' friction='{link.friction!r}'/>")
        if link.mimic:
            leader, ratio, offset = link.mimic
            lines.append(f"<mimic joint='{robot.links[leader].joint}' multiplier='{ratio!r}' offset='{offset!r}'/>")
        lines.append("</joint>")
    return "\n".join([*lines, "</robot>"])


def to_toml(robot: Robot) -> str:
    def vector(values):
        return "[" + ", ".join(repr(float(x)) for x in values) + "]"

    lines = ["format = 1", f'name = "{robot.name}"', f"gravity = {vector(robot.gravity)}", "[base]", f'name = "{robot.base}"']
    for link in robot.links:
        parent = robot.base if link.parent < 0 else robot.links[link.parent].name
        joint = f'kind = "{link.kind}", name = "{link.joint}"'
        if link.kind in (*ONE, "planar"):
            joint += f", axis = {vector(link.axis)}"
        if link.kind == "helical":
            joint += f", pitch = {link.pitch!r}"
        lines += ["[[link]]", f'name = "{link.name}"', f'parent = "{parent}"', f"joint = {{ {joint} }}"]
        lines.append(f"placement = {{ position = {vector(link.xyz)}, rpy = {vector(link.rpy)} }}")
        if heavy(link):
            rows = ", ".join(vector(row) for row in (lambda t: (t + t.T) / 2)(tensor(link)))
            lines += [f"mass = {link.mass!r}", f"com = {vector(link.com)}", f"inertia = [{rows}]"]
        if link.damping or link.friction:
            lines.append(f"friction = {{ viscous = {link.damping!r}, coulomb = {link.friction!r} }}")
        if link.rotor:
            lines.append(f"rotor = {{ inertia = {link.rotor!r}, gear = 1.0 }}")
        if link.mimic:
            leader, ratio, offset = link.mimic
            lines.append(f'mimic = {{ joint = "{robot.links[leader].joint}", ratio = {ratio!r}, offset = {offset!r} }}')
    return "\n".join(lines) + "\n"
