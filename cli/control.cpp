// torsor control ROBOT: control laws compared on one task of the tool, on an arm that their model describes only
// roughly.
#include <fmt/format.h>

#include <iostream>
#include <numbers>

#include "cli/control_experiment.hpp"
#include "cli/control_report.hpp"
#include "cli/files.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/row_output.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/files/experiment_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

Faults check_mode(const ControlArguments& a) {
  Faults errors;
  if (a.experiment) {
    const std::string where = "with --experiment, whose file says it";
    refuse_if(!a.robot.name.empty(), "ROBOT", where, errors);
    for (const auto& [option, given] :
         std::initializer_list<std::pair<const char*, bool>>{{"--task", a.task.has_value()},
                                                             {"--laws", a.laws.has_value()},
                                                             {"--controller-model", a.model.has_value()},
                                                             {"--model-error", a.error.has_value()},
                                                             {"--rate", a.rate.has_value()},
                                                             {"--delay", a.delay.has_value()},
                                                             {"--duration", a.duration.has_value()},
                                                             {"--rest", a.rest.has_value()},
                                                             {"--q", a.q.has_value()},
                                                             {"--degrees", a.degrees},
                                                             {"--gains", a.gains.has_value()},
                                                             {"--bandwidth", a.bandwidth.has_value()},
                                                             {"--payload", a.payload.has_value()},
                                                             {"--seed", a.seed.has_value()},
                                                             {"--speeds", a.speeds.has_value()},
                                                             {"--integrator", a.integrator.has_value()},
                                                             {"--step", a.step.has_value()},
                                                             {"--no-limits", a.no_limits},
                                                             {"--tool", a.robot.chain.tool.has_value()},
                                                             {"--base, --hold or --followers", a.robot.chain.cuts()},
                                                             {"--write", a.write.has_value()}})
      refuse_if(given, option, where, errors);
  } else if (a.robot.name.empty()) {
    errors.push_back({{}, "ROBOT", "missing", "is missing", "name a robot, or give --experiment FILE or --list"});
  }
  refuse_if(a.write && a.robot.chain.cuts(), "--write", "of a chain: convert it first, and name the file", errors);
  refuse_if(a.write && a.robot.name == "-", "--write", "while the robot is read from standard input", errors);
  refuse_if(a.delay && a.rate == "continuous", "--delay", "with --rate continuous", errors);
  refuse_if(a.payload && a.task != "payload", "--payload", "without --task payload", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "while the JSON answer goes to standard output, too", errors);
  refuse_if(a.output == "-" && (a.print.json || a.page == "-"), "-o -", "while the answer goes to standard output, too",
            errors);
  refuse_if(a.write == "-" && (a.print.json || a.page == "-" || a.output == "-"), "--write -",
            "while the answer goes to standard output, too", errors);
  return errors;
}

int write_text(const std::string& path, const std::string& text) {
  OutputFile file(path);
  if (file.faults().empty()) file.stream() << text;
  return file.finish() ? exit_done : complain(file.faults(), exit_not_written);
}

