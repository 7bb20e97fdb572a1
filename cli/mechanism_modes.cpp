// torsor mechanism modes: how a mechanism moves about its place of rest.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <numbers>

#include "cli/deliver.hpp"
#include "cli/mechanism_rest.hpp"
#include "cli/mode_character.hpp"
#include "torsor/how_many.hpp"
#include "torsor/report/mechanism_story.hpp"
#include "torsor/report/mechanism_view.hpp"
#include "torsor/text/result_json.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/mechanism_variant.hpp"

namespace torsor {
namespace {

/// `0.53`, or where not all move in step `0.53 at 34 deg`.
std::string amplitude(const std::complex<double>& q, bool in_step, const PrintArguments& print) {
  if (std::abs(q) < 1e-9) return "0";
  if (in_step) return format_number(q.real(), print.significant());
  return fmt::format("{} at {} deg", format_number(std::abs(q), print.significant()),
                     format_number(std::arg(q) * 180 / std::numbers::pi, 3));
}

/// Along each coordinate, one column per mode; few enough of both to be read.
void add_shapes(ReportSection& section, const Linearisation& found, const PrintArguments& print) {
  constexpr std::size_t most_modes = 8, most_told = 40;
  const std::size_t modes = std::min(found.modes.size(), most_modes),
                    coordinates = std::min(found.coordinates.size(), most_told);
  TextTable table{"shapes, the largest coordinate 1", {{"coordinate"}, {"unit"}}};
  for (std::size_t k = 0; k < modes; ++k) table.columns.push_back({fmt::format("mode {}", k + 1)});
  for (std::size_t i = 0; i < coordinates; ++i) {
    std::vector<TextTable::Cell> row{found.coordinates[i].name, found.coordinates[i].unit};
    for (std::size_t k = 0; k < modes; ++k) {
      const auto& shape = found.modes[k].shape;
      const bool in_step =
          std::all_of(shape.begin(), shape.end(), [](const auto& q) { return std::fabs(q.imag()) < 1e-6; });
      row.push_back(amplitude(shape[i], in_step, print));
    }
    table.add(std::move(row));
  }
  section.table(std::move(table));
  if (modes < found.modes.size() || coordinates < found.coordinates.size())
    section.text(fmt::format("Shown are {} of {} and {} of {}: --json has them all, with the motions of the bodies.",
                             modes, how_many(static_cast<long long>(found.modes.size()), "mode"), coordinates,
                             how_many(static_cast<long long>(found.coordinates.size()), "coordinate")));
}

void add_matrices(ReportSection& section, const Linearisation& found, const PrintArguments& print) {
  const auto named = [](const std::vector<SmallCoordinate>& list) {
    std::vector<std::string> names;
    for (const SmallCoordinate& each : list) names.push_back(fmt::format("{} ({})", each.name, each.unit));
    return names;
  };
  const std::vector<std::string> names = named(found.coordinates),
                                 moving(names.begin(), names.begin() + found.freedoms);
  section.table(
      matrix_table("M: kg m^2 between angles, kg m, kg between lengths", found.named_M, moving, moving, print));
  section.table(
      matrix_table("D: N m s between angles, N s, N s/m between lengths", found.named_D, moving, moving, print));
  section.table(matrix_table("K: N m between angles, N, N/m between lengths", found.named_K, moving, names, print));
  const StateSpace& space = found.state_space;
  const std::vector<std::string> x = named(space.states), u = named(space.inputs), y = named(space.outputs);
  section.table(matrix_table("A of x' = A x + B u", space.A, x, x, print));
  if (u.empty())
    section.text("There is no actuator, so that B and D of the state space have no columns.");
  else
    section.table(matrix_table("B of x' = A x + B u", space.B, x, u, print));
  section.table(matrix_table("C of y = C x + D u", space.C, y, x, print));
  if (!u.empty()) section.table(matrix_table("D of y = C x + D u", space.D, y, u, print));
}

/// About what, and what it is worth; empty: it is as the title says.
std::string motion_sentence(const Linearisation& found) {
  if (found.modes.empty()) return "";
  if (found.moving && found.unsteady.empty())
    return "The motion is a steady one, and these are the small motions about it: their equations do not change with "
           "time.";
  if (!found.unsteady.empty())
    return fmt::format(
        "This is no steady motion: {}. Equations and eigenvalues are those of the first instant; whether what is small "
        "stays "
        "small they do not say.",
        found.unsteady);
  if (!(found.left_over > 1e-6)) return "";
  return fmt::format(
      "This is no place of rest: accelerations of {} kg^(1/2) m/s^2 are left along mass-normalised coordinates, and "
      "these are the small motions about a motion that begins at rest.",
      format_number(found.left_over, 3));
}

/// How slow and fast it moves, and whether anything grows.
Paragraph modes_verdict(const Linearisation& found) {
  double slowest = 0, fastest = 0;
  long long growing = 0;
  for (const Mode& mode : found.modes) {
    growing += mode_character(mode) == "grows" ? 1 : 0;
    if (mode.frequency > 0) slowest = slowest > 0 ? std::min(slowest, mode.frequency) : mode.frequency;
    fastest = std::max(fastest, mode.frequency);
  }
  if (found.modes.empty())
    return {"Nothing is free to move: joints and drivers hold it all, so that there are no modes.", Tone::plain};
  if (growing > 0)
    return {fmt::format("{} grow: what is pushed a little moves away.", how_many(growing, "mode")), Tone::warning};
  if (fastest == 0) return {"Nothing oscillates, and nothing grows.", Tone::good};
  if (slowest == fastest)
    return {fmt::format("It oscillates at {} Hz; nothing grows.", format_number(slowest, 4)), Tone::good};
  return {
      fmt::format("It oscillates at {} to {} Hz; nothing grows.", format_number(slowest, 4), format_number(fastest, 4)),
      Tone::good};
}

Report modes_report(const AtRest& r, const Linearisation& found, bool rest, bool matrices,
                    const PrintArguments& print) {
  Report report{fmt::format("{}: small motions", r.mechanism.description.name),
                fmt::format("about {}, {}",
                            rest           ? "its place of rest"
                            : found.moving ? "the motion it starts with"
                                           : "its start",
                            how_many(found.freedoms, "degree of freedom", "degrees of freedom")),
                "Made by torsor mechanism modes."};
  ReportSection& section = report.section("");
  TextTable modes{"modes",
                  {{"mode"},
                   column("frequency", "Hz", print),
                   column("damping ratio", "", print),
                   column("Re s", "1/s", print),
                   column("Im s", "1/s", print),
                   {"character"}}};
  for (std::size_t k = 0; k < found.modes.size(); ++k) {
    const Mode& mode = found.modes[k];
    modes.add({static_cast<long long>(k + 1), mode.frequency, mode.damping, mode.s.real(), mode.s.imag(),
               mode_character(mode)});
  }
  if (!found.modes.empty()) {
    section.table(std::move(modes));
    add_shapes(section, found, print);
    if (matrices) add_matrices(section, found, print);
  }
  if (rest && !r.report.stable)
    section.text(fmt::format("The place of rest is {}.", status_name(r.report.stability)), Tone::warning);
  if (const std::string spins = spin_sentence(r.mechanism, r.state, EquationSet::all); !spins.empty())
    section.text(spins, Tone::warning);
  if (const std::string about = motion_sentence(found); !about.empty())
    section.text(about, found.moving && found.unsteady.empty() ? Tone::plain : Tone::warning);
  if (!found.uncertain.empty()) section.text("Beware: " + found.uncertain + ".", Tone::warning);
  section.text(redundancy_sentence(redundancy(r.mechanism, r.equations), ReactionsGiven::none));
  section.figure(mode_view(r.mechanism, r.state, found.modes,
                           found.modes.empty() ? "The mechanism" : "Small motions, one mode at a time"));
  report.verdict = modes_verdict(found);
  return report;
}

void shape_fields(JsonWriter& json, const Mechanism& m, const Mode& mode) {
  std::vector<double> real, imaginary;
  for (const std::complex<double>& q : mode.shape) real.push_back(q.real()), imaginary.push_back(q.imag());
  json.key("shape").begin_object();
  field(json, "real", real);
  field(json, "imaginary", imaginary).end_object().key("bodies").begin_array();
  for (std::size_t b = 0; b < mode.bodies.size(); ++b) {
    json.begin_object().field("name", m.description.bodies[b].name);
    field(json, "turn", mode.bodies[b].w);
    field(json, "way", mode.bodies[b].v);
    field(json, "turn_imaginary", mode.bodies_late[b].w);
    field(json, "way_imaginary", mode.bodies_late[b].v).end_object();
  }
  json.end_array();
}

int modes_json(const AtRest& r, const Linearisation& found, bool rest) {
  JsonWriter json(std::cout);
  json.begin_object().field("mechanism", r.mechanism.description.name).field("about", rest ? "equilibrium" : "start");
  if (rest) json.field("stability", status_name(r.report.stability));
  json.field("degrees_of_freedom", found.freedoms).field("left_over", found.left_over);
  json.field("moving", found.moving)
      .field("steady", found.unsteady.empty() && !(found.left_over > 1e-6 && !found.moving));
  if (!found.unsteady.empty()) json.field("unsteady", found.unsteady);
  if (!found.uncertain.empty()) json.field("uncertain", found.uncertain);
  write_json(json.key("coordinates"), found.coordinates);
  json.key("modes").begin_array();
  for (const Mode& mode : found.modes) {
    json.begin_object()
        .field("frequency", mode.frequency)
        .field("damping", mode.damping)
        .field("real", mode.s.real())
        .field("imaginary", mode.s.imag())
        .field("character", mode_character(mode));
    shape_fields(json, r.mechanism, mode);
    json.end_object();
  }
  json.end_array();
  const auto n = static_cast<std::size_t>(found.freedoms);
  matrix_field(json, "M", found.named_M, n);
  matrix_field(json, "D", found.named_D, n);
  matrix_field(json, "K", found.named_K, found.coordinates.size());
  write_json(json.key("state_space"), found.state_space);
  write_json(json.key("redundancy"), redundancy(r.mechanism, r.equations));
  json.end_object();
  return finish_json(json);
}

}  // namespace

int mechanism_modes(Arguments arguments) {
  RestArguments a;
  std::optional<std::string> about;
  bool matrices = false;
  Options options("mechanism modes",
                  "Small motions about the place of rest, or about the steady motion it starts with: frequencies, "
                  "damping, shapes, and "
                  "what grows; from the equations linearised about it, M q'' + D q' + K q = 0, with springs, dampers, "
                  "gravity, gyroscopic "
                  "and centrifugal terms, rolling and the curvature of the loops.");
  a.add_to(options);
  options
      .text("--at", "start|equilibrium", about,
            "about the place of rest, or about the motion that the start of the file begins; default equilibrium")
      .one_of({"start", "equilibrium"})
      .flag("--matrices", matrices,
            "M, D and K as well, in the coordinates that are named; and A, B, C, D of x' = A x + B u, y = C x + D u: x "
            "are the "
            "coordinates and their rates, u the torques of the actuators, y the measures of the joints")
      .example("pendulum", "0.498 Hz")
      .example("my_bicycle.toml --at start --json", "about straight running, for a program, with shapes and matrices");
  if (const auto code = options.parse(arguments)) return *code;
  if (about && *about != "start" && *about != "equilibrium")
    return complain({{{}, "--at", "option-value", fmt::format("it is \"{}\"", *about), "write start or equilibrium"}},
                    exit_bad_input);
  const bool rest = about != "start";
  const AtRest r = come_to_rest(a, rest);
  if (r.exit_code != exit_done) return r.exit_code;
  const Linearisation found = linearise(rest ? held_at(r.mechanism, r.state.t) : r.mechanism, r.state);
  if (!found.why.empty())
    return complain({{{},
                      r.mechanism.description.name,
                      "no-modes",
                      found.why,
                      "torsor mechanism mobility shows its degrees of freedom"}},
                    exit_impossible);
  return deliver(modes_report(r, found, rest, matrices, a.print), a.page, a.print,
                 [&] { return modes_json(r, found, rest); });
}

}  // namespace torsor
