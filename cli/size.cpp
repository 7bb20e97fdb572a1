// torsor size ROBOT MOTION: what a motion asks of joints and motors, whether the motors will do, and which gears would.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "cli/files.hpp"
#include "cli/limit_report.hpp"
#include "cli/motion_job.hpp"
#include "cli/motion_source.hpp"
#include "cli/path_scaling.hpp"
#include "cli/print.hpp"
#include "cli/robot_argument.hpp"
#include "cli/simulation_arguments.hpp"
#include "cli/size_rows.hpp"
#include "cli/state_report.hpp"
#include "cli/tool_arguments.hpp"
#include "torsor/report/loop_summary.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/report/size_report.hpp"
#include "torsor/files/drive_toml.hpp"
#include "torsor/text/number.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

struct SizeArguments {
  RobotArgument robot;
  std::string motion;
  std::optional<std::string> variant, drives, sweep, dwell, cutoff, output, page;
  bool brake = false;
  SamplingArguments sampling;
  SolutionArguments solution;
  LoadArguments loads;
  LimitArguments limits;
  PrintArguments print;

  bool is_table() const { return motion == "-" || motion.ends_with(".csv"); }
};

Fault option_fault(const std::string& option, const std::string& text, std::string remedy) {
  return {{}, option, "option-value", fmt::format("\"{}\" is not allowed", text), std::move(remedy)};
}

/// LOW:HIGH or LOW:HIGH:COUNT.
Result<std::vector<double>> read_sweep(const std::optional<std::string>& text) {
  if (!text) return std::vector<double>{};
  std::vector<double> parts;
  bool sound = true;
  for (std::size_t from = 0; from <= text->size();) {
    const std::size_t to = std::min(text->find(':', from), text->size());
    const ParsedNumber number = parse_number(std::string_view(*text).substr(from, to - from));
    sound = sound && number;
    parts.push_back(number.value);
    from = to + 1;
  }
  constexpr double usual = 25, most = 10'000;
  if (parts.size() == 2) parts.push_back(usual);
  sound = sound && parts.size() == 3 && parts[0] > 0 && parts[0] < parts[1] && parts[2] >= 2 && parts[2] <= most &&
          parts[2] == static_cast<int>(parts[2]);
  if (!sound)
    return option_fault("--sweep", *text,
                        "give two gear ratios above zero, and how many in all if not 25: 1:300 or 1:300:50");
  return ratio_steps(parts[0], parts[1], static_cast<int>(parts[2]));
}

Result<DriveSheet> read_sheet(const std::optional<std::string>& path) {
  if (!path) return DriveSheet{};
  InputFile file(*path);
  if (!file.faults().empty()) return file.faults();
  const std::string text{std::istreambuf_iterator<char>(file.stream()), {}};
  return read_drive_toml(text, file.name());
}

/// Options of motions of the tool, where the joints are given.
Faults refuse_tool_options(const SizeArguments& a) {
  Faults errors;
  const auto refuse = [&errors](bool given, const std::string& option) {
    refuse_if(given, option, "with a motion of the joints", errors);
  };
  refuse(a.sampling.any(), "--step, --rate");
  refuse(a.solution.branch.has_value(), "--branch");
  refuse(a.solution.free_turn.has_value(), "--free-turn");
  refuse(a.solution.aim.has_value(), "--aim");
  refuse(a.solution.position_only, "--position-only");
  for (const std::string& option : a.solution.near.given()) refuse(option != "--degrees", option);
  return errors;
}

Faults check_mode(const SizeArguments& a) {
  Faults errors;
  refuse_if(a.motion == "-" && a.robot.name == "-", "MOTION -", "while the robot is read from standard input, too",
            errors);
  refuse_if(a.drives == "-" && (a.robot.name == "-" || a.motion == "-"), "--drives -",
            "while the robot or the motion is read from standard input, too", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "while the JSON answer goes to standard output, too", errors);
  refuse_if(a.output == "-" && (a.print.json || a.page == "-"), "-o -", "while the answer goes to standard output, too",
            errors);
  refuse_if(a.cutoff && !a.is_table(), "--cutoff", "with a motion that is not a CSV file", errors);
  refuse_if(a.is_table() && a.variant.has_value(), "--variant", "with a file", errors);
  if (a.is_table())
    for (const Fault& error : refuse_tool_options(a)) errors.push_back(error);
  refuse_if(a.brake && !a.dwell, "--brake", "without --dwell", errors);
  collect(read_cutoff(a.cutoff), errors);
  return errors;
}

