#!/usr/bin/env python3
"""The numbers of the Studio are those of the command: states, solutions, motions, for robots with friction, rotors, payload, wrench.

usage: numbers.py TORSOR
"""

import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from safety import FAILED, Studio, check  # noqa: E402


def command(torsor, *words):
    return json.loads(subprocess.run([torsor, *words, "--json"], capture_output=True, text=True).stdout)


def close(what, found, expected, tolerance=1e-12):
    scale = max([1e-9, *map(abs, expected)])
    if len(found) != len(expected) or any(not abs(a - b) <= tolerance * scale for a, b in zip(found, expected)):
        FAILED.append(f"{what}: {found} instead of {expected}")


def text(numbers):
    return ",".join(map(repr, numbers))


def states(studio, torsor, name, draw):
    robot = studio.call("open", name=name)
    q = [draw.uniform(max(v["lower"] or -2, -3), min(v["upper"] or 2, 3)) for v in robot["velocities"]]
    qd, qdd = ([draw.uniform(-1, 1) for _ in q] for _ in range(2))
    load = {"payload": [2.5, 0.01, 0.02, 0.1], "wrench": [1.0, -2.0, 3.0, 0.1, 0.2, -0.3]}
    found = studio.call("state", id=robot["id"], q=q, qd=qd, qdd=qdd, **load)
    words = ["--q", text(q), "--qd", text(qd), "--qdd", text(qdd), "--payload", text(load["payload"]), "--wrench", text(load["wrench"])]
    close(f"{name}: torques by id", found["tau"], command(torsor, "id", name, *words)["tau"])
    terms = command(torsor, "terms", name, *words)
    n = len(q)
    for row in range(n):
        close(f"{name}: M", found["M"][n * row : n * row + n], terms["M"][row])
        close(f"{name}: C", found["C"][n * row : n * row + n], terms["C"][row])
    for key, other in (("coriolis", "C_qd"), ("gravity", "gravity_efforts"), ("friction", "friction"), ("load", "load_efforts")):
        close(f"{name}: {key}", found["causes"][key], terms[other])
    close(f"{name}: tool", found["tool"]["position"], terms["tool_pose"]["position"])
    # the causes are all there is
    close(f"{name}: sum", [sum(found["causes"][c][k] for c in found["causes"]) for k in range(n)], found["tau"], 1e-11)
    return robot, q, found


def solutions(studio, torsor, robot, name, q, state):
    pose = state["tool"]
    found = studio.call("solve", id=robot["id"], position=pose["position"], quaternion=pose["quaternion"], near=q)["result"]
    mine = found.get("branches", found.get("solutions"))
    # the same pose, its direction as roll, pitch, yaw
    typed = studio.call("solve", id=robot["id"], position=pose["position"], rpy=pose["rpy"], near=q)
    same = math.copysign(1, sum(a * b for a, b in zip(typed["quaternion"], pose["quaternion"])))
    close(f"{name}: roll, pitch, yaw", [same * x for x in typed["quaternion"]], pose["quaternion"], 1e-12)
    check(f"{name}: how many of roll, pitch, yaw", len(typed["result"].get("branches", typed["result"].get("solutions"))), len(mine))
    words = ["--pose", text(pose["position"] + pose["quaternion"]), "--all"]
    if robot["inverse_kinematics"].get("redundant"):
        words += ["--redundancy", repr(q[robot["inverse_kinematics"]["held_position"]])]
    answer = command(torsor, "ik", name, *words)
    theirs = answer.get("branches", answer.get("solutions"))
    check(f"{name}: how many solutions", len(mine), len(theirs))
    check(f"{name}: there are some", len(mine) > 0, True)
    for a, b in zip(mine, theirs):
        check(f"{name}: label", a["label"], b["label"])
        close(f"{name}: solution {a['label']}", a["q"], b["q"], 1e-9)


