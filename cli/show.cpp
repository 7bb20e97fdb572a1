// torsor show ROBOT: what a robot file says, as the algorithms understand it.
#include <sstream>

#include "cli/deliver.hpp"
#include "cli/robot_argument.hpp"
#include "cli/state_arguments.hpp"
#include "torsor/report/robot_result.hpp"
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

/// What is to be seen of a robot with loops: its links and how they move, no reach and no figure.
int show_loops(const Robot& robot, const RobotArgument& argument, const PrintArguments& print) {
  const auto tool = find_tool(robot, argument.chain.tool);
  if (!tool) return complain(tool.faults(), exit_bad_input);
  if (const Faults errors = not_finite_in({robot}); !errors.empty()) return complain(errors, exit_impossible);
  if (print.json) return print_result(RobotResult{robot, print.degrees});
  Report report{robot.name(), ""};
  describe_robot(report, robot, print);
  print_report(report, std::cout);
  return finish_standard_output();
}

// nothing, or the exit code with the fault printed
std::optional<int> draw(const Model<double>& model, const State& state, const std::string& path) {
  OutputFile file(path);
  if (file.faults().empty()) write_stick_figure(model, state.q, file.stream());
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
  if (robot->loops()) {
    refuse_if(html.has_value(), "--html", "of a robot with loops: its figure is not drawn yet", misplaced);
    refuse_if(svg.has_value(), "--svg", "of a robot with loops: its figure is not drawn yet", misplaced);
    if (!misplaced.empty()) return complain(misplaced, exit_bad_input);
    return show_loops(*robot, argument, print);
  }
  if (!where.q) where.q = "zero";
  const auto state = read_state(robot->model(), where);
  const auto tool = find_tool(*robot, argument.chain.tool);
  Faults errors = state.faults();
  collect(tool, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);

  if (svg)
    if (const auto code = draw(robot->model(), *state, *svg)) return *code;
  if (svg == "-" && !html) return exit_done;
  const Reach farthest = reach(robot->model(), *tool);
  if (errors = not_finite_in(robot_result(*robot, *tool, farthest, false)); !errors.empty())
    return complain(errors, exit_impossible);
  std::optional<std::span<const double>> figure_at;
  if (html) figure_at = state->q;
  Report report = robot_report(*robot, *tool, farthest, figure_at, print);
  if (html)
    if (const auto code = write_page(report, *html)) return *code;
  if (html == "-" || svg == "-") return exit_done;
  if (print.json) return print_result(robot_result(*robot, *tool, farthest, print.degrees));
  if (html) report.sections.pop_front();  // a picture is for the page
  print_report(report, std::cout);
  say_page(html);
  return finish_standard_output();
}

}  // namespace torsor
