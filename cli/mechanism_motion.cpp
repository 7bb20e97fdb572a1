// torsor mechanism kinematics, inverse: the motion that drivers prescribe, and what actuators and joints have to bear for it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/mechanism_report.hpp"
#include "cli/mechanism_story.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"

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
    out.exit_code = complain(mechanism.errors(), exit_bad_input);
    return out;
  }
  out.mechanism = *std::move(mechanism);
  const Mechanism& m = out.mechanism;
  const auto times = read_run_times(a, m.description.run);
  if (!times) {
    out.exit_code = complain(times.errors(), exit_bad_input);
    return out;
  }
  out.times = *times;
  out.state = described_state(m);
  if (const Errors errors = start_driven(m, out.state); !errors.empty()) {
    out.exit_code = complain(errors, exit_impossible);
    return out;
  }
  out.joints = mobility(m, out.state, EquationSet::without_drivers);
  return out;
}

/// The first of these instants, and how many they are, if each lies next to a branch point or to more freedoms; or nothing.
std::string singular_instants(const std::vector<double>& instants, const std::vector<double>& branches,
                              const std::vector<double>& more_freedoms, double interval) {
  const auto next_to = [&](double t, const std::vector<double>& times) {
    return std::any_of(times.begin(), times.end(), [&](double at) { return std::abs(t - at) <= 1.01 * interval; });
  };
  for (const double t : instants)
    if (!next_to(t, branches) && !next_to(t, more_freedoms)) return "";
  return format_number(instants.front(), 6) +
         (instants.size() == 1 ? "" : fmt::format(", and {} instants in all,", instants.size()));
}

/// Which reactions are not unique: of the joints that redundant equations come from.
std::string not_unique(const Mechanism& m, const MobilityReport& joints) {
  std::set<int> blocks;
  for (const Dependence& each : joints.dependences) {
    blocks.insert(each.block);
    blocks.insert(each.partners.begin(), each.partners.end());
  }
  if (blocks.empty()) return "All reactions are unique.";
  std::string list;
  int count = 0;
  for (const int b : blocks) {
    if (++count > 8) {
      list += fmt::format(" and {} more", blocks.size() - 8);
      break;
    }
    list += (list.empty() ? "" : ", ") + m.block_name(m.blocks[static_cast<std::size_t>(b)]);
  }
  return fmt::format(
      "{} equations are redundant: reactions of {} are not unique, the least ones are given. Efforts of the actuators "
      "are unique.",
      joints.redundant, list);
}

struct InverseArguments {
  MechanismRunArguments run;
  std::optional<std::string> on, axes;
};

/// Efforts and reactions of one instant after the other.
class InverseRows {
 public:
  InverseRows(const Mechanism& m, bool on_i, bool joint_axes)
      : beyond(m.description.actuators.size(), -1.0),
        mechanism_(m),
        inverse_(m),
        reactions_(m, {false, on_i, joint_axes}),
        efforts_(m.description.actuators.size()),
        g_(m.description.bodies.size()) {
    inverse_.expect_redundancy(true);
  }

  std::vector<MechanismColumns> columns() const {
    std::vector<MechanismColumns> groups{{"Efforts of the actuators", "effort", "N m or N", {}},
                                         {"Power", "power", "W", {"power.actuators", "power.needed"}},
                                         {"Energy", "energy", "J", {"kinetic", "potential"}}};
    for (const MechanismActuator& a : mechanism_.description.actuators) groups[0].names.push_back("effort." + a.name);
    for (MechanismColumns& each : reactions_.columns()) groups.push_back(std::move(each));
    return groups;
  }

  void append(const DrivenInstant& at, std::vector<double>& out) {
    const InverseReport report = inverse_.efforts(at.state, at.A, efforts_);
    for (std::size_t k = 0; k < efforts_.size(); ++k) {
      const double motor = inverse_.motor_effort(static_cast<int>(k), efforts_[k]);
      const auto& limit = mechanism_.description.actuators[k].effort_limit;
      if (limit && std::abs(motor) > *limit && beyond[k] < 0) beyond[k] = at.state.t;
      out.push_back(motor);
    }
    // what the efforts must do per second: the rate of kinetic energy less the power of everything else
    applied_forces(mechanism_, at.state, inverse_.equations(), ActuatorEfforts::none, g_);
    double needed = 0;
    for (std::size_t b = 0; b < g_.size(); ++b) {
      const BodyState& body = at.state.bodies[b];
      needed += dot(Motion<double>{body.w, body.v}, inverse_.motion().mass(static_cast<int>(b), at.A[b]) - g_[b]);
    }
    out.insert(out.end(), {report.power, needed, report.energy.kinetic, report.energy.potential});
    worst_unbalanced = std::max(worst_unbalanced, report.unbalanced);
    if (!(report.unbalanced < usual_rounding)) uncaused.push_back(at.state.t);
    worst_balance = std::max(worst_balance, std::abs(report.power - needed));
    largest_power = std::max(largest_power, std::abs(needed));
    commanded = std::max(commanded, report.commanded);
    reactions_.append(inverse_.equations(), inverse_.lambda(), out);
  }