def looped(studio, torsor, name, robot):
    """A robot with loops: what holds it where its drivers are moved to is what id says there."""
    check(f"{name} is shown as a mechanism", robot.get("kind"), "mechanism")
    run = studio.call("run", id=robot["id"], how="driven", samples=11)
    check(f"{name}: instants", (run["ended"], run["t"]["f64"][1]), ("", 11))
    values = [d["value"] + 0.1 * (1 if k % 2 else -1) for k, d in enumerate(robot["drivers"])]
    held = studio.call("drive", id=robot["id"], values=values)
    check(f"{name} goes there", held["ended"], "")
    expected = command(torsor, "id", name, "--q", text(values))
    check(f"{name}: its drivers are the joints of id", [d["name"] for d in robot["drivers"]], expected["velocity_names"])
    close(f"{name}: holding torques", held["holding"], expected["tau"], 1e-9)


def steps(studio, torsor, name, robot, q, draw):
    """The steps of every formulation end in what id says, friction apart."""
    qd, qdd = ([draw.uniform(-1, 1) for _ in q] for _ in range(2))
    payload = [1.5, 0.01, 0.02, 0.1]
    terms = command(torsor, "terms", name, "--q", text(q), "--qd", text(qd), "--qdd", text(qdd), "--payload", text(payload))
    expected = [t - f for t, f in zip(terms["tau"], terms["friction"])]
    for formulation in ("newton-euler-link", "lagrange-euler", "dalembert", "kane"):
        found = studio.call("worked_example", id=robot["id"], formulation=formulation, q=q, qd=qd, qdd=qdd, payload=payload)
        close(f"{name}: {formulation}", found["tau"], expected, 1e-11)
        check(f"{name}: {formulation} is worked through", len(found["steps"]) >= 5 * len(q), True)


def payloads(studio):
    """With the payload that a place of the cloud can hold, and no more, a joint is at its limit there."""
    robot = studio.call("open", name="puma560")
    answer, rows = studio.with_rows("cloud", id=robot["id"], samples=40, seed=5)
    places, most = rows("places"), rows("payload")
    check("a payload for every place", len(most), 40)
    for k in (0, 7, 23):

        _, loaded = studio.with_rows("cloud", id=robot["id"], samples=40, seed=5, payload=[most[k], 0, 0, 0])
        close("the same places", loaded("places"), places)
        close("and a joint at its limit", [loaded("torque_share")[k]], [1.0], 1e-9)


def least_singular_values(studio, torsor):
    """One measure for all arms: that of ik, where it says one; beside a solution that which the state there has; and joints that do not move
    the tool, a gripper's or those of the other arm, take nothing away."""
    for name in ("so101", "scara", "two_link", "panda", "iiwa14", "puma560", "ur5", "stanford", "cartesian3"):
        robot = studio.call("open", name=name)
        q = robot["start"]
        state = studio.call("state", id=robot["id"], q=q)
        pose = state["tool"]
        found = studio.call("solve", id=robot["id"], position=pose["position"], quaternion=pose["quaternion"], near=q)
        least, rows = found["least_singular_values"], found["result"].get("solutions") or found["result"]["branches"]
        check(f"{name}: one for each solution", len(least), len(rows))
        check(f"{name}: none is lost where it opens", min(state["least_singular_value"], *least) > 0.01, True)
        if "solutions" in found["result"]:
            held = [] if not robot["inverse_kinematics"]["redundant"] else ["--redundancy", repr(found["result"]["redundancy"])]
            words = ["--pose", text(pose["position"] + pose["quaternion"]), "--all", *held]
            told = command(torsor, "ik", name, *words)["solutions"]
            close(f"{name}: least singular values by ik", least, [s["smallest_singular_value"] for s in told], 1e-10)
        if not robot["inverse_kinematics"]["redundant"]:
            for row, value in zip(rows, least):
                there = studio.call("state", id=robot["id"], q=row["q"])
                close(f"{name}: of the state there", [there["least_singular_value"]], [value])
    # two arms: the right one has one too many joints, and none of the left one's count
    torso = studio.call("open", name="two_arm")
    check("of seven joints six", studio.call("state", id=torso["id"], q=torso["start"])["least_singular_value"] > 0.01, True)


