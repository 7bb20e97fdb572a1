// torsor mechanism kinematics, inverse: the motion that drivers prescribe, and what actuators and joints take for it.
#include <fmt/format.h>

#include "cli/mechanism_report.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

/// The mechanism at its start, ready to be driven; or the verb's exit code with the fault printed.
struct Driven {
  Mechanism mechanism;
  DrivenStart start;
  DrivenRunRules rules;
  int exit_code = exit_done;
};

Driven prepare(const MechanismRunArguments& a) {
  Driven out;
  auto mechanism = read_mechanism(a.mechanism);
  if (!mechanism) {
    out.exit_code = complain(mechanism.faults(), exit_bad_input);
    return out;
  }
  out.mechanism = *std::move(mechanism);
  const auto times = read_run_times(a, out.mechanism.description.run);
  if (!times) {
    out.exit_code = complain(times.faults(), exit_bad_input);
    return out;
  }
  out.rules = *times;
  auto start = driven_start(out.mechanism);
  if (start)
    out.start = *std::move(start);
  else
    out.exit_code = complain(start.faults(), exit_impossible);
  return out;
}

struct InverseArguments {
  MechanismRunArguments run;
  std::optional<std::string> on, axes;
};

}  // namespace

int mechanism_kinematics(Arguments arguments) {
  MechanismRunArguments a;
  Options options(
      "mechanism kinematics",
      "Positions, velocities and accelerations of all bodies and joints over time, as the drivers of the file "
      "prescribe. Where the mechanism locks the run stops with the time and the joint, and what was computed is kept.");
  a.add_to(
      options,
      "t; angles, displacements and lengths with their rates; pose, velocity and acceleration of each body's frame",
      "the mechanism at several instants, curves of the joints");
  options.example("four_bar -o motion.csv --html motion.html", "a turn of the crank")
      .example("stewart_platform --time 2s --every 1ms --json", "for a program");
  if (const auto code = options.parse(arguments)) return *code;
  Driven d = prepare(a);
  if (d.exit_code != exit_done) return d.exit_code;
  MechanismRows rows(d.mechanism, a, kinematics_columns(d.mechanism), "kinematics");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);
  const KinematicsRun found = run_kinematics(d.mechanism, std::move(d.start), d.rules, rows.sink());
  const int code =
      rows.finish(found.run.stop == RunStop::none, found.story, [&](JsonWriter& json) { write_fields(json, found); });
  return end_of_run(code, found.run, d.mechanism);
}

int mechanism_inverse(Arguments arguments) {
  InverseArguments a;
  Options options(
      "mechanism inverse",
      "Inverse dynamics with Lagrange multipliers: the torques of the actuators that cause the motion the drivers "
      "prescribe (drivers and actuators need not be at the same joints), and the reactions of all joints. Without "
      "actuators the torques are those of the drivers themselves. Redundant equations and actuators do no harm: the "
      "least reactions and torques are given, and which are not unique is said.");
  a.run.add_to(options, "t, torques, power, energies, forces and moments of the joints, angles and displacements",
               "the mechanism at several instants; torques, power, energy, reactions");
  options
      .text("--on", "i|j", a.on,
            "which body of each joint the reactions act on: the first or the second; default j. Couplings act "
            "along the measures of their joints alone: a gear as a couple about each axis")
      .one_of({"i", "j"})
      .text("--axes", "world|joint", a.axes,
            "along which axes their components are: the world's, or those of the joint's frame on the body of --on; "
            "default world")
      .one_of({"world", "joint"})
      .example("four_bar -o torques.csv --html four_bar.html", "the torque of the crank, and what the hinges bear")
      .example("hand_driven_robot -o torques.csv",
               "joint torques of a robot that is driven by its tool (Sim, Yoo & Lee 1985, figures 6 and 7)");
  if (const auto code = options.parse(arguments)) return *code;
  Faults errors;
  if (a.on && *a.on != "i" && *a.on != "j")
    errors.push_back({{}, "--on", "option-value", fmt::format("it is \"{}\"", *a.on), "write i or j"});
  if (a.axes && *a.axes != "world" && *a.axes != "joint")
    errors.push_back({{}, "--axes", "option-value", fmt::format("it is \"{}\"", *a.axes), "write world or joint"});
  if (!errors.empty()) return complain(errors, exit_bad_input);
  Driven d = prepare(a.run);
  if (d.exit_code != exit_done) return d.exit_code;
  const Mechanism& m = d.mechanism;
  InverseRows inverse(m, d.start.state, d.start.joints.freedoms, a.on == "i", a.axes == "joint");
  MechanismRows rows(m, a.run, inverse_columns(m, inverse), "inverse");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);
  const auto [motion, faults] = run_inverse(m, std::move(d.start), d.rules, inverse, rows.sink());
  int code =
      rows.finish(motion.run.stop == RunStop::none, motion.story, [&motion = motion, &inverse](JsonWriter& json) {
        write_fields(json, motion);
        write_fields(json, inverse);
      });
  code = end_of_run(code, motion.run, m);
  return code != exit_done || faults.empty() ? code : complain(faults, exit_impossible);
}

}  // namespace torsor
