"""Pictures show what was computed."""

import matplotlib

matplotlib.use("Agg")

import doctest
import subprocess
import sys

import numpy as np
import pytest
import torsor as ts
import torsor.plot
from conftest import close, states
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def test_examples_are_true():
    assert doctest.testmod(torsor.plot).failed == 0


def test_torques_are_drawn(puma):
    motion = ts.published_motion("puma560")
    ax = ts.plot.torques(puma, motion, samples=50)
    t, q_qd_qdd = np.linspace(0, 8, 50), motion.sample(np.linspace(0, 8, 50))
    tau = ts.inverse_dynamics(puma, *q_qd_qdd)
    for line, name, column in zip(ax.lines, puma.velocity_names, tau.T):
        assert line.get_label() == name and close(line.get_ydata(), column) and close(line.get_xdata(), t)
    run = ts.simulate(ts.load("two_link"), [0, 0], tau=[1, 2], time=0.1)
    assert close(ts.plot.torques(ts.load("two_link"), run).lines[1].get_ydata(), np.full(11, 2.0))


def test_heat_maps_hold_their_numbers(puma):
    q, qd, qdd = states(puma, 20)
    ax = ts.plot.coupling(puma, q)
    assert close(ax.images[0].get_array(), ts.coupling(puma, q).max(axis=0))
    names, worst = ts.plot.agreement_matrix(puma, q, qd, qdd)
    assert len(names) == 15 and worst.max() < 1e-14
    assert len(ts.plot.agreement(puma, q, qd, qdd).get_xticks()) == 15
    found = ts.certify_agreement(puma, states=10)
    ax = ts.plot.agreement(found)
    assert [label.get_text() for label in ax.get_yticklabels()] == found.names and ax.get_title() == found.robot
    assert close(ax.images[0].get_array(), np.log10(np.maximum(found.matrix, 1e-17)))


def test_figures_end_at_the_tool():
    for name in ("puma560", "two_arm", "floating"):
        robot = ts.load(name)
        q = states(robot, 1)[0][0]
        ax = ts.plot.stick_figure(robot, q)
        assert close(np.array(ax.lines[-1].get_data_3d())[:, 1], ts.frame_pose(robot, q)[:3, 3])


def test_faults_are_told(puma):
    with pytest.raises(ValueError, match="expected q, qd and qdd too"):
        ts.plot.agreement(puma)
    with pytest.raises(ValueError, match="expected that alone"):
        ts.plot.agreement(ts.certify_agreement(puma, states=2), [0] * 6)
    with pytest.raises(ValueError, match="expected two of the letters"):
        ts.plot.workspace(puma, plane="xq")
    with pytest.raises(ValueError, match="ball or free joints"):
        ts.plot.workspace(ts.load("floating"))


def told(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_pictures_are_loaded_when_they_are_asked_for():
    code = "import sys, torsor as ts; print('matplotlib' in sys.modules, ts.plot.torques.__name__, hasattr(ts, 'plots'))"
    assert told(code).split() == ["False", "torques", "False"]


@pytest.mark.parametrize("ask", ["import torsor.plot", "ts.plot", "from torsor import plot"])
def test_who_has_no_matplotlib_is_told_what_to_install(ask):
    code = f"import sys, torsor as ts\nsys.modules['matplotlib'] = None\ntry:\n    {ask}\nexcept ImportError as error:\n    print(error)"
    assert told(code) == "torsor.plot needs matplotlib: pip install 'torsor[plot]'\n"
