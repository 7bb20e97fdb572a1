// Pages about robots: the reports of the library as HTML. _command.py says which there are.
#include "python/bindings/page.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "python/bindings/errors.hpp"
#include "python/bindings/robot.hpp"
#include "python/bindings/rooms.hpp"
#include "python/bindings/timed_motion.hpp"
#include "python/bindings/tool_path.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/report/followed_report.hpp"
#include "torsor/report/formulations_report.hpp"
#include "torsor/report/guide_report.hpp"
#include "torsor/report/ik_report.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/structure_report.hpp"
#include "torsor/report/torque_report.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;
using Numbers = std::vector<double>;

constexpr const char* page_name = "page";

std::string show_page(const Robot& robot, nb::handle q, nb::handle frame, int digits, bool degrees) {
  const Numbers at = q.is_none() ? posture_of(robot) : vector_of(page_name, "q", q, robot.coordinates().nq);
  const Frame<double> tool = robot.frame(page_name, frame);
  std::optional<Reach> farthest;
  if (!robot.loops()) farthest = reach(robot.model(), tool);
  return html_of(robot_report(robot, tool, farthest, at, style_of(digits, degrees)));
}

std::string formulations_page(const Robot& robot, int states, int digits, bool degrees) {
  if (states < 1) refuse(page_name, "states is " + std::to_string(states) + "; expected 1 or more");
  robot.refuse_massless();
  RobotForms<double> forms = robot.forms();
  Report report{robot.name()};
  const PrintStyle style = style_of(digits, degrees);
  const nb::gil_scoped_release release;
  finish_formulations(report, robot, describe_formulations(report, robot, forms, states, style), true);
  return html_of(report);
}

std::string structure_page(const Robot& robot, nb::handle motion, nb::handle q, nb::handle qd, nb::handle qdd, bool all,
                           int positions, std::uint64_t seed, int steps, int digits, bool degrees) {
  const Model<double>& m = robot.model();
  if (positions < 1) refuse(page_name, "positions is " + std::to_string(positions) + "; expected 1 or more");
  StructureOptions options;
  options.exact.seed = options.survey.seed = seed;
  options.survey.positions = positions;
  StructureView view;
  view.all = all;
  if (!q.is_none()) view.state = vector_of(page_name, "q", q, m.nq);
  if (!qd.is_none()) view.qd = vector_of(page_name, "qd", qd, m.nv);
  if (!qdd.is_none()) view.qdd = vector_of(page_name, "qdd", qdd, m.nv);
  view.limits = usual_rate_limits(m);
  const PrintStyle style = style_of(digits, degrees);
  Visits visits;
  std::optional<Trajectory> along;
  if (!motion.is_none()) along = survey_motion(page_name, m, motion, steps, visits);
  std::optional<Result<StructureAnswer>> found;
  std::string page;
  visits.unlocked([&] {
    found = analyse_structure(robot.description(), options);
    if (!*found) return;
    const StructureAnswer& answer = **found;
    view.sizes = workspace_term_sizes(answer.robot.model, view.limits, positions, seed);
    if (along)
      view.motion =
          MotionView{"a motion", motion_survey(answer.robot.model, answer.numbers(), course_of(*along, steps))};
    page = html_of(structure_report(answer, view, style));
  });
  if (!*found) raise(found->faults());
  return page;
}

std::string guide_page(const Robot& robot, nb::handle motion, bool keep_axes, bool pairs, int steps, int digits,
                       bool degrees) {
  Visits visits;
  const Trajectory along = survey_motion(page_name, robot.model(), motion, steps, visits);
  const PrintStyle style = style_of(digits, degrees);
  std::optional<Result<DesignGuide>> found;
  visits.unlocked([&] {
    found =
        guide(robot.description(), course_of(along, steps), {.structure = {}, .keep_axes = keep_axes, .pairs = pairs});
  });
  const DesignGuide made = value_of(*std::move(found));
  return html_of(guide_report(
      made, {motion.is_none() ? "a sweep through half of every joint's range" : "a motion", false, pairs}, style));
}

std::string torque_page(const Robot& robot, nb::handle motion, std::optional<double> duration, int samples, int digits,
                        bool degrees) {
  if (samples < 1) refuse(page_name, "samples is " + std::to_string(samples) + "; expected 1 or more");
  robot.refuse_massless();
  const PrintStyle style = style_of(digits, degrees);
  Visits visits;
  const Trajectory timed = timed_motion(page_name, robot.model(), motion, duration, nb::none(), visits);
  TorqueReport along(robot.model(), true);
  Report report{robot.name() + ": torques along a motion", ""};
  visits.unlocked([&] {
    Dynamics dynamics(robot, {.questions = Questions::all_but_forward});
    const auto n = static_cast<std::size_t>(robot.model().nv);
    Numbers q(n), qd(n), qdd(n), tau(n);
    for (int k = 0; k <= samples; ++k) {
      const double t = timed.duration() * k / samples;
      timed.sample(t, q, qd, qdd);
      dynamics.inverse(q, qd, qdd, tau);
      along.add(t, {q, qd, qdd, tau});
    }
    along.describe(report, true, style);
    describe_robot(report, robot, style);
  });
  return html_of(report);
}

