// The structure of a robot's dynamic model as JSON.
#include <iostream>

#include "cli/structure_json.hpp"
#include "cli/robot_argument.hpp"
#include "torsor/structure/reasons.hpp"

namespace torsor {
namespace {

constexpr std::array<const char*, coefficient_kinds> kind_keys{"self_inertia", "mutual_inertia", "centrifugal",
                                                               "coriolis", "gravity"};
constexpr std::array<const char*, levels.size()> level_keys{"numbers", "equal_moments", "zeros", "generic"};

void counts_field(JsonWriter& json, std::string_view name, const CoefficientCounts& counts) {
  json.key(name).begin_object();
  for (std::size_t k = 0; k < coefficient_kinds; ++k) json.field(kind_keys[k], counts[k]);
  json.field("total", total(counts)).end_object();
}

void exact_field(JsonWriter& json, std::string_view name, const ExactStructure& s) {
  json.key(name).begin_object();
  counts_field(json, "nonzero", s.nonzero_counts());
  counts_field(json, "constant", s.constant_counts());
  json.field("rounds", s.error.rounds).field("log2_error", s.error.log2_error);
  json.key("primes").begin_array();
  for (const std::uint64_t p : s.primes) json.value(std::to_string(p));  // beyond what doubles hold
  json.end_array().end_object();
}

void spread_field(JsonWriter& json, const WorkspaceSurvey& survey, const Spread& s) {
  json.field("least", s.least).field("mean", s.mean).field("most", s.most);
  if (survey.positions.empty()) return;
  field(json, "at_least", survey.positions[static_cast<std::size_t>(s.at_least)]);
  field(json, "at_most", survey.positions[static_cast<std::size_t>(s.at_most)]);
}

void coefficient_field(JsonWriter& json, const StructureAnswer& a, std::size_t e) {
  const ExactStructure& s = a.numbers();
  const Coefficient& w = s.coefficients[e];
  json.begin_object().field("name", to_text(w, s.n)).field("kind", kind_keys[static_cast<std::size_t>(w.kind)]);
  json.field("zero", s.nonzero[e] == 0).field("constant", s.constant(e));
  json.key("depends_on").begin_array();
  for (int l = 0; l < s.n; ++l)
    if (s.depends_on(e, l)) json.value(a.robot.model.velocity_names[static_cast<std::size_t>(l)]);
  json.end_array();
  json.key("zero_at_levels").begin_array();
  for (std::size_t k = 0; k < levels.size(); ++k)
    if (a.exact[k].nonzero[e] == 0) json.value(level_keys[k]);
  json.end_array();
  json.field("meaning", meaning(w, a.robot.model));
  if (s.nonzero[e] == 0) json.field("because", why_zero(s, e, a.facts, a.robot.model));
  json.field("relative_size", a.survey.relative(e));
  spread_field(json, a.survey, a.survey.values[e]);
  json.end_object();
}

void coupling_field(JsonWriter& json, const StructureAnswer& a, const std::vector<double>& q) {
  const Model<double>& model = a.robot.model;
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  configuration.set(model, q);
  const Coupling coupling = coupling_at(model, configuration, work);
  const auto number = [&json](std::string_view name, const std::optional<double>& x) {
    if (x)
      json.field(name, *x);
    else
      json.field(name, nullptr);
  };
  json.key("state").begin_object();
  field(json, "q", q);
  matrix_field(json, "D", coupling.D, static_cast<std::size_t>(coupling.n));
  if (model.S.size() == coupling.mass.size()) field(json, "mass_moved", coupling.mass);
  json.key("pairs").begin_array();
  for (int i = 0; i < coupling.n; ++i)
    for (int j = i + 1; j < coupling.n; ++j) {
      const PairCoupling& pair = coupling(i, j);
      json.begin_object().field("i", i + 1).field("j", j + 1);
      number("coupling", pair.coupling);
      number("loading", pair.loading);
      number("kinematic", pair.kinematic);
      number("projected", pair.projected);
      json.end_object();
    }
  json.end_array().end_object();
}

void sizes_field(JsonWriter& json, std::string_view name, const StructureAnswer& a, const TermSizes& sizes) {
  json.key(name).begin_array();
  for (std::size_t i = 0; i < sizes.inertia.size(); ++i) {
    json.begin_object().field("joint", a.robot.model.velocity_names[i]);
    json.field("inertia_mean", sizes.inertia[i].mean).field("inertia_largest", sizes.inertia[i].most);
    json.field("velocity_mean", sizes.velocity[i].mean).field("velocity_largest", sizes.velocity[i].most);
    json.field("gravity_mean", sizes.gravity[i].mean).field("gravity_largest", sizes.gravity[i].most).end_object();
  }
  json.end_array();
}

void motion_field(JsonWriter& json, const StructureAnswer& a, const MotionView& motion) {
  const ExactStructure& s = a.numbers();
  const MotionSurvey& survey = motion.survey;
  json.key("motion").begin_object().field("name", motion.name).field("instants", survey.times.size());
  sizes_field(json, "terms", a, survey.sizes);
  json.key("dominance").begin_array();
  for (const Spread& spread : survey.dominance)
    json.begin_object().field("least", spread.least).field("mean", spread.mean).field("most", spread.most).end_object();
  json.end_array().key("coupling").begin_array();
  for (std::size_t i = 0, n = survey.dominance.size(); i < n && !survey.coupling.empty(); ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const Spread& k = survey.coupling[i * n + j];
      json.begin_object().field("i", i + 1).field("j", j + 1);
      json.field("least", k.least).field("mean", k.mean).field("most", k.most).end_object();
    }
  json.end_array().key("coefficients").begin_array();
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] == 0) continue;
    const Spread& spread = survey.values[e];
    json.begin_object().field("name", to_text(s.coefficients[e], s.n));
    json.field("least", spread.least).field("mean", spread.mean).field("most", spread.most);
    json.field("time_of_least", survey.times[static_cast<std::size_t>(spread.at_least)]);
    json.field("time_of_most", survey.times[static_cast<std::size_t>(spread.at_most)]);
    json.field("zero_throughout", std::ranges::find(survey.idle, e) != survey.idle.end());
    json.key("zeros").begin_array();
    for (const ZeroPassage& zero : survey.zeros)
      if (zero.coefficient == e)
        json.begin_object()
            .field("from", zero.from)
            .field("to", zero.to)
            .field("changes_sign", zero.changes_sign)
            .end_object();
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

void terms_fields(JsonWriter& json, const StructureAnswer& a, const StructureView& view) {
  json.key("terms").begin_object();
  field(json, "speeds", view.limits.speed);
  field(json, "accelerations", view.limits.acceleration);
  sizes_field(json, "workspace", a, view.sizes);
  if (view.state) {
    const TorqueSplit terms = state_terms(a, view);
    json.key("state").begin_object();
    field(json, "inertia", terms.inertia);
    field(json, "velocity", terms.velocity);
    field(json, "gravity", terms.gravity);
    json.end_object();
  }
  json.end_object();
  if (view.motion) motion_field(json, a, *view.motion);
}

}  // namespace

