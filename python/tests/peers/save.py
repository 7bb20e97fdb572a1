"""What Pinocchio and MuJoCo say about three robots that come with Torsor, kept as numbers for ../test_saved_peers.py, which
then needs neither of them. Run again when a robot changes or the peers do:

    python save.py > ../saved_peers.json
"""

from __future__ import annotations

import json

import mujoco
import mujoco_peer
import numpy as np
import pinocchio as pin
import pinocchio_peer
import torsor as ts
from coordinates import Coordinates
from tree import from_urdf

ROBOTS = ("puma560", "panda", "floating")
FRAMES = 2  # the last links


def saved(name: str) -> dict:
    text = ts.load(name).to_urdf()
    tree, robot = from_urdf(text), ts.load(text, check=False)
    coordinates = Coordinates(tree, robot)
    (q,), (qd,), (qdd,) = coordinates.states(1)
    tau = coordinates.states(1, seed=2)[2][0]
    frames = robot.link_names[-FRAMES:]
    first = pinocchio_peer.Pinocchio(pinocchio_peer.link_by_link(tree), tree, coordinates)
    second = mujoco_peer.MuJoCo(mujoco_peer.link_by_link(tree), tree, coordinates)
    return {
        "state": {"q": q, "qd": qd, "qdd": qdd, "tau": tau},
        "frames": frames,
        "Pinocchio": first.answers(q, qd, qdd, tau, frames),
        "MuJoCo": second.answers(q, qd, qdd, tau, frames),
    }


if __name__ == "__main__":
    out = {"by": f"Pinocchio {pin.__version__}, MuJoCo {mujoco.__version__}"} | {name: saved(name) for name in ROBOTS}
    text = json.dumps(out, default=np.ndarray.tolist)
    for mark in ('"state"', '"frames"', '"Pinocchio"', '"MuJoCo"', *(f'"{name}"' for name in ROBOTS)):
        text = text.replace(mark, "\n" + mark)
    print(text)
