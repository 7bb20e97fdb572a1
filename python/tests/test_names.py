"""Every name of the catalogues and of the rooms' public headers is reachable from Python, or python/not_in_python.toml says
why not. Both lists are made here: from the headers, and from the package."""

import os
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import torsor as ts
from public_names import public_names

SOURCE = Path(os.environ["TORSOR_SOURCE_DIR"])
LISTED = tomllib.loads((SOURCE / "python/not_in_python.toml").read_text())
HEADERS = public_names(SOURCE)
OTHER = LISTED["other_names"]
PATTERNS = [pattern for each in LISTED["left_out"] for pattern in each.get("headers", ())]
NAMES = [name for each in LISTED["left_out"] for name in each.get("names", ())]


def in_python():
    """Names of the package, and those of what its types have."""
    out = set()
    for name in dir(ts):
        if name.startswith("_"):
            continue
        out.add(name)
        thing = getattr(ts, name)
        if isinstance(thing, type):
            out |= {each for each in dir(thing) if not each.startswith("_")}
    return out


PYTHON = in_python()


def exists(path):
    thing = ts
    for part in path.split("."):
        if not hasattr(thing, part):
            return False
        thing = getattr(thing, part)
    return True


def open_headers():
    """The headers that are not left out as a whole."""
    return {header: names for header, names in HEADERS.items() if not any(fnmatch(header, each) for each in PATTERNS)}


def test_every_public_name_is_reachable_or_listed():
    unknown = [
        f"{header}: {name}"
        for header, names in open_headers().items()
        for name in sorted(names - PYTHON - set(OTHER) - set(NAMES))
    ]
    assert not unknown, "neither in Python nor in python/not_in_python.toml:\n" + "\n".join(unknown)


def test_nothing_is_listed_that_is_reachable_or_gone():
    declared = set().union(*open_headers().values())
    for listed in (OTHER, NAMES):
        assert not sorted(set(listed) & PYTHON), "these are in Python by their own names: take them out of the list"
        assert not sorted(set(listed) - declared), "no header has these, or it is left out as a whole: take them out"
    assert len(NAMES) == len(set(NAMES)) and not set(NAMES) & set(OTHER)
    for pattern in PATTERNS:
        assert any(fnmatch(header, pattern) for header in HEADERS), f"no header is {pattern}"


@pytest.mark.parametrize("name", OTHER)
def test_other_names_lead_somewhere(name):
    for path in OTHER[name].split():
        assert exists(path), f"torsor.{path} is not there"


def rows(file, table, ending):
    """The names of a table's rows, read in the source: the first text of each."""
    text = (SOURCE / "torsor" / file).read_text()
    start = text.index(table)
    return re.findall(r'^    \w*\{"([\w-]+)"', text[start : text.index(ending, start)], re.M)


def files(folder):
    return sorted(path.stem for path in (SOURCE / folder).glob("*.toml"))


def named(things):
    return [each.name for each in things]


CATALOGUES = {
    **{
        question: (lambda q=question: rows("formulations/catalogue_rows.hpp", f"{q}_rows[] = {{", "\n};"), lambda q=question: named(ts.formulations(q)))
        for question in ("inverse", "coefficients", "christoffel", "mass", "gravity")
    },
    "forward": (lambda: rows("formulations/forward_catalogue.hpp", "2> forward_formulations{{", "\n}};"), lambda: named(ts.formulations("forward"))),
    "time laws": (
        lambda: rows("trajectory/time_law.hpp", "smooth_laws = {{", "}};") + rows("trajectory/time_law.hpp", "ramp_laws = {{", "}};"),
        lambda: named(ts.time_laws()),
    ),
    "integrators": (lambda: rows("numeric/integrator.cpp", "rows{", "\n};"), lambda: named(ts.integrators())),
    "control laws": (lambda: rows("control/control_laws.cpp", "[] = {", "\n};"), lambda: named(ts.control_laws())),
    "robots": (lambda: files("robots"), lambda: sorted(ts.robots())),
    "mechanisms": (lambda: files("robots/mechanisms"), lambda: sorted(ts.mechanisms())),
}


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_python_knows_every_row_of_the_catalogues(catalogue):
    in_sources, known = (names() for names in CATALOGUES[catalogue])
    assert in_sources and sorted(in_sources) == sorted(known)


def test_the_scanner_knows_what_a_header_declares():
    from public_names import names_of_header

    text = """
    #define NOT_A_NAME 1
    namespace torsor {
    struct Later;  // struct Comment {};
    template <class T, int n = (1 > 0)> requires (n > 0) struct Table { int inside; void method(); };
    enum class Kind : unsigned char { one, two };
    inline constexpr double limit = 1e-9, *other = nullptr;
    template <Ring T> Vec3<T> turned(const Transform<T>& X, std::span<const T> v = {}) { return {X}; }
    template <Ring T> void Table<T>::method() { int local; }
    using Row = std::vector<std::pair<int, double>>;
    template <class T> concept Small = sizeof(T) < 8;
    std::ostream& operator<<(std::ostream&, const Row&);
    extern template class Table<double>;
    const char* const text = "struct Quoted {";
    namespace detail { struct Private {}; }
    }
    """
    assert names_of_header(text) == {"Later", "Table", "Kind", "limit", "turned", "Row", "Small", "text"}
