#!/usr/bin/env python3
"""Expands every xacro of a corpus and compares it with its expected expansion, element by element.

    tools/corpus_xacro.py CORPUS/xacro --torsor build/release/bin/torsor

CORPUS/xacro/index.csv has one row per command: kind, file, args, expected, packages (name=folder, relative to the folder).
Names and texts must be the same, numbers to 1e-12; element order counts, order of attributes, comments and white space do
not. Rows of kind `rejected` must be refused (exit code 2).
"""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ET


def pieces(text):
    return (text or "").split()


def same_text(a, b):
    if a == b:
        return True
    x, y = pieces(a), pieces(b)
    if len(x) != len(y):
        return False
    for p, q in zip(x, y):
        if p == q:
            continue
        try:
            u, v = float(p), float(q)
        except ValueError:
            return False
        if not (u == v or abs(u - v) <= 1e-12 * max(1, abs(v))):
            return False
    return True


def difference(a, b, path):
    """The first difference of two elements, or None."""
    here = f"{path}/{a.tag}"
    if a.tag != b.tag:
        return f"{here}: <{a.tag}>, expected <{b.tag}>"
    if sorted(a.attrib) != sorted(b.attrib):
        return f"{here}: attributes {sorted(a.attrib)}, expected {sorted(b.attrib)}"
    for key, value in b.attrib.items():
        if not same_text(a.attrib[key], value):
            return f"{here}: {key}={a.attrib[key]!r}, expected {value!r}"
    words = lambda e: " ".join([e.text or ""] + [c.tail or "" for c in e])
    if not same_text(words(a), words(b)):
        return f"{here}: text {words(a)!r}, expected {words(b)!r}"
    if len(a) != len(b):
        return f"{here}: {len(a)} elements, expected {len(b)}"
    for x, y in zip(a, b):
        found = difference(x, y, here)
        if found:
            return found
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--torsor", default="build/release/bin/torsor")
    parser.add_argument("--expander", help="another program: FILE NAME:=VALUE... NAME=DIR..., to standard output")
    given = parser.parse_args()
    folder = given.folder.resolve()
    counts, bad = {}, []
    for row in csv.DictReader(open(folder / "index.csv", newline="")):
        packages = [p.split("=", 1) for p in row["packages"].split()]
        file = folder / row["file"]
        arguments = row["args"].split()
        if given.expander:
            command = [given.expander, str(file), *arguments, *[f"{n}={folder / d}" for n, d in packages]]
        else:
            command = [given.torsor, "convert", str(file), "--to", "urdf"]
            for argument in arguments:
                command += ["--arg", argument]
            for name, where in packages:
                command += ["--package", f"{name}={folder / where}"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60)
        kind = row["kind"]
        ok, why = False, ""
        if kind == "rejected":
            ok = run.returncode == 2
            why = "" if ok else f"accepted, exit {run.returncode}"
        elif run.returncode != 0:
            why = run.stderr.strip().splitlines()[-1] if run.stderr.strip() else f"exit {run.returncode}"
        else:
            text = run.stdout
            for name, where in packages:
                text = re.sub(re.escape(str((folder / where).resolve())) + r"(?![A-Za-z0-9_.-])", f"/pkg/{name}", text)
            try:
                why = difference(ET.fromstring(text), ET.parse(folder / row["expected"]).getroot(), "") or ""
            except ET.ParseError as error:
                why = f"not XML: {error}"
            ok = not why
        done, all_of = counts.get(kind, (0, 0))
        counts[kind] = (done + ok, all_of + 1)
        if not ok:
            bad.append(f"{row['id']}: {why}")
    for line in bad:
        print(line)
    for kind, (done, all_of) in sorted(counts.items()):
        print(f"{kind}: {done} of {all_of}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
