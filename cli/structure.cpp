// torsor structure ROBOT: which coefficients of the equations of motion are zero, constant or negligible, and why.
#include "cli/course_argument.hpp"
#include "cli/deliver.hpp"
#include "cli/rate_limits.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/report/structure_result.hpp"

namespace torsor {
namespace {

struct StructureArguments {
  RobotArgument robot;
  StateArguments state;
  CourseArgument course;
  RateLimitArguments rates;
  bool all = false, no_snap = false;
  long long positions = 2000;
  std::optional<std::string> page;
  PrintArguments print;
};

}  // namespace

int structure_verb(Arguments arguments) {
  StructureArguments a;
  Options options(
      "structure",
      "Which coefficients of the equations of motion are zero, constant or negligible, on which joints they "
      "depend, and why: the inertias d_ij, the centrifugal and Coriolis coefficients c_jm(i), gravity G_i.");
  a.robot.add_to(options);
  options.flag("--all", a.all, "every coefficient, with its meaning, its dependence and its size")
      .flag("--no-snap", a.no_snap, "take angles and lengths as typed: 1.5708 is then no right angle")
      .whole("--positions", 1, 1'000'000, a.positions, "how many positions to look at for sizes; default 2000")
      .writes("--html", "FILE", a.page, "a page with heat maps (HTML)");
  options.group("State");
  a.state.add_position_to(options, "of the random primes and positions, default 1985; and of --q random, default 1");
  a.state.add_rates_to(options);
  options.group("Motion");
  a.course.add_to(options, "default none", false);
  options.group("Limits of what is compared over the workspace");
  a.rates.add_to(options);
  options.group("Options");
  a.print.add_to(options);
  options.example("puma560", "what a designer wants to know first")
      .example("scara --all --html scara.html", "every coefficient, and a page")
      .example("puma560 --motion built-in --html puma.html", "along a motion: sizes, and when coefficients pass zero")
      .example("puma560 --q \"0 45 180 0 45 0\" --degrees", "with the coupling of the joints at a position");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  refuse_if(!a.state.q && a.state.degrees && !a.course.motion, "--degrees", "without --q or --motion", errors);
  a.course.degrees = a.state.degrees;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) {
    collect(robot, errors);
    return complain(errors, exit_bad_input);
  }
  refuse_if(!a.state.q && a.state.qd, "--qd", "without --q", errors);
  refuse_if(!a.state.q && a.state.qdd, "--qdd", "without --q", errors);
  StructureView view;
  view.all = a.all;
  if (a.state.q) {
    StateArguments given = a.state;
    if (given.q != "random") given.seed.reset();  // it is that of the primes
    const auto state = read_state(robot->model(), given);
    collect(state, errors);
    if (state) {
      view.state = state->q;
      view.qd = state->qd;
      view.qdd = state->qdd;
    }
  }
  view.limits = read_rate_limits(robot->model(), a.rates, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  StructureOptions wanted;
  wanted.exact.seed = wanted.survey.seed = static_cast<std::uint64_t>(a.state.seed.value_or(1985));
  wanted.survey.positions = static_cast<int>(a.positions);
  wanted.geometry.snap = !a.no_snap;
  const auto answer = analyse_structure(robot->description(), wanted);
  if (!answer) return complain(answer.faults(), exit_impossible);
  const Model<double>& model = answer->robot.model;
  view.sizes = workspace_term_sizes(model, view.limits, wanted.survey.positions, wanted.survey.seed);
  if (a.course.motion) {
    const auto course = read_course(*robot, a.robot.name, a.course);
    if (!course) return complain(course.faults(), exit_bad_input);
    view.motion = MotionView{course->name, motion_survey(model, answer->numbers(), course->course)};
  }

  return deliver(structure_report(*answer, view, a.print), a.page, a.print, [&] {
    return print_result(StructureResult{*answer, view});
  });
}

}  // namespace torsor
