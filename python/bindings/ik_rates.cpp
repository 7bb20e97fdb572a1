// From the motion of the tool to the joints' in Python: rates and accelerations at a position, and on to torques in one go.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "python/bindings/answer.hpp"
#include "python/bindings/errors.hpp"
#include "python/bindings/formulations.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/row_call.hpp"
#include "python/bindings/signature.hpp"
#include "torsor/numeric_ik/frame_rates.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

Motion<double> motion_of(std::span<const double> row) {
  if (row.empty()) return {};
  return {{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
}

nb::object solve_rates(const Robot& robot, nb::handle q, nb::handle twist, nb::handle acceleration, nb::handle frame,
                       int threads) {
  RowCall call("solve_rates", threads);
  const Frame<double> at = robot.frame(call.function(), frame);
  const int nv = robot.model().nv;
  call.take("q", q, robot.model().nq)
      .take("twist", twist, 6)
      .take("acceleration", acceleration, 6, Need::optional)
      .settle();
  call.expect_states_of(&robot.model());
  call.give_all(nb::none(), {{nv}, {nv}, {}, {6}, {}});
  call.share([&](std::int64_t first, std::int64_t count) {
    FrameRates rates(robot.model(), at);
    for (std::int64_t k = first; k < first + count; ++k) {
      if (!call.finite(k)) continue;  // it is left out
      const std::span<const double> q_k = call.row(0, k);
      const CartesianState state{rates.pose(q_k), motion_of(call.row(1, k)), motion_of(call.row(2, k))};
      const RateAnswer found = rates.solve(q_k, state, {}, call.answer(0, k), call.answer(1, k));
      const Motion<double> followed = rates.twist(), missed{state.twist.w - followed.w, state.twist.v - followed.v};
      call.answer(2, k)[0] = found.lost;
      std::ranges::copy(std::array{missed.w.x, missed.w.y, missed.w.z, missed.v.x, missed.v.y, missed.v.z},
                        call.answer(3, k).begin());
      call.answer(4, k)[0] = found.smallest_singular_value;
    }
  });
  for (std::int64_t k = 0; k < call.states(); ++k)
    if (std::isnan(call.answer(2, k)[0])) call.answer(2, k)[0] = 0;  // a count, which has no NaN
  nb::list parts(call.result());
  parts[2] = parts[2].attr("astype")("int64");
  return nb::module_::import_("torsor._answers").attr("JointRates").attr("_make")(parts);
}

/// The arm as a path from tool to torques sees it, and a row of the catalogue prepared for it.
struct ToolWork {
  ToolDrivenRobot<double> robot;
  ToolRun<double> run;
};

const ToolFormulation<double>& tool_formulation(const char* f, nb::handle given, const ToolDrivenRobot<double>& robot) {
  const auto rows = tool_formulations<double>();
  if (given.is_none()) {
    for (const auto& row : rows)
      if (row.premise(robot).empty()) return row;
    refuse(f, "no formulation serves this robot");
  }
  const std::string name = formulation_name(f, given);
  for (const auto& row : rows) {
    if (row.name != name) continue;
    if (const std::string reason = row.premise(robot); !reason.empty())
      refuse(f, "formulation \"" + name + "\" does not serve this robot: " + reason);
    return row;
  }
  refuse_name(f, name, rows);
}

nb::object tool_torques(const Robot& robot, nb::handle pose, nb::handle twist, nb::handle acceleration,
                        const std::vector<int>& branch, nb::handle formulation, nb::handle out, int threads) {
  RowCall call("tool_torques", threads);
  robot.expect_tree();
  if (branch.size() != 3 && branch.size() != 4)
    refuse(call.function(),
           "branch has " + std::to_string(branch.size()) + " entries; expected signs of shoulder, elbow and wrist");
  const BranchLabel label{branch[0], branch[1], branch[2], branch.size() == 4 ? branch[3] : 0};
  const ToolDrivenRobot<double> arm = value_of(tool_driven_robot(robot.description()));
  const ToolFormulation<double>& row = tool_formulation(call.function(), formulation, arm);
  call.take("pose", pose, {4, 4}).take("twist", twist, 6, Need::optional);
  call.take("acceleration", acceleration, 6, Need::optional).settle();
  call.refuse_one_not_finite();
  call.give_all(out, {{6}, {6}, {6}, {6}});
  call.share([&](std::int64_t first, std::int64_t count) {
    const auto work = robot.work<ToolWork>(&row, [&] {
      auto made = std::make_unique<ToolWork>(ToolWork{arm, {}});
      made->run = row.prepare(made->robot);
      return made;
    });
    ToolTorques<double> found;
    for (std::int64_t k = first; k < first + count; ++k) {
      const std::span<const double> m = call.row(0, k);
      const Transform<double> X{{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}, {m[3], m[7], m[11]}};
      const Motion<double> V = motion_of(call.row(1, k)), A = motion_of(call.row(2, k));
      const bool has = call.finite(k) && is_frame(X.R) &&
                       work->run(end_effector_motion(work->robot, {X, V.w, V.v, A.w, A.v}), label, found);
      const std::array parts{&found.q, &found.qd, &found.qdd, &found.tau};
      for (std::size_t part = 0; part < parts.size(); ++part) {
        const auto to = call.answer(static_cast<int>(part), k);
        if (has)
          std::ranges::copy(*parts[part], to.begin());
        else
          std::ranges::fill(to, std::nan(""));
      }
    }
  });
  return nb::module_::import_("torsor._answers").attr("ToolTorques").attr("_make")(call.result());
}

}  // namespace

void bind_ik_rates(nb::module_& m) {
  m.def(
      "solve_rates", solve_rates, "robot"_a, "q"_a.none(), "twist"_a.none(), "acceleration"_a = nb::none(),
      "frame"_a = nb::none(), "threads"_a = 0,
      nb::sig("def solve_rates(robot: Robot, q: " TORSOR_STATE ", twist: " TORSOR_STATE
              ", acceleration: " TORSOR_OPTIONAL_STATE
              ", frame: str | None = None, threads: int = 0) -> torsor._answers.JointRates"),
      R"(How the joints move at q while a frame moves as given: velocities and accelerations, the shortest where there is a choice.

q: (..., nq); twist and acceleration (..., 6): angular before linear, of the frame's origin, in the world; without an
acceleration the frame's velocity is constant. frame: a tool or link, by default the tool. Any robot. Answer: a named
tuple with qd, qdd (..., nv), and how many directions are lost at a singular position; what is lost of the twist is missed.

>>> import torsor as ts
>>> robot, q = ts.load("puma560"), [0.1, 0.8, -2.6, 0.2, 0.5, 0.3]
>>> rates = ts.solve_rates(robot, q, twist=[0, 0, 0, 0.1, 0, 0])
>>> (ts.jacobian(robot, q) @ rates.qd).round(9) + 0.0
array([0. , 0. , 0. , 0.1, 0. , 0. ])
)");
  m.def(
      "tool_torques", tool_torques, "robot"_a, "pose"_a.none(), "twist"_a = nb::none(), "acceleration"_a = nb::none(),
      "branch"_a = nb::make_tuple(1, 1, 1), "formulation"_a = nb::none(), "out"_a = nb::none(), "threads"_a = 0,
      nb::sig("def tool_torques(robot: Robot, pose: " TORSOR_STATE ", twist: " TORSOR_OPTIONAL_STATE
              ", acceleration: " TORSOR_OPTIONAL_STATE
              ", branch: collections.abc.Sequence[int] = (1, 1, 1), formulation: str | None = None, out: " TORSOR_TUPLE4
              " | None = None, threads: int = 0) -> torsor._answers.ToolTorques"),
      R"(From the motion of the tool to joint torques in one go, for six-axis arms with a spherical wrist: inverse kinematics fused
with dynamics (Hollerbach & Sahar 1983).

pose (..., 4, 4), twist and acceleration (..., 6: angular before linear) of the default tool in the world, None for zeros.
branch: signs of shoulder, elbow and wrist (and the number of the root, where an arm has those). formulation: a name of
formulations("tool"), by default the first that serves the robot. Answer: a named tuple q, qd, qdd, tau (..., 6), friction
apart, not a number where the branch has no such pose, is singular there, or it is no pose at all.

>>> import torsor as ts
>>> robot = ts.load("puma560")
>>> motion = ts.pose_motion([ts.frame_pose(robot, q) for q in ([0.1, 0.8, -2.6, 0.2, 0.5, 0.3], [0.2, 0.7, -2.5, 0.2, 0.5, 0.3])], 1.0)
>>> pose, twist, acceleration = motion.sample(0.3)
>>> moved = ts.tool_torques(robot, pose, twist, acceleration)
>>> bool(abs(ts.inverse_dynamics(robot, moved.q, moved.qd, moved.qdd) - moved.tau).max() < 1e-9)
True
)");
}

}  // namespace torsor::python
