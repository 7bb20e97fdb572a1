"""The Python of the documentation: it runs and prints what the pages show, also as notebooks, and people find it."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import tutorials

SOURCE = Path(os.environ["TORSOR_SOURCE_DIR"])
ALL_PAGES = sorted((SOURCE / "docs/tutorials").glob("*.md"))
PAGES = [page for page in ALL_PAGES if tutorials.blocks(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", [*PAGES, *(SOURCE / each for each in ("README.md", "docs/pages.md", "docs/xacro.md", "docs/loops.md"))], ids=lambda page: page.stem)
def test_a_page_prints_what_it_shows(page):
    assert tutorials.differences(page) == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_is_a_notebook_too(page, tmp_path, monkeypatch):
    subprocess.run([sys.executable, SOURCE / "tools/notebook", tmp_path, page], check=True)
    book = json.loads((tmp_path / f"{page.stem}.ipynb").read_text(encoding="utf-8"))
    assert book["nbformat"] == 4 and book["cells"][0]["source"][0].startswith("# ")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
            assert printed.getvalue() == "".join("".join(output["text"]) for output in cell["outputs"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_has_code_and_output(page):
    found = tutorials.blocks(page.read_text(encoding="utf-8"))
    assert len(found) >= 5 and sum(bool(block.shown) for block in found) >= 4


def test_there_are_four_and_other_pages_lead_to_them():
    assert len(PAGES) == 4
    for other, prefix, pages in (("README.md", "docs/tutorials/", ALL_PAGES), ("docs/python.md", "tutorials/", PAGES)):
        text = (SOURCE / other).read_text(encoding="utf-8")
        assert all(f"({prefix}{page.name})" in text for page in pages)


def page_of(tmp_path, text):
    path = tmp_path / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_runner_finds_what_is_not_so(tmp_path):
    page = page_of(tmp_path, "# T\n\n```python\nx = 2\nprint(x)\n```\n\n```text\n3\n```\n\n```python\nprint(x + 1)\n```\n")
    told = tutorials.differences(page)
    assert "page.md:4" in told and "-3" in told and "+2" in told
    assert "page.md:13" in told and "+3" in told
    tutorials.write(page)
    assert tutorials.differences(page) == ""
    assert page.read_text(encoding="utf-8").endswith("```python\nprint(x + 1)\n```\n\n```text\n3\n```\n")


def test_the_runner_names_the_line_of_a_fault_and_wants_no_warnings(tmp_path):
    page = page_of(tmp_path, "```python\ny = 1\n```\n\nSome words.\n\n```python\nraise KeyError(y)\n```\n")
    with pytest.raises(KeyError) as caught:
        tutorials.differences(page)
    assert caught.traceback[-1].lineno + 1 == 8
    with pytest.raises(UserWarning):
        tutorials.differences(page_of(tmp_path, "```python\nimport warnings\n\nwarnings.warn('hm')\n```\n"))


def test_code_keeps_its_lines(tmp_path):
    page = page_of(tmp_path, "words\n\n```python\na = 1\n```\n\nmore\n\n```python\nb = a\n```\n")
    assert tutorials.module(page).splitlines() == ["", "", "", "a = 1", "", "", "", "", "", "b = a"]


def test_the_blocks_of_the_page_on_python_run(tmp_path, monkeypatch):
    text = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        exec(block, names)
    assert (tmp_path / "structure.html").stat().st_size > 0