def free_bases(studio):
    """A base that is free stays where it is while the tool is tried elsewhere, and takes the whole weight."""
    robot = studio.call("open", name="go2", tool="FL_foot")
    check("the tool that was asked for", robot["tool"], "FL_foot")
    q = list(robot["start"])
    _, rows = studio.with_rows("cloud", id=robot["id"], q=q, samples=200, seed=3)
    here = rows("places")
    q[4:7] = [1.0, 2.0, 3.0] if len(q) == 19 else []
    _, rows = studio.with_rows("cloud", id=robot["id"], q=q, samples=200, seed=3)
    moved, shift = rows("places"), [b - a for a, b in zip(robot["start"][4:7], q[4:7])]
    close("the reach goes with the base", moved, [x + shift[k % 3] for k, x in enumerate(here)], 1e-9)
    reach = max(math.dist(here[k : k + 3], robot["start"][4:7]) for k in range(0, len(here), 3))
    check("no farther than a leg", reach < 0.8, True)
    state = studio.call("state", id=robot["id"], q=robot["start"])
    close("the base takes the weight", [math.hypot(*state["tau"][3:6])], [9.81 * state["mass"]], 1e-9)
    unknown = studio.call("open", name="go2", tool="FL_fot")["faults"][0]
    check("no such tool", unknown["rule"], "tool-unknown")


def too_large(studio):
    """Numbers of which no digit would be left are refused, by the name of who has them."""
    robot, run = studio.call("open", name="puma560"), {"kp": 1, "kv": 1, "friction": 1, "push": [0, 0, 0]}
    for what, fields, offender in (
        ("an angle", {"q": [1e7] + [0] * 5}, "waist"), ("a velocity", {"q": [0] * 6, "qd": [0, 1e200, 0, 0, 0, 0]}, "shoulder"),
        ("an acceleration", {"q": [0] * 6, "qdd": [1e30] + [0] * 5}, "waist"), ("a wrench", {"q": [0] * 6, "wrench": [1e13, 0, 0, 0, 0, 0]}, "wrench"),
        ("a payload", {"q": [0] * 6, "payload": [1e13, 0, 0, 0]}, "payload")):
        answer = studio.call("state", id=robot["id"], **fields)
        check(f"{what} is refused", answer.get("faults", [{}])[0].get("offender"), offender)
        check(f"{what} has no torques", "tau" in answer, False)
    for key, value in (("friction", 1e30), ("friction", -1), ("kp", -1), ("kv", 1e30), ("push", [1e9, 0, 0])):
        check(f"{key} {value} of a run", studio.call("check_run", id=robot["id"], **{**run, key: value}).get("faults", [{}])[0].get("offender"), key)
    check("others are taken", "faults" in studio.call("check_run", id=robot["id"], **run), False)


def platforms(studio, torsor):
    """Every way of the legs, and every assembly, as the command has them; each can be gone to, and closes there."""
    for name, ways in (("delta", 8), ("stewart_robot", 64), ("five_bar", 4)):
        robot = studio.call("open", name=name)
        start = robot["tool_pose"]
        place = [x + by for x, by in zip(start["position"], (0.0, 0.0, -0.02))]
        about = {"id": robot["id"], "position": place, "quaternion": start["quaternion"]}
        found = studio.call("reach", follow=True, **about)
        words = ["--position-only"] if found["place_alone"] else []
        told = command(torsor, "ik", name, "--pose", text(place + start["quaternion"]), "--all", *words)["solutions"]
        mine = found["result"]["solutions"]
        check(f"{name}: ways of its legs", (len(mine), found["followed"]), (ways, True))
        for a, b in zip(mine, told):
            close(f"{name}: a way", a["joints"], b["joints"], 1e-9)
        close(f"{name}: it has gone there", found["tool_pose"]["position"], place, 1e-9)
        for way in mine[1:9]:
            gone = studio.call("place", id=robot["id"], joints=way["joints"])
            close(f"{name}: the drivers of that way", gone.get("values", []), way["q"], 1e-12)
            close(f"{name}: its tool is there, too", gone["tool_pose"]["position"], place, 1e-9)
        open_loops = studio.call("place", id=robot["id"], joints=[x + 0.1 * k for k, x in enumerate(mine[0]["joints"])])
        check(f"{name}: loops that are open", open_loops.get("faults", [{}])[0].get("rule"), "loop-open")
        studio.call("place", id=robot["id"], joints=mine[0]["joints"])
        modes = command(torsor, "fk", name, "--q", text(mine[0]["q"]), "--modes")["modes"]
        check(f"{name}: assemblies", len(studio.call("assemblies", id=robot["id"])["result"]["modes"]), len(modes))
    arm = studio.call("open", name="palletising_arm")
    check("why a tool cannot be dragged", (arm.get("tool"), "does not end at the link of the tool" in arm["tool_refusal"]), (None, True))