/// Faults, power, force and torques over time in one CSV file: of the laws that got to the end; if none did, of all as
/// far as all got. The path is then where the rows are, empty where none was kept.
int write_traces(std::string& path, const ControlSetting& s, std::span<const ControlRun> all) {
  std::vector<const ControlRun*> runs;
  for (const ControlRun& run : all)
    if (run.ended.empty()) runs.push_back(&run);
  if (runs.empty())
    for (const ControlRun& run : all) runs.push_back(&run);
  if (runs.size() < all.size()) note("rows are those of the laws that got to the end");
  std::vector<std::string> header{"t"};
  std::size_t rows = runs.front()->trace.t.size();
  for (const ControlRun* run : runs) {
    rows = std::min(rows, run->trace.t.size());
    for (const char* what : {"position_error", "angle_error", "power", "force"})
      header.push_back(fmt::format("{}.{}", what, run->law));
    for (const std::string& joint : s.model.velocity_names) header.push_back(fmt::format("tau.{}.{}", joint, run->law));
  }
  RowOutput output(path, false, header, false, nullptr);
  if (!output.faults().empty()) return complain(output.faults(), exit_not_written);
  std::vector<double> row;
  for (std::size_t k = 0; k < rows; ++k) {
    row.assign(1, runs.front()->trace.t[k]);
    for (const ControlRun* run : runs) {
      const ControlTrace& trace = run->trace;
      for (const auto* x : {&trace.position_error, &trace.angle_error, &trace.power, &trace.force})
        row.push_back((*x)[k]);
      for (const std::vector<double>& tau : trace.tau) row.push_back(tau[k]);
    }
    if (!output.row(row)) break;
  }
  const bool written = output.finish_rows(runs.front()->ended.empty());
  path = output.place();
  return written ? exit_done : output.complain_unwritten();
}

constexpr ControllerKind compared_kinds[] = {ControllerKind::full, ControllerKind::no_coriolis,
                                             ControllerKind::gravity};

struct LawSpeeds {
  std::string law;
  std::vector<SpeedRun> speeds;
};

int control(const ControlArguments& a, const Robot& robot, const ControlExperiment& experiment) {
  const auto setting = prepare(experiment, robot.description());
  if (!setting) {
    // a task that the robot cannot follow is no fault of the input
    const bool task = setting.faults().front().rule == "task" && check_experiment(experiment).empty();
    return complain(setting.faults(), task ? exit_impossible : exit_bad_input);
  }
  if (a.write)
    if (const int code = write_text(*a.write, write_experiment_toml(experiment_beside(experiment, *a.write)));
        code != exit_done)
      return code;

  std::vector<ControlRun> runs;
  std::vector<LawSpeeds> speeds;
  for (const std::string& law : experiment.laws) {
    if (experiment.speeds.empty()) {
      runs.push_back(run_law(*setting, *find_control_law(law)));
      continue;
    }
    auto found =
        run_speeds(experiment, robot.description(), *find_control_law(law), experiment.speeds, compared_kinds);
    if (!found) return complain(found.faults(), exit_impossible);
    speeds.push_back({law, *std::move(found)});
  }

  std::optional<std::string> traces = a.output;
  if (traces)
    if (const int code = write_traces(*traces, *setting, runs); code != exit_done) return code;
  if (traces && traces->empty()) traces.reset();
  if (a.page) {
    Report report{fmt::format("{}: control laws on a task of the tool", setting->model.name),
                  experiment_sentences(*setting).front() + ".",
                  "Made by torsor control."};
    for (const LawSpeeds& each : speeds) describe_speeds(report, each.law, each.speeds, compared_kinds, a.print);
    if (speeds.empty()) describe_runs(report, *setting, runs, a.print);
    describe_robot(report, robot, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  Faults ended;
  for (const ControlRun& run : runs)
    if (!run.ended.empty())
      ended.push_back(
          {{}, fmt::format("law \"{}\"", run.law), "control-stop", run.ended, "its figures are of what came before"});
  const int code = ended.empty() ? exit_done : exit_impossible;
  const bool silent = a.page == "-" || a.output == "-" || a.write == "-";
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object();
    experiment_fields(json, *setting);
    if (traces) json.field("output", *traces);
    if (a.page) json.field("html", *a.page);
    if (speeds.size() == 1) {
      speed_fields(json.field("law", speeds.front().law), speeds.front().speeds, compared_kinds);
    } else if (!speeds.empty()) {
      json.key("laws").begin_array();
      for (const LawSpeeds& each : speeds) {
        speed_fields(json.begin_object().field("law", each.law), each.speeds, compared_kinds);
        json.end_object();
      }
      json.end_array();
    } else {
      run_fields(json, runs);
    }
    json.end_object();
    if (const int written = finish_json(json); written != exit_done) return written;
  } else if (!silent) {
    for (const std::string& sentence : experiment_sentences(*setting)) std::cout << sentence << '\n';
    if (traces) std::cout << fmt::format("over time: {}\n", printable(*traces));
    if (a.write) std::cout << fmt::format("experiment: {}\n", printable(*a.write));
    for (const LawSpeeds& each : speeds)
      std::cout << '\n' << to_text(speed_table(each.law, each.speeds, compared_kinds, a.print));
    if (speeds.empty()) std::cout << '\n' << to_text(figure_table(*setting, runs, a.print));
    for (const std::string& sentence : swing_sentences(runs)) std::cout << sentence << '\n';
    say_page(a.page);
    if (const int written = finish_standard_output(); written != exit_done) return written;
  } else {
    say_page_beside(a.page);
  }
  const int limits = finish_limits(a.limits, passed_sentences(setting->model, runs), setting->model.name, code);
  return ended.empty() ? limits : complain(ended, exit_impossible);
}

}  // namespace

