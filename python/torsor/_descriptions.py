"""Robots of the package robot_descriptions, where it is installed: `robot_descriptions:ur5e` names one."""

from __future__ import annotations

import importlib

PREFIX = "robot_descriptions:"


def find(name: str) -> tuple[str, dict[str, str]]:
    """The path of a robot's file, which the package fetches when it is first asked for, and the arguments of a xacro."""
    try:
        known = importlib.import_module("robot_descriptions._descriptions").DESCRIPTIONS
    except ImportError as missing:
        raise ImportError(f"load: {name!r} is of the package robot_descriptions; expected it installed: pip install robot_descriptions") from missing
    wanted = name[len(PREFIX) :]
    for module in (wanted, wanted + "_description", wanted + "_mj_description", wanted + "_official_description"):
        if module in known:
            break
    else:
        near = ", ".join([each for each in known if wanted.split("_")[0] in each][:8])
        raise ValueError(f"load: robot_descriptions has no robot {wanted!r}" + (f"; near it: {near}" if near else ""))
    robot = importlib.import_module("robot_descriptions." + module)
    for key in ("URDF_PATH", "MJCF_PATH", "XACRO_PATH"):
        if hasattr(robot, key):
            arguments = getattr(robot, "XACRO_ARGS", None) or {} if key == "XACRO_PATH" else {}
            return str(getattr(robot, key)), {str(k): str(v) for k, v in arguments.items()}
    raise ValueError(f"load: {module} of robot_descriptions has no URDF, MJCF or xacro")
