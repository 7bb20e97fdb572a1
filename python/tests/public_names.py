"""Names of the library: those that the public headers of its rooms declare in namespace torsor, and its catalogues' rows.

A scanner of declarations, not a compiler: comments, text and bodies are taken out, what is left at the level of the
namespace is one declaration after the other, and the name of each is the word at its usual place.
"""

from __future__ import annotations

import re
from pathlib import Path

_NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>\w*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])\'(?:\\.|[^\'\\\n])+\'', re.S
)
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\s*\([^()]*\)\s*)?(?:\w+::)*(\w+)")


def without_noise(text: str) -> str:
    """Comments, text and lines of the preprocessor taken out."""
    text = _NOISE.sub(lambda m: '""' if m.group()[0] in '"R\'' else " ", text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)


def after_angles(text: str, start: int) -> int:
    """The place behind the > that closes the < at start; what is in round brackets does not count."""
    angles = rounds = 0
    for i in range(start, len(text)):
        rounds += (text[i] == "(") - (text[i] == ")")
        if not rounds and text[i] in "<>" and text[i - 1] != "-":
            angles += 1 if text[i] == "<" else -1
            if not angles:
                return i + 1
    return len(text)


def without_template(text: str) -> str:
    """template <...> and requires (...) in front taken away."""
    text = text.strip()
    while text.startswith("template") and "<" in text:
        text = text[after_angles(text, text.index("<")) :].strip()
    if text.startswith("requires"):
        text = re.sub(r"^requires\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w:]+(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?)", "", text)
    return re.sub(r"^(?:\s*\[\[.*?\]\])+", "", text).strip()


def declared(text: str) -> str | None:
    """The name that a declaration declares; None for what has no name of its own."""
    if re.match(r"\s*(extern\s+)?template\s+(?!<)", text):  # an explicit instantiation
        return None
    text = without_template(text)
    if not text or re.match(r"(static_assert|using\s+namespace|friend|extern\s+$|public|private|asm)\b", text):
        return None
    if m := re.match(r"(?:using|concept)\s+(\w+)\s*=", text):
        return m[1]
    if text.startswith("using"):
        return None
    head = re.split(r"[({=]", text, maxsplit=1)[0]
    if (m := _TYPE.match(text)) and "(" not in text.split("{")[0].split(":")[0]:
        return m[1]
    if "operator" in head or "->" in text.split("(")[0]:
        return None
    plain = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head)))
    if "::" in (plain.split() or [""])[-1]:  # a member, defined outside of its class
        return None
    words = re.findall(r"\w+", re.sub(r"\[.*", "", plain))
    return words[-1] if len(words) > 1 else None


def names_of_header(text: str) -> set[str]:
    """Names that a header declares in namespace torsor itself; those of detail and other inner ones are private."""
    text = without_noise(text)
    out: set[str] = set()
    spaces: list[str] = []  # open namespaces
    start = i = 0
    while i < len(text):
        if text[i] == "}":
            if spaces:
                spaces.pop()
            start = i + 1
        elif text[i] in ";{":
            piece = text[start:i]
            space = re.match(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*$", piece) if text[i] == "{" else None
            if space:
                spaces.append(space[1])
            else:
                if text[i] == "{":  # passed over, with all that it holds
                    depth = 1
                    while depth and i + 1 < len(text):
                        i += 1
                        depth += (text[i] == "{") - (text[i] == "}")
                    following = re.match(r"\s*;", text[i + 1 :])
                    if following:
                        i += following.end()
                name = declared(piece) if spaces == ["torsor"] else None
                if name:
                    out.add(name)
            start = i + 1
        i += 1
    return out


def public_headers(source: Path) -> list[Path]:
    """The headers of modules that are installed (cmake/public_headers.cmake): of what is written over any number, and whatever the
    face includes."""
    generic = ("scalar", "spatial", "model", "kinematics", "dynamics", "formulations")
    todo = [path for folder in ("", *generic) for path in sorted((source / "torsor" / folder).glob("*.hpp"))]
    out: dict[Path, None] = dict.fromkeys(todo)
    while todo:
        for included in re.findall(r'^#include "(torsor/[^"]+)"', todo.pop().read_text(), re.M):
            if source / included not in out:
                out[source / included] = None
                todo.append(source / included)
    return sorted(path for path in out if path.parent.name != "torsor")


def public_names(source: Path) -> dict[str, set[str]]:
    """For every public header, by its name behind torsor/, the names it declares."""
    return {
        str(header.relative_to(source / "torsor")): names_of_header(header.read_text())
        for header in public_headers(source)
    }


if __name__ == "__main__":
    import sys

    for header, names in public_names(Path(sys.argv[1])).items():
        print(f"{header}: {' '.join(sorted(names))}")
