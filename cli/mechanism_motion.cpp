// torsor mechanism kinematics, inverse: the motion that drivers prescribe, and what actuators and joints have to bear for it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/mechanism_torques.hpp"
#include "cli/mechanism_redundancy.hpp"
#include "cli/mechanism_story.hpp"
#include "torsor/how_many.hpp"

namespace torsor {
namespace {

/// The mechanism at its start, ready to be driven; or the verb's exit code with the fault told.
struct Driven {
  Mechanism mechanism;
  MechanismState state;
  RunTimes times;
  MobilityReport joints;
  int exit_code = exit_done;
};

Driven prepare(const MechanismRunArguments& a) {
  Driven out;
  auto mechanism = read_mechanism(a.name);
  if (!mechanism) {
    out.exit_code = complain(mechanism.faults(), exit_bad_input);
    return out;
  }
  out.mechanism = *std::move(mechanism);
  const Mechanism& m = out.mechanism;
  const auto times = read_run_times(a, m.description.run);
  if (!times) {
    out.exit_code = complain(times.faults(), exit_bad_input);
    return out;
  }
  out.times = *times;
  out.state = described_state(m);
  if (const Faults errors = start_driven(m, out.state); !errors.empty()) {
    out.exit_code = complain(errors, exit_impossible);
    return out;
  }
  out.joints = mobility(m, out.state, EquationSet::without_drivers);
  return out;
}

/// The first of these instants, and how many they are.
std::string first_of(const std::vector<double>& instants) {
  return format_number(instants.front(), 6) + " s" +
         (instants.size() == 1 ? "" : fmt::format(", and at {} instants in all,", instants.size()));
}

/// The same if each lies next to a branch point or to more freedoms, or in a rest upon a singular position; or nothing.
std::string singular_instants(const std::vector<double>& instants, const DrivenRunReport& run,
                              const std::vector<double>& more_freedoms, double interval) {
  const auto next_to = [&](double t, const std::vector<double>& times) {
    return std::any_of(times.begin(), times.end(), [&](double at) { return std::abs(t - at) <= 1.01 * interval; });
  };
  for (const double t : instants)
    if (!next_to(t, run.branch_times) && !next_to(t, more_freedoms) &&
        !(run.rest_time >= 0 && t > run.rest_time - 1.01 * interval))
      return "";
  return first_of(instants);
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
  a.add_to(options,
           "t; angles, displacements and lengths with their rates; pose, velocity and acceleration of each body's frame",
           "the mechanism at several instants, curves of the joints");
  options.example("four_bar -o motion.csv --html motion.html", "a turn of the crank")
      .example("stewart_platform --time 2s --every 1ms --json", "for a program");
  if (const auto code = options.parse(arguments)) return *code;
  Driven d = prepare(a);
  if (d.exit_code != exit_done) return d.exit_code;
  const Mechanism& m = d.mechanism;
  const auto measures = reported_measures(m.description);
  std::vector<MechanismColumns> groups = measure_columns(measures);
  groups.push_back({"Loop-closure error", "gap", "m or rad", {"gap"}});
  for (MechanismColumns each :
       {pose_columns(m.description), velocity_columns(m.description), acceleration_columns(m.description)})
    groups.push_back(std::move(each));
  MechanismRows rows(m, a, std::move(groups), "kinematics");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);
  SingularWatch watch(m, d.joints.freedoms);
  MechanismEquations equations(m);
  std::vector<double> numbers;
  const DrivenRunReport report = run_driven(m, d.state, {d.times.time, d.times.interval}, [&](const DrivenInstant& at) {
    equations.evaluate(at.state);
    numbers.clear();
    append_measures(equations, measures, at.A, numbers);
    numbers.push_back(at.gap);
    append_poses(m, at.state, numbers);
    append_velocities(m, at.state, numbers);
    append_accelerations(m, at.state, at.A, numbers);
    watch.look(at.state);
    return rows.add(at.state, numbers);
  });
  RunStory story = story_of_driven(report, watch);
  story.say(redundancy_sentence(m, d.joints, ReactionsGiven::none));
  const auto summary = [&](JsonWriter& json) {
    end_fields(json, report, watch, m);
    redundancy_field(json, m, d.joints);
  };
  const int code = rows.finish(report.stop == RunStop::none, story.highlights, story.sentences, summary, story.text);
  return end_of_run(code, report.stop, report.t, report.block, report.why, m);
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
      .text("--axes", "world|joint", a.axes,
            "along which axes their components are: the world's, or those of the joint's frame on the body of --on; "
            "default world")
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
  InverseRows inverse(m, d.state, d.joints.freedoms, a.on == "i", a.axes == "joint");
  const auto measures = reported_measures(m.description);
  std::vector<MechanismColumns> groups = inverse.columns();
  for (MechanismColumns& each : measure_columns(measures)) groups.push_back(std::move(each));
  groups.push_back({"Loop-closure error", "gap", "m or rad", {"gap"}});
  MechanismRows rows(m, a.run, std::move(groups), "inverse");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);
  SingularWatch watch(m, d.joints.freedoms);
  MechanismEquations equations(m);
  std::vector<double> numbers;
  const DrivenRunReport report = run_driven(m, d.state, {d.times.time, d.times.interval}, [&](const DrivenInstant& at) {
    numbers.clear();
    const Gaps gaps = inverse.append(at, numbers);
    equations.evaluate(at.state);
    append_measures(equations, measures, at.A, numbers);
    numbers.push_back(at.gap);
    watch.look(at.state);
    // the efforts of the actuators come first
    const std::size_t actuators = m.description.actuators.size();
    return rows.add(at.state, numbers, gaps, std::span<const double>(numbers).first(std::min(actuators, numbers.size())));
  });