def motors(studio, torsor):
    """Torque over speed of a motor behind a gear of its own: the largest are those that size finds."""
    robot = studio.call("open", name="puma560_drives")
    sheet = '[[motor]]\nname = "m"\nrated_torque = 0.6\nrated_speed_rpm = 3000\npeak_torque = 2\nmax_speed_rpm = 5000\n\n[[drive]]\njoint = "waist"\nmotor = "m"\n'
    points = [{"q": [0.0] * 6, "duration": 1}, {"q": [1.0] + [0.0] * 5, "duration": 1}]
    about = {"id": robot["id"], "kind": "points", "points": points, "path": "stops", "law": "quintic"}
    with tempfile.TemporaryDirectory() as folder:
        motion, drives = pathlib.Path(folder, "m.toml"), pathlib.Path(folder, "d.toml")
        motion.write_text(studio.call("motion_file", **about)["text"])
        drives.write_text(sheet)
        sized = command(torsor, "size", "puma560_drives", str(motion), "--drives", str(drives))["drives"][0]
    status, _, body = studio.request(body=json.dumps({"call": "drives", "drives": sheet, "samples": 2000, **about}).encode())
    end = 4 + int.from_bytes(body[:4], "little")
    answer = json.loads(body[4:end])["drives"][0]
    numbers = lambda rows: struct.unpack_from(f"<{rows['f64'][1]}d", body, end + 8 * rows["f64"][0])  # noqa: E731
    check("its motor", (answer["name"], answer["motor"], answer["peak"]["torque"][0]), ("waist", "m", 2))
    close("its largest speed", [max(map(abs, numbers(answer["speed"])))], [abs(sized["peak_speed"])], 1e-5)
    close("its largest torque", [max(map(abs, numbers(answer["torque"])))], [abs(sized["peak_torque"])], 1e-4)


