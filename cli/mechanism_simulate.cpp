// torsor mechanism simulate: the motion under forces, springs, actuators and drivers, with the account of its energy and of
// how well its equations hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/mechanism_redundancy.hpp"
#include "cli/mechanism_report.hpp"
#include "cli/mechanism_story.hpp"
#include "cli/quantity.hpp"
#include "torsor/how_many.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/mechanism/driver_torque.hpp"
#include "torsor/mechanism/forward_run.hpp"

namespace torsor {
namespace {

struct MechanismSimulateArguments {
  MechanismRunArguments run;
  std::optional<std::string> integrator, step, tolerance, formulation;
  bool through = false;
};

Result<ForwardRunRules> forward_rules(const MechanismSimulateArguments& a, const MechanismRun& file) {
  Faults errors;
  ForwardRunRules rules;
  const auto times = read_run_times(a.run, file);
  collect(times, errors);
  rules.integrator = a.integrator.value_or(file.integrator);
  if (!find_integrator(rules.integrator)) {
    std::vector<std::string_view> names;
    for (const IntegratorRow& row : integrators()) names.push_back(row.name);
    const std::string hint = did_you_mean(rules.integrator, names);
    errors.push_back({{},
                      fmt::format("--integrator \"{}\"", rules.integrator),
                      "integrator-unknown",
                      "there is no such method",
                      fmt::format("{}{}use {}", hint, hint.empty() ? "" : " ", fmt::join(names, ", "))});
  }
  const auto positive = [&](const char* option, const std::optional<std::string>& text,
                            std::span<const QuantityUnit> unit, double fallback, double& target) {
    const auto x = read_quantity(option, text, unit, fallback);
    collect(x, errors);
    if (x && !(*x > 0))
      errors.push_back({{}, option, "option-value", fmt::format("it is {}", *x), "give a number above zero"});
    else if (x)
      target = *x;
  };
  if (a.formulation && *a.formulation != "augmented" && *a.formulation != "partitioned")
    errors.push_back({{},
                      "--formulation",
                      "option-value",
                      fmt::format("it is \"{}\"", *a.formulation),
                      "write augmented or partitioned"});
  if (const IntegratorRow* const method = find_integrator(rules.integrator)) {
    const auto unused = [&](const char* option, const char* of, const char* instead) {
      errors.push_back({{}, option, "option-unused", fmt::format("{} has {}", rules.integrator, of), instead});
    };
    if (a.step && method->adaptive)
      unused("--step", "steps of its own choice", "give --tolerance, or an integrator with fixed steps (--integrator rk4)");
    if (a.tolerance && !method->adaptive)
      unused("--tolerance", "fixed steps", "give --step, or an integrator with variable steps (--integrator dormand-prince)");
  }
  positive("--step", a.step, quantities::time, file.step, rules.step);
  positive("--tolerance", a.tolerance, {}, file.tolerance, rules.tolerance);
  if (!errors.empty()) return errors;
  rules.time = times->time;
  rules.interval = times->interval;
  rules.project_stages = a.through;
  rules.watch_singular = true;
  rules.formulation = (a.formulation ? *a.formulation == "partitioned" : file.partitioned) ? MechanismFormulation::partitioned
                                                                                           : MechanismFormulation::augmented;
  return rules;
}

std::string start_sentence(const Mechanism& m, const StartVelocity& start) {
  const double rounding = 1e-12 * (norm(start.given.w) + norm(start.given.v));
  const auto components = [rounding](const Vec3<double>& v) {
    const auto number = [rounding](double x) { return format_number(std::fabs(x) < rounding ? 0 : x, 4); };
    return fmt::format("[{}, {}, {}]", number(v.x), number(v.y), number(v.z));
  };
  const std::string who = m.description.drivers.empty() ? "The joints do" : "Joints and drivers do";
  if (start.body < 0)
    return fmt::format("{} not allow the velocities that are given at the start: joint \"{}\" was given {}_rate {} and "
                       "begins with {}.",
                       who, m.description.joints[static_cast<std::size_t>(start.measure.joint)].name,
                       measure_word(start.measure.what), format_number(start.given_rate, 4),
                       format_number(start.taken_rate, 4));
  const MechanismBody& body = m.description.bodies[static_cast<std::size_t>(start.body)];
  // what was left out is free, and not told
  const bool turn = body.turn_given || norm(start.given.w) > rounding, way = body.way_given || norm(start.given.v) > rounding;
  const auto told = [&](const char* w, const char* v, const Motion<double>& of) {
    return (turn ? w + components(of.w) : "") + (turn && way ? ", " : "") + (way ? v + components(of.v) : "");
  };
  return fmt::format(
      "{} not allow the velocities that bodies are given at the start, and the nearest are taken: body \"{}\" was "
      "given {} and begins with {}.",
      who, body.name, told("angular_velocity ", "velocity ", start.given), told("", "", start.taken));
}

void simulation_fields(JsonWriter& json, const Mechanism& m, const ForwardRunReport& r, const ForwardRunRules& rules) {
  json.field("complete", r.finished).field("end_time", r.t);
  if (!r.finished) json.field("stop", r.why).field("rule", run_stop(r.stop).rule);
  if (r.block >= 0) json.field("stopped_by", m.block_name(m.blocks[static_cast<std::size_t>(r.block)]));
  json.field("largest_gap", r.worst_gap)
      .field("largest_drift", r.worst_drift)
      .field("largest_rate_gap", r.worst_rate_gap);
  json.field("energy_error", r.worst_energy_error).field("largest_energy", r.largest_energy);
  json.field("formulation", rules.formulation == MechanismFormulation::partitioned ? "partitioned" : "augmented");
  json.field("integrator", rules.integrator).field("steps", r.count.steps).field("refused", r.count.refused);
  json.field("slopes", r.count.slopes).field("estimated_error", r.estimated_error).field("crossings", r.crossings);
  json.key("singular_times").value(std::span<const double>(r.singular_times));
  jump_fields(json, r.jumps);
  if (r.start.differs()) json.field("start_velocity", start_sentence(m, r.start));
}

}  // namespace

int mechanism_simulate(Arguments arguments) {
  MechanismSimulateArguments a;
  Options options(
      "mechanism simulate",
      "Forward simulation: the motion under gravity, springs, forces, given torques of the actuators and drivers, "
      "from the start of the file on. Positions and velocities are brought back onto the equations after every "
      "step; the drift that was corrected, the loop-closure error that remains, and the error of the energy balance are always reported.");
  a.run.add_to(
      options,
      "t; angles, displacements and lengths with their rates; energies; loop-closure error; torques of drivers and springs; reactions; pose, "
      "velocity and acceleration of each body's frame",
      "the mechanism at several instants; joints, reactions, energy, loop-closure error");
  options
      .text("--integrator", "NAME", a.integrator,
            "rk4, dormand-prince, gauss, radau (stiff) or semi-implicit (first order); default: what the file says")
      .text("--step", "S", a.step, "of methods with fixed steps, or 1ms; refused for others; default: what the file says")
      .text("--tolerance", "X", a.tolerance, "of methods with variable steps; refused for others; default: what the file says")
      .text("--formulation", "NAME", a.formulation,
            "augmented: all coordinates with multipliers, projected; partitioned: as many coordinates as degrees of freedom "
            "(Wehage "
            "& Haug), for small mechanisms; default: what the file says")
      .flag("--through-singular", a.through,
            "bring the states inside a step onto the equations, too: dearer, for motions through singular positions")
      .example("bricard -o motion.csv --html bricard.html", "ten seconds of a linkage that counting says cannot move")
      .example("double_four_bar --through-singular --every 10ms -o motion.csv",
               "through positions where it has more degrees of freedom");
  if (const auto code = options.parse(arguments)) return *code;
  const auto mechanism = read_mechanism(a.run.name);
  if (!mechanism) return complain(mechanism.faults(), exit_bad_input);
  const Mechanism& m = *mechanism;
  const auto rules = forward_rules(a, m.description.run);
  if (!rules) return complain(rules.faults(), exit_bad_input);
  const auto measures = reported_measures(m.description);
  const ReactionColumns reactions(m, {});
  std::vector<MechanismColumns> groups = measure_columns(measures);
  groups.push_back({"Energy", "energy", "J", {"kinetic", "potential", "work"}});
  groups.push_back({"What the balance of energy misses", "energy", "J", {"energy_error"}});
  groups.push_back({"Loop-closure error", "gap", "m or rad", {"gap"}});
  groups.push_back({"Torques of the drivers", "effort", "N m or N", {}});
  for (const std::string& name : driver_torque_names(m)) groups.back().names.push_back("effort." + name);
  groups.push_back({"Torques of the springs", "effort", "N m or N", {}});
  for (const MechanismSpring& spring : m.description.springs) groups.back().names.push_back("spring." + spring.name);
  for (MechanismColumns& each : reactions.columns()) groups.push_back(std::move(each));
  for (MechanismColumns each :
       {pose_columns(m.description), velocity_columns(m.description), acceleration_columns(m.description)})
    groups.push_back(std::move(each));
  MechanismRows rows(m, a.run, std::move(groups), "simulate");
  if (!rows.faults().empty()) return complain(rows.faults(), exit_not_written);

  MechanismState state = described_state(m);
  std::vector<double> numbers, no_value;  // s: when forces have none
  const ForwardRunReport report = run_forward(m, state, *rules, [&](const ForwardInstant& at) {
    numbers.clear();
    append_measures(at.forward.equations(), measures, at.A, numbers);
    const MechanismEnergy& energy = at.forward.energy();
    numbers.insert(numbers.end(), {energy.kinetic, energy.potential, at.work, at.energy_error, at.gap});
    const std::size_t forces = numbers.size();
    append_driver_torques(m, at.forward.equations(), at.forward.lambda(), numbers);
    const std::size_t springs = numbers.size();
    for (const MechanismSpring& spring : m.description.springs)
      numbers.push_back(spring_torque(spring, at.forward.equations().measure(spring.measure), at.state.t));
    const std::size_t joints = numbers.size();
    reactions.append(at.forward.equations(), at.forward.lambda(), numbers);
    if (!at.forces_known) {
      no_value.push_back(at.state.t);
      for (std::size_t k = forces; k < numbers.size(); ++k)
        if (k < springs || k >= joints) numbers[k] = std::nan("");
    }
    append_poses(m, at.state, numbers);
    append_velocities(m, at.state, numbers);
    append_accelerations(m, at.state, at.A, numbers);
    return rows.add(at.state, numbers, at.forces_known ? Gaps::faults : Gaps::no_value);
  });

  RunStory story;
  story.say(fmt::format("{} {} to {} s in {}.", rules->integrator, report.finished ? "ran" : "came",
                        format_number(report.t, 6), how_many(report.count.steps, "step")));
  story.say(fmt::format("Equations of position hold to {} m or rad, of velocity to {} m/s or rad/s; one step drifts by {} m or rad at most.",
                        format_number(report.worst_gap, 2), format_number(report.worst_rate_gap, 2),
                        format_number(report.worst_drift, 2)));
  story.say(fmt::format("The balance of energy misses at most {}.",
                        beside_largest(report.worst_energy_error, report.largest_energy, "energy", "J")));
  if (report.equations) story.say(redundancy_sentence(m, *report.equations, ReactionsGiven::of_joints));
  for (std::string& limited : limit_sentences(m.description, 0, report.t)) story.say(std::move(limited), Tone::warning);
  if (report.start.differs()) story.warn(start_sentence(m, report.start));
  for (const std::string& jump : sentences_of(report.jumps)) story.warn(jump);
  if (!report.singular_times.empty())
    story.warn(fmt::format("At about {} s it passes a singular position, where it has more degrees of freedom and may go on in more than one "
                           "way: energy and motion behind it are as good as the balance of energy says.",
                           list_of_times(report.singular_times, 3)));
  if (!no_value.empty())
    story.warn(fmt::format("Torques of the drivers and reactions have no value at {} of {}, first at {} s, upon a branch point: they "
                           "are nan there.",
                           no_value.size(), how_many(rows.rows(), "instant"), format_number(no_value.front(), 6)));
  // elsewhere it is an error, reported as such
  if (!report.finished) story.sentences.push_back({fmt::format("It stopped: {}.", report.why), Tone::bad});
  story.highlights = {
      {"ran to", format_number(report.t, 5), "s", report.finished ? "the end" : "it stopped",
       report.finished ? Tone::good : Tone::bad},
      {"largest loop-closure error", format_number(report.worst_gap, 2), "m or rad", "of the equations of position"},
      {"energy error", format_number(report.worst_energy_error, 2), "J", "largest on the way"},
      {"steps", fmt::format("{}", report.count.steps), "", rules->integrator}};
  const auto summary = [&](JsonWriter& json) {
    simulation_fields(json, m, report, *rules);
    if (report.equations) redundancy_field(json, m, *report.equations);
    limits_field(json, m.description, 0, report.t);
    json.key("no_value").value(std::span<const double>(no_value));
  };
  const int code = rows.finish(report.finished, story.highlights, story.sentences, summary, story.text);
  if (report.stop == RunStop::start && code == exit_done) {
    // who is to blame for the start is known better where nothing else is asked for
    MechanismState start = described_state(m);
    if (const Faults errors = start_simulated(m, start); !errors.empty()) return complain(errors, exit_impossible);
  }
  return end_of_run(code, report.stop, report.t, report.block, report.why, m);
}

}  // namespace torsor
