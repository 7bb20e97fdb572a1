#!/usr/bin/env python3
"""Prints what the program says: the prose of the string literals of C++ and Python files, as FILE:LINE:TEXT.

usage: messages.py FOLDER...

A literal without a blank is a key, an option or a rule id unless it begins with a capital letter. Docstrings of Python are
prose, too; signatures and examples (>>>) are not. What quotes messages of the library to reword them, and the C that is generated, is left out.
"""

import re
import sys
from pathlib import Path

CPP = re.compile(r'R"(\w*)\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|//[^\n]*|/\*.*?\*/|\'(?:[^\'\\]|\\.)\'', re.S)
PYTHON = re.compile(r'[rbfRBF]*"""(.*?)"""|[rbfRBF]*"((?:[^"\\\n]|\\.)*)"|[rbfRBF]*\'((?:[^\'\\\n]|\\.)*)\'|#[^\n]*', re.S)


def prose(text):
    """The text without code: quoted names, fields of formats, options with their values, names with dots, signatures."""
    if re.match(r"def \w+\(|, \w+: ", text):
        return ""
    return re.sub(r'\\"[^"\\]*\\"|`[^`]*`|\{[^{}]*\}|"[^"\n]*"|\[\[\w+\]\]|\w+ = |--[a-z-]+ [a-z]+ -|\w+\.\w+', " ", text)


def literals(path):
    text = path.read_text(encoding="utf-8")
    pattern = PYTHON if path.suffix == ".py" else CPP
    for found in pattern.finditer(text):
        parts = [part for part in found.groups()[(0 if path.suffix == ".py" else 1):] if part is not None]
        line_start = text.rfind("\n", 0, found.start()) + 1
        if not parts or text[line_start : found.start()].lstrip().startswith("#include"):
            continue
        first = text.count("\n", 0, found.start()) + 1
        example = False
        for k, line in enumerate(parts[0].split("\n")):
            example = line.lstrip().startswith((">>>", "...")) or (example and line.strip() != "")
            if not example and (" " in line.strip() or re.match(r"[A-Z][a-z]", line)):
                yield first + k, prose(line)


def main():
    for folder in sys.argv[1:]:
        for path in sorted(Path(folder).rglob("*")):
            if path.as_posix().endswith(("python/bindings/errors.cpp", "codegen/c_functions.cpp")) or {"tests", "bench"} & set(path.parts):
                continue
            if path.suffix in (".cpp", ".hpp", ".py"):
                for number, line in literals(path):
                    print(f"{path}:{number}:{line}")


main()
