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
    code = ts.generate_code(puma, ["id", "mass"], name="puma")
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
    assert "float" in ts.generate_code(puma, real="float").source
    for wrong in (dict(functions=["torque"]), dict(functions=[]), dict(real="half")):
        with pytest.raises(ValueError, match="expected"):
            ts.generate_code(puma, **wrong)
    with pytest.raises(ts.Error):
        ts.generate_code(ts.load("panda"), ["ik"])
