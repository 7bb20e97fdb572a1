"""What help(), inspect, notebooks and warnings say: signatures, functions among functions, words of Python."""

import inspect
import os
import pydoc
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
import torsor as ts
from torsor import _torsor

SOURCE = Path(os.environ["TORSOR_SOURCE_DIR"])


def callables():
    for name in ts.__all__:
        thing = getattr(ts, name)
        if not inspect.isclass(thing):
            yield name, thing
        elif thing.__module__ == "torsor._torsor":
            for member, method in vars(thing).items():
                if not member.startswith("_") and callable(method):
                    yield f"{name}.{member}", getattr(thing, member)


@pytest.mark.parametrize("name, thing", list(callables()), ids=[name for name, _ in callables()])
def test_every_function_has_a_signature(name, thing):
    signature = inspect.signature(thing)
    text = inspect.getdoc(thing) or ""
    if thing.__module__ == "torsor._torsor":  # its help begins with the same
        head = re.match(r"(?:def )?\w+\((.*?)\)(?: ->|\n|$)", text, re.S)
        assert head and [each in head[1] for each in signature.parameters].count(False) == 0, text[:200]


@pytest.mark.parametrize("name", [name for name in ts.__all__ if inspect.isclass(getattr(ts, name))])
def test_every_class_has_a_signature(name):
    kind = getattr(ts, name)
    parameters = inspect.signature(kind).parameters
    if kind.__module__ == "torsor._torsor" and not parameters:  # what has no arguments comes from a function
        with pytest.raises(TypeError):
            kind()


def test_signatures_tell_defaults_and_bind(puma):
    signature = inspect.signature(ts.inverse_dynamics)
    assert list(signature.parameters)[:4] == ["robot", "q", "qd", "qdd"]
    assert signature.parameters["qd"].default is None and signature.parameters["threads"].default == 0
    assert signature.bind(puma, [0] * 6, qdd=[1] * 6).arguments["qdd"] == [1] * 6
    assert list(inspect.signature(ts.Robot.with_payload).parameters)[0] == "self"
    assert list(inspect.signature(puma.with_payload).parameters) == ["mass", "com", "inertia", "frame"]
    assert inspect.signature(ts.point_to_point).parameters["law"].default == "quintic"
    assert inspect.signature(ts.run_speeds).parameters["models"].default == ("full", "no-coriolis", "gravity")
    assert "kp" in inspect.signature(ts.ControlLaw).parameters


def test_help_lists_functions_as_functions():
    text = pydoc.plain(pydoc.render_doc(ts))
    data = text.split("\nDATA\n")[1].split("\nVERSION\n")[0].split("\nFILE\n")[0] if "\nDATA\n" in text else ""
    functions = text.split("\nFUNCTIONS\n")[1].split("\nDATA\n")[0]
    for name in ts.__all__:
        if not inspect.isclass(getattr(ts, name)):
            assert re.search(rf"^    {name}\(", functions, re.M), name
            assert not re.search(rf"^    {name} =", data, re.M), name
    assert "nanobind" not in data


def test_a_star_brings_functions_and_no_modules():
    names = {}
    exec("from torsor import *", names)
    assert names["gravity"] is ts.gravity and "_torsor" not in names and "np" not in names


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda", "two_link"])
def test_equations_come_in_displays_that_katex_can_expand(name):
    robot = ts.load(name)
    for latex in (ts.equations(robot).latex, ts.equations(robot, numeric=True).latex, ts.equations(robot)._repr_latex_()):
        displays = re.findall(r"\$\$\\begin\{aligned\}\n(.*?)\\end\{aligned\}\$\$", latex, re.S)
        assert len(displays) == latex.count("$$") / 2 > 0
        # KaTeX expands 1000 macros of a display, and \, takes three of them
        assert all(display.count(r"\,") < 300 for display in displays)
        # and nothing is lost between them
        lines = "".join(" \\\\\n".join(line.latex for line in ts.equations(robot, numeric="\\mathrm" in latex).lines))
        if latex == ts.equations(robot).latex:
            assert re.sub(r"\s|\\\\", "", "".join(displays)) == re.sub(r"\s|\\\\", "", lines)


def shell_words(text):
    return re.findall(r"(?<![\w.\"])torsor [a-z]+ |(?<![\w.\"])torsor [a-z]+$|(?<![\w\"-])--[a-z][a-z-]*", text)


def literals(source):
    """Texts of a source, with those that the compiler joins joined."""
    code = re.sub(r"^\s*(//|#include).*$|//[^\"\n]*$", "", source, flags=re.M)
    for joined in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
        yield re.sub(r'"\s*"', "", joined)[1:-1].replace('\\"', '"')


