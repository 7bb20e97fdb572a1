#include "torsor/report/mechanism_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/how_many.hpp"
#include "torsor/mechanism/driver_torque.hpp"
#include "torsor/mechanism/friction_forces.hpp"
#include "torsor/mechanism/singular_watch.hpp"

namespace torsor {
namespace {

constexpr double much_missing = 0.01;  // of the energy: a run that misses more is not to be trusted

/// The first of these instants, and how many they are.
std::string first_of(const std::vector<double>& instants) {
  return format_number(instants.front(), 6) + " s" +
         (instants.size() == 1 ? "" : fmt::format(", and at {} instants in all,", instants.size()));
}

/// The same if each lies next to a branch point or to more degrees of freedom, or in a rest upon a singular position; or nothing.
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
  const bool turn = body.turn_given || norm(start.given.w) > rounding,
             way = body.way_given || norm(start.given.v) > rounding;
  const auto told = [&](const char* w, const char* v, const Motion<double>& of) {
    return (turn ? w + components(of.w) : "") + (turn && way ? ", " : "") + (way ? v + components(of.v) : "");
  };
  return fmt::format(
      "{} not allow the velocities that bodies are given at the start, and the nearest are taken: body \"{}\" was "
      "given {} and begins with {}.",
      who, body.name, told("angular_velocity ", "velocity ", start.given), told("", "", start.taken));
}

/// Of each stop and friction: how often what happened to it, and when first.
std::vector<std::string> event_sentences(const std::vector<MechanismEvent>& events) {
  struct Told {
    const MechanismEvent* first;
    long count;
  };
  std::vector<Told> told;
  for (const MechanismEvent& each : events) {
    const auto known =
        std::ranges::find_if(told, [&](const Told& x) { return x.first->kind == each.kind && x.first->of == each.of; });
    if (known == told.end())
      told.push_back({&each, 1});
    else
      ++known->count;
  }
  constexpr std::size_t most = 12;
  std::vector<std::string> sentences;
  for (const Told& each : told) {
    if (sentences.size() == most) return sentences.push_back("And other events."), sentences;
    sentences.push_back(fmt::format("At {} s {} {}{}.", format_number(each.first->t, 8), each.first->of,
                                    status_name(each.first->kind),
                                    each.count == 1   ? ""
                                    : each.count == 2 ? ", and once more"
                                                      : fmt::format(", and {} more times", each.count - 1)));
  }
  return sentences;
}

void add_frames(const Mechanism& m, std::vector<MechanismColumns>& groups) {
  for (MechanismColumns each :
       {pose_columns(m.description), velocity_columns(m.description), acceleration_columns(m.description)})
    groups.push_back(std::move(each));
  for (MechanismColumns& each : point_columns(m.description)) groups.push_back(std::move(each));
}

void append_frames(const Mechanism& m, const MechanismState& state, std::span<const Motion<double>> A,
                   std::vector<double>& out) {
  append_poses(m, state, out);
  append_velocities(m, state, out);
  append_accelerations(m, state, A, out);
  append_points(m, state, A, out);
}

}  // namespace

Result<DrivenStart> driven_start(const Mechanism& m) {
  DrivenStart out{described_state(m), {}};
  if (Faults errors = start_driven(m, out.state); !errors.empty()) return errors;
  out.joints = mobility(m, out.state, EquationSet::without_drivers);
  return out;
}

std::vector<MechanismColumns> kinematics_columns(const Mechanism& m) {
  std::vector<MechanismColumns> groups = measure_columns(reported_measures(m.description));
  groups.push_back({"Loop-closure error", "error", "m or rad", {"gap"}});
  add_frames(m, groups);
  return groups;
}

KinematicsRun run_kinematics(const Mechanism& m, DrivenStart start, const DrivenRunRules& rules,
                             const MechanismRowSink& sink) {
  const auto measures = reported_measures(m.description);
  SingularWatch watch(m, start.joints.freedoms);
  MechanismEquations equations(m);
  std::vector<double> numbers;
  KinematicsRun out{run_driven(m, start.state, rules, [&](const DrivenInstant& at) {
    equations.evaluate(at.state);
    numbers.clear();
    append_measures(equations, measures, at.A, numbers);
    numbers.push_back(at.gap);
    append_frames(m, at.state, at.A, numbers);
    watch.look(at.state);
    return sink(at.state, numbers, Gaps::faults, {});
  }), watch.times(), redundancy(m, start.joints), {}};
  out.story = story_of_driven(out.run, out.singular_times);
  out.story.say(redundancy_sentence(out.redundancy, ReactionsGiven::none));
  return out;
}

