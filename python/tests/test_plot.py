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
    found = ts.agree(puma, states=10)
    ax = ts.plot.agreement(found)
    assert [label.get_text() for label in ax.get_yticklabels()] == found.names and ax.get_title() == found.robot
    assert close(ax.images[0].get_array(), np.log10(np.maximum(found.matrix, 1e-17)))


def test_figures_end_at_the_tool():
    for name in ("puma560", "two_arm", "floating"):
        robot = ts.load(name)
        q = states(robot, 1)[0][0]
        ax = ts.plot.stick_figure(robot, q)
        assert close(np.array(ax.lines[-1].get_data_3d())[:, 1], ts.frame_pose(robot, q)[:3, 3])


def test_every_tool_is_drawn_and_nothing_holds_what_floats():
    robot = ts.load("two_arm")
    assert len(robot.tools) == 2
    q = states(robot, 1)[0][0]
    ends = [np.array(line.get_data_3d())[:, 1] for line in ts.plot.stick_figure(robot, q).lines]
    for tool in robot.tools:
        assert any(close(end, ts.frame_pose(robot, q, tool)[:3, 3]) for end in ends), tool
    floating = ts.load("floating")
    q = states(floating, 1)[0][0]
    q[4:7] = 5, 6, 7
    lines = [np.array(line.get_data_3d()) for line in ts.plot.stick_figure(floating, q).lines]
    assert len(lines) == len(floating.link_names) - 1 + len([t for t in floating.tools if t not in floating.link_names])
    assert not any((np.abs(line[:, 0]) < 1e-9).all() for line in lines)  # none comes from the world's origin
    # and where a base stands its first link is held
    moved = ts.load(
        'name = "m"\nconvention = "placement"\n[base]\nposition = [1, 2, 3]\n[[link]]\nname = "a"\njoint = "revolute"\n'
        "placement = { position = [0.5, 0, 0] }\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n"
    )
    line = np.array(ts.plot.stick_figure(moved, [0]).lines[0].get_data_3d())
    assert close(line[:, 0], [1, 2, 3]) and close(line[:, 1], [1.5, 2, 3])


def test_a_part_has_one_look_and_the_legend_names_it(puma):
    q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
    shares = ts.dominance(puma, q, qd, qdd)
    for quantities in (None, ["D11", "D22", "D33"], ["tau1", "tau2", "tau3", "tau4", "tau5", "tau6", "D11"]):
        ax = ts.plot.dominance(shares, quantities)
        look = lambda patch: (patch.get_facecolor(), patch.get_hatch() or "")  # noqa: E731
        legend = ax.get_legend()
        named = {look(patch): text.get_text() for patch, text in zip(legend.get_patches(), legend.get_texts())}
        assert len(named) == len(legend.get_texts())  # no two alike
        ticks = [label.get_text() for label in ax.get_xticklabels()]
        drawn = {}
        for patch in ax.patches:
            quantity = ticks[round(patch.get_x() + patch.get_width() / 2)]
            drawn[quantity, named[look(patch)]] = patch.get_height()
        wanted = {(s.quantity, s.part): s.share for s in shares if s.quantity in ticks and s.share > 0}
        assert drawn.keys() == wanted.keys() and all(abs(drawn[key] - wanted[key]) < 1e-12 for key in wanted)


def test_a_legend_of_dominance_is_inside_the_figure_and_beside_other_axes(puma):
    q, qd, qdd = ts.published_motion("puma560").sample([0.5, 1.0, 1.5])
    shares = ts.dominance(puma, q, qd, qdd)
    every = list(dict.fromkeys(share.quantity for share in shares))
    cases = [
        (None, lambda: None),
        (["D11"], lambda: None),
        (every, lambda: plt.subplots()[1]),
        (None, lambda: plt.subplots(1, 2)[1][0]),
        (None, lambda: plt.subplots(2, 2, layout="constrained")[1][0, 0]),
    ]
    for quantities, make in cases:
        ax = ts.plot.dominance(shares, quantities, ax=make())
        figure, legend = ax.figure, ax.get_legend()
        assert len(legend.get_texts()) == (2 if quantities == ["D11"] else 37 if quantities else 35)
        figure.canvas.draw()
        box, page = legend.get_window_extent(), figure.bbox
        assert box.x0 >= page.x0 and box.y0 >= page.y0 and box.x1 <= page.x1 and box.y1 <= page.y1
        assert not any(box.overlaps(other.get_window_extent()) for other in figure.axes)
        assert ax.get_window_extent().width > 60  # and the bars are seen
        plt.close(figure)


