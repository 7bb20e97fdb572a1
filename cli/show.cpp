// torsor show ROBOT: what a robot file says, as the algorithms understand it.
#include <sstream>

#include "cli/deliver.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_result.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/report/stick_figure.hpp"

namespace torsor {
namespace {

/// Numbers that follow from the file and are not finite. All that is shown is in the answer as JSON, which remembers
/// them.
Faults not_finite_in(const RobotResult& shown) {
  std::ostringstream nowhere;
  JsonWriter json(nowhere);
  write_json(json, shown);
  Faults errors;
  for (const std::string& sentence : json.first_non_finite())
    errors.push_back({{shown.robot.description().file, 0},
                      "",
                      "not-finite",
                      sentence,
                      "numbers of the robot are too large or too small"});
  return errors;
}

/// Where it is drawn: where --q says, or so that it can be seen.
Result<std::vector<double>> figure_position(const Robot& robot, const StateArguments& where) {
  if (!where.q && !where.seed) return posture_of(robot);
  const auto state = read_state(robot, where);
  if (!state) return state.faults();
  return state->q;
}

// nothing, or the exit code with the fault printed
std::optional<int> draw(const Robot& robot, std::span<const double> tree_q, const std::string& path) {
  OutputFile file(path);
  if (file.faults().empty()) write_stick_figure(robot.tree(), tree_q, file.stream(), robot.loops().get());
  if (file.finish()) return std::nullopt;
  return complain(file.faults(), exit_not_written);
}

}  // namespace

int show_verb(Arguments arguments) {
  RobotArgument argument;
  PrintArguments print;
  StateArguments where;
  std::optional<std::string> html, svg;
  Options options("show", "A robot: kinematic tree, limits, DH table, masses and inertias, drives, friction, reach.");
  argument.add_to(options, ToolMeans::frame);
  options.writes("--html", "FILE", html, "write it as a page, too; - for standard output alone")
      .writes("--svg", "FILE", svg, "draw it as a stick figure, too; - for standard output alone");
  print.add_to(options);
  options.group("Figure");
  where.add_position_to(options);
  options.example("puma560", "a built-in robot")
      .example("my_arm.toml --html my_arm.html", "a robot file, on the screen and as a page")
      .example("puma560 --svg puma560.svg --q \"20 45 -120 0 30 0\" --degrees", "its figure at a position");
  if (const auto code = options.parse(arguments)) return *code;

  Faults misplaced;
  print.degrees = where.degrees;
  for (const std::string& name : where.given())
    refuse_if(!svg && !html && name != "--degrees", name, "without --svg or --html", misplaced);
  refuse_if(html == "-" && svg == "-", "--svg -", "while the page goes to standard output, too", misplaced);
  refuse_if(html == "-" && print.json, "--json", "while the page goes to standard output, too", misplaced);
  refuse_if(svg == "-" && print.json, "--json", "while the figure goes to standard output, too", misplaced);
  if (!misplaced.empty()) return complain(misplaced, exit_bad_input);
  argument.loops = true;
  const auto robot = read_robot(argument);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto position = html || svg ? figure_position(*robot, where) : std::vector<double>{};
  const auto tool = find_tool(*robot, argument.chain.tool);
  Faults errors = position.faults();
  collect(tool, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  std::vector<double> tree_q = position ? *position : std::vector<double>{};
  if (robot->loops() && (html || svg)) {
    LoopMap map(robot->tree(), robot->loops());
    if (const LoopStatus status = map.place(*position); !status)
      return complain({loop_fault(*robot, status)}, exit_impossible);
    tree_q.assign(map.q().begin(), map.q().end());
  }
  if (svg)
    if (const auto code = draw(*robot, tree_q, *svg)) return *code;
  if (svg == "-" && !html) return exit_done;
  std::optional<Reach> farthest;
  if (!robot->loops()) farthest = reach(robot->model(), *tool);
  const auto answer = [&](bool degrees) {
    return farthest ? robot_result(*robot, *tool, *farthest, degrees) : RobotResult{*robot, degrees};
  };
  if (errors = not_finite_in(answer(false)); !errors.empty()) return complain(errors, exit_impossible);
  std::optional<std::span<const double>> figure_at;
  if (html) figure_at = *position;
  Report report = robot_report(*robot, *tool, farthest, figure_at, print);
  if (html)
    if (const auto code = write_page(report, *html)) return *code;
  if (html == "-" || svg == "-") return exit_done;
  if (print.json) return print_result(answer(print.degrees));
  if (html) report.sections.pop_front();  // a picture is for the page
  print_report(report, std::cout);
  say_page(html);
  return finish_standard_output();
}

}  // namespace torsor
