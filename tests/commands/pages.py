#!/usr/bin/env python3
"""Runs what the pages of the documentation print, and compares.

    pages.py PAGE...            runs the blocks of each page in an empty folder of its own, and lists what differs
    pages.py --write PAGE...    runs them, and puts what is printed now into the pages

The tag of a fenced block says what happens to it:

    console         lines with `$ ` are run by bash (`> ` goes on), and what stands below is what they print: all of it, but that
                    a line `...` stands for any lines and ` ...` at the end of a line for its rest
    console times   the same, but that numbers may differ: times, and what else the machine decides
    c, cpp          a program is compiled and run. Lines of C++ without `int main` are compiled as the body of a function, behind
                    what a comment right before the block declares: <!-- given: std::vector<double> q; -->. `use(...)`
                    stands for what a reader does with a result
    python, text    run by python/tests/tutorials.py; text that follows no program is only text
    toml, cmake     files; those of a format are read by the tests of its reader
    shell           commands of a checkout that install, build or test it: not run here

Any other tag, or none, is a fault. TORSOR_CLI is the command, TORSOR_BUILD_DIR the build, TORSOR_SOURCE_DIR the sources.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

TAGS = {"console", "console times", "c", "cpp", "python", "text", "toml", "cmake", "shell"}
BLOCK = re.compile(r"^(?P<indent> *)```(?P<tag>[^\n`]*)\n(?P<body>.*?)^ *```[ ]*$", re.M | re.S)
SECONDS = 300


class Block(NamedTuple):
    tag: str
    body: str
    line: int  # of its first line in the page
    start: int
    end: int  # of its body


class Command(NamedTuple):
    text: str
    shown: str
    line: int
    block: Block


def blocks(text: str) -> list[Block]:
    return [Block(m["tag"].strip(), m["body"], text.count("\n", 0, m.start("body")) + 1, m.start("body"), m.end("body"))
            for m in BLOCK.finditer(text)]


def commands(text: str) -> list[Command]:
    """Each command of a page: a line with `$ `, lines with `> ` that go on with it, and what is shown below."""
    found = []
    for block in blocks(text):
        if not block.tag.startswith("console"):
            continue
        for part in re.finditer(r"^\$ (?P<first>.*\n)(?P<more>(?:> .*\n)*)(?P<shown>(?:(?!\$ ).*\n)*)", block.body, re.M):
            more = re.sub(r"^> ", "", part["more"], flags=re.M)
            line = block.line + block.body.count("\n", 0, part.start())
            found.append(Command(part["first"] + more, part["shown"], line, block))
    return found


def run(page_commands: list[Command], folder: str) -> list[str]:
    """What each command prints, errors among it; one shell for all, so that `echo $?` and variables work."""
    script = "exec 2>&1\n"
    for k, command in enumerate(page_commands):
        script += f"__status=$?; printf '\\001{k}\\n'; (exit $__status)\n{command.text}"
    environment = dict(os.environ, HOME=folder, LC_ALL="C.UTF-8", PATH=f"{folder}/.bin:{os.environ['PATH']}")
    os.mkdir(f"{folder}/.bin")
    os.symlink(os.path.abspath(os.environ["TORSOR_CLI"]), f"{folder}/.bin/torsor")
    out = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, timeout=SECONDS).stdout.decode()
    parts = re.split(r"\001(\d+)\n", out)[1:]
    printed = dict(zip(map(int, parts[::2]), parts[1::2]))
    return [printed.get(k, "") for k in range(len(page_commands))]


def plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.rstrip("\n").split("\n"))


NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def same_number(shown: str, printed: str) -> bool:
    """To a unit of the last digit that is shown, as another machine may round; and what is rounding itself may be any."""
    a, b = float(shown), float(printed)
    if abs(a) < 1e-6 and abs(b) < 1e-6:
        return True
    digits, _, exponent = shown.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return abs(a - b) <= 1.001 * (unit if "." in digits or exponent else 0)


def same_line(shown: str, printed: str, times: bool) -> bool:
    if shown.rstrip() == printed.rstrip():
        return True
    cut = shown.endswith(" ...")
    words = lambda text: re.sub(r"\s+", " ", NUMBER.sub("#", text)).replace("-", "").strip()
    mine, theirs = words(shown[:-4] if cut else shown), words(printed)
    if not (theirs.startswith(mine) if cut else mine == theirs):
        return False
    return times or all(map(same_number, NUMBER.findall(shown), NUMBER.findall(printed)))


def agrees(shown: str, printed: str, times: bool) -> bool:
    """All lines are the same, where a line `...` stands for any number of them."""
    mine, theirs = plain(shown).split("\n"), plain(printed).split("\n")
    parts: list[list[str]] = [[]]
    for line in mine:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    fits = lambda part, at: at >= 0 and len(theirs) >= at + len(part) and all(
        same_line(a, b, times) for a, b in zip(part, theirs[at:]))
    if len(parts) == 1:
        return len(mine) == len(theirs) and fits(mine, 0)
    if not fits(parts[0], 0) or not fits(parts[-1], len(theirs) - len(parts[-1])):
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        at = next((k + len(part) for k in range(at, len(theirs)) if fits(part, k)), -1)
        if at < 0:
            return False
    return at <= len(theirs) - len(parts[-1])


def is_program(block: Block) -> bool:
    return block.tag in ("c", "cpp") and "int main(" in block.body


def program(block: Block, folder: str) -> str:
    """What is wrong with a program: it must compile against the library as users have it, run and return 0."""
    build, source = os.environ["TORSOR_BUILD_DIR"], os.environ["TORSOR_SOURCE_DIR"]
    name = f"program.{block.tag}"
    pathlib.Path(folder, name).write_text(block.body)
    cpp = os.environ.get("CXX", "c++")
    first = ["cc", "-std=c99", f"-I{build}/generated/include"] if block.tag == "c" else [cpp, "-std=c++20", f"-I{source}"]
    steps = ([*first, "-Wall", "-Wextra", "-Werror", "-c", name],
             [cpp, "program.o", f"{build}/libtorsor.a", "-lfmt", "-lpugixml", "-pthread", "-o", "program"],
             ["./program"])
    for step in steps:
        done = subprocess.run(step, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode != 0:
            return f"{step[0]} fails: {done.stderr}"
    return ""


def lines_of_cpp(paths: list[pathlib.Path], folder: str) -> list[str]:
    """What is wrong with the lines of C++ on all pages, compiled together so that headers are read once."""
    includes, text = {"#include <torsor/torsor.hpp>"}, ""
    for path in paths:
        page = path.read_text(encoding="utf-8")
        for k, block in enumerate(b for b in blocks(page) if b.tag == "cpp" and not is_program(b)):
            before = page[: block.start].removesuffix("```cpp\n").rstrip("\n")
            given = re.search(r"<!-- given:((?:(?!-->).)*)-->$", before, re.S)
            declared = given[1].strip() if given else ""
            includes |= set(re.findall(r"^#include .*$", declared + "\n" + block.body, re.M))
            declared, body = (re.sub(r"^#include .*$", "", part, flags=re.M) for part in (declared, block.body))
            text += (f"[[maybe_unused]] static void {re.sub('[^a-z0-9]', '_', path.stem)}_{k}() {{\n  using namespace torsor;\n"
                     f"{declared}\n{{\n#line {block.line} \"{path}\"\n{body}}}\n}}\n")
    if not text:
        return []
    pathlib.Path(folder, "lines.cpp").write_text("\n".join(sorted(includes)) + "\ntemplate <class... T>\nvoid use(const T&...) {}\n" + text)
    done = subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-fsyntax-only", "-Wno-unused", f"-I{os.environ['TORSOR_SOURCE_DIR']}", "lines.cpp"],
                          cwd=folder, capture_output=True, text=True, timeout=SECONDS * 2)
    return [] if done.returncode == 0 else [f"lines of C++ do not compile:\n{done.stderr}"]


def check(path: pathlib.Path, write: bool) -> list[str]:
    text, wrong = path.read_text(encoding="utf-8"), []
    for block in blocks(text):
        if block.tag not in TAGS:
            wrong.append(f"{path}:{block.line}: a block with the tag \"{block.tag}\"; the tags are {', '.join(sorted(TAGS))}")
    with tempfile.TemporaryDirectory() as folder:
        if "TORSOR_BUILD_DIR" in os.environ:
            for block in blocks(text):
                if is_program(block) and (fault := program(block, folder)):
                    wrong.append(f"{path}:{block.line}: {fault}")
    with tempfile.TemporaryDirectory() as folder:
        page_commands = commands(text)
        new = text
        for command, printed in zip(page_commands, run(page_commands, folder) if page_commands else []):
            if agrees(command.shown, printed, command.block.tag == "console times"):
                continue
            if write and not re.search(r"^ *\.\.\.$| \.\.\.$", command.shown, re.M):
                old = f"$ {command.text}{command.shown}"
                new = new.replace(old, f"$ {command.text}" + (plain(printed) + "\n" if printed else ""), 1)
            else:
                wrong.append(f"{path}:{command.line}: $ {command.text}shown:\n{command.shown}printed:\n{printed}")
    if write and new != text:
        path.write_text(new, encoding="utf-8")
    return wrong


def main(arguments: list[str]) -> int:
    write = "--write" in arguments
    paths = [pathlib.Path(name) for name in arguments if name != "--write"]
    faults = [fault for path in paths for fault in check(path, write)]
    if "TORSOR_BUILD_DIR" in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            faults += lines_of_cpp([path.resolve() for path in paths], folder)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