/// A run over a motion, and how it ended; what was sized before a fault is kept.
struct SizeRun {
  Sizing& sizing;
  LimitWatch& limits;
  SizingVisit visit;
  std::span<const double> q = {};  // of the row that is visited, where there are rows
  SizingFacts facts = {};
  std::vector<double> end = {};  // the last position
  std::optional<RobotMotion> motion = {};  // for the picture, where there is a page
  int code = exit_done;

  void show(const MotionRow& row) {
    if (motion) add_sized(*motion, sizing, row);
  }
};

void size_table(const SizeArguments& a, const Model<double>& model, SizeRun& sized) {
  SizingRows rows(sized.sizing, sized.visit);
  const MotionArguments files{a.motion, {}, a.cutoff, false, a.solution.near.degrees};
  MotionJob job{.model = model, .files = files, .header = {}};
  job.quiet = job.discard = true;
  job.jumps = Jumps::refused;
  job.friction = true;
  double first = 0;
  bool has_time = true;
  job.start = [&](const MotionOutcome& outcome) { has_time = outcome.has_time; };
  job.compute = [&](const MotionRow& row, std::vector<double>&) -> std::optional<Fault> {
    if (!has_time)
      return Fault{{}, "", "motion-time", "there is no time", "give a column t: energy is power over time"};
    if (sized.end.empty()) first = row.t;
    sized.q = row.q;
    rows.add(row);
    sized.q = {};
    sized.show(row);
    sized.end = row.q;
    sized.facts.duration = row.t - first;
    return std::nullopt;
  };
  const MotionOutcome outcome = run(job);
  sized.code = has_time ? outcome.exit_code : exit_bad_input;
  sized.facts.error = rows.error();
  sized.facts.rows = true;
  if (outcome.derived) sized.facts.remarks.push_back(derivation_sentence(outcome.derived));
}

void size_tool(const SizeArguments& a, const PlannedMotion& planned, const Robot& robot, const Frame<double>& tool,
               const Model<double>& model, const LoadedRobot& loaded, SizeRun& sized) {
  const auto fail = [&sized](int code) { sized.code = code; };
  auto path = sampled(*tool_path_of(planned, a.motion), a.sampling);
  auto choice = read_solution(a.solution);
  const auto near = read_near(a.solution, robot.model());
  Faults errors;
  collect(path, errors);
  collect(choice, errors);
  collect(near, errors);
  if (!errors.empty()) return fail(complain(errors, exit_bad_input));
  choice->wanted.near = *near;
  const InverseKinematics solver(robot.model(), robot.description(), tool, choice->task);
  errors = check_solution(a.solution, *choice, solver);
  const auto wanted = wanted_scaling(std::nullopt, *path, robot.model());
  collect(wanted, errors);
  if (!errors.empty()) return fail(complain_of_request(errors));
  const auto start = read_start(solver, *path, *choice);
  if (!start) return fail(complain(start.faults(), exit_impossible));
  std::optional<PathScaling> scaling;
  if (const auto code = scale_to_limits(*wanted, solver, *start, model, loaded.loads, a.motion, *path, scaling))
    return fail(*code);
  if (scaling) sized.facts.remarks.push_back("time is scaled " + scaling->sentence);
  const FollowedPath followed = solver.follow(*path, *start);
  SizingRows rows(sized.sizing, sized.visit);
  for (const PathSample& sample : followed.samples) {
    sized.q = sample.q;
    const MotionRow row{sample.t, sample.q, sample.qd, sample.qdd};
    rows.add(row);
    sized.q = {};
    sized.show(row);
  }
  sized.facts.error = rows.error();
  sized.facts.rows = true;
  if (!followed.samples.empty()) {
    sized.facts.duration = followed.samples.back().t - followed.samples.front().t;
    sized.end = followed.samples.back().q;
  }
  if (!followed.finished())
    fail(complain(
        {{{path->name, 0}, "", "path-stop", explanation(followed, model), "another branch, start or path may do"}},
        exit_impossible));
}

