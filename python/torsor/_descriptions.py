"""Robots of the package robot_descriptions, where it is installed: `robot_descriptions:ur5e` names one.

The command runs this text, too, as a script. `list` prints a line for each robot: name, formats, maker, and `fetched` where
its files are here; `path NAME` prints lines `file PATH`, `argument NAME VALUE` and `packages FOLDER`; all with tabs between.
Exit code 3: the package is not installed; 4: it has no such robot; 5: its files cannot be had. The reason is on stderr.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import io
import os
import sys
from typing import Any

PREFIX = "robot_descriptions:"


def descriptions() -> dict[str, Any]:
    try:
        found: dict[str, Any] = importlib.import_module("robot_descriptions._descriptions").DESCRIPTIONS
        return found
    except ImportError as missing:
        raise ModuleNotFoundError("the Python package robot_descriptions is not there; pip install robot_descriptions") from missing


def cache() -> str:
    return os.path.expanduser(os.environ.get("ROBOT_DESCRIPTIONS_CACHE", "~/.cache/robot_descriptions"))


def fetched(about: Any) -> bool:
    """Whether its repository was fetched before: a folder with more in it than a fetch that failed leaves."""
    try:
        folder = importlib.import_module("robot_descriptions._repositories").REPOSITORIES[about.repository].cache_path
        if commit := os.environ.get("ROBOT_DESCRIPTION_COMMIT"):
            folder = f"{folder}-{commit}/{folder}"
        return any(name != ".git" for name in os.listdir(os.path.join(cache(), folder)))
    except (ImportError, AttributeError, KeyError, OSError):
        return False


def module_of(wanted: str) -> str:
    known = descriptions()
    for name in (wanted, wanted + "_description", wanted + "_mj_description", wanted + "_official_description"):
        if name in known:
            return name
    near = [name for name in known if wanted and wanted.split("_")[0] in name]
    if not near:
        short = {name.removesuffix("_description").removesuffix("_mj").removesuffix("_official"): name for name in known}
        near = [short[each] for each in difflib.get_close_matches(wanted, short, 4)]
    raise ValueError(f"robot_descriptions has no robot {wanted!r}" + (f"; near it: {', '.join(near[:8])}" if near else ""))


def reason_of(failure: Exception) -> str:
    """What git said, without the words around it."""
    lines = [line.strip(" '\"") for line in str(failure).splitlines()]
    for line in lines:
        if "fatal: " in line:
            return line[line.index("fatal: ") + len("fatal: ") :]
    return " ".join(lines) or type(failure).__name__


def find(name: str) -> tuple[str, dict[str, str], str]:
    """The path of a robot's file, the arguments of a xacro, and the folder of its packages; the package fetches what is not here."""
    module = module_of(name.removeprefix(PREFIX))
    try:
        # a fetch tells of its progress, on both
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            robot = importlib.import_module("robot_descriptions." + module)
    except Exception as failure:
        raise OSError(
            f"robot_descriptions cannot fetch {module}: {reason_of(failure)}; it clones a repository into {cache()} when a robot is first "
            "asked for, which needs git and the network"
        ) from failure
    for key in ("URDF_PATH", "MJCF_PATH", "XACRO_PATH"):
        if hasattr(robot, key):
            path, xacro = str(getattr(robot, key)), key == "XACRO_PATH"
            if not os.path.exists(path):
                raise OSError(f"robot_descriptions names {path}, which is not there; remove {robot.REPOSITORY_PATH}, so that it is fetched again")
            arguments = (getattr(robot, "XACRO_ARGS", None) or {}) if xacro else {}
            return path, {str(k): str(v) for k, v in arguments.items()}, str(robot.REPOSITORY_PATH) if xacro else ""
    raise ValueError(f"{module} of robot_descriptions has no URDF, MJCF or xacro")


def main(words: list[str]) -> int:
    try:
        if words[0] == "list":
            for name, about in sorted(descriptions().items()):
                formats = [form for form in ("urdf", "mjcf") if getattr(about, "has_" + form)]
                if formats:
                    print(name, "+".join(formats), getattr(about, "maker", None) or "", "fetched" if fetched(about) else "", sep="\t")
            return 0
        path, arguments, folder = find(words[1])
        print("file", path, sep="\t")
        for item in arguments.items():
            print("argument", *item, sep="\t")
        if folder:
            print("packages", folder, sep="\t")
        return 0
    except ModuleNotFoundError as reason:
        code, said = 3, str(reason)
    except ValueError as reason:
        code, said = 4, str(reason)
    except OSError as reason:
        code, said = 5, str(reason)
    print(" ".join(said.split()), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