def main():
    torsor, draw = sys.argv[1], random.Random(7)
    studio = Studio(torsor)
    try:
        for name in ("two_link", "puma560", "puma560_drives", "ur5", "stanford", "panda", "scara", "iiwa14"):
            robot, q, state = states(studio, torsor, name, draw)
            if name not in ("two_link", "scara"):
                solutions(studio, torsor, robot, name, q, state)
            steps(studio, torsor, name, robot, q, draw)
        refused = studio.call("worked_example", id=studio.call("open", name="two_arm")["id"], formulation="kane", q=[0.0] * 13)
        check("no steps for many joints, with the reason", "faults" in refused and refused["faults"][0]["what"] != "", True)
        least_singular_values(studio, torsor)
        free_bases(studio)
        too_large(studio)
        platforms(studio, torsor)
        payloads(studio)
        motors(studio, torsor)
        # the path that a publication has the tool of a robot go
        published = studio.call("open", name="sixr_sim")
        check("its publication", bool(published.get("published")), True)
        answer, rows = studio.with_rows("motion", id=published["id"], kind="published", near=published["start"], samples=51)
        tool = rows("tool")
        check("it is followed to its end", answer["notes"], [])
        check("its tool moves", math.dist(tool[:3], tool[-3:]) > 0.01, True)
        # every built-in thing opens, and stands where it was drawn
        catalogue = studio.call("catalogue")
        check("as many robots as the command lists", len(catalogue["robots"]), len(command(torsor, "list")))
        for each in catalogue["robots"]:
            robot = studio.call("open", name=each["name"])
            if "loops" in each["joints"]:
                looped(studio, torsor, each["name"], robot)
                continue
            check(each["name"], robot.get("kind"), "robot")
            check(f"{each['name']}: poses", studio.call("state", id=robot["id"], q=robot["start"])["poses"]["f64"][1], 7 * len(robot["bodies"]))
        for each in catalogue["mechanisms"]:
            mechanism = studio.call("open", name=each["name"])
            check(each["name"], mechanism.get("kind"), "mechanism")
            run = studio.call("run", id=mechanism["id"], how="driven" if mechanism["driven"] else "released", samples=11)
            check(f"{each['name']}: instants", run.get("t", {}).get("f64", [0, 0])[1] > 1, True)
        # moved by its driver: there and back is where it was
        bar = studio.call("open", name="four_bar")
        start = bar["drivers"][0]["value"]
        there = studio.call("drive", id=bar["id"], values=[start + 1])
        close("the driver is where it was moved", there["values"], [start + 1])
        close("and goes back", studio.call("drive", id=bar["id"], values=[start])["values"], [start])
        # small motions: those of the command, each a whole cycle about the place of rest
        for name in ("pendulum", "double_four_bar", "four_bar"):
            mechanism = studio.call("open", name=name)
            found, expected = studio.call("modes", id=mechanism["id"]), command(torsor, "mechanism", "modes", name)
            for key in ("frequency", "damping", "real", "imaginary"):
                close(f"{name}: {key} of the modes", [m[key] for m in found["modes"]], [m[key] for m in expected["modes"]])
            check(f"{name}: what they do", [m["character"] for m in found["modes"]], [m["character"] for m in expected["modes"]])
            check(f"{name}: stability", found["stability"], expected["stability"])
            check(f"{name}: cycles", found["cycles"], len(expected["modes"]))
            check(f"{name}: poses", found["poses"]["f64"][1], 7 * found["cycles"] * found["instants"] * len(mechanism["view"]["parts"]))
        check("the pendulum has a mode", len(command(torsor, "mechanism", "modes", "pendulum")["modes"]), 1)
        # a motion of a CSV file: its ends are rows of the file, torques those of the command
        robot = studio.call("open", name="two_link")
        table = "t,q1,q2,qd1,qd2,qdd1,qdd2\n0,0.1,0.2,0,0,1,2\n0.1,0.105,0.21,0.1,0.2,1,2\n0.2,0.12,0.24,0.2,0.4,1,2\n"
        answer, rows = studio.with_rows("motion", id=robot["id"], kind="table", name="mine.csv", text=table, samples=5)
        check("its name", answer.get("name"), "mine.csv")
        for instant, q, qd in ((0, [0.1, 0.2], [0, 0]), (4, [0.12, 0.24], [0.2, 0.4])):
            close("positions of the table", rows("q")[2 * instant : 2 * instant + 2], q)
            close("torques of the table", rows("tau")[2 * instant : 2 * instant + 2],
                  command(torsor, "id", "two_link", "--q", text(q), "--qd", text(qd), "--qdd", "1,2")["tau"])
        broken = studio.call("motion", id=robot["id"], kind="table", name="mine.csv", text="t,q1,q2\n0,0.1,x\n1,0.2,0.3\n")["faults"][0]
        check("the fault of a table", (broken["file"], broken["line"]), ("mine.csv", 2))
        # a simulation keeps its energy
        robot = studio.call("open", name="two_link")
        studio.call("begin_run", id=robot["id"], q=[0.3, 0.4])
        for _ in range(20):
            run = studio.call("go_on", id=robot["id"], seconds=0.05, target=[0.3, 0.4])
        check("a second has passed", math.isclose(run["t"], 1, rel_tol=1e-9), True)
        check("no energy is lost", abs(run["energy"]["balance_error"]) < 1e-4 * run["energy"]["kinetic"], True)
    finally:
        studio.end()
    print("\n".join(FAILED) or "the numbers are those of the command")
    sys.exit(bool(FAILED))


main()
