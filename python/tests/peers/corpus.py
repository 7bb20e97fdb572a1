"""Every URDF of the package example-robot-data that Torsor reads, on a fixed and on a floating base, beside the peers.

    python corpus.py DOCS/validation.md       writes the table there, between its two marks
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

import mujoco
import mujoco_peer
import numpy as np
import pinocchio as pin
import pinocchio_peer
import torsor as ts
from compare import worst_differences
from coordinates import Coordinates
from tree import Robot, from_urdf, tensor, to_urdf

TOLERANCE = 1e-9
ACCELERATIONS = ("accelerations", "d accelerations / dq", "d accelerations / dqd")
# columns of the table: those of Pinocchio, then those of MuJoCo
COLUMNS = {
    "torques": ("torques", "gravity", "bias"),
    "mass matrix": ("mass matrix",),
    "Coriolis": ("Coriolis matrix",),
    "poses, Jacobians": ("poses", "Jacobians", "Jacobian rates"),
    "derivatives": ("d torques / dq", "d torques / dqd"),
    "accelerations": ACCELERATIONS,
    "energies": ("kinetic energy", "potential energy"),
}
MUJOCO = {"torques": ("torques", "bias"), "mass matrix": ("mass matrix",)}


def folder() -> Path:
    return Path(pin.__file__).parents[4] / "share/example-robot-data/robots"


def files() -> list[str]:
    return sorted(str(path.relative_to(folder())) for path in folder().rglob("*.urdf"))


@dataclass
class Row:
    file: str
    base: str
    freedoms: int = 0
    pinocchio: dict[str, float] = field(default_factory=dict)
    mujoco: dict[str, float] = field(default_factory=dict)
    condition: float = 1.0  # worst of the mass matrix over the states
    notes: list[str] = field(default_factory=list)

    def allowed(self, question: str) -> float:
        """1e-9; accelerations are known no better than the mass matrix can be solved for, by either side."""
        rounding = 8 * float(np.finfo(float).eps) * self.condition
        return max(TOLERANCE, rounding) if question in ACCELERATIONS else TOLERANCE

    def too_far(self) -> dict[str, float]:
        found = {f"Pinocchio, {q}": gap for q, gap in self.pinocchio.items() if not gap <= self.allowed(q)}
        return found | {f"MuJoCo, {q}": gap for q, gap in self.mujoco.items() if not gap <= TOLERANCE}


def notes_of(robot: Robot) -> list[str]:
    """What makes the robot special, and how it was compared."""
    out = []
    if any(link.damping or link.friction for link in robot.links):
        out.append("friction")
    if any(link.mimic for link in robot.links):
        out.append("mimics")
    impossible = 0
    for link in robot.links:
        a, b, c = np.linalg.eigvalsh(tensor(link))
        impossible += bool(a < -1e-12 * abs(c) or a + b < c * (1 - 1e-6))
    if impossible:
        out.append(f"{impossible} impossible inertias" if impossible > 1 else "1 impossible inertia")
    return out


def compare_file(file: str, states: int = 5) -> list[Row]:
    """Rows for the fixed and the floating base; the note says why where there is no comparison."""
    path = folder() / file
    try:
        fixed = ts.load(path, check=False)
    except ts.Error as error:
        return [Row(file, "", notes=[f"not read: {error.faults[0].rule}"])]
    text = path.read_text(encoding="utf-8")
    tree = from_urdf(text)
    rows = []
    for base, robot in (("fixed", tree), ("floating", tree.freed())):
        torsor_robot = fixed if base == "fixed" else ts.load(to_urdf(robot), check=False)
        row = Row(file, base, torsor_robot.nv, notes=notes_of(robot))
        rows.append(row)
        if not torsor_robot.nv:
            row.notes.append("nothing moves")
            continue
        coordinates = Coordinates(robot, torsor_robot)
        model = pinocchio_peer.from_text(text, base == "floating")
        peer = pinocchio_peer.Pinocchio(model, robot, coordinates)
        row.pinocchio = worst_differences(torsor_robot, coordinates, peer, states)
        other = mujoco_peer.MuJoCo(mujoco_peer.link_by_link(robot), robot, coordinates)
        row.mujoco = worst_differences(torsor_robot, coordinates, other, states, frames=[])
        matrices = ts.mass_matrix(torsor_robot, coordinates.states(states)[0])
        row.condition = float(np.linalg.cond(matrices).max())
        if "accelerations" not in row.pinocchio and "mimics" not in row.notes:
            row.notes.append("accelerations not determined")
        if any(row.pinocchio.get(q, 0) > TOLERANCE for q in ACCELERATIONS):
            row.notes.append(f"condition of M {row.condition:.0e}")
    return rows


def table(rows: list[Row]) -> str:
    def worst(found, questions):
        gaps = [found[q] for q in questions if q in found]
        return f"{max(gaps):.0e}" if gaps else ""

    head = ["file", "base", "dof", *COLUMNS, *(f"MuJoCo: {name}" for name in MUJOCO), "notes"]
    lines = ["| " + " | ".join(head) + " |", "|---|---" + "|---:" * (len(head) - 3) + "|---|"]
    for row in rows:
        cells = [row.file, row.base, str(row.freedoms) if row.base else ""]
        cells += [worst(row.pinocchio, questions) for questions in COLUMNS.values()]
        cells += [worst(row.mujoco, questions) for questions in MUJOCO.values()]
        lines.append("| " + " | ".join([*cells, ", ".join(row.notes)]) + " |")
    return "\n".join(lines)


BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


def main(document: Path) -> int:
    rows = [row for file in files() for row in compare_file(file)]
    before, rest = document.read_text().split(BEGIN)
    _, after = rest.split(END)
    compared = [row for row in rows if row.pinocchio]
    worst = {
        name: max(max((found(row).get(q, 0.0) for q in qs), default=0.0) for row in compared)
        for name, qs, found in (
            *((name, qs, lambda row: row.pinocchio) for name, qs in COLUMNS.items()),
            *((f"{name} (MuJoCo)", qs, lambda row: row.mujoco) for name, qs in MUJOCO.items()),
        )
    }
    said = f"Pinocchio {pin.__version__}, MuJoCo {mujoco.__version__}; {len(compared)} robots; the worst of all: "
    said += ", ".join(f"{name} {gap:.0e}" for name, gap in worst.items()) + "."
    document.write_text(f"{before}{BEGIN}\n{said}\n\n{table(rows)}\n{END}{after}")
    print(said)
    return 1 if any(row.too_far() for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
