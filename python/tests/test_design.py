"""The design guide and surveys: what they say of a robot, against its own mass matrices, gravity and structure."""

import numpy as np
import pytest
import torsor as ts
from conftest import close


def test_proposals_do_what_they_say():
    robot = ts.load("two_link")
    guide = ts.guide(robot, ts.point_to_point([0, 0.5], [1, 1], 1.0), steps=50)
    assert len(guide.guidelines) == 4 and guide.nonzero == sum(ts.structure(robot).nonzero())
    assert guide.proposals and guide.tried >= len(guide.proposals)
    for each in guide.proposals:
        after = ts.structure(each.robot)
        nonzero = dict(zip(after.coefficients, after.nonzero()))
        assert not any(nonzero[name] for name in each.removed) and all(nonzero[name] for name in each.brought)
        assert each.nonzero == sum(nonzero.values()) == guide.nonzero - len(each.removed) + len(each.brought)
    balanced = guide.removing("G2")[0]
    q = np.random.default_rng(1).uniform(-3, 3, (20, 2))
    assert np.abs(ts.gravity(balanced.robot, q)[:, 1]).max() < 1e-9
    assert guide.removing("G2", most=1) == [balanced] and guide.removing("nothing") == []


def test_masses_alone_leave_the_hand_where_it_is(puma):
    guide = ts.guide(puma, steps=20, keep_axes=True)
    q = ts.random_position(puma, 5)
    for each in guide.proposals:
        assert not each.moves_axes and close(ts.frame_pose(each.robot, q), ts.frame_pose(puma, q))


def test_peaks_are_those_of_the_motion():
    robot, motion = ts.load("two_link"), ts.point_to_point([0, 0.5], [1, 1], 1.0)
    guide = ts.guide(robot, motion, steps=100)
    tau = ts.inverse_dynamics(robot, *motion.sample(np.linspace(0, 1, 20001)))
    assert close(guide.peak_torque, np.abs(tau).max(axis=0), 1e-6)


def test_a_survey_of_the_workspace_is_made_of_mass_matrices_and_gravity():
    robot = ts.load("puma560")
    found = ts.workspace_survey(robot, positions=300)
    M, G, k = ts.mass_matrix(robot, found.q), ts.gravity(robot, found.q), ts.coupling(robot, found.q)
    place = {name: at for at, name in enumerate(found.coefficients)}
    for i in range(6):
        for name, values in ((f"d{i + 1}{i + 1}", M[:, i, i]), (f"G{i + 1}", G[:, i])):
            at = place[name]
            assert close([found.least[at], found.mean[at], found.most[at]], [values.min(), values.mean(), values.max()], 1e-9)
    assert close(found.coupling_largest, k.max(axis=0), 1e-9) and close(found.coupling_mean, k.mean(axis=0), 1e-9)
    off = np.abs(M).sum(axis=2) - np.einsum("kii->ki", M)
    assert close(found.dominance, (off / np.einsum("kii->ki", M)).max(axis=0), 1e-9)
    assert np.array_equal(ts.workspace_survey(robot, positions=300).q, found.q)


def test_a_survey_of_a_motion_tells_when_coefficients_pass_zero(puma):
    motion = ts.published_motion("puma560")
    found = ts.motion_survey(puma, motion, steps=200)
    q, qd, qdd = motion.sample(found.t)
    assert close(found.inertia + found.velocity + found.gravity, ts.inverse_dynamics(puma, q, qd, qdd), 1e-9)
    at = found.coefficients.index("d12")
    d12 = ts.mass_matrix(puma, q)[:, 0, 1]
    assert close([found.least[at], found.most[at]], [d12.min(), d12.max()], 1e-9)
    for zero in found.zeros:
        if zero.coefficient == "d12":
            assert abs(ts.mass_matrix(puma, motion.sample(zero.start)[0])[0, 1]) < 1e-9
    assert sum(zero.coefficient == "d12" and zero.changes_sign for zero in found.zeros) == np.count_nonzero(np.diff(np.sign(d12)))


def test_what_does_not_fit_is_told(puma):
    with pytest.raises(ValueError, match="guide: the motion has 2 coordinates; expected 6"):
        ts.guide(puma, ts.point_to_point([0, 0], [1, 1], 1.0))
    with pytest.raises(ValueError, match="motion_survey: the motion has 2 coordinates; expected 6"):
        ts.motion_survey(puma, ts.point_to_point([0, 0], [1, 1], 1.0))
    with pytest.raises(ValueError, match="workspace_survey: the robot has ball, planar or free joints"):
        ts.workspace_survey(ts.load("floating"))
    with pytest.raises(ValueError, match="workspace_survey: positions is 0; expected 1 or more"):
        ts.workspace_survey(puma, positions=0)