void size_joints(const SizeArguments& a, const PlannedMotion& planned, const Model<double>& model, SizeRun& sized) {
  const Trajectory& motion = *planned.joints();
  if (const Faults errors = refuse_tool_options(a); !errors.empty()) {
    sized.code = complain(errors, exit_bad_input);
    return;
  }
  if (model.nq != model.nv || motion.size() != static_cast<std::size_t>(model.nv)) {
    sized.code = complain({fault_of(a.motion, "motion-size",
                                    fmt::format("{} has {} coordinates, the motion {}", model.name, model.nv,
                                        motion.size()), "give the robot that the motion is for")},
                          exit_bad_input);
    return;
  }
  if (planned.scaling) {
    if (planned.scaling->status != ScalingStatus::ok) {
      sized.code = complain({{{a.motion, 0},
                              "scale",
                              "motion-scale",
                              describe(*planned.scaling, model),
                              "give other limits, or another motion"}},
                            exit_impossible);
      return;
    }
    sized.facts.remarks.push_back("time is scaled " + describe(*planned.scaling, model));
  }
  // instants come as close together as a jump needs: a jerk between such would be rounding
  constexpr double least_step = 1e-3;
  sized.limits = LimitWatch(model, least_step * motion.duration());
  const Trajectory watched(motion.size(), motion.duration(), [&](double t, auto q, auto qd, auto qdd) {
    motion.sample(t, q, qd, qdd);
    sized.limits.add(t, {.q = q, .alone = true});
  });
  sized.facts.duration = motion.duration();
  sized.facts.error = size(sized.sizing, watched, sized.visit);
  sized.end.resize(static_cast<std::size_t>(model.nq));
  std::vector<double> rate(sized.end.size()), rate_rate(sized.end.size());
  constexpr int pictures = 240;
  for (int k = 0; k <= pictures; ++k) {
    const double t = motion.duration() * k / pictures;
    motion.sample(t, sized.end, rate, rate_rate);
    sized.show({t, sized.end, rate, rate_rate});
  }
  motion.sample(motion.duration(), sized.end, rate, rate_rate);
}

int print(const SizeArguments& a, const Robot& robot, const Model<double>& model, const Sizing& sizing,
          const SizingCurves* curves, const SizeRun& sized) {
  const SizingFacts& facts = sized.facts;
  SizingResult result = sizing_result(sizing, model, facts.duration, facts.dwell, facts.error);
  if (a.print.degrees) result = in_degrees(std::move(result), model);
  if (curves) {
    const Report report = sizing_report(robot, model, sizing, result, *curves, facts, sized.limits, *sized.motion,
                                        sized.code == exit_done, a.print);
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.page == "-" || a.output == "-") {
    say_page_beside(a.page);
    return finish_limits(a.limits, sized.limits, InstantsBy::time, sized.code);
  }
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("motion", facts.motion);
    if (a.output) json.field("output", *a.output);
    if (a.page) json.field("html", *a.page);
    angle_unit_field(json, a.print.degrees);
    field(json, "remarks", facts.remarks);
    write_fields(json, result);
    limit_fields(json, sized.limits, InstantsBy::time, a.print.degrees);
    json.field("complete", sized.code == exit_done).end_object();
    if (const int code = finish_json(json); code != exit_done) return code;
    return finish_limits(a.limits, sized.limits, InstantsBy::time, sized.code);
  }
  std::cout << fmt::format("{} along {}: {}\n", model.name, facts.motion, headline(result, facts));
  for (const std::string& remark : facts.remarks) std::cout << remark << '\n';
  if (a.output) std::cout << fmt::format("over time: {}\n", printable(*a.output));
  for (const TextTable& table : sizing_tables(result, sized.limits, facts, a.print))
    std::cout << '\n' << to_text(table);
  std::cout << '\n';
  for (const Paragraph& verdict : sizing_verdicts(result, sized.limits)) std::cout << verdict.text << '\n';
  say_page(a.page);
  if (const int code = finish_standard_output(); code != exit_done) return code;
  return finish_limits(a.limits, sized.limits, InstantsBy::time, sized.code);
}