std::vector<MechanismColumns> inverse_columns(const Mechanism& m, const InverseRows& inverse) {
  std::vector<MechanismColumns> groups = inverse.columns();
  for (MechanismColumns& each : measure_columns(reported_measures(m.description))) groups.push_back(std::move(each));
  groups.push_back({"Loop-closure error", "error", "m or rad", {"gap"}});
  return groups;
}

MechanismInverseRun run_inverse(const Mechanism& m, DrivenStart start, const DrivenRunRules& rules,
                                InverseRows& inverse, const MechanismRowSink& sink) {
  const auto measures = reported_measures(m.description);
  SingularWatch watch(m, start.joints.freedoms);
  MechanismEquations equations(m);
  std::vector<double> numbers;
  MechanismInverseRun out;
  out.motion.run = run_driven(m, start.state, rules, [&](const DrivenInstant& at) {
    numbers.clear();
    const Gaps gaps = inverse.append(at, numbers);
    equations.evaluate(at.state);
    append_measures(equations, measures, at.A, numbers);
    numbers.push_back(at.gap);
    watch.look(at.state);
    // the torques of the actuators come first
    const std::size_t actuators = m.description.actuators.size();
    return sink(at.state, numbers, gaps, std::span<const double>(numbers).first(std::min(actuators, numbers.size())));
  });
  out.motion.singular_times = watch.times();
  const DrivenRunReport& report = out.motion.run;

  RunStory& story = out.motion.story;
  story = story_of_driven(report, watch.times());
  // what no actuator can cause, beside what moves here
  const bool caused = inverse.uncaused.empty();
  // where actuators that command all degrees of freedom elsewhere do not, the position is the cause and not their number
  const std::string singular_time =
      caused ? "" : singular_instants(inverse.uncaused, report, watch.times(), rules.interval);
  const bool dead_centre = !caused && singular_time.empty() && inverse.commanded >= start.joints.freedoms;
  const std::string no_hold =
      dead_centre ? fmt::format(
                        "at {} the {} have no hold on some degree of freedom, as at a dead centre: accelerations up to "
                        "{} rad/s² or m/s² are left",
                        first_of(inverse.uncaused), inverse.who(), format_number(inverse.worst_unbalanced, 3))
                  : "";
  // what was asked comes first
  story.answer = inverse.largest_sentence();
  const std::vector<Highlight> largest = inverse.largest_highlights();
  story.highlights.insert(story.highlights.begin(), largest.begin(), largest.end());
  story.highlights.push_back(inverse.power_highlight());
  story.say(inverse.power_sentence());
  const std::vector<int> shared = inverse.shared();
  out.motion.redundancy =
      redundancy(m, inverse.of_drivers() ? mobility(m, start.state, EquationSet::all) : start.joints);
  story.say(redundancy_sentence(out.motion.redundancy,
                                shared.empty() ? ReactionsGiven::of_joints : ReactionsGiven::with_torques));
  story.say(!inverse.of_drivers()           ? torque_sentence(m, shared)
            : m.description.drivers.empty() ? "It has no actuators and no drivers: the joints hold it all."
                                            : "It has no actuators: torques are those of the drivers themselves.");
  if (!singular_time.empty())
    story.say(fmt::format(
                  "At {} it stands in a singular position, where the {} cannot cause "
                  "all of its motion: accelerations up to {} rad/s² or m/s² are left.",
                  singular_time, inverse.who(), format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  else if (dead_centre)
    story.say("A" + no_hold.substr(1) + ".", Tone::bad);
  else if (!caused)
    story.say(fmt::format("The actuators cannot cause this motion: they command {} of {}, and accelerations up to {} "
                          "rad/s² or m/s² are left to others.",
                          inverse.commanded, how_many(start.joints.freedoms, "degree of freedom", "degrees of freedom"),
                          format_number(inverse.worst_unbalanced, 3)),
              Tone::bad);
  if (const std::string gaps = inverse.gap_sentence(); !gaps.empty()) story.warn(gaps);
  for (std::string& sentence : inverse.torque_sentences()) story.say(std::move(sentence));
  for (std::string& sentence : inverse.limit_sentences()) story.say(std::move(sentence), Tone::warning);
  if (caused) return out;
  if (!singular_time.empty())
    out.faults = {
        {{},
         m.description.name,
         "singular-position",
         fmt::format(
             "at {} it stands in a singular position: its {} cannot cause all of its motion there, accelerations up to "
             "{} rad/s² or m/s² are left",
             singular_time, inverse.who(), format_number(inverse.worst_unbalanced, 3)),
         report.rest_time < 0 ? "let no instant fall upon it (--every), or add an actuator that holds it there"
                              : "end the run before it rests there (--time), or add an actuator that holds it there"}};
  else if (dead_centre)
    out.faults = {{{},
                   m.description.name,
                   "singular-position",
                   no_hold,
                   "let no instant fall upon it (--every), or add an actuator that has a hold there"}};
  else
    out.faults = {
        {{},
         m.description.name,
         "under-actuated",
         fmt::format("its actuators cannot cause this motion: accelerations up to {} rad/s² or m/s² are left",
                     format_number(inverse.worst_unbalanced, 3)),
         "add actuators, or drive what they can move; torsor mechanism mobility says how many are needed"}};
  return out;
}

std::vector<MechanismColumns> simulation_columns(const Mechanism& m) {
  std::vector<MechanismColumns> groups = measure_columns(reported_measures(m.description));
  groups.push_back({"Energy", "energy", "J", {"kinetic", "potential", "work"}});
  groups.push_back({"What the balance of energy misses", "energy", "J", {"energy_error"}});
  groups.push_back({"Loop-closure error", "error", "m or rad", {"gap"}});
  groups.push_back({"Torques of the drivers", "torque", "", {}});
  add_driver_columns(m, groups.back());
  groups.push_back({"Torques of the springs", "torque", "", {}});
  for (const MechanismSpring& spring : m.description.springs)
    groups.back().add("spring." + spring.name, torque_unit(spring.measure));
  groups.push_back({"Laws", "torque", "", {}});
  for (const MechanismLaw& law : m.description.laws) groups.back().add("law." + law.name, torque_unit(law.measure));
  groups.push_back({"Dry friction", "torque", "", {}});
  for (const MechanismFriction& friction : m.description.frictions)
    groups.back().add("friction." + friction.name, torque_unit(friction.measure));
  for (MechanismColumns& each : ReactionColumns(m, {}).columns()) groups.push_back(std::move(each));
  add_frames(m, groups);
  return groups;
}

MechanismSimulation run_simulation(const Mechanism& m, const ForwardRunRules& rules, const MechanismRowSink& sink) {
  const auto measures = reported_measures(m.description);
  const ReactionColumns reactions(m, {});
  MechanismState state = described_state(m);
  MechanismSimulation out;
  std::vector<double> numbers;
  long long instants = 0;
  out.run = run_forward(m, state, rules, [&](const ForwardInstant& at) {
    ++instants;
    numbers.clear();
    append_measures(at.forward.equations(), measures, at.A, numbers);
    const MechanismEnergy& energy = at.forward.energy();
    numbers.insert(numbers.end(), {energy.kinetic, energy.potential, at.work, at.energy_error, at.gap});
    const std::size_t forces = numbers.size();
    append_driver_torques(m, at.forward.equations(), at.forward.lambda(), numbers);
    const std::size_t springs = numbers.size();
    for (const MechanismSpring& spring : m.description.springs)
      numbers.push_back(spring_torque(spring, at.forward.equations().measure(spring.measure), at.state.t));
    for (const MechanismLaw& law : m.description.laws)
      numbers.push_back(law_torque(m, at.state, at.forward.equations(), law));
    for (std::size_t k = 0; k < m.description.frictions.size(); ++k) numbers.push_back(at.forward.friction().torque(k));
    const std::size_t joints = numbers.size();
    reactions.append(at.forward.equations(), at.forward.lambda(), numbers);
    if (!at.forces_known) {
      out.no_value.push_back(at.state.t);
      for (std::size_t k = forces; k < numbers.size(); ++k)
        if (k < springs || k >= joints) numbers[k] = std::nan("");
    }
    append_frames(m, at.state, at.A, numbers);
    return sink(at.state, numbers, at.forces_known ? Gaps::faults : Gaps::no_value, {});
  });
  const ForwardRunReport& report = out.run;
  out.formulation = rules.formulation;
  out.integrator = rules.integrator;
  out.limited = limited_torques(m.description, 0, report.t);
  if (report.equations) out.redundancy = redundancy(m, *report.equations);
  if (report.start.differs()) out.start_velocity = start_sentence(m, report.start);

  RunStory& story = out.story;
  story.say(fmt::format("{} {} to {} s in {}.", rules.integrator, report.finished ? "ran" : "came",
                        format_number(report.t, 6), how_many(report.count.steps, "step")));
  story.say(
      fmt::format("Equations of position hold to {} m or rad, of velocity to {} m/s or rad/s; one step drifts by {} m "
                  "or rad at most.",
                  format_number(report.worst_gap, 2), format_number(report.worst_rate_gap, 2),
                  format_number(report.worst_drift, 2)));
  story.answer = fmt::format("The balance of energy misses at most {}.",
                             beside_largest(report.worst_energy_error, report.largest_energy, "energy", "J"));
  story.say(story.answer);
  if (out.redundancy) story.say(redundancy_sentence(*out.redundancy, ReactionsGiven::of_joints));
  for (std::string& events : event_sentences(report.events)) story.say(std::move(events));
  for (std::string& limited : limit_sentences(m.description, 0, report.t)) story.say(std::move(limited), Tone::warning);
  if (out.start_velocity) story.warn(*out.start_velocity);
  for (const std::string& jump : sentences_of(report.jumps)) story.warn(jump);
  if (!report.singular_times.empty())
    story.warn(
        fmt::format("At about {} s it passes a singular position, where it has more degrees of freedom and may go on "
                    "in more than one "
                    "way: energy and motion behind it are as good as the balance of energy says.",
                    list_of_times(report.singular_times, 3)));
  if (const double share = report.energy_share(); report.finished && share > much_missing)
    story.warn(fmt::format("The balance of energy misses {:.2g} % of what there was and was done: {}.", 100 * share,
                           find_integrator(rules.integrator)->adaptive ? "tighten --tolerance" : "use a smaller --step"));
  if (!out.no_value.empty())
    story.warn(fmt::format(
        "Torques of the drivers and reactions have no value at {} of {}, first at {} s, upon a branch point: they "
        "are nan there.",
        out.no_value.size(), how_many(instants, "instant"), format_number(out.no_value.front(), 6)));
  // elsewhere it is an error, reported as such
  if (!report.finished) story.sentences.push_back({fmt::format("It stopped: {}.", report.why), Tone::bad});
  story.highlights = {
      {"ran to", format_number(report.t, 5), "s", report.finished ? "the end" : "it stopped",
       report.finished ? Tone::good : Tone::bad},
      {"largest loop-closure error", format_number(report.worst_gap, 2), "m or rad", "of the equations of position"},
      {"energy error", format_number(report.worst_energy_error, 2), "J", "largest on the way"},
      {"steps", fmt::format("{}", report.count.steps), "", rules.integrator}};
  return out;
}

MechanismPage::MechanismPage(const Mechanism& m, std::vector<MechanismColumns> groups, std::string what)
    : mechanism_(m),
      groups_(std::move(groups)),
      what_(std::move(what)),
      curves_(header_of(groups_, false)),
      motion_(m) {}

void MechanismPage::add(const MechanismState& state, std::span<const double> numbers, std::span<const double> torques) {
  curves_.add(state.t, numbers);
  motion_.add(state, torques);
}

void MechanismPage::add_plots(ReportSection& section, const MechanismColumns& group, std::size_t first) const {
  std::vector<std::string_view> units;
  for (std::size_t k = 0; k < group.names.size(); ++k)
    if (std::ranges::find(units, group.unit_of(k)) == units.end()) units.push_back(group.unit_of(k));
  for (const std::string_view unit : units) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < group.names.size(); ++k)
      if (group.unit_of(k) == unit) columns.push_back(first + k);
    SvgPlot plot = curves_.plot(group.heading, group.quantity, std::string(unit), columns);
    if (units.size() > 1) plot.title += fmt::format(", in {}", unit);
    if (plot.y.label == "torque" && unit == "N") plot.y.label = "force";
    if (plot.y.label == "measure") plot.y.label = unit == "rad" ? "angle" : "length";
    section.figure(std::move(plot));
  }
}

Report MechanismPage::report(const RunStory& story) const {
  Report report{fmt::format("{}: {}", mechanism_.description.name, what_),
                mechanism_.description.source,
                fmt::format("Made by torsor mechanism {}.", what_)};
  report.highlights = story.highlights;
  ReportSection& first = report.section("The mechanism");
  report.verdict = verdict_of(story);
  for (const Paragraph& sentence : story.sentences) first.text(sentence.text, sentence.tone);
  if (!motion_.empty()) first.figure(mechanism_view(motion_, "The mechanism as it moves"));
  std::size_t column = 0;
  for (const MechanismColumns& group : groups_) {
    // what has no quantity of its own is for the table, not for the eye
    if (!group.quantity.empty() && !group.names.empty()) add_plots(report.section(group.heading), group, column);
    column += group.names.size();
  }
  return report;
}

}  // namespace torsor
