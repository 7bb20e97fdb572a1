// torsor report ROBOT: everything about a robot's inverse dynamics on one page: the robot, its DH tables, torques along a
// motion, the agreement of all formulations, their operation counts beside the literature's, their times.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/torque_run.hpp"
#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "cli/quoted_report.hpp"
#include "cli/scaling.hpp"
#include "cli/tool_arguments.hpp"
#include "cli/track_report.hpp"
#include "torsor/report/formulations_report.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/published_path.hpp"

namespace torsor {
namespace {

struct ReportArguments {
  RobotArgument robot;
  MotionArguments motion;
  bool example = false, quick = false;
  std::optional<std::string> page;
  long long states = 100;
  PrintArguments print;
};

/// Torques while the tool goes along the path that was published for the robot.
int add_published_path(Report& report, const ReportArguments& a, const Robot& robot) {
  SamplingArguments sampling;
  sampling.step = std::vector<double>{0.01};
  auto path = read_tool_path(a.robot.name, std::nullopt, sampling, robot.model(), false);
  if (!path) return complain(path.faults(), exit_bad_input);
  const InverseKinematics solver(robot.model(), robot.description(), robot.model().frames.back());
  const auto start = read_start(solver, *path);
  if (!start) return complain(start.faults(), exit_impossible);
  const FollowedPath followed = solver.follow(*path, *start);
  TorqueRun torques(robot, {}, true);
  run_torques(followed, torques, [](const std::vector<double>&) { return true; });
  report.subtitle = fmt::format("along the path of {}", path->source);
  torques.describe(report, true, a.print);
  describe_followed(report, solver, *path, followed, a.print);
  return followed.finished() ? exit_done : exit_impossible;
}

/// Torques along a file, or along the motion that was published for the robot.
int add_motion(Report& report, const ReportArguments& a, const Robot& robot) {
  TorqueRun torques(robot, {}, true);
  if (a.example && published_path(a.robot.name)) return add_published_path(report, a, robot);
  if (a.example) {
    const PublishedMotion& published = *published_motion(a.robot.name);
    std::vector<double> results;
    sample_motion(published.make(), 0.02, [&](const MotionRow& row) {
      results.clear();
      torques.add(row, row.t, results);
    });
    report.subtitle = fmt::format("along the motion of {}", published.source);
    torques.describe(report, true, a.print);
    return exit_done;
  }
  MotionJob job = torques.job(a.motion);
  job.discard = true;
  const MotionOutcome outcome = run(job);
  if (outcome.rows == 0) return outcome.exit_code;
  report.subtitle = fmt::format("along {}", *a.motion.input);
  torques.describe(report, torques.has_time(), a.print);
  if (outcome.derived) report.sections.front().text(derivation_sentence(outcome.derived));
  if (outcome.exit_code != exit_done)
    report.sections.front().text("The motion ended early: its file has faults.", Tone::bad);
  return outcome.exit_code;
}

}  // namespace

int report_verb(Arguments arguments) {
  ReportArguments a;
  Options options("report",
                  "One self-contained page about a robot: its tables, torques along a motion, the agreement of all "
                  "formulations of its inverse dynamics, their operation counts beside those of the literature, and "
                  "the time each takes.");
  a.robot.add_to(options);
  options.writes("--html", "FILE", a.page, "the page; default ROBOT-report.html in the current folder");
  a.motion.add_to(options, "--motion", "t, q1.. (or joint names), qd1.., qdd1..; qd and qdd may be left out", true,
                  false);
  options.flag("--degrees", a.motion.degrees, "angles of the file whose columns name no unit are in degrees");
  options.flag(
      "--example", a.example,
      "along the motion that its publication prescribes, where there is one: stanford, sixr_angeles, sixr_sim");
  options.group("How much");
  options.whole("--states", 1, 1000000, a.states, "random states for the agreement; default 100");
  options.flag("--quick", a.quick, "times taken in a fifth of the time, without their growth with the number of joints");
  a.print.add_to(options);
  options.example("puma560", "writes puma560-report.html")
      .example("stanford --example", "figures 4 and 5 of Angeles, Ma & Rojas 1989")
      .example("sixr_angeles --example", "figures 6 to 8 of the same; sixr_sim: figures 6 and 7 of Sim, Yoo & Lee 1985")
      .example("arm.urdf --motion motion.csv --html arm.html", "your robot, your motion");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(!a.motion.input && a.motion.cutoff, "--cutoff", "without --motion", errors);
  refuse_if(a.motion.input == "-" && a.robot.name == "-", "--motion -",
            "while the robot is read from standard input, too", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  collect(read_cutoff(a.motion.cutoff), errors);
  refuse_if(a.example && a.motion.input, "--example", "with --motion", errors);
  if (a.example && !published_motion(a.robot.name) && !published_path(a.robot.name))
    errors.push_back({{}, "--example", "option-value", fmt::format("no motion is published for \"{}\"", a.robot.name),
                      "there is one for stanford, sixr_angeles and sixr_sim"});
  const std::string page = a.page.value_or(a.robot.name == "-" ? "robot-report.html"
                                                               : std::filesystem::path(a.robot.name).stem().string() +
                                                                     "-report.html");
  if (!a.page)
    for (const Fault& error : options.also_writes(page)) errors.push_back(error);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (errors = check_writable(page); !errors.empty()) return complain(errors, exit_not_written);

  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  auto forms = robot_forms(robot->description());
  if (!forms) return complain(forms.faults(), exit_impossible);

  Report report{robot->model().name, "", "Made by torsor report."};
  int code = exit_done;
  if (a.example || a.motion.input) code = add_motion(report, a, *robot);
  if (code != exit_done && report.sections.empty()) return code;
  const double worst = describe_formulations(report, *robot, *forms, static_cast<int>(a.states), a.print);
  const bool counted = std::ranges::all_of(forms->model.bodies, [](const Body<double>& body) { return body.nv <= 1; });
  for (QuotedSheet& sheet : counted ? quoted_report() : std::vector<QuotedSheet>()) {
    report.sections.back().table(std::move(sheet.table));
    for (const std::string& remark : sheet.remarks) report.sections.back().text(remark);
  }
  ReportSection& times = report.section("Time");
  times.text("Of the machine and the moment of this report: compare within the table.");
  times.table(timing_table(time_formulations(*forms, a.quick ? 0.01 : 0.05)));
  if (!a.quick) {
    const Scaling scaling = measure_scaling(60, 0.01, 0.05);
    times.figure(scaling_plot(scaling)).table(scaling_table(scaling));
  }

  finish_formulations(report, *robot, worst, !a.example && !a.motion.input);
  if (const auto failed = write_page(report, page)) return *failed;
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", robot->model().name).field("html", page).end_object();
    return finish_json(json);
  }
  say_page(page);
  return code != exit_done ? code : finish_standard_output();
}

}  // namespace torsor