int size(const SizeArguments& a, const Robot& robot, const Frame<double>& tool, std::vector<AssignedDrive> drives,
         std::vector<double> ratios, double dwell) {
  const LoadedRobot loaded = apply_loads(a.loads, tool, robot);
  const Model<double>& model = loaded.robot.coordinates();
  const auto bare = Robot::try_build(without_rotors(robot.description()));
  if (!bare) return complain(bare.faults(), exit_bad_input);
  const Robot load = apply_loads(a.loads, tool, *bare).robot;
  const bool loops = loaded.robot.loops() != nullptr;
  // without rotors other joints may be taken for driven
  if (loops && load.coordinates().velocity_names != model.velocity_names)
    return complain({fault_of(model.name, "robot-loops", "its loops do not say which joints are actuated, rotors alone do",
                              "name them: actuated = [...] in each [[loop]]")},
                    exit_bad_input);
  Sizing sizing({model, load.coordinates(), loaded.loads, std::move(drives), std::move(ratios),
                 loops ? &loaded.robot : nullptr, loops ? &load : nullptr});
  std::optional<SizingCurves> curves;
  if (a.page) curves.emplace(sizing, model);
  std::optional<SizeRows> rows;
  if (a.output) rows.emplace(sizing, model, *a.output, a.print.degrees);
  if (rows && !rows->faults().empty()) return complain(rows->faults(), exit_not_written);
  LimitWatch limits(model);
  std::vector<double> qd(static_cast<std::size_t>(model.nv)), qdd(qd), tau(qd);
  SizeRun sized{sizing, limits, {}};
  if (a.page) sized.motion.emplace();
  sized.visit = [&](double t, std::span<const double> instant) {
    for (int k = 0; k < model.nv; ++k) {
      qd[static_cast<std::size_t>(k)] = sizing.speed(instant, k);
      qdd[static_cast<std::size_t>(k)] = sizing.acceleration(instant, k);
      tau[static_cast<std::size_t>(k)] = sizing.effort(instant, k);
    }
    limits.add(t, {sized.q, qd, qdd, tau});
    if (curves) curves->add(t, instant);
    if (rows) rows->add(t, instant);
  };
  sized.facts.motion = a.motion == "-" ? "standard input" : a.motion;
  sized.facts.remarks = loaded.sentences;
  note_what_is_missing(robot.description(), sized.facts);
  if (a.is_table()) {
    size_table(a, model, sized);
  } else {
    const auto planned = read_motion(a.motion, a.variant, &model);
    if (!planned) return complain(planned.faults(), exit_bad_input);
    if (!planned->corners.empty()) return complain({corner_fault(*planned, a.motion)}, exit_impossible);
    sized.facts.motion = planned->name;
    for (const std::string& sentence : planned->notes) note(sentence);
    if (!planned->joints() && loops)
      return complain({fault_of(a.motion, "robot-loops", "motions of the tool are not followed by robots with loops",
                                "give a motion of the independent joints")},
                      exit_bad_input);
    if (planned->joints())
      size_joints(a, *planned, model, sized);
    else
      size_tool(a, *planned, robot, tool, model, loaded, sized);
  }
  if (sized.end.empty()) return sized.code;
  if (dwell > 0 && sized.code == exit_done) {
    size_rest(sizing, sized.end, sized.facts.duration, dwell, a.brake, sized.visit);
    sized.facts.dwell = dwell;
    if (a.brake) sized.facts.remarks.emplace_back("at rest brakes hold");
  }
  if (rows && !rows->finish(sized.code == exit_done)) return rows->complain_unwritten();
  if (const auto fault = loop_fault(loaded.robot, sizing.status())) return complain({*fault}, exit_impossible);
  std::vector<double> sums;
  for (int k = 0; k < model.nv; ++k) sums.push_back(sizing.joint(k).rms_torque() + sizing.joint(k).energy_taken());
  if (const Faults errors = check_finite(sums, model.velocity_names, "tau"); !errors.empty())
    return complain(errors, exit_impossible);
  SizeArguments shown = a;
  if (rows) shown.output = rows->place().empty() ? std::nullopt : std::optional(rows->place());
  return print(shown, robot, model, sizing, curves ? &*curves : nullptr, sized);
}

}  // namespace

