// torsor track ROBOT PATH: from the motion of the tool to the torques of the joints in one command.
#include <fmt/format.h>

#include <iostream>

#include "cli/files.hpp"
#include "cli/motion_source.hpp"
#include "cli/path_scaling.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/row_output.hpp"
#include "cli/tool_arguments.hpp"
#include "cli/track_report.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct TrackArguments {
  RobotArgument robot;
  std::string path;
  std::optional<std::string> variant, output, page, scale;
  SolutionArguments solution;
  SamplingArguments sampling;
  LoadArguments loads;
  LimitArguments limits;
  PrintArguments print;
  bool go_on = false;
};

Faults check_mode(const TrackArguments& a) {
  Faults errors;
  refuse_if(a.path == "-" && a.robot.name == "-", "PATH -", "while the robot is read from standard input, too", errors);
  refuse_if(a.go_on && a.output.value_or("-") == "-", "--continue", "without --output FILE", errors);
  refuse_if(a.page == "-" && (a.print.json || a.output.value_or("-") == "-"), "--html -",
            "while the rows or the JSON answer go to standard output, too", errors);
  return errors;
}

/// Rates are needed for torques; where they are not in the file there is another way.
Faults check_rates(const ToolPath& path) {
  Faults errors;
  const auto fault = [&](std::string what, std::string remedy) {
    errors.push_back({{path.name, 0}, "", "motion-column", std::move(what), std::move(remedy)});
  };
  if (path.derivatives < 2)
    fault("has no velocities and accelerations of the tool",
          "give wx..vz, wdx..az (torsor path writes them); or let torsor ik --path make a joint motion, and torsor id "
          "derive");
  if (!path.timed) fault("has no times", "give a column t");
  return errors;
}