int print_structure_json(const StructureAnswer& a, const StructureView& view) {
  JsonWriter json(std::cout);
  json.begin_object().field("robot", a.robot.model.name);
  field(json, "coordinates", a.robot.model.velocity_names);
  json.field("seed", a.numbers().seed);
  counts_field(json, "possible", a.table.independent);
  json.field("sparsity", a.table.sparsity).field("anthropomorphism", a.table.anthropomorphism);
  json.field("expected_sparsity", a.table.expected_sparsity);
  json.key("levels").begin_object();
  for (std::size_t k = 0; k < levels.size(); ++k) exact_field(json, level_keys[k], a.exact[k]);
  json.end_object();
  if (a.typed) exact_field(json, "as_typed", *a.typed);
  snap_fields(json, a.robot.snaps, a.snap_effect);
  json.key("general_angles").begin_array();
  for (const GeneralAngle& angle : a.robot.general_angles)
    json.begin_object().field("size", angle.size).field("uses", angle.uses).field("first", angle.first).end_object();
  json.end_array();
  if (const PrintedRow* row = a.printed()) {
    json.key("printed").begin_object().field("name", row->name);
    counts_field(json, "printed", row->printed);
    counts_field(json, "found", row->found);
    json.field("masses", row->masses).field("note", row->note).end_object();
  }
  json.field("positions", a.survey.positions.size()).field("survey_seed", a.survey.seed);
  json.key("dominance").begin_array();
  for (const Spread& s : a.survey.dominance) {
    json.begin_object();
    spread_field(json, a.survey, s);
    json.end_object();
  }
  json.end_array().key("coefficients").begin_array();
  for (std::size_t e = 0; e < a.numbers().coefficients.size(); ++e) coefficient_field(json, a, e);
  json.end_array();
  if (view.state) coupling_field(json, a, *view.state);
  terms_fields(json, a, view);
  json.end_object();
  return finish_json(json);
}

}  // namespace torsor