int size_verb(Arguments arguments) {
  SizeArguments a;
  Options options(
      "size",
      "What a motion asks of the drives: peak and rms torque, speed, power, energy taken and given back, of "
      "joints and of motors behind their gears; whether motors of a drive file will do, and with which "
      "gear ratios they would.");
  a.robot.add_to(options, ToolMeans::frame);
  options.positional(
      "MOTION", a.motion,
      "a motion file (docs/motion-file.md) of the joints or of the tool, a CSV file with columns t, q1.. "
      "(or joint names), qd1.., qdd1.. as torsor id takes it, - for such a file on standard input, or a "
      "published motion: sixr_angeles, sixr_sim, stanford");
  options.reads("--drives", "FILE", a.drives, "motors, gears and which joints they move (docs/sizing.md)")
      .text("--sweep", "LOW:HIGH[:COUNT]", a.sweep,
            "every motor at gear ratios from LOW to HIGH, 25 unless said otherwise")
      .text("--dwell", "S", a.dwell, "seconds at rest behind the motion: they belong to the cycle, and motors hold")
      .flag("--brake", a.brake, "brakes hold during the dwell, motors do nothing")
      .writes("-o,--output", "FILE", a.output,
            "CSV of t, qd and tau of the joints, power of all, speed and torque of the motors")
      .writes("--html", "FILE", a.page,
            "a page: torque over speed with the motors' curves, gear ratios, power over time");
  options.group("Motion")
      .text("--variant", "NAME", a.variant, "of a published motion: how what it leaves open is read")
      .text("--cutoff", "HZ", a.cutoff, "of a CSV file without qd and qdd: as torsor id has it");
  a.sampling.add_to(options);
  a.solution.add_to(options, true);
  a.loads.add_to(options);
  a.limits.add_to(options);
  a.print.add_to(options);
  options.example("puma560_drives pick.toml --dwell 0.5", "joints and motors over a cycle with half a second of rest")
      .example("puma560_drives pick.toml --drives motors.toml --html size.html", "against the curves of motors")
      .example("puma560_drives motion.csv --drives motors.toml --sweep 20:200 --payload 2.5",
               "which gears would do, with a load at the tool");
  if (const auto code = options.parse(arguments)) return *code;
  a.print.degrees = a.limits.degrees = a.solution.near.degrees;
  Faults errors = check_mode(a);
  for (const Fault& error : check_loads(a.loads)) errors.push_back(error);
  const double dwell = one_quantity("--dwell", a.dwell, quantities::time, {.above = false}, errors).value_or(0);
  auto ratios = read_sweep(a.sweep);
  collect(ratios, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  a.robot.loops = true;
  const auto robot = read_robot(a.robot, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  for (Fault& fault : refuse_sizing(*robot)) errors.push_back(std::move(fault));
  const auto tool = find_tool(*robot, a.robot.chain.tool, errors);
  const auto sheet = read_sheet(a.drives);
  collect(sheet, errors);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  auto drives = assign_drives(*sheet, robot->description(), robot->coordinates());
  collect(drives, errors);
  if (drives && drives->empty() && a.sweep)
    errors.push_back(fault_of("--sweep", "option-mode", fmt::format("{} has no motors", robot->coordinates().name),
                              "give motors with --drives, or rotors in the robot file"));
  else if (drives && a.sweep) {
    const auto coupled = std::ranges::count_if(*drives, [](const AssignedDrive& drive) { return !drive.gear; });
    if (coupled == std::ssize(*drives))
      errors.push_back(fault_of(
          "--sweep", "option-mode",
          fmt::format("all motors of {} are coupled, and coupled motors are not swept", robot->coordinates().name),
          "change the matrix of the transmission in the robot file"));
    else if (coupled > 0)
      note("coupled motors are not swept");
  }
  if (!errors.empty()) return complain(errors, exit_bad_input);
  return size(a, *robot, *tool, *std::move(drives), *std::move(ratios), dwell);
}

}  // namespace torsor
