// torsor mechanism equilibrium, modes: where a mechanism stays at rest, and how it moves about there.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/deliver.hpp"
#include "cli/mechanism_argument.hpp"
#include "torsor/io/mechanism_drawing.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/linearisation.hpp"

namespace torsor {
namespace {

struct RestArguments {
  std::string name;
  std::optional<std::string> page, at;
  PrintArguments print;

  void add_to(Options& options) {
    add_mechanism_to(options, name);
    options.text("--html", "FILE", page, "a page with the mechanism drawn (HTML)");
    print.add_to(options);
  }
};

/// A mechanism before and after it has come to rest.
struct AtRest {
  Mechanism mechanism;
  MechanismState start, state;
  EquilibriumReport report;
  int exit_code = exit_done;
};

std::string freedoms_word(int n) { return fmt::format("{} degree{} of freedom", n, n == 1 ? "" : "s"); }

Error no_equilibrium(const AtRest& r) {
  return {{},
          r.mechanism.description.name,
          "no-equilibrium",
          fmt::format("no place of rest was found: {}", r.report.why),
          "start nearer to one, or add springs where nothing holds it"};
}

/// Reads and assembles; comes to rest if asked to. Faults are told.
AtRest come_to_rest(const RestArguments& a, bool wanted) {
  AtRest out;
  Errors errors;
  refuse_if(a.page == "-" && a.print.json, "--html -", "with --json", errors);
  auto mechanism = errors.empty() ? read_mechanism(a.name) : Result<Mechanism>(errors);
  if (!mechanism) {
    out.exit_code = complain(mechanism.errors(), exit_bad_input);
    return out;
  }
  out.mechanism = *std::move(mechanism);
  out.start = described_state(out.mechanism);
  Assembly assembly(out.mechanism, EquationSet::all);
  assembly.expect_redundancy(true);
  if (errors = assemble_start(out.mechanism, assembly, out.start); !errors.empty()) {
    out.exit_code = complain(errors, exit_impossible);
    return out;
  }
  out.state = out.start;
  if (!wanted) return out;
  out.report = find_equilibrium(out.mechanism, out.state);
  if (!out.report.found) out.exit_code = complain({no_equilibrium(out)}, exit_impossible);
  return out;
}

/// Forces and moments of the joints there: sizes, on the second body.
struct RestingJoint {
  std::string name;
  double force, moment;
};

std::vector<RestingJoint> reactions_at(const Mechanism& m, const MechanismState& state) {
  MechanismForward forward(m);
  forward.expect_redundancy(true);
  std::vector<Motion<double>> A(m.description.bodies.size());
  std::vector<RestingJoint> all;
  if (!forward.accelerations(state, A)) return all;
  for (const ConstraintBlock& block : m.blocks) {
    if (block.origin != ConstraintBlock::Origin::joint || block.rows == 0) continue;
    const Force<double> F = joint_reaction(m, forward.equations(), block, forward.lambda()).on_j;
    all.push_back({m.description.joints[static_cast<std::size_t>(block.index)].name, norm(F.f), norm(F.n)});
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

MechanismDrawing drawing_of(const AtRest& r) {
  MechanismDrawing drawing = mechanism_drawing(r.mechanism, "from the start to the place of rest");
  drawing.instants = {strokes_of(r.mechanism, r.start), strokes_of(r.mechanism, r.state)};
  drawing.note = "Pale: the start. Dark: the place of rest.";
  return drawing;
}

Report equilibrium_report(const AtRest& r, const PrintArguments& print) {
  Report report{fmt::format("{}: equilibrium", r.mechanism.description.name),
                fmt::format("{}, drivers as they are at the start", freedoms_word(r.report.freedoms)),
                {{"stable", r.report.stable ? "yes" : "no", "", "", r.report.stable ? Tone::good : Tone::warning}},
                {},
                "Made by torsor mechanism equilibrium."};
  ReportSection& section = report.section("");
  TextTable measures{
      "joints", {{"measure"}, column("start", "rad or m", print), column("at rest", "rad or m", print)}, {}};
  for (const RestingMeasure& each : measures_at(r)) measures.add({each.name, each.start, each.rest});
  if (!measures.rows.empty()) section.table(without_noise(std::move(measures)));
  TextTable bodies{
      "body frames at rest", {{"body"}, column("x", "m", print), column("y", "m", print), column("z", "m", print)}, {}};
  for (int b = 0; b < r.mechanism.bodies(); ++b) {
    const Vec3<double> p = body_pose(r.mechanism, r.state, b).p;
    bodies.add({r.mechanism.description.bodies[static_cast<std::size_t>(b)].name, p.x, p.y, p.z});
  }
  section.table(without_noise(std::move(bodies)));
  TextTable joints{"reactions at rest", {{"joint"}, column("force", "N", print), column("moment", "N m", print)}, {}};
  for (const RestingJoint& each : reactions_at(r.mechanism, r.state)) joints.add({each.name, each.force, each.moment});
  if (!joints.rows.empty()) section.table(without_noise(std::move(joints)));
  section.text(fmt::format("{} after {} rounds; forces along the freedoms balance to {}.",
                           r.report.stable ? "Stable, found" : "Not stable, found", r.report.rounds,
                           format_number(r.report.residual, 2)));
  section.figure(drawing_of(r));
  return report;
}

int equilibrium_json(const AtRest& r) {
  JsonWriter json(std::cout);
  json.begin_object().field("mechanism", r.mechanism.description.name).field("stable", r.report.stable);
  json.field("freedoms", r.report.freedoms).field("rounds", r.report.rounds).field("residual", r.report.residual);
  json.field("least_stiffness", r.report.least_stiffness).key("measures").begin_object();
  for (const RestingMeasure& each : measures_at(r)) json.field(each.name, each.rest);
  json.end_object().key("bodies").begin_array();
  for (int b = 0; b < r.mechanism.bodies(); ++b) {
    json.begin_object().field("name", r.mechanism.description.bodies[static_cast<std::size_t>(b)].name);
    pose_fields(json, body_pose(r.mechanism, r.state, b)).end_object();
  }
  json.end_array().key("reactions").begin_array();
  for (const RestingJoint& each : reactions_at(r.mechanism, r.state))
    json.begin_object().field("joint", each.name).field("force", each.force).field("moment", each.moment).end_object();
  json.end_array().end_object();
  return finish_json(json);
}

std::string character(const Mode& mode) {
  if (mode.s.real() > 1e-6 * std::max(1.0, std::abs(mode.s))) return "grows";
  return mode.s.imag() != 0 ? "oscillates" : std::abs(mode.s) > 1e-6 ? "decays" : "drifts";
}

Report modes_report(const AtRest& r, const Linearisation& found, bool rest, const PrintArguments& print) {
  Report report{fmt::format("{}: small motions", r.mechanism.description.name),
                fmt::format("about {}, {}", rest ? "its place of rest" : "its start", freedoms_word(found.freedoms)),
                {},
                {},
                "Made by torsor mechanism modes."};
  ReportSection& section = report.section("");
  TextTable modes{"modes",
                  {column("frequency", "Hz", print),
                   column("damping ratio", "", print),
                   column("Re s", "1/s", print),
                   column("Im s", "1/s", print),
                   {"character"}},
                  {}};
  for (const Mode& mode : found.modes)
    modes.add({mode.frequency, mode.damping, mode.s.real(), mode.s.imag(), character(mode)});
  if (found.modes.empty())
    section.text("Nothing is free to move: joints and drivers hold it all.");
  else
    section.table(std::move(modes));
  if (const std::string spins = spin_sentence(r.mechanism, r.state, EquationSet::all); !spins.empty())
    section.text(spins, Tone::warning);
  if (found.left_over > 1e-6)
    section.text(
        fmt::format(
            "This is no place of rest: accelerations of {} are left along the freedoms, and these are the small "
            "motions about a motion.",
            format_number(found.left_over, 3)),
        Tone::warning);
  MechanismDrawing drawing = mechanism_drawing(r.mechanism, "where the small motions are about");
  drawing.instants = {strokes_of(r.mechanism, r.state)};
  section.figure(std::move(drawing));
  return report;
}

int modes_json(const AtRest& r, const Linearisation& found, bool rest) {
  JsonWriter json(std::cout);
  json.begin_object().field("mechanism", r.mechanism.description.name).field("about", rest ? "equilibrium" : "start");
  json.field("freedoms", found.freedoms).field("left_over", found.left_over).key("modes").begin_array();
  for (const Mode& mode : found.modes)
    json.begin_object()
        .field("frequency", mode.frequency)
        .field("damping", mode.damping)
        .field("real", mode.s.real())
        .field("imaginary", mode.s.imag())
        .field("character", character(mode))
        .end_object();
  json.end_array();
  matrix_field(json, "K", found.K, static_cast<std::size_t>(found.freedoms));
  matrix_field(json, "D", found.D, static_cast<std::size_t>(found.freedoms));
  json.end_object();
  return finish_json(json);
}

}  // namespace

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

int mechanism_modes(Arguments arguments) {
  RestArguments a;
  Options options(
      "mechanism modes",
      "Small motions about the place of rest: frequencies, damping, and what grows; from the equations linearised "
      "about it, with springs, dampers, gravity and the curvature of the loops.");
  a.add_to(options);
  options.text("--at", "start|equilibrium", a.at, "about which state; default equilibrium")
      .example("pendulum", "0.498 Hz")
      .example("my_press.toml --at start --json", "for a program, with the matrices");
  if (const auto code = options.parse(arguments)) return *code;
  if (a.at && *a.at != "start" && *a.at != "equilibrium")
    return complain({{{}, "--at", "option-value", fmt::format("it is \"{}\"", *a.at), "write start or equilibrium"}},
                    exit_bad_input);
  const bool rest = a.at != "start";
  const AtRest r = come_to_rest(a, rest);
  if (r.exit_code != exit_done) return r.exit_code;
  const Linearisation found = linearise(r.mechanism, r.state);
  if (!found.why.empty())
    return complain(
        {{{}, r.mechanism.description.name, "no-modes", found.why, "torsor mechanism mobility shows its freedoms"}},
        exit_impossible);
  return deliver(modes_report(r, found, rest, a.print), a.page, a.print, [&] { return modes_json(r, found, rest); });
}

}  // namespace torsor