def test_no_advice_of_the_library_speaks_of_the_shell_in_python():
    found = 0
    for file in sorted((SOURCE / "torsor").rglob("*.?pp")):
        if "/codegen/loop_" in str(file):
            continue  # C, with its own --i
        for text in literals(file.read_text()):
            if not shell_words(text) or text.lstrip().startswith(("#", "/*")):
                continue
            found += 1
            assert not shell_words(_torsor._in_python(text)), f"{file.name}: {text}"
    assert found > 15


def test_remedies_are_those_of_python():
    tree = ts.load("two_arm")
    with pytest.raises(ts.Error) as refused:
        tree.dh_table()
    assert not shell_words(str(refused.value)) and "(robot.chain)" in str(refused.value)


def many_doubts(links):
    rows = ["<robot name='doubtful'><link name='base'/>"]
    for k in range(links):
        rows.append(
            f"<link name='l{k}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3' ixy='0' ixz='0' iyz='0'/></inertial></link>"
            f"<joint name='j{k}' type='continuous'><parent link='{'base' if k == 0 else f'l{k - 1}'}'/><child link='l{k}'/></joint>"
        )
    return "".join(rows) + "</robot>"


@pytest.mark.parametrize("links", [1, 40])
def test_a_doubtful_robot_warns_once_with_the_count_and_where_to_look(links):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        robot = ts.load(many_doubts(links))
    assert len(told) == 1 and told[0].category is ts.RobotWarning and told[0].filename == __file__
    doubts = ts.check(robot)
    assert len(doubts) >= links
    words = str(told[0].message)
    assert "[" in words and "l0" in words
    if len(doubts) > 1:
        assert words.startswith(f"{len(doubts)} doubts about \"doubtful\"; torsor.check(robot) lists them all")


BREADTH_FIRST = """<robot name="walker"><link name="trunk"><inertial><mass value="6.9"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>{links}{joints}</robot>"""


def walker():
    """Four legs of three links, named level by level: all hips, then all thighs, then all calves."""
    order = [(leg, level) for level in range(3) for leg in range(4)]
    links = "".join(
        f"<link name='{part}{leg}'><inertial><mass value='0.5'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        for leg, level in order
        for part in [("hip", "thigh", "calf")[level]]
    )
    parts = ("trunk", "hip", "thigh", "calf")
    joints = "".join(
        f"<joint name='j{level}{leg}' type='continuous'><parent link='{'trunk' if level == 0 else parts[level] + str(leg)}'/>"
        f"<child link='{parts[level + 1]}{leg}'/><origin xyz='{0.1 * leg} 0 -0.2'/><axis xyz='0 1 0'/></joint>"
        for leg, level in order
    )
    return ts.load(BREADTH_FIRST.format(links=links, joints=joints), check=False)


def parents_by_indentation(rows):
    """(name, parent) of lines whose blanks in front are their depth."""
    above, out = [], []
    for depth, name in rows:
        del above[depth:]
        out.append((name, above[-1] if above else None))
        above.append(name)
    return out


def test_a_tree_is_shown_branch_by_branch_whatever_the_order_of_its_file():
    robot = walker()
    true = {
        name: robot.link_names[parent] if parent >= 0 else None for name, parent in zip(robot.link_names, robot.parents)
    }
    lines = [line for line in repr(robot).splitlines()[1:] if "..." not in line]
    rows = [((len(line) - len(line.lstrip())) // 2 - 1, line.split()[0]) for line in lines]
    assert len(rows) == 12 and all(true[name] == parent for name, parent in parents_by_indentation(rows))
    cells = re.findall(r"<tr><td[^>]*>(\u2003*)(\w+)</td><td", robot._repr_html_().split("</table>")[0])
    rows = [(len(blanks), name) for blanks, name in cells]
    assert len(rows) == 12 and all(true[name] == parent for name, parent in parents_by_indentation(rows))
    table = ts.command("show", robot).out.split("tree and limits")[1].split("masses")[0]
    rows = [((len(m[1]) - 2) // 2, m[2]) for m in re.finditer(r"^( *)((?:hip|thigh|calf)\d)", table, re.M)]
    first = rows[0][0]
    assert len(rows) == 12 and all(true[name] == parent for name, parent in parents_by_indentation([(d - first, n) for d, n in rows]))


def test_the_mass_in_the_headline_is_all_of_it():
    robot = walker()
    assert robot.base_mass == 6.9 and np.isclose(robot.masses.sum(), 6)
    for shown in (repr(robot), robot._repr_html_(), ts.command("show", robot).out):
        assert "12.9 kg (6.9 kg of them the base)" in shown
    assert "base)" not in repr(ts.load("puma560"))
