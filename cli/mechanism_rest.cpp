// torsor mechanism equilibrium: where a mechanism stays at rest, and what the joints bear there.
#include "cli/mechanism_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "cli/deliver.hpp"
#include "torsor/how_many.hpp"
#include "torsor/mechanism/driver_torque.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/named_measure.hpp"
#include "torsor/report/mechanism_columns.hpp"
#include "torsor/report/mechanism_story.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/text/result_json.hpp"

namespace torsor {
namespace {

Fault no_equilibrium(const AtRest& r) {
  if (const std::string size = too_many_freedoms(r.equations); !size.empty())
    return {{},
            r.mechanism.description.name,
            "mechanism-size",
            size,
            "simulate runs it all the same, with damping to its rest"};
  return fault_of(r.mechanism.description.name, "no-equilibrium",
                  fmt::format("no place of rest was found: {}", r.report.why), r.report.remedy);
}

/// What holds it there: forces and moments of the joints, sizes and on the second body, and torques of the drivers.
struct RestingForces {
  struct Joint {
    std::string name;
    double force, moment;
    Force<double> on_j;
  };
  std::vector<Joint> joints;
  std::vector<std::string> drivers;
  std::vector<double> torques;
};

RestingForces forces_at(const Mechanism& m, const MechanismState& state) {
  MechanismForward forward(m);
  forward.expect_redundancy(true);
  std::vector<Motion<double>> A(m.description.bodies.size());
  RestingForces all;
  if (!forward.accelerations(state, A)) return all;
  all.drivers = driver_torque_names(m);
  append_driver_torques(m, forward.equations(), forward.lambda(), all.torques);
  for (const ConstraintBlock& block : m.blocks) {
    if (block.origin != ConstraintBlock::Origin::joint || block.rows == 0) continue;
    const Force<double> F = joint_reaction(m, forward.equations(), block, forward.lambda()).on_j;
    all.joints.push_back({m.description.joints[static_cast<std::size_t>(block.index)].name, norm(F.f), norm(F.n), F});
  }
  return all;
}

struct RestingMeasure {
  std::string name;
  double start, rest;
};

std::vector<RestingMeasure> measures_at(const AtRest& r) {
  MechanismEquations before(r.mechanism), after(r.mechanism);
  before.evaluate(r.start);
  after.evaluate(r.state);
  std::vector<RestingMeasure> all;
  for (const NamedMeasure& each : reported_measures(r.mechanism.description))
    all.push_back({each.name, before.measure(each.measure).value, after.measure(each.measure).value});
  return all;
}

/// The start, then the place of rest, which is shown first.
MovingView view_of(const AtRest& r) {
  MechanismMotion motion(r.mechanism);
  motion.add(r.start);
  motion.add(r.state);
  MovingView view = mechanism_view(motion, "from the start to the place of rest");
  view.note = "0: the start; 1: the place of rest.";
  view.axis = "instant";
  view.unit = "";
  view.clips.front().t = {0, 1};
  view.clips.front().start = 1;
  return view;
}

std::string stability_sentence(Stability stability) {
  return stability == Stability::stable     ? "Stable"
         : stability == Stability::unstable ? "Unstable: it would leave this place at the least push"
                                            : "Indifferent: along some degree of freedom nothing brings it back";
}

Report equilibrium_report(const AtRest& r, const PrintArguments& print) {
  Report report{fmt::format("{}: equilibrium", r.mechanism.description.name),
                fmt::format("{}, drivers as they are at the start",
                            how_many(r.report.freedoms, "degree of freedom", "degrees of freedom")),
                "Made by torsor mechanism equilibrium."};
  report.highlights = {{"rest", status_name(r.report.stability), "", "", r.report.stable ? Tone::good : Tone::warning}};
  report.verdict = {fmt::format("The place of rest is {}.", status_name(r.report.stability)),
                    r.report.stable ? Tone::good : Tone::warning};
  ReportSection& section = report.section("");
  TextTable measures{"joints", {{"measure"}, column("start", "", print), column("at rest", "", print)}};
  for (const RestingMeasure& each : measures_at(r)) measures.add({each.name, each.start, each.rest});
  std::vector<std::string> units;
  for (const NamedMeasure& each : reported_measures(r.mechanism.description))
    units.emplace_back(each.measure.what == Measure::What::angle ? "rad" : "m");
  if (!measures.rows.empty()) section.table(with_units(without_noise(std::move(measures)), 1, 2, units));
  TextTable bodies{
      "body frames at rest", {{"body"}, column("x", "m", print), column("y", "m", print), column("z", "m", print)}};
  for (int b = 0; b < r.mechanism.bodies(); ++b) {
    const Vec3<double> p = body_pose(r.mechanism, r.state, b).p;
    bodies.add({r.mechanism.description.bodies[static_cast<std::size_t>(b)].name, p.x, p.y, p.z});
  }
  section.table(without_noise(std::move(bodies)));
  TextTable joints{"reactions at rest", {{"joint"}, column("force", "N", print), column("moment", "N m", print)}};
  const RestingForces forces = forces_at(r.mechanism, r.state);
  for (const RestingForces::Joint& each : forces.joints) joints.add({each.name, each.force, each.moment});
  if (!joints.rows.empty()) section.table(without_noise(std::move(joints)));
  const std::vector<Measure> driven = driven_measures(r.mechanism);
  const auto force = [](const Measure& measure) { return measure.what != Measure::What::angle; };
  TextTable drivers{
      "torques of the drivers that hold it",
      {{"driver"}, column(!driven.empty() && std::ranges::all_of(driven, force) ? "force" : "torque", "", print)}};
  for (std::size_t k = 0; k < forces.drivers.size(); ++k) drivers.add({forces.drivers[k], forces.torques[k]});
  units.clear();
  for (const Measure& each : driven) units.emplace_back(torque_unit(each));
  if (!drivers.rows.empty()) section.table(with_units(without_noise(std::move(drivers)), 1, 1, units));
  section.text(fmt::format("{}, found after {}; forces along the degrees of freedom balance to {} of the largest.",
                           stability_sentence(r.report.stability), how_many(r.report.rounds, "round"),
                           format_number(r.report.residual, 2)),
               r.report.stable ? Tone::plain : Tone::warning);
  section.text(redundancy_sentence(redundancy(r.mechanism, r.equations), ReactionsGiven::of_joints));
  for (std::string& limited : limit_sentences(r.mechanism.description, r.state.t, r.state.t))
    section.text(std::move(limited), Tone::warning);
  section.figure(view_of(r));
  return report;
}

int equilibrium_json(const AtRest& r) {
  JsonWriter json(std::cout);
  json.begin_object().field("mechanism", r.mechanism.description.name);
  write_fields(json, r.report);
  json.key("measures").begin_object();
  for (const RestingMeasure& each : measures_at(r)) json.field(each.name, each.rest);
  json.end_object().key("bodies").begin_array();
  for (int b = 0; b < r.mechanism.bodies(); ++b) {
    json.begin_object().field("name", r.mechanism.description.bodies[static_cast<std::size_t>(b)].name);
    pose_fields(json, body_pose(r.mechanism, r.state, b)).end_object();
  }
  json.end_array().key("reactions").begin_array();
  const RestingForces forces = forces_at(r.mechanism, r.state);
  for (const RestingForces::Joint& each : forces.joints) {
    const double n[] = {each.on_j.n.x, each.on_j.n.y, each.on_j.n.z},
                 f[] = {each.on_j.f.x, each.on_j.f.y, each.on_j.f.z};
    json.begin_object().field("joint", each.name).field("force", each.force).field("moment", each.moment);
    json.key("on_j").begin_object().key("moment").value(std::span<const double>(n));
    json.key("force").value(std::span<const double>(f)).end_object().end_object();
  }
  json.end_array().key("driver_torques").begin_object();
  for (std::size_t k = 0; k < forces.drivers.size(); ++k) json.field(forces.drivers[k], forces.torques[k]);
  json.end_object();
  write_json(json.key("redundancy"), redundancy(r.mechanism, r.equations));
  write_json(json.key("limited"), limited_torques(r.mechanism.description, r.state.t, r.state.t));
  json.end_object();
  return finish_json(json);
}

}  // namespace

void RestArguments::add_to(Options& options) {
  mechanism.add_to(options);
  options.writes("--html", "FILE", page, "a page with the mechanism drawn (HTML)");
  print.add_to(options);
}

Faults bring_to_rest(AtRest& it, bool wanted) {
  it.start = described_state(it.mechanism);
  // where drivers hold it in a singular position multipliers would be those of the last digits
  if (Faults errors = start_simulated(it.mechanism, it.start); !errors.empty()) return errors;
  it.state = it.start;
  if (wanted) it.report = find_equilibrium(it.mechanism, it.state);
  it.equations = mobility(it.mechanism, it.state, EquationSet::all);
  if (wanted && !it.report.found) return {no_equilibrium(it)};
  return {};
}

AtRest come_to_rest(const RestArguments& a, bool wanted) {
  AtRest out;
  Faults errors;
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  auto mechanism = errors.empty() ? read_mechanism(a.mechanism) : Result<Mechanism>(errors);
  if (!mechanism) {
    out.exit_code = complain(mechanism.faults(), exit_bad_input);
    return out;
  }
  out.mechanism = *std::move(mechanism);
  if (errors = bring_to_rest(out, wanted); !errors.empty()) out.exit_code = complain(errors, exit_impossible);
  return out;
}

int mechanism_equilibrium(Arguments arguments) {
  RestArguments a;
  Options options(
      "mechanism equilibrium",
      "Where a mechanism stays at rest under gravity, springs and given forces, its drivers held as they are at "
      "the start: joints, bodies and reactions there, and whether it is stable.");
  a.add_to(options);
  options.example("bricard", "how the linkage hangs").example("my_lamp.toml --html lamp.html", "with a drawing");
  if (const auto code = options.parse(arguments)) return *code;
  const AtRest r = come_to_rest(a, true);
  if (r.exit_code != exit_done) return r.exit_code;
  return deliver(equilibrium_report(r, a.print), a.page, a.print, [&] { return equilibrium_json(r); });
}

}  // namespace torsor
