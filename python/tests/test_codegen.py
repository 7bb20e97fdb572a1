"""Generated C compiles, tests itself, and gives the library's numbers."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_generated_code_gives_the_same(tmp_path, puma):
    code = ts.codegen(puma, ["id", "mass"], name="puma")
    (tmp_path / "puma.c").write_text(code.source)
    (tmp_path / "puma.h").write_text(code.header)
    subprocess.run(["cc", "-O1", "-DTORSOR_SELF_TEST", "puma.c", "-lm", "-o", "self"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "self"], check=True, capture_output=True)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "puma.c", "-lm", "-o", "puma.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "puma.so"))
    q, qd, qdd = (x[0] for x in states(puma, 1))
    tau = np.empty(6)
    pointers = [x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (q, qd, qdd, tau)]
    library.puma_id(*pointers)
    assert close(tau, ts.inverse_dynamics(puma, q, qd, qdd))


def test_faults_are_told(puma):
    assert "float" in ts.codegen(puma, real="float").source
    for wrong in (dict(functions=["torque"]), dict(functions=[]), dict(real="half")):
        with pytest.raises(ValueError, match="expected"):
            ts.codegen(puma, **wrong)
    with pytest.raises(ts.Error):
        ts.codegen(ts.load("go2"), ["ik"])


def test_the_text_has_what_was_asked_for(puma):
    code = ts.codegen(puma, ["id", "mass", "id"], name="arm", real="float")
    assert [function.name for function in code.functions] == ["arm_id", "arm_mass"]
    for function in code.functions:
        assert f"void {function.name}(" in code.source and function.name in code.header
        assert function.multiplications > 0 and function.additions > 0
    assert "float" in code.source and "malloc" not in code.source
    everything = ts.codegen(ts.load("two_link"), "all")
    assert len(everything.functions) == len(ts.code_functions()) - 1  # ik is asked for by its name
    assert "ik" in ts.codegen(puma, "ik").functions[0].name


def test_the_proof_holds():
    proof = ts.prove_code(ts.load("two_link"), ["id", "fd"], states=20)
    assert proof.holds and proof.states == 20 and len(proof.functions) == 2
    for function in proof.functions:
        assert function.generated <= function.allowed < 1e-9
    assert proof.functions[0].polynomial is not None and proof.functions[0].polynomial < 1e-9


def test_a_place_alone_is_generated():
    arm = ts.load("articulated3")
    assert "const double R[9]" not in ts.codegen(arm, "ik", position_only=True).source
    assert ts.prove_code(arm, "ik", position_only=True, states=10).holds
    with pytest.raises(ValueError, match="position_only is for the function 'ik'"):
        ts.codegen(arm, "id", position_only=True)


def test_what_cannot_be_generated_is_told(puma, monkeypatch):
    with pytest.raises(ValueError, match='functions is "mas"; did you mean "mass"'):
        ts.codegen(puma, "mas")
    with pytest.raises(ValueError, match="functions is empty"):
        ts.codegen(puma, [])
    with pytest.raises(ValueError, match="expected one of double, float"):
        ts.codegen(puma, real="half")
    with pytest.raises(ts.Error):
        ts.codegen(ts.load("go2"), "ik")
    monkeypatch.setenv("CC", "false")
    with pytest.raises(ts.Error):
        ts.prove_code(ts.load("two_link"))


@pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler")
def test_code_of_a_reduced_model_is_the_reduced_model(tmp_path, puma):
    motion = ts.published_motion("puma560")
    small = ts.reduce(puma, motion, tolerance=0.02)
    code = ts.codegen(puma, "id", name="small", reduced=small)
    (tmp_path / "small.c").write_text(code.source)
    (tmp_path / "small.h").write_text(code.header)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "small.c", "-lm", "-o", "small.so"], cwd=tmp_path, check=True)
    library = ctypes.CDLL(str(tmp_path / "small.so"))
    for t in (0.1, 0.4, 0.9):
        state = [np.ascontiguousarray(x) for x in motion.sample(t * motion.duration)]
        tau = np.empty(6)
        library.small_id(*(x.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for x in (*state, tau)))
        assert close(tau, small.inverse_dynamics(*state), 1e-9)
        assert not close(tau, ts.inverse_dynamics(puma, *state), 1e-6)
    with pytest.raises(ts.Error):
        ts.codegen(ts.load("stanford"), "id", reduced=small)
