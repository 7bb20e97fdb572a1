#!/usr/bin/env python3
"""The types of studio/src/answers.ts are those of the engine: its answers for every built-in thing, written down as literals of these
types, compile, which literals do with no field too few, too many or of another type; and every field that may be left out is seen.

usage: interface.py TORSOR STUDIO     STUDIO: the folder with the TypeScript and its compiler
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from safety import FAILED, Studio  # noqa: E402

ARM = """<robot name="a"><link name="b"/><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual><visual><geometry><mesh filename="one.stl"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="b"/><child link="l"/><axis xyz="0 0 1"/></joint></robot>"""
STL = """solid one
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid one
"""
ROWS = "{numbers: new Float64Array(), columns: %d}"


def literal(value):
    """A value as TypeScript, lists of numbers cut short: rows stand behind the JSON."""
    if isinstance(value, dict):
        if set(value) == {"f64", "columns"}:
            return ROWS % value["columns"]
        return "{" + ", ".join(f"{json.dumps(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return json.dumps(value)


def keys_of(value, found):
    if isinstance(value, dict):
        found.update(value)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            keys_of(each, found)
    return found


def answers(studio):
    """Of each type of answer some: what it is called in TypeScript, and the answer."""
    catalogue = studio.call("catalogue")
    yield "Catalogue", catalogue
    for each in catalogue["robots"] + catalogue["mechanisms"]:
        thing = studio.call("open", name=each["name"])
        yield "Thing", thing
        about = {"id": thing["id"]}
        if thing["kind"] == "mechanism":
            if len(thing["view"]["parts"]) > 8:
                continue
            yield "MechanismRun", studio.call("run", how="driven" if thing["driven"] else "released", samples=2, time=0.02, **about)
            if thing.get("tool"):
                pose = thing["tool_pose"]
                yield "ReachAnswer", studio.call("reach", position=pose["position"], quaternion=pose["quaternion"], **about)
                yield "AssembliesAnswer", studio.call("assemblies", **about)
            if thing["drivers"]:
                yield "DriveAnswer", studio.call("drive", values=[d["value"] for d in thing["drivers"]], **about)
            continue
        if not thing.get("tool"):
            continue
        q = thing["start"]
        state = studio.call("state", q=q, **about)
        yield "StateAnswer", state
        yield "ShapesAnswer", studio.call("shapes", **about)
        if thing["nq"] != thing["nv"] or thing["nv"] > 7:
            continue
        yield "SolveAnswer", studio.call("solve", position=state["tool"]["position"], quaternion=state["tool"]["quaternion"], near=q, **about)
        yield "MotionAnswer", studio.call("motion", kind="usual", samples=2, **about)
        yield "Cloud", studio.call("cloud", samples=2, **about)
        if "R" in each["joints"]:
            yield "WorkedExample", studio.call("worked_example", q=q, formulation="newton-euler-link", **about)
        studio.call("begin_run", q=q, **about)
        yield "RunAnswer", studio.call("go_on", seconds=0.001, target=q, **about)
    out = studio.call("solve", id=studio.call("open", name="ur5")["id"], position=[9, 9, 9], quaternion=[1, 0, 0, 0], near=[0] * 6)
    yield "SolveAnswer", out
    thing = studio.call("open", name="puma560_drives")
    motors = "[[motor]]\nname = \"m\"\nrated_torque = 0.6\nrated_speed_rpm = 3000\npeak_torque = 2\nmax_speed_rpm = 5000\n"
    yield "Motors", studio.call("drives", id=thing["id"], kind="usual", samples=2, drives=motors)
    pendulum = studio.call("open", name="pendulum")
    yield "ModesAnswer", studio.call("modes", id=pendulum["id"])
    files = [{"name": "a.urdf", "text": ARM}, {"name": "one.stl", "text": STL}]
    arm = studio.call("open", main="a.urdf", files=files)
    yield "Thing", arm
    yield "ShapesAnswer", studio.call("shapes", id=arm["id"])
    yield "ShapesAnswer", studio.call("shapes", id=studio.call("open", main="a.urdf", files=files[:1])["id"])
    studio.call("begin_run", id=thing["id"], q=[0] * 6, gravity=[0, 0, -1e300])
    yield "RunAnswer", studio.call("go_on", id=thing["id"], seconds=0.5, target=[0] * 6)


def main():
    torsor, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    source = (folder / "src/answers.ts").read_text()
    lines, seen, types = [], {}, set()
    studio = Studio(torsor)
    try:
        for name, answer in answers(studio):
            if "faults" in answer:
                FAILED.append(f"{name}: {answer['faults'][0]['what']}")
                continue
            types.add(name)
            keys_of(answer, seen.setdefault(name, set()))
            lines.append(f"export const answer{len(lines)}: {name} = {literal(answer)};")
    finally:
        studio.end()
    every = set().union(*seen.values())
    for name in sorted(set(re.findall(r"(\w+)\?:", source)) - every):
        FAILED.append(f"{name}?: no answer of the engine has it")
    with tempfile.TemporaryDirectory(dir=folder / "src", prefix=".answers-") as work:
        path = pathlib.Path(work, "answers.ts")
        path.write_text(f"import type {{{', '.join(sorted(types))}}} from '../answers';\n" + "\n".join(lines) + "\n")
        compiled = subprocess.run(["node", str(folder / "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022",
            "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck", "--types", "", str(path)], capture_output=True, text=True)
        if compiled.returncode:
            FAILED.extend(re.sub(r"^.*answers\.ts\(", "answers(", line)[:300] for line in compiled.stdout.splitlines()[:20])
    print("\n".join(FAILED) or f"{len(lines)} answers of {len(types)} types are what answers.ts says")
    sys.exit(bool(FAILED))


main()
