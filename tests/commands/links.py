#!/usr/bin/env python3
"""Links of Markdown pages that lead nowhere: to a file that is not there, or to a heading that its page does not have.

    links.py PAGE...    lists them; exit code 1 if there are any. Addresses of the web are not followed.
"""
import pathlib
import re
import sys

FENCED = re.compile(r"^ *```.*?^ *```[ ]*$", re.M | re.S)
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def slug(heading):
    """The anchor of a heading, as the common forges make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.replace("`", "").replace("*", "").strip().lower()).replace(" ", "-")


def anchors(text):
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", FENCED.sub("", text), re.M):
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found | set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text))


def dead(page):
    text = page.read_text(encoding="utf-8")
    blank = FENCED.sub(lambda m: "\n" * m[0].count("\n"), text)
    blank = re.sub(r"`[^`\n]*`", lambda m: "x" * len(m[0]), blank)
    for m in LINK.finditer(blank):
        target = m[1] or m[2]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        line = blank.count("\n", 0, m.start()) + 1
        if not other.exists():
            yield f"{page}:{line}: {target}: there is no such file"
        elif anchor and other.suffix == ".md" and anchor not in anchors(other.read_text(encoding="utf-8")):
            yield f"{page}:{line}: {target}: {other.name} has no such heading"


if __name__ == "__main__":
    faults = [fault for name in sys.argv[1:] for fault in dead(pathlib.Path(name).resolve())]
    print("\n".join(faults), end="\n" if faults else "")
    sys.exit(1 if faults else 0)
