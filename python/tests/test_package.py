"""The package as it is installed: whole, typed, documented, its examples true."""

import doctest
import inspect
import os
from importlib import metadata, resources
from pathlib import Path

import pytest
import torsor as ts


def public():
    """Everything that `import torsor as ts` offers, and the methods of its classes."""
    for name in sorted(vars(ts)):
        thing = getattr(ts, name)
        if name.startswith("_") or inspect.ismodule(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member in sorted(vars(thing)):
                if not member.startswith("_") and callable(vars(thing)[member]):
                    yield f"{name}.{member}", getattr(thing, member)


def functions():
    return [(name, thing) for name, thing in public() if not inspect.isclass(thing)]


def test_it_is_not_the_source_tree():
    source = os.environ.get("TORSOR_SOURCE_DIR")
    if source:
        assert not Path(ts.__file__).resolve().is_relative_to(Path(source).resolve())
    assert metadata.version("torsor") == ts.__version__


def test_types_are_part_of_it():
    folder = resources.files("torsor")
    assert folder.joinpath("py.typed").is_file()
    stub = folder.joinpath("_torsor.pyi").read_text()
    for name, thing in public():
        if "." not in name and thing.__module__ == "torsor._torsor":
            assert f"def {name}(" in stub or f"class {name}" in stub, name


def test_it_needs_numpy_alone():
    needed = [r for r in metadata.requires("torsor") or [] if "extra ==" not in r]
    assert [r.split(">")[0].strip() for r in needed] == ["numpy"]


def test_it_is_small():  # unpacked; the wheel has a bound of its own
    folder = Path(str(resources.files("torsor")))
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 24_000_000


@pytest.mark.parametrize("name, thing", functions(), ids=[name for name, _ in functions()])
def test_every_function_has_an_example_that_is_true_and_imports_what_it_needs(name, thing):
    text = inspect.getdoc(thing) or ""
    assert ">>>" in text, f"{name} has no example"
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    told = []
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


def test_examples_of_classes_and_of_the_package_are_true():
    for name, thing in [("torsor", ts), *((n, t) for n, t in public() if inspect.isclass(t))]:
        text = inspect.getdoc(thing) or ""
        assert text, f"{name} has no text"
        test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        told = []
        runner.run(test, out=told.append)
        assert runner.failures == 0, "".join(told)
