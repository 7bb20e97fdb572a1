// torsor report ROBOT: everything about a robot's inverse dynamics on one page: the robot, its DH tables, torques along a
// motion, the agreement of all formulations, their operation counts beside the literature's, their times.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/torque_run.hpp"
#include "cli/files.hpp"
#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "cli/quoted_report.hpp"
#include "cli/robot_summary.hpp"
#include "cli/scaling.hpp"
#include "cli/tool_arguments.hpp"
#include "cli/track_report.hpp"
#include "torsor/formulations/operation_census.hpp"
#include "torsor/formulations/certificate.hpp"
#include "torsor/files/dh_table.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/report/robot_view.hpp"
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
  const auto path = read_tool_path(a.robot.name, std::nullopt, sampling, robot.model(), false);
  if (!path) return complain(path.faults(), exit_bad_input);
  const InverseKinematics solver(robot.model(), robot.description(), robot.model().frames.back());
  const auto start = read_start(solver, *path);
  if (!start) return complain(start.faults(), exit_impossible);
  const FollowedPath followed = solver.follow(*path, *start);
  TorqueRun torques(robot.model(), {}, true);
  run_torques(followed, torques, [](const std::vector<double>&) { return true; });
  report.subtitle = fmt::format("along the path of {}", path->source);
  torques.describe(report, true, a.print);
  describe_followed(report, solver, *path, followed);
  return followed.finished() ? exit_done : exit_impossible;
}

/// Torques along a file, or along the motion that was published for the robot.
int add_motion(Report& report, const ReportArguments& a, const Robot& robot) {
  TorqueRun torques(robot.model(), {}, true);
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
  if (outcome.derived) report.sections.front().text(derivation_sentence(outcome));
  if (outcome.exit_code != exit_done)
    report.sections.front().text("The motion ended early: its file has faults.", Tone::bad);
  return outcome.exit_code;
}

/// The table in the conventions that the file is not written in.
void add_dh_tables(Report& report, const Robot& robot) {
  ReportSection& section = report.section("DH tables in other conventions");
  for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
    const auto converted = to_dh(robot.description(), convention);
    if (!converted) {
      section.text(fmt::format("There is none: {}: {}.", converted.faults()[0].offender, converted.faults()[0].what));
      return;
    }
    if (convention == robot.description().convention) continue;
    if (auto table = dh_table(converted->description, 6)) section.table(std::move(*table));
    for (const DhEnd& end : dh_ends(converted->description, robot.description().base)) section.text(to_text(end, 6));
    for (const Snap& snap : converted->snaps)
      section.text(fmt::format("Taken as exact: {} (off by {}).", snap.what, format_number(snap.residual, 3)));
  }
}

/// The worst disagreement of any two.
double add_agreement(Report& report, const Agreement& agreement) {
  const std::size_t count = agreement.inverse.size();
  double worst = 0;
  HeatMap map{"disagreement of each pair, as a power of ten",
              fmt::format("max |dtau| / max (|D qdd| + |h| + |g|) over {} random states; "
                          "a pair that agrees to the last digit is shown as -17",
                          agreement.states),
              "", {}, {}, {}, 3};
  for (std::size_t i = 0; i < count; ++i) {
    map.rows.emplace_back(agreement.inverse[i].name);
    map.columns.emplace_back(agreement.inverse[i].name);
    map.values.emplace_back();
    for (std::size_t j = 0; j < count; ++j) {
      const double measure = i == j ? 0 : agreement.pair(std::min(i, j), std::max(i, j)).measure;
      worst = std::max(worst, measure);
      map.values.back().push_back(std::log10(std::max(measure, 1e-17)));
    }
  }
  ReportSection& section = report.section("Agreement");
  report.highlights.push_back({"formulations", std::to_string(count), "", "run on this robot", Tone::plain});
  report.highlights.push_back({"worst disagreement", format_number(worst, 2), "", "between any two of them",
                               worst < 1e-12 ? Tone::good : Tone::bad});
  section.figure(std::move(map));
  TextTable rows{"formulations of inverse dynamics", {{"name"}, {"source"}, {"frames"}, {"order"}, {"worst"}}, {}};
  for (const CertifiedRow& row : agreement.inverse)
    rows.add({std::string(row.name), std::string(row.source), std::string(frames_name(row.frames)),
              std::string(row.complexity), row.worst.measure});
  section.table(std::move(rows));
  TextTable others{"the other questions, held against the tree", {{"question"}, {"name"}, {"source"}, {"worst"}}, {}};
  for (const CertifiedRow& row : agreement.others)
    others.add({std::string(question_name(row.question)), std::string(row.name), std::string(row.source),
                row.worst.measure});
  section.table(std::move(others));
  TextTable refused{"not for this robot", {{"question"}, {"name"}, {"because"}}, {}};
  for (const CertifiedRow& row : agreement.refused)
    refused.add({std::string(question_name(row.question)), std::string(row.name), row.refused});
  if (!refused.rows.empty()) section.table(std::move(refused));
  return worst;
}

