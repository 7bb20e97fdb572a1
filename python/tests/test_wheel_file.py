"""The wheel as a file: licences and a bill of what is inside, nothing needed of a machine but its C and C++ libraries."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torsor as ts

WHEEL = next((Path(os.environ["TORSOR_BUILD_DIR"]) / "python/wheel").glob("torsor-*.whl"))
INSIDE = ("fmt", "pugixml", "tomlplusplus", "CLI11", "nanobind", "robin-map")
# libraries that every system of the manylinux policies has (PEP 600)
EVERYWHERE = re.compile(r"(libc|libm|libpthread|libdl|librt|libgcc_s|libstdc\+\+|ld-linux-[\w-]+)\.so\.\d+")


def names():
    return zipfile.ZipFile(WHEEL).namelist()


def read(ending):
    (name,) = [each for each in names() if each.endswith(ending)]
    return zipfile.ZipFile(WHEEL).read(name).decode()


def test_the_licences_of_all_that_is_inside_are_in():
    licences = [name for name in names() if ".dist-info/licenses/" in name]
    assert any(name.endswith("licenses/LICENSE") for name in licences)
    # and those of published robots whose numbers are embedded
    assert any(name.endswith("robots/Apache-2.0.txt") for name in licences)
    assert any(name.endswith("robots/LICENSES.md") for name in licences)
    for part in INSIDE:
        text = read(f"/{part}.txt")
        assert "Copyright (c)" in text and ("WITHOUT WARRANTY OF ANY KIND" in text or "ANY EXPRESS OR IMPLIED WARRANTIES" in text), part


def test_a_bill_of_materials_is_in():
    bill = json.loads(read(".dist-info/sboms/torsor.cdx.json"))
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["version"] == ts.__version__
    versions = {part["name"]: part["version"] for part in bill["components"]}
    assert set(versions) == set(INSIDE) and all(re.fullmatch(r"\d+(\.\d+)+", version) for version in versions.values()), versions
    assert all(part["licenses"][0]["license"]["id"] in ("MIT", "BSD-3-Clause") for part in bill["components"])


@pytest.mark.skipif(not shutil.which("readelf"), reason="there is no readelf")
def test_it_needs_no_library_that_a_machine_may_lack(tmp_path):
    libraries = [name for name in names() if ".so" in name]
    assert len(libraries) == 1 and libraries[0].startswith("torsor/_torsor.")  # none travels along
    zipfile.ZipFile(WHEEL).extract(libraries[0], tmp_path)
    told = subprocess.run(["readelf", "-d", tmp_path / libraries[0]], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", told)
    assert needed and all(EVERYWHERE.fullmatch(each) for each in needed), needed


def test_its_name_promises_what_auditwheel_finds():
    pytest.importorskip("auditwheel")
    assert re.search(r"-manylinux_2_\d+_\w+\.whl$", WHEEL.name), WHEEL.name
    told = subprocess.run([sys.executable, "-m", "auditwheel", "show", WHEEL], capture_output=True, text=True, check=True).stdout
    said = " ".join(told.split())
    consistent = re.search(r'consistent with the following platform tag: "(\w+)"', said)
    assert consistent and consistent[1] in WHEEL.name, said