int control_verb(Arguments arguments) {
  ControlArguments a;
  Options options(
      "control",
      "Control laws compared on one task of the tool: tracking error, torque, power, settling and contact force of "
      "each, sampled and delayed, on an arm that differs from the controller's model. --list names the laws.");
  options.optional_positional("ROBOT", a.robot.name, "a robot file or a built-in robot");
  options.flag("--list", a.list, "the laws, with their sources and what they need")
      .reads("--experiment", "FILE", a.experiment,
            "run the experiment of that file (docs/experiment-file.md), to the last digit")
      .writes("--write", "FILE", a.write, "write the experiment to a file");
  options.group("Task")
      .text("--task", "KIND", a.task, "line (default), arc, contact (with a wall), payload (taken up on the way)")
      .one_of_names(task_kind_names)
      .numbers("--q", "Q", a.q, "joint positions at the start [rad, m]; default: one far from singular positions")
      .flag("--degrees", a.degrees, "angles of --q are in degrees")
      .text("--duration", "S", a.duration, "of the motion; default 1 s")
      .text("--rest", "S", a.rest, "behind it; default 0.5 s")
      .numbers("--payload", "KG", a.payload, "of the task payload; default: a tenth of the arm");
  options.group("Controller")
      .text("--laws", "NAMES", a.laws, "all (default), or names separated by commas")
      .one_of_names(control_laws())
      .text("--controller-model", "KIND", a.model,
            "full (default), no-coriolis, gravity, reduced (made for the task, to 1 %)")
      .one_of_names(controller_kind_names)
      .text("--rate", "HZ", a.rate, "samples per second: 1kHz (default); continuous: inside the integrator")
      .text("--delay", "S", a.delay, "from a sample to its torque: 0.5ms; default 0")
      .numbers("--gains", "KP,KV", a.gains, "[1/s^2, 1/s]; default 2500,100")
      .numbers("--bandwidth", "B", a.bandwidth, "of impedance laws relative to the gains; default 1, with a wall 0.25")
      .flag("--no-limits", a.no_limits, "effort limits are ignored");
  options.group("Arm")
      .text("--model-error", "SHARE", a.error, "by how much the arm differs from the model, at most: 10% (default)")
      .whole("--seed", 0, 9007199254740991, a.seed, "of these differences; default 1")
      .text("--integrator", "NAME", a.integrator, "of its motion, as torsor simulate has them; default dormand-prince")
      .one_of_names(integrators())
      .text("--step", "S", a.step, "of an integrator with fixed steps; default 1ms");
  a.robot.chain.add_to(options);
  options.group("Results")
      .numbers("--speeds", "FACTORS", a.speeds,
               "the peak error at these speeds, relative to the task's, with full, no-coriolis and gravity models; of "
               "computed torque, or of the laws named")
      .writes("-o,--output", "FILE", a.output, "errors, power, force and torques over time as CSV")
      .writes("--html", "FILE", a.page, "a page with tables and curves");
  a.limits.add_to(options);
  a.print.add_to(options);
  options.example("puma560 --model-error 10% --rate 1kHz --delay 0.5ms --html laws.html", "every law on a line")
      .example("puma560 --task contact --laws impedance,impedance-force,computed-torque", "against a wall")
      .example("puma560 --speeds 0.25,0.5,1,2,3 --no-limits --model-error 0", "what leaving out Coriolis terms costs")
      .example("panda --task arc --write arc.toml && torsor control --experiment arc.toml", "the same once more");
  if (const auto code = options.parse(arguments)) return *code;
  if (a.list && a.print.json) {
    JsonWriter json(std::cout);
    law_fields(json.begin_object());
    json.end_object();
    return finish_json(json);
  }
  if (a.list) {
    std::cout << to_text(law_table()) << '\n';
    for (const std::string& sentence : law_sentences()) std::cout << sentence << '\n';
    return finish_standard_output();
  }
  Faults errors = check_mode(a);
  if (a.speeds)
    for (const double factor : *a.speeds)
      if (!(factor >= 1e-3 && factor <= 1e3) || a.speeds->size() > 100) {
        errors.push_back(
            {{}, "--speeds", "option-value", "needs up to 100 factors from 0.001 to 1000", "give 0.5,1,2"});
        break;
      }
  const auto kind = task_kind_of(a);
  collect(kind, errors);
  auto experiment = a.experiment ? read_experiment(*a.experiment) : experiment_of(a, kind ? *kind : TaskKind::line);
  collect(experiment, errors);
  if (experiment) refuse_if(a.output && !experiment->speeds.empty(), "-o", "with speeds", errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  if (!(errors = options.also_reads(experiment->robot)).empty()) return complain(errors, exit_bad_input);
  const auto robot = read_robot(experiment->robot, RobotUse::dynamics, {}, a.robot.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const std::string digest = robot_digest(robot->description());
  if (!experiment->digest.empty() && experiment->digest != digest)
    return complain({{{*a.experiment, 0},
                      fmt::format("robot \"{}\"", experiment->robot),
                      "robot-changed",
                      fmt::format("is not the one the experiment was written for: its digest is {}, not {}", digest,
                                  experiment->digest),
                      "take that robot, or leave out robot_digest to run the experiment with this one"}},
                    exit_bad_input);
  experiment->digest = digest;
  if (const std::string why = control_refusal(robot->model()); !why.empty())
    return complain({fault_of(fmt::format("robot \"{}\"", robot->model().name), "control-robot", why,
                              "the laws are for arms of simple joints")},
                    exit_impossible);
  if (!a.experiment) {
    const auto tool = find_tool(*robot, a.robot.chain.tool);
    if (!tool) return complain(tool.faults(), exit_bad_input);
    if (a.q && a.q->size() != static_cast<std::size_t>(robot->model().nq))
      return complain(
          {count_error("--q", a.q->size(), std::to_string(robot->model().nq), "give one position per joint")},
          exit_bad_input);
    if (a.q && a.degrees)
      for (std::size_t k = 0; const CoordinateKind each : position_kinds(robot->model())) {
        if (each == CoordinateKind::angle) (*a.q)[k] = (*a.q)[k] / 180 * std::numbers::pi;
        ++k;
      }
    const auto task = task_of(a, *kind, robot->model(), *tool);
    if (!task) {
      errors = task.faults();
      for (Fault& error : errors)
        if (error.offender == "task: start") error.offender = a.q ? "--q" : "the start that was found";
      return complain(errors, errors.front().rule == "task" ? exit_impossible : exit_bad_input);
    }
    experiment->task = *task;
  }
  return control(a, *robot, *experiment);
}

}  // namespace torsor