  RunStory story = story_of_driven(report, watch);
  // what no actuator can cause, beside what moves here
  const bool caused = inverse.uncaused.empty();
  // where actuators that command all freedoms elsewhere do not, the position is to blame and not their number
  const std::string singular_time =
      caused ? "" : singular_instants(inverse.uncaused, report, watch.times(), d.times.interval);
  const bool dead_centre = !caused && singular_time.empty() && inverse.commanded >= d.joints.freedoms;
  const std::string no_hold =
      dead_centre ? fmt::format("at {} the {} have no hold on some freedom, as at a dead centre: accelerations up to {} rad/s^2 or m/s^2 are left",
                                first_of(inverse.uncaused), inverse.who(), format_number(inverse.worst_unbalanced, 3))
                  : "";
  story.highlights.push_back(inverse.power_highlight());
  story.say(inverse.power_sentence());
  const std::vector<int> shared = inverse.shared();
  const MobilityReport equations_used = inverse.of_drivers() ? mobility(m, d.state, EquationSet::all) : d.joints;
  story.say(redundancy_sentence(m, equations_used,
                                shared.empty() ? ReactionsGiven::of_joints : ReactionsGiven::with_torques));
  story.say(!inverse.of_drivers()           ? torque_sentence(m, shared)
            : m.description.drivers.empty() ? "It has no actuators and no drivers: the joints hold it all."
                                            : "It has no actuators: torques are those of the drivers themselves.");
  if (!singular_time.empty())
    story.say(fmt::format(
                  "At {} it stands in a singular position, where the {} cannot cause "
                  "all of its motion: accelerations up to {} rad/s^2 or m/s^2 are left.",
                  singular_time, inverse.who(), format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  else if (dead_centre)
    story.say("A" + no_hold.substr(1) + ".", Tone::bad);
  else if (!caused)
    story.say(fmt::format("The actuators cannot cause this motion: they command {} of {}, and accelerations up to {} "
                          "rad/s^2 or m/s^2 are left to others.",
                          inverse.commanded, how_many(d.joints.freedoms, "degree of freedom", "degrees of freedom"),
                          format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  if (const std::string gaps = inverse.gap_sentence(); !gaps.empty()) story.warn(gaps);
  for (std::string& sentence : inverse.torque_sentences()) story.say(std::move(sentence));
  for (std::string& sentence : inverse.limit_sentences()) story.say(std::move(sentence), Tone::warning);
  int code = rows.finish(
      report.stop == RunStop::none, story.highlights, story.sentences,
      [&](JsonWriter& json) {
        end_fields(json, report, watch, m);
        json.field("commanded", inverse.commanded).field("unbalanced", inverse.worst_unbalanced);
        inverse.power_fields(json);
        json.field("redundant", equations_used.redundant).field("efforts_of", inverse.who());
        redundancy_field(json, m, equations_used);
        std::vector<std::string> names;
        for (const int k : shared) names.push_back(m.description.actuators[static_cast<std::size_t>(k)].name);
        field(json, "efforts_not_unique", names);
        inverse.torque_fields(json);
        inverse.limit_fields(json);
      },
      story.text);
  code = end_of_run(code, report.stop, report.t, report.block, report.why, m);
  if (code != exit_done || caused) return code;
  if (!singular_time.empty())
    return complain(
        {{{},
          m.description.name,
          "singular-position",
          fmt::format("at {} it stands in a singular position: its {} cannot cause "
                      "all of its motion there, accelerations up to {} rad/s^2 or m/s^2 are left",
                      singular_time, inverse.who(), format_number(inverse.worst_unbalanced, 3)),
          report.rest_time < 0 ? "let no instant fall upon it (--every), or add an actuator that holds it there"
                               : "end the run before it rests there (--time), or add an actuator that holds it there"}},
        exit_impossible);
  if (dead_centre)
    return complain({{{},
                      m.description.name,
                      "singular-position",
                      no_hold,
                      "let no instant fall upon it (--every), or add an actuator that has a hold there"}},
                    exit_impossible);
  return complain({{{},
                    m.description.name,
                    "under-actuated",
                    fmt::format("its actuators cannot cause this motion: accelerations up to {} rad/s^2 or m/s^2 are left",
                                format_number(inverse.worst_unbalanced, 3)),
                    "add actuators, or drive what they can move; torsor mechanism mobility says how many are needed"}},
                  exit_impossible);
}

}  // namespace torsor
