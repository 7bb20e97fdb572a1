"""What the equations look like: written out, exact structure, couplings, dominance, reduced models."""

import pickle
import re

import numpy as np
import pytest
import torsor as ts
from conftest import close, states

SERIAL = ["two_link", "puma560", "stanford", "scara"]


def value_of(text, names):
    """A printed sum of products: numbers, letters and powers, factors apart by blanks."""
    return eval(re.sub(r"(?<=[\w)]) (?=[\w(])", "*", text).replace("^", "**"), {}, names)


def test_equations_are_true_numbers():
    robot = ts.load("two_link")
    equations = ts.equations(robot)
    q = np.array([0.3, 0.8])
    names = dict(equations.numbers)
    for k, angle in (("1", q[0]), ("2", q[1]), ("12", q[0] + q[1])):
        names["C" + k], names["S" + k] = np.cos(angle), np.sin(angle)
    found = {line.name: value_of(line.text, names) for line in equations.lines if line.part in ("inertia", "gravity")}
    D, _, c = ts.coefficients(robot, q, [0, 0])
    assert found["D11"] == pytest.approx(D[0, 0]) and found["D12"] == pytest.approx(D[0, 1])
    assert found["G1"] == pytest.approx(c[0]) and found["G2"] == pytest.approx(c[1])


def test_equations_show_themselves(puma):
    equations = ts.equations(puma, coefficients="G", numeric=True, digits=4)
    assert "G2 = " in str(equations) and equations._repr_latex_().startswith("$$\\begin{aligned}")
    one = ts.equations(puma, joint="elbow", coefficients="D")
    assert all("3" in line.name for line in one.lines if line.part == "inertia")
    for wrong in (dict(coefficients="X"), dict(joint="knee"), dict(joint=9), dict(form="short")):
        with pytest.raises(ValueError, match="expected"):
            ts.equations(puma, **wrong)
    with pytest.raises(ts.Error):
        ts.equations(ts.load("floating"))


@pytest.mark.parametrize("name", SERIAL)
def test_structure_agrees_with_numbers(name):
    robot = ts.load(name)
    structure = ts.structure(robot, positions=100)
    q, _, _ = states(robot, 40)
    D, c = ts.mass_matrix(robot, q), ts.gravity(robot, q)
    scale = np.abs(D).max()
    generic = structure.nonzero("generic")
    for coefficient, nonzero, constant, size, any_inertia in zip(
        structure.coefficients, structure.nonzero(), structure.constant, structure.relative_size, generic
    ):
        if coefficient[0] == "d" and len(coefficient) == 3:
            values = D[:, int(coefficient[1]) - 1, int(coefficient[2]) - 1]
        elif coefficient[0] == "G":
            values = c[:, int(coefficient[1]) - 1]
        else:
            continue
        assert nonzero == (np.abs(values).max() > 1e-9 * scale), coefficient
        if constant:
            assert np.ptp(values) < 1e-9 * scale, coefficient
        assert any_inertia or not nonzero
        assert (size > 0) == nonzero or size < 1e-12
    assert structure.log2_error < -90


@pytest.mark.parametrize("name", ts.robots())
def test_couplings_are_those_of_the_mass_matrix(name):
    robot = ts.load(name)
    q, _, _ = states(robot, 30)
    k = ts.coupling(robot, q, threads=2)
    M = ts.mass_matrix(robot, q)
    d = np.sqrt(np.einsum("kii->ki", M))
    assert close(k, np.abs(M) / (d[:, :, None] * d[:, None, :]), 1e-10) and (k <= 1 + 1e-12).all()


def test_shares_of_torques_add_up(puma):
    q, qd, qdd = ts.published_motion("puma560").sample(np.linspace(0, 8, 60))
    shares = {}
    for row in ts.dominance(puma, q, qd, qdd):
        shares.setdefault(row.quantity, []).append(row.share)
    assert {"D11", "h1", "tau2"} <= set(shares)
    for quantity in ("tau2", "D22"):
        assert sum(shares[quantity]) == pytest.approx(1)


def test_reduced_models_keep_their_word(puma):
    motion = ts.published_motion("puma560")
    small = ts.reduce(puma, motion, tolerance=0.05, steps=100)
    assert 0 < small.terms < small.full_terms
    q, qd, qdd = motion.sample(np.linspace(0, motion.duration, 777))
    full = ts.inverse_dynamics(puma, q, qd, qdd)
    error = np.abs(small.inverse_dynamics(q, qd, qdd, threads=2) - full).max(axis=0) / np.abs(full).max(axis=0)
    assert (error <= 0.05 * 1.001).all() and (error <= small.error_on_motion * 1.001 + 1e-12).all()
    assert small.mass_matrix(q).shape == (777, 6, 6) and "PUMA" in small.to_toml()
    with pytest.raises(ValueError, match="tolerance is 2"):
        ts.reduce(puma, motion, tolerance=2)
    with pytest.raises(ValueError, match="the motion has 1 coordinates; expected 6"):
        ts.reduce(puma, ts.point_to_point([0], [1], 1.0))


def test_reduced_models_survive_files_and_pickling(puma, tmp_path):
    motion = ts.published_motion("puma560")
    small = ts.reduce(puma, motion, tolerance=0.02)
    (tmp_path / "small.toml").write_text(small.to_toml())
    q, qd, qdd = motion.sample(np.linspace(0, motion.duration, 50))
    assert repr(pickle.loads(pickle.dumps(small))) == repr(small)
    for again in (pickle.loads(pickle.dumps(small)), ts.read_reduced(tmp_path / "small.toml", puma)):
        assert again.terms == small.terms and again.to_toml() == small.to_toml()
        # the file has its terms in another order: sums are rounded differently
        assert close(again.inverse_dynamics(q, qd, qdd), small.inverse_dynamics(q, qd, qdd), 1e-15)
    with pytest.raises(ts.Error):
        ts.read_reduced(small.to_toml(), ts.load("stanford"))