  static constexpr double usual_rounding = 1e-6;  // of accelerations left beside what moves
  double worst_unbalanced = 0, worst_balance = 0, largest_power = 0;
  int commanded = 0;             // degrees of freedom, where it is most
  std::vector<double> uncaused;  // when something was left that no actuator can cause, s
  std::vector<double> beyond;    // when an actuator first is over its limit, s; -1: never

 private:
  const Mechanism& mechanism_;
  MechanismInverse inverse_;
  ReactionColumns reactions_;
  std::vector<double> efforts_;
  std::vector<Force<double>> g_;
};

}  // namespace

int mechanism_kinematics(Arguments arguments) {
  MechanismRunArguments a;
  Options options(
      "mechanism kinematics",
      "Positions, velocities and accelerations of all bodies and joints over time, as the drivers of the file "
      "prescribe. Where the mechanism locks the run stops with the time and the joint, and what was computed is kept.");
  a.add_to(options,
           "t; angles, slides and lengths with their rates; pose, velocity and acceleration of each body's frame",
           "the mechanism at several instants, curves of the joints");
  options.example("four_bar -o motion.csv --html motion.html", "a turn of the crank")
      .example("stewart_platform --time 2s --every 1ms --json", "for a program");
  if (const auto code = options.parse(arguments)) return *code;
  Driven d = prepare(a);
  if (d.exit_code != exit_done) return d.exit_code;
  const Mechanism& m = d.mechanism;
  const auto measures = reported_measures(m.description);
  std::vector<MechanismColumns> groups = measure_columns(measures);
  groups.push_back({"Gap of the equations of position", "gap", "m or rad", {"gap"}});
  for (MechanismColumns each :
       {pose_columns(m.description), velocity_columns(m.description), acceleration_columns(m.description)})
    groups.push_back(std::move(each));
  MechanismRows rows(m, a, d.times.time, std::move(groups), "kinematics");
  if (!rows.errors().empty()) return complain(rows.errors(), exit_not_written);
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
  const RunStory story = story_of_driven(report, watch);
  const int code = rows.finish(
      story.highlights, story.sentences, [&](JsonWriter& json) { end_fields(json, report, watch, m); }, story.text);
  return end_of_run(code, report.stop, report.t, report.block, report.why, rows.rows(), m);
}