std::string track_page(const Robot& robot, nb::handle path, std::optional<double> period, nb::handle start,
                       nb::handle frame, bool limits, int digits, bool degrees) {
  robot.refuse_massless();
  const PrintStyle style = style_of(digits, degrees);
  ToolPath asked = tool_path_argument(page_name, path, period);
  const InverseKinematics solver(robot.model(), robot.description(), robot.frame(page_name, frame));
  const Numbers from =
      start.is_none() ? neutral_position(robot.model()) : vector_of(page_name, "start", start, robot.model().nq);
  TorqueReport along(robot.model(), true);
  Report report{robot.name() + ": along " + (asked.name.empty() ? "a path" : asked.name), asked.source};
  Visits visits;
  visits.unlocked([&] {
    asked.at = [&visits, at_time = asked.at](double t) {
      visits.keep_on();
      return at_time(t);
    };
    const FollowedPath followed = solver.follow(asked, from, limits);
    Dynamics dynamics(robot, {.questions = Questions::all_but_forward});
    Numbers tau(static_cast<std::size_t>(robot.model().nv));
    for (const PathSample& sample : followed.samples) {
      dynamics.inverse(sample.q, sample.qd, sample.qdd, tau);
      along.add(sample.t, {sample.q, sample.qd, sample.qdd, tau});
    }
    if (!followed.samples.empty()) along.describe(report, true, style);
    describe_followed(report, solver, asked, followed, style);
    describe_robot(report, robot, style);
  });
  return html_of(report);
}

std::string ik_page(const Robot& robot, nb::handle pose, nb::handle frame, nb::handle start, int digits, bool degrees) {
  const CartesianState goal{pose_of(page_name, "pose", pose)};
  const PrintStyle style = style_of(digits, degrees);
  const InverseKinematics solver(robot.model(), robot.description(), robot.frame(page_name, frame));
  if (solver.closed()) {
    const IkSolutions answer = solver.solve(goal.X, {.outside_limits = true});
    const IkResult result = ik_result(solver, goal, answer, false, false);
    return html_of(closed_ik_report(solver, answer, result, {.figure = true}, style));
  }
  if (start.is_none() && (solver.gives_all() || solver.chooses_redundancy()))
    if (const IkSolutions found = solver.solve(goal.X); !found.empty()) {
      PoseSolutions result = pose_solutions(solver, goal, found, false);
      if (found.redundancy) result.redundant_joint = redundant_joint_name(solver);
      return html_of(solutions_report(solver, found, result, {.figure = true, .redundancy_is_ours = ""}, style));
    }
  const Numbers from =
      start.is_none() ? neutral_position(robot.model()) : vector_of(page_name, "start", start, robot.model().nq);
  const GeneralAnswer answer = solver.descend(goal.X, from);
  return html_of(numeric_ik_report(solver, answer, std::nullopt, pose_solution(answer), true, style));
}

}  // namespace

void bind_pages(nb::module_& m) {
  const auto page = [&m](const char* name, auto function, auto... arguments) {
    m.def((std::string("_page_") + name).c_str(), function, "robot"_a, arguments..., "digits"_a = 6,
          "degrees"_a = false);
  };
  page("show", show_page, "q"_a = nb::none(), "frame"_a = nb::none());
  page("report", formulations_page, "states"_a = 100);
  page("structure", structure_page, "motion"_a = nb::none(), "q"_a = nb::none(), "qd"_a = nb::none(),
       "qdd"_a = nb::none(), "all"_a = false, "positions"_a = 2000, "seed"_a = 1985, "steps"_a = 400);
  page("guide", guide_page, "motion"_a = nb::none(), "keep_axes"_a = false, "pairs"_a = false, "steps"_a = 400);
  page("id", torque_page, "motion"_a, "duration"_a = nb::none(), "samples"_a = 1000);
  page("track", track_page, "path"_a, "period"_a = nb::none(), "start"_a = nb::none(), "frame"_a = nb::none(),
       "limits"_a = true);
  page("ik", ik_page, "pose"_a, "frame"_a = nb::none(), "start"_a = nb::none());
}

}  // namespace torsor::python
