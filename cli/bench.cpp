// torsor bench: how long each formulation of inverse dynamics, or inverse kinematics, takes, here and now; and the
// library beside its peers.
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "cli/bench_arguments.hpp"
#include "cli/files.hpp"
#include "cli/robot_argument.hpp"
#include "cli/scaling.hpp"
#include "bench/timing/derivative_timing.hpp"
#include "bench/timing/ik_timing.hpp"
#include "bench/timing/loop_timing.hpp"
#include "bench/timing/equation_timing.hpp"
#include "bench/timing/structure_timing.hpp"
#include "torsor/how_many.hpp"

namespace torsor {
namespace {

int bench_loops(const Robot& robot, const BenchArguments& a, double seconds_each) {
  const std::vector<LoopTime> times = time_loops(robot, seconds_each);
  if (a.print.json) return print_rows("robot", robot.name(), "loops", times);
  TextTable table{
      "time per call, each a millisecond of motion on, the fastest of all batches; cut: the tree without loops",
      {{""}, {"time", "ns"}, {"cut", "ns"}, {"ratio"}}};
  for (const LoopTime& row : times) {
    const auto compared = [&](double number) {
      return row.cut > 0 ? TextTable::Cell(number) : TextTable::Cell(std::string());
    };
    table.add({row.what, row.seconds * 1e9, compared(row.cut * 1e9), compared(row.seconds / row.cut)});
  }
  std::cout << robot.name() << "\n\n" << to_text(table);
  return finish_standard_output();
}

int bench_robot(const BenchArguments& a, double seconds_each) {
  const auto robot = read_robot(RobotArgument{.name = a.robot, .chain = a.chain, .loops = true}, RobotUse::dynamics);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  if (robot->loops()) return bench_loops(*robot, a, seconds_each);
  auto forms = robot_forms(robot->description());
  if (!forms) return complain(forms.faults(), exit_impossible);
  const std::vector<FormulationTime> times = time_formulations(*forms, seconds_each);
  if (a.print.json) return print_rows("robot", robot->model().name, "formulations", times);
  std::cout << robot->model().name << "\n\n" << to_text(timing_table(times));
  return finish_standard_output();
}

int bench_ik(const BenchArguments& a, double seconds_each) {
  const auto robot = read_robot(a.robot, RobotUse::kinematics, {}, a.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  auto solver = arm_solver(robot->description());
  // without special geometry the general form, where the joints allow it
  if (!solver && !robot->model().frames.empty())
    if (auto general = turning_arm(robot->model(), robot->model().frames.back()))
      solver = ArmSolver{*std::move(general)};
  // of fewer joints or of seven, what solves these
  std::string family = solver ? std::string(solver->family()) : "";
  std::optional<IkTimes> found;
  if (solver) {
    found = time_ik(*solver, seconds_each);
  } else {
    const auto chain = robot->model().frames.empty() ? Result<JointChain>(solver.faults())
                                                     : joint_chain(robot->model(), robot->model().frames.back());
    if (!chain || chain->joints() == 6 || chain->joints() > 7) return complain(solver.faults(), exit_impossible);
    auto times = time_chain_ik(*chain, seconds_each);
    if (!times) return complain(times.faults(), exit_impossible);
    found = *std::move(times);
    family = how_many(chain->joints(), "joint");
  }
  const IkTimes& times = *found;
  const auto tool = tool_driven_robot(robot->description());
  const std::vector<IkTime> torques = tool ? time_tool(*tool, seconds_each) : std::vector<IkTime>{};
  const InverseKinematics face(robot->model(), robot->description(), robot->model().frames.back());
  const std::vector<IkTime> poses = time_poses(face, seconds_each);
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().field("robot", robot->model().name).field("family", family);
    json.field("branches_per_pose", times.branches).field("arc_tangent_seconds", times.arc_tangent);
    const auto rows = [&](const char* name, const std::vector<IkTime>& all) {
      json.key(name).begin_array();
      for (const IkTime& row : all)
        json.begin_object()
            .field("name", row.name)
            .field("seconds_per_call", row.seconds)
            .field("arc_tangents", row.seconds / times.arc_tangent)
            .end_object();
      json.end_array();
    };
    rows("inverse_kinematics", times.rows);
    rows("poses", poses);
    rows("tool_to_torques", torques);
    json.end_object();
    return finish_json(json);
  }
  const auto table = [&](const char* caption, const std::vector<IkTime>& all) {
    TextTable lines{caption, {{""}, {"time", "ns"}, {"in atan2"}}};
    for (const IkTime& row : all)
      lines.add({std::string(row.name), row.seconds * 1e9, row.seconds / times.arc_tangent});
    return to_text(lines);
  };
  std::cout << robot->model().name << ", " << family << "\n\n"
            << table("time per call of inverse kinematics", times.rows) << '\n';
  if (!poses.empty()) std::cout << table("every solution of a pose, with labels and residuals", poses) << '\n';
  if (tool)
    std::cout << table("time per call from the motion of the tool to torques", torques);
  else
    std::cout << "from the motion of the tool to torques: " << tool.faults().front().what << '\n';
  std::cout << fmt::format("\none atan2 takes {:.3g} ns; a pose has {:.3g} branches\n", times.arc_tangent * 1e9,
                           times.branches);
  return finish_standard_output();
}

int bench_equations(const BenchArguments& a) {
  const auto robot = read_robot(a.robot, RobotUse::dynamics, {}, a.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto times = time_equations(robot->description());
  if (!times) return complain(times.faults(), exit_impossible);
  if (a.print.json) return print_rows("robot", robot->model().name, "equations", *times);
  TextTable table{"the equations, each found once; memory is the most that the run has held until then",
                  {{""}, {"terms"}, {"*"}, {"+"}, {"time", "ms"}, {"peak memory", "MB", Align::automatic, 3}}};
  for (const EquationTime& row : *times) {
    const auto count = [&](bool polynomials, long long number) {
      return polynomials == (row.terms > 0) ? TextTable::Cell(number) : TextTable::Cell(std::string());
    };
    table.add({row.what, count(true, static_cast<long long>(row.terms)), count(false, row.cost.multiplications),
               count(false, row.cost.additions), row.seconds * 1e3, row.peak_memory / 1e6});
  }
  std::cout << robot->model().name << "\n\n" << to_text(table);
  return finish_standard_output();
}

int bench_structure(const BenchArguments& a, double seconds_each) {
  const auto robot = read_robot(a.robot, RobotUse::dynamics, {}, a.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const auto times = time_structure(robot->description(), seconds_each);
  if (!times) return complain(times.faults(), exit_impossible);
  if (a.print.json) return print_rows("robot", robot->model().name, "structure", *times);
  TextTable table{"exact structure, the fastest run", {{""}, {"coefficients"}, {"not zero"}, {"time", "ms"}}};
  for (const StructureTime& row : *times)
    table.add(
        {row.what, static_cast<long long>(row.coefficients), static_cast<long long>(row.nonzero), row.seconds * 1e3});
  std::cout << robot->model().name << "\n\n" << to_text(table);
  return finish_standard_output();
}

int bench_derivatives(const BenchArguments& a, double seconds_each) {
  const auto robot = read_robot(a.robot, RobotUse::dynamics, {}, a.chain);
  if (!robot) return complain(robot.faults(), exit_bad_input);
  const std::vector<DerivativeTime> times = time_derivatives(robot->model(), seconds_each);
  if (a.print.json) return print_rows("robot", robot->model().name, "derivatives", times);
  TextTable table{"time per call from q on, the fastest of all batches", {{""}, {"time", "ns"}, {"ratio to tau"}}};
  for (const DerivativeTime& row : times) table.add({row.what, row.seconds * 1e9, row.seconds / times.front().seconds});
  std::cout << robot->model().name << "\n\n" << to_text(table);
  return finish_standard_output();
}

int bench_scaling(const BenchArguments& a, double seconds_each) {
  const Scaling scaling = measure_scaling(static_cast<int>(*a.joints), seconds_each, 10);
  if (a.page) {
    Report report{"Time per call of inverse dynamics", "general arms of revolute joints"};
    report.section("Growth").figure(scaling_plot(scaling)).table(scaling_table(scaling));
    report.verdict = {"Times of this machine at this moment: compare within the page.", Tone::plain};
    if (const auto code = write_page(report, *a.page)) return *code;
  }
  if (a.print.json) {
    JsonWriter json(std::cout);
    json.begin_object().key("formulations").begin_array();
    for (const Scaling::Line& line : scaling.lines) {
      json.begin_object().field("name", line.name).field("complexity", line.complexity);
      field(json, "n", line.n);
      field(json, "seconds_per_call", line.seconds);
      json.end_object();
    }
    json.end_array().end_object();
    return finish_json(json);
  }
  std::cout << to_text(scaling_table(scaling));
  say_page(a.page);
  return finish_standard_output();
}

}  // namespace

int bench_verb(Arguments arguments) {
  BenchArguments a;
  Options options(
      "bench",
      "The library beside its peers: inverse and forward dynamics, mass matrix, Jacobian, derivatives, on robots of "
      "several kinds. With a ROBOT the time per call of every formulation of inverse dynamics (of one with closed "
      "loops "
      "that of its dynamics, beside the tree without them), with --n on general arms of growing length; with --ik of "
      "inverse kinematics in closed form, with --equations of the equations themselves, with --structure of their "
      "exact "
      "structure, with --derivatives of first derivatives, with --simulate of a simulation, with --mechanism of a "
      "mechanism. Figures are of this machine: compare within one run.");
  options.optional_positional("ROBOT", a.robot, "robot file, built-in robot, or - for standard input");
  a.chain.add_to(options, ToolMeans::chain);
  a.comparison.add_to(options);
  options.whole("--n", 4, 60, a.joints,
                "instead of a robot: general arms of up to so many joints, 4 to 60, and how time grows");
  options.flag(
      "--ik", a.ik,
      "instead: inverse kinematics of the robot, and its paths from the tool to torques, beside one atan2 of "
      "the standard library");
  options.flag("--equations", a.equations,
               "instead: the equations of motion of the robot, as polynomials and with named subexpressions");
  options.flag("--structure", a.structure,
               "instead: the exact structure of the robot at all four levels, and of a general chain of 30 joints");
  options.flag("--derivatives", a.derivatives,
               "instead: derivatives of inverse and forward dynamics of the robot, and steps with their Jacobians");
  options.flag("--simulate", a.simulate,
               "instead: simulated seconds a second of the robot under computed torque at 1 kHz");
  options.reads(
      "--mechanism", "FILE", a.mechanism,
      "instead of a robot: a mechanism (file or built-in), its accelerations, torques and steps, and chains of "
      "10 to 10 000 bodies");
  options.text(
      "--beside", "COMMAND", a.beside,
      "with --simulate or --mechanism: run that, too, and show its rows, tabs between: name, simulated seconds "
      "a second, largest error; or name, seconds a step, largest loop-closure error, largest energy error; "
      "tools/beside-mujoco and tools/beside-simbody do it");
  options.whole("--milliseconds", 1, 10000, a.milliseconds, "time spent on each formulation; default 50");
  options.writes("--html", "FILE", a.page, "with --n: a page with the plot of time over joints, both logarithmic");
  a.print.add_to(options);
  options.example("--peers --markdown docs/benchmarks.md", "through ./run: install the peers, compare, write the page")
      .example("puma560", "the formulations on one arm")
      .example("puma560 --ik", "all eight positions, one branch, velocities and accelerations")
      .example("--n 60 --html growth.html", "O(n) against O(n^4)");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  const bool compare = a.robot.empty() && !a.joints && !a.mechanism;
  if (!a.robot.empty() + a.joints.has_value() + a.mechanism.has_value() > 1)
    errors.push_back({{}, "bench", "option-missing", "one question at a time", "give a ROBOT, or --n, or --mechanism"});
  refuse_if(compare && (a.ik || a.equations || a.structure || a.simulate), "--ik, --equations, --structure, --simulate",
            "without a ROBOT", errors);
  refuse_if(!compare && a.comparison.given(), "--robots, --markdown, --peers", "with a ROBOT, --n or --mechanism",
            errors);
  refuse_if(a.robot.empty() && a.chain.cuts(), "--tool, --base, --hold or --followers", "without a ROBOT", errors);
  refuse_if(a.comparison.markdown == "-" && a.print.json, "--markdown -", "with --json", errors);
  refuse_if(a.ik && a.joints, "--ik", "with --n", errors);
  refuse_if(a.equations && a.joints, "--equations", "with --n", errors);
  refuse_if(a.equations && a.ik, "--equations", "with --ik", errors);
  refuse_if(a.structure && a.joints, "--structure", "with --n", errors);
  refuse_if(a.structure && (a.ik || a.equations), "--structure", "with --ik or --equations", errors);
  refuse_if(a.simulate && a.joints, "--simulate", "with --n", errors);
  refuse_if(a.simulate && (a.ik || a.equations || a.structure), "--simulate", "with --ik, --equations or --structure",
            errors);
  refuse_if(a.derivatives && a.joints, "--derivatives", "with --n", errors);
  refuse_if(a.derivatives && (a.ik || a.equations || a.structure || a.simulate), "--derivatives",
            "with --ik, --equations, --structure or --simulate", errors);
  refuse_if(a.mechanism && (a.ik || a.equations || a.structure || a.simulate || a.derivatives), "--mechanism",
            "with --ik, --equations, --structure, --derivatives or --simulate", errors);
  refuse_if(a.beside && !a.simulate && !a.mechanism, "--beside", "without --simulate or --mechanism", errors);
  refuse_if(a.page && !a.joints, "--html", "without --n", errors);
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  std::istringstream compared(a.comparison.robots.value_or(""));
  for (std::string name; std::getline(compared, name, ',');)
    for (const Fault& error : options.also_reads(name)) errors.push_back(error);
  if (!errors.empty()) return complain(errors, exit_bad_input);
  // what takes minutes to measure is not to be lost to a path
  for (const auto& file : {a.comparison.markdown, a.page})
    if (file && !(errors = check_writable(*file)).empty()) return complain(errors, exit_not_written);
  const double seconds_each = static_cast<double>(a.milliseconds) * 1e-3;
  if (compare) return bench_peers(a.comparison, seconds_each, a.print);
  if (a.mechanism) return bench_mechanism(a, seconds_each);
  if (a.ik) return bench_ik(a, seconds_each);
  if (a.equations) return bench_equations(a);
  if (a.structure) return bench_structure(a, seconds_each);
  if (a.derivatives) return bench_derivatives(a, seconds_each);
  if (a.simulate) return bench_simulation(a, seconds_each);
  return a.joints ? bench_scaling(a, seconds_each) : bench_robot(a, seconds_each);
}

}  // namespace torsor