int mechanism_inverse(Arguments arguments) {
  InverseArguments a;
  Options options(
      "mechanism inverse",
      "Inverse dynamics with Lagrange multipliers: the efforts of the actuators that cause the motion the drivers "
      "prescribe (drivers and actuators need not be at the same joints), and the reactions of all joints. Redundant "
      "equations do no harm: the least reactions are given, and which are not unique is said.");
  a.run.add_to(options, "t, efforts, power, energies, forces and moments of the joints, angles and slides",
               "the mechanism at several instants; efforts, power, energy, reactions");
  options
      .text("--on", "i|j", a.on,
            "which body of each joint the reactions act on: the first or the second; default j. Couplings act "
            "along the measures of their joints alone: a gear as a couple about each axis")
      .text("--axes", "world|joint", a.axes,
            "along which axes their components are: the world's, or those of the joint's frame on the body of --on; "
            "default world")
      .example("four_bar -o efforts.csv --html four_bar.html", "the torque of the crank, and what the hinges bear")
      .example("hand_driven_robot -o torques.csv",
               "joint torques of a robot that is driven by its hand (001, figures 6 and 7)");
  if (const auto code = options.parse(arguments)) return *code;
  Errors errors;
  if (a.on && *a.on != "i" && *a.on != "j")
    errors.push_back({{}, "--on", "option-value", fmt::format("it is \"{}\"", *a.on), "write i or j"});
  if (a.axes && *a.axes != "world" && *a.axes != "joint")
    errors.push_back({{}, "--axes", "option-value", fmt::format("it is \"{}\"", *a.axes), "write world or joint"});
  if (!errors.empty()) return complain(errors, exit_bad_input);
  Driven d = prepare(a.run);
  if (d.exit_code != exit_done) return d.exit_code;
  const Mechanism& m = d.mechanism;
  if (m.description.actuators.empty())
    return complain({{{},
                      m.description.name,
                      "no-actuators",
                      "it has no actuators",
                      "add [[actuator]] blocks: whose efforts are asked for?"}},
                    exit_impossible);
  InverseRows inverse(m, a.on == "i", a.axes == "joint");
  const auto measures = reported_measures(m.description);
  std::vector<MechanismColumns> groups = inverse.columns();
  for (MechanismColumns& each : measure_columns(measures)) groups.push_back(std::move(each));
  groups.push_back({"Gap of the equations of position", "gap", "m or rad", {"gap"}});
  MechanismRows rows(m, a.run, d.times.time, std::move(groups), "inverse");
  if (!rows.errors().empty()) return complain(rows.errors(), exit_not_written);
  SingularWatch watch(m, d.joints.freedoms);
  MechanismEquations equations(m);
  std::vector<double> numbers;
  const DrivenRunReport report = run_driven(m, d.state, {d.times.time, d.times.interval}, [&](const DrivenInstant& at) {
    numbers.clear();
    inverse.append(at, numbers);
    equations.evaluate(at.state);
    append_measures(equations, measures, at.A, numbers);
    numbers.push_back(at.gap);
    watch.look(at.state);
    return rows.add(at.state, numbers);
  });

  RunStory story = story_of_driven(report, watch);
  const double balance = inverse.worst_balance / std::max(inverse.largest_power, 1e-300);
  // what no actuator can cause, beside what moves here
  const bool caused = inverse.uncaused.empty();
  // where actuators that command all freedoms elsewhere do not, the position is to blame and not their number
  const std::string singular_time =
      caused ? "" : singular_instants(inverse.uncaused, report.branch_times, watch.times, d.times.interval);
  story.highlights.push_back({"power balance", format_number(balance, 2), "",
                              "actuators against rate of energy, relative", caused ? Tone::good : Tone::bad});
  story.say(fmt::format("Power of the actuators is the rate of energy to {} of its largest, {} W.",
                        format_number(balance, 2), format_number(inverse.largest_power, 4)));
  story.say(not_unique(m, d.joints));
  if (!singular_time.empty())
    story.say(fmt::format(
                  "At {} s it stands in a singular position, next to a branch point, where the actuators cannot cause "
                  "all of its motion: accelerations up to {} are left.",
                  singular_time, format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  else if (!caused)
    story.say(fmt::format("The actuators cannot cause this motion: they command {} of {} degrees of freedom, and "
                          "accelerations up to {} are left to others.",
                          inverse.commanded, d.joints.freedoms, format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  for (std::size_t k = 0; k < inverse.beyond.size(); ++k)
    if (inverse.beyond[k] >= 0)
      story.say(
          fmt::format("Actuator \"{}\" is beyond its limit of {} from {} s on.", m.description.actuators[k].name,
                      format_number(*m.description.actuators[k].effort_limit, 4), format_number(inverse.beyond[k], 4)),
          Tone::warning);
  int code = rows.finish(
      story.highlights, story.sentences,
      [&](JsonWriter& json) {
        end_fields(json, report, watch, m);
        json.field("commanded", inverse.commanded).field("unbalanced", inverse.worst_unbalanced);
        json.field("power_balance", balance).field("largest_power", inverse.largest_power);
        json.field("redundant", d.joints.redundant);
      },
      story.text);
  code = end_of_run(code, report.stop, report.t, report.block, report.why, rows.rows(), m);
  if (code != exit_done || caused) return code;
  if (!singular_time.empty())
    return complain(
        {{{},
          m.description.name,
          "singular-position",
          fmt::format("at {} s it stands in a singular position, next to a branch point: its actuators cannot cause "
                      "all of its motion there, accelerations up to {} are left",
                      singular_time, format_number(inverse.worst_unbalanced, 3)),
          "let no instant fall upon it (--every), or add an actuator that holds it there"}},
        exit_impossible);
  return complain({{{},
                    m.description.name,
                    "under-actuated",
                    fmt::format("its actuators cannot cause this motion: accelerations up to {} are left",
                                format_number(inverse.worst_unbalanced, 3)),
                    "add actuators, or drive what they can move; torsor mechanism mobility tells how many are needed"}},
                  exit_impossible);
}

}  // namespace torsor