int track(const TrackArguments& a, const Robot& robot, const InverseKinematics& solver, const ToolPath& path,
          const FollowedPath& followed, const std::optional<PathScaling>& scaling, const Model<double>& model,
          const LoadedRobot& loaded) {
  TorqueRun torques(loaded.robot, loaded.loads, a.page.has_value());
  std::vector<std::string> header = torques.header();
  header.insert(header.begin(), "t");
  if (has_undetermined(followed)) header.push_back("undetermined");
  RowOutput output(a.output, a.print.json, header, false, [&](JsonWriter& json) {
    json.field("robot", model.name).field("path", path.name).field("input", a.path).field("tool", solver.tool().name);
  }, {}, a.go_on, a.print.degrees ? &model : nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  std::optional<Fault> impossible;
  run_torques(followed, torques, [&](const std::vector<double>& row) {
    impossible = first_not_finite(row, header);
    return !impossible && output.row(row);
  });
  const bool complete = followed.finished() && !impossible;
  if (!output.finish_rows(complete)) return output.complain_unwritten();

  const std::string why = explanation(followed, model);
  const WorstResidual worst = worst_residual(followed);
  const bool any = !followed.samples.empty();
  const RowJumps jumps = jumps_along(followed, path, model);
  if (a.page) {
    Report report{fmt::format("{}: along {}", model.name, path.name), path.source, "Made by torsor track."};
    if (!loaded.sentences.empty()) report.subtitle += fmt::format(" {}", fmt::join(loaded.sentences, "; "));
    report.subtitle += scaling_text(scaling);
    if (any) torques.describe(report, true, a.print);
    describe_followed(report, solver, path, followed, a.print);
    describe_robot(report, robot, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.print.json) {
    JsonWriter& json = output.begin_summary(a.output, a.page);
    json.field("row_count", followed.samples.size()).field("solver", solver.closed() ? "closed form" : "general");
    if (followed.closed_form && any) json.field("branch", label_text(followed.samples.front().label));
    if (scaling) scaling_fields(json, *scaling);
    json.field("stop", stop_name(followed.stop)).field("stop_time", followed.stop_time).field("explanation", why);
    json.field("worst_position_residual", worst.position).field("worst_angle_residual", worst.angle);
    json.field("nearest_singularity", nearest_singularity(followed));
    field(json, "undetermined_rates", undetermined_rates(followed));
    if (any) write_fields(json, torques.summary(true, a.print.degrees));
    jump_fields(json, jumps, model);
    json.field("complete", complete).end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
  } else if (!output.is_standard()) {
    std::cout << fmt::format("{} along {}: {} rows{}\n", model.name, path.name, followed.samples.size(),
                             output.arrow());
    if (scaling) std::cout << fmt::format("scaled: {}\n", scaling->sentence);
    std::cout << fmt::format("{}; worst residual {} m, {} rad\n", why, format_number(worst.position, 2),
                             format_number(worst.angle, 2));
    if (any && followed.closed_form)
      std::cout << fmt::format("branch {}\n", label_text(followed.samples.front().label));
    if (any) std::cout << fmt::format("nearest to singular: {}\n", nearest_singularity(followed));
    if (any)
      for (const TextTable& table : torques.tables(true, a.print)) std::cout << '\n' << to_text(table);
    say_page(a.page);
    if (const int code = finish_standard_output(); code != exit_done) return code;
  } else {
    say_page_beside(a.page);
  }
  for (const std::string& sentence : undetermined_rates(followed)) note(sentence);
  const int limits = finish_motion(a.limits, torques.limits(), jumps, InstantsBy::time, exit_done);
  if (impossible) return complain({*impossible}, exit_impossible);
  if (followed.finished()) return limits;
  return complain({{{path.name, 0}, "", "path-stop", why, "another branch, start or path may do"}}, exit_impossible);
}

}  // namespace

int track_verb(Arguments arguments) {
  TrackArguments a;
  Options options(
      "track",
      "From a path of the tool to torques in one command: joints, velocities and accelerations along one branch "
      "of inverse kinematics, then inverse dynamics. Where the path cannot be followed it stops, with the time "
      "and the reason; what was followed is written.");
  a.robot.add_to(options, ToolMeans::frame);
  options.positional(
      "PATH", a.path,
      "of the tool: a motion file (docs/motion-file.md), a CSV file as torsor path and torsor fk --rates write "
      "it, or a published motion: sixr_angeles, sixr_sim");
  a.solution.add_to(options, true);
  options.text("--variant", "NAME", a.variant, "of a published motion: how what it leaves open is read")
      .text("--scale", "LIMITS", a.scale,
            "\"velocity\", \"effort\" or both: the whole time is stretched or shrunk by one factor until these limits "
            "of the robot "
            "file are just "
            "kept; a motion file has [scale]");
  a.sampling.add_to(options);
  options.writes("-o,--output", "FILE", a.output, "CSV of t, q, qd, qdd, tau; default - (standard output)");
  add_continue_to(options, a.go_on);
  options.writes("--html", "FILE", a.page,
            "a page: torques, joint curves of every branch, distance to singular positions, limits, residual");
  a.loads.add_to(options);
  a.limits.add_to(options);
  a.print.add_to(options);
  options
      .example("sixr_angeles sixr_angeles -o torques.csv --html torques.html",
               "figures 6 to 8 of Angeles, Ma & Rojas 1989")
      .example("puma560 line.toml --branch \"+ - +\" -o torques.csv", "a line of your own")
      .example("puma560 line.toml --scale effort -o torques.csv", "by one factor until a torque limit is reached")
      .example("puma560 tool.csv --payload 2.5 --json", "a path made elsewhere, with a load at the tool");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.limits.degrees = a.solution.near.degrees;
  Faults errors = check_mode(a);
  for (const Fault& error : check_loads(a.loads)) errors.push_back(error);
  auto choice = collected(read_solution(a.solution), errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  const auto read = read_robot(a.robot, RobotUse::dynamics);
  if (!read) return complain(read.faults(), exit_bad_input);
  const Robot arm = chain_of_tool(*read, a.robot.chain, Followers::carry);
  const Robot* const robot = &arm;
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  const auto near = read_near(a.solution, robot->model());
  collect(near, errors);
  auto path = read_tool_path(a.path, a.variant, a.sampling, robot->model(), a.solution.near.degrees);
  collect(path, errors);
  if (path)
    for (const Fault& error : check_rates(*path)) errors.push_back(error);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  for (const std::string& sentence : path->notes) note(sentence);

  choice->wanted.near = *near;
  const InverseKinematics solver(robot->model(), robot->description(), *tool, choice->task);
  errors = check_solution(a.solution, *choice, solver);
  const auto wanted = wanted_scaling(a.scale, *path, robot->model());
  collect(wanted, errors);
  if (!errors.empty()) return complain_of_request(errors);
  const auto start = read_start(solver, *path, *choice);
  if (!start) return complain(start.faults(), exit_impossible);
  const LoadedRobot loaded = apply_loads(a.loads, *tool, *robot);
  const Model<double>& model = loaded.robot.model();
  std::optional<PathScaling> scaling;
  if (const auto code = scale_to_limits(*wanted, solver, *start, model, loaded.loads, a.path, *path, scaling))
    return *code;
  if (scaling && !scaling->warning.empty()) note(scaling->warning);
  return track(a, *robot, solver, *path, solver.follow(*path, *start), scaling, model, loaded);
}

}  // namespace torsor