void add_counts(Report& report, const Description& robot, const RobotForms<double>& typed) {
  // zeros and quarter turns are what saves operations: of the robot that the numbers stand for
  const RobotForms<double> forms = *robot_forms(robot, GeometryTolerance{});
  const auto cell = [](int x) { return TextTable::Cell(static_cast<long long>(x)); };
  TextTable table{"multiplications and additions per call on this robot",
                  {{"formulation"}, {"dense *"}, {"+"}, {"structured *"}, {"+"}, {"live *"}, {"+"}, {"order"}},
                  {}};
  for (const CensusRow& row : operation_census(forms)) {
    if (!row.refusal.empty()) continue;
    const OperationCount &d = row.dense.all, &s = row.structured.all, &l = row.structured.live;
    table.add({row.name, cell(d.multiplications), cell(d.additions), cell(s.multiplications), cell(s.additions),
               cell(l.multiplications), cell(l.additions), row.complexity});
  }
  ReportSection& section = report.section("Operation counts");
  section.table(std::move(table));
  for (const Snap& snap : forms.snaps)
    section.text(fmt::format("Taken as exact for the count: {} (off by {}).", snap.what, format_number(snap.residual, 3)));
  if (!forms.snaps.empty())
    section.text(fmt::format("The {}.", effect_sentence(compare_torques(typed.model, forms.model))));
  section.text(
      "Counted from a recording of each algorithm. Dense: zeros and ones inside run-time arithmetic are not exploited; "
      "structured: they are; live: without what no torque depends on.");
  for (QuotedSheet& sheet : quoted_report()) {
    section.table(std::move(sheet.table));
    for (const std::string& remark : sheet.remarks) section.text(remark);
  }
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
  a.motion.add_to(options, "--motion", "t, q1.. (or joint names), qd1.., qdd1..; qd and qdd may be left out", true, false);
  options.flag("--degrees", a.motion.degrees, "angles of the file whose columns name no unit are in degrees");
  options.flag("--example", a.example, "along the motion that its publication prescribes, where there is one: stanford, sixr_angeles, sixr_sim");
  options.group("How much");
  options.whole("--states", 1, 1000000, a.states, "random states for the agreement; default 100");
  options.flag("--quick", a.quick, "without the growth of times with the number of joints");
  a.print.add_to(options);
  options.example("puma560", "writes puma560-report.html")
      .example("stanford --example", "figures 4 and 5 of Angeles, Ma & Rojas 1989")
      .example("sixr_angeles --example", "figures 6 to 8 of the same; sixr_sim: figures 6 and 7 of Sim, Yoo & Lee 1985")
      .example("arm.urdf --motion motion.csv --html arm.html", "your robot, your motion");
  if (const auto code = options.parse(arguments)) return *code;

  Faults errors;
  refuse_if(!a.motion.input && a.motion.cutoff, "--cutoff", "without --motion", errors);
  refuse_if(a.motion.input == "-" && a.robot.name == "-", "--motion -", "while the robot is read from standard input, too",
            errors);
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

  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  auto forms = robot_forms(robot->description());
  if (!forms) return complain(forms.faults(), exit_impossible);

  Report report{robot->model().name, "", {}, {}, "Made by torsor report."};
  int code = exit_done;
  if (a.example || a.motion.input) code = add_motion(report, a, *robot);
  if (code != exit_done && report.sections.empty()) return code;
  describe_robot(report, *robot, a.print);
  add_dh_tables(report, *robot);
  const Agreement agreement = certify_robot(*forms, static_cast<int>(a.states));
  const double worst = add_agreement(report, agreement);
  bool one_dof = true;
  for (const Body<double>& body : forms->model.bodies) one_dof = one_dof && body.nv <= 1;
  if (one_dof)
    add_counts(report, robot->description(), *forms);
  else
    report.section("Operation counts").text("Counted for joints of one degree of freedom; this robot has others.");
  ReportSection& times = report.section("Time");
  times.text("Of the machine and the moment of this report: compare within the table.");
  times.table(timing_table(time_formulations(*forms, 0.05)));
  if (!a.quick) {
    const Scaling scaling = measure_scaling(60, 0.01, 0.05);
    times.figure(scaling_plot(scaling)).table(scaling_table(scaling));
  }

  if (report.verdict.text.empty())
    report.verdict = {worst < 1e-12 ? "All formulations of its inverse dynamics agree."
                                                  : "Formulations of its inverse dynamics disagree.",
                      worst < 1e-12 ? Tone::good : Tone::bad};
  if (!a.example && !a.motion.input) {
    report.sections.push_front({"The robot", {}});
    report.sections.front().figure(joint_range_view(robot->model(), "The robot, one joint at a time through its range",
                                                    neutral_position(robot->model())));
  }
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