def test_motions_paths_and_runs_are_animated(puma):
    two = ts.load("two_link")
    motion = ts.point_to_point([0, 0], [1, 2], 0.4)
    movie = ts.plot.animate(two, motion, interval=100)
    frames = [[np.array(line.get_data_3d()) for line in movie._func(k)] for k in range(5)]
    assert movie._save_count == 5
    for k, lines in enumerate(frames):
        assert close(lines[1][:, 1], ts.forward_kinematics(two, motion.sample(0.1 * k)[0])[1, :3, 3])
    run = ts.simulate(two, [0, 0], tau=[1, 2], time=0.2)
    start = [0.1, 0.8, -2.6, 0.2, 0.5, 0.3]
    hand = ts.pose_motion([ts.frame_pose(puma, start), ts.frame_pose(puma, [0.2, 0.7, -2.5, 0.2, 0.5, 0.3])], 0.5)
    for robot, thing in ((two, run), (puma, ts.follow_path(puma, hand, 0.05, start=start, limits=False)), (two, [[0, 0], [1, 1]])):
        assert "<script" in ts.plot.animate(robot, thing).to_jshtml()
    named = ts.usual_motion(puma, "puma560")
    assert "<script" in ts.plot.animate(puma, named, interval=1000).to_jshtml()
    assert len(ts.plot.torques(puma, named).lines) == 6
    with pytest.raises(TypeError, match="animate: .* is no motion of the joints"):
        ts.plot.animate(two, object())
    with pytest.raises(TypeError, match="torques: list is no motion of the joints"):
        ts.plot.torques(two, [[0, 0]])
    with pytest.raises(ValueError, match=r"animate: q has shape \(2,\); expected \(rows, 2\), or a motion"):
        ts.plot.animate(two, [0, 0])
    with pytest.raises(ValueError, match="stick_figure: q has shape"):
        ts.plot.stick_figure(two, [[0, 0], [1, 1]])


def test_faults_are_told(puma):
    with pytest.raises(ValueError, match="expected q, qd and qdd too"):
        ts.plot.agreement(puma)
    with pytest.raises(ValueError, match="expected that alone"):
        ts.plot.agreement(ts.agree(puma, states=2), [0] * 6)
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


def test_a_table_of_rows_is_shown_in_its_own_time(tmp_path):
    two, file = ts.load("two_link"), tmp_path / "rows.csv"
    file.write_text("t,q1,q2\n" + "".join(f"{0.01 * k},{0.1 * k * k},{0.2 * k}\n" for k in range(40)))
    table = ts.load_motion_table(two, str(file))
    assert "<script" in ts.plot.animate(two, table, interval=100).to_jshtml()
    assert len(ts.plot.torques(two, table).lines) == 2
    file.write_text("q1,q2,qd1,qd2,qdd1,qdd2\n0,0,0,0,0,0\n1,1,0,0,0,0\n")
    with pytest.raises(ValueError, match="has no times"):
        ts.plot.animate(two, ts.load_motion_table(two, str(file)))


def test_dominance_names_quantities_that_are_not_there(puma):
    shares = ts.dominance(puma, *(0.1 * np.ones((3, 2, 6))))
    with pytest.raises(ValueError, match="no share of 'nonsense'; there are those of "):
        ts.plot.dominance(shares, ["nonsense"])
