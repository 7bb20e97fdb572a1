"""Agreement: of the formulations with each other, as numbers and as polynomials; why other torques differ."""

import numpy as np
import pytest
import torsor as ts
from conftest import close, states


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda"])
def test_all_formulations_that_serve_a_robot_agree(robots, name):
    found = ts.agree(robots[name], states=20)
    serving = [row.name for row in ts.formulations("inverse", robots[name]) if not row.refusal]
    serving += ["fast", "fast-batch", "motion-terms"]  # the paths that are taken without a name
    assert found.names == serving == [row.name for row in found.formulations if row.question == "inverse"]
    assert found.matrix.shape == (len(serving), len(serving)) and np.array_equal(found.matrix, found.matrix.T)
    assert not found.matrix.diagonal().any() and 0 < found.worst.disagreement < 1e-12 and found.holds()
    assert not found.holds(found.worst.disagreement / 2)
    assert {row.question for row in found.formulations} <= {"inverse", "coefficients", "christoffel", "mass", "gravity"}
    assert all(row.reason for row in found.refused) and len(found.pairs) == len(serving) * (len(serving) - 1) // 2


def test_the_worst_state_is_one_where_they_differ_so(puma):
    found = ts.agree(puma, states=50)
    named = len(found.names) - 3  # the last three are no names of the catalogue
    matrix = found.matrix[:named, :named]
    a, b = np.unravel_index(matrix.argmax(), matrix.shape)
    state = found.worst.q, found.worst.qd, found.worst.qdd
    if found.worst.disagreement == matrix.max():
        first, second = (ts.inverse_dynamics(puma, *state, formulation=found.names[k]) for k in (a, b))
        assert np.abs(first - second).max() > 0
    again = ts.agree(puma, states=50)
    assert np.array_equal(again.matrix, found.matrix)
    assert not np.array_equal(ts.agree(puma, states=50, seed=2).matrix, found.matrix)


def test_agreement_of_an_arm_is_a_theorem():
    proof = ts.agree_exact(ts.load("two_link"))
    assert proof.holds and all(row.equal and row.proof == "polynomial" and row.terms > 0 for row in proof.formulations)
    field = ts.agree_exact(ts.load("stanford"), finite_field=True)
    assert field.holds and all(row.proof == "finite field" for row in field.formulations) and field.log2_error < -100
    assert "rotary" in [row.name for row in field.refused]
    with pytest.raises(ts.Error):
        ts.agree_exact(ts.load("two_arm"))


@pytest.mark.parametrize(
    "slip, other",
    [
        ("gravity-missing", lambda robot, q, qd, qdd: ts.inverse_dynamics(robot.with_gravity([0, 0, 0]), q, qd, qdd)),
        ("payload", lambda robot, q, qd, qdd: ts.inverse_dynamics(robot.with_payload(1.25), q, qd, qdd)),
    ],
)
def test_a_slip_is_found_by_what_it_does(puma, slip, other):
    state = states(puma, 60)
    found = ts.agree_against(puma, *state, other(puma, *state))
    best = found.guesses[0]
    assert not found.agree and best.explains and any(slip in name for name in best.slips), best
    assert best.remains < 1e-6 < found.difference and any(joint.differs for joint in found.joints)
    if slip == "payload":
        assert any(abs(size.value - 1.25) < 1e-6 for size in best.sizes)


def test_the_same_torques_agree_and_nonsense_is_unknown(puma):
    q, qd, qdd = states(puma, 30)
    tau = ts.inverse_dynamics(puma, q, qd, qdd)
    assert ts.agree_against(puma, q, qd, qdd, tau).agree
    noise = np.random.default_rng(1).normal(0, 50, tau.shape)
    found = ts.agree_against(puma, q, qd, qdd, tau + noise, guesses=3)
    assert not found.agree and found.noise and not found.guesses
    worst = found.joints[2]
    assert close(worst.there - worst.here, noise[worst.row - 1, 2], 1e-9) and worst.largest_difference == pytest.approx(np.abs(noise[:, 2]).max())
    with pytest.raises(ValueError, match="agree_against: there is no state"):
        ts.agree_against(puma, q[:0], qd[:0], qdd[:0], tau[:0])
