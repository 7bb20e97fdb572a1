#include "torsor/report/structure_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/robot_summary.hpp"
#include "torsor/structure/reasons.hpp"

namespace torsor {
namespace {

constexpr std::array<const char*, coefficient_kinds> kind_names{
    "self-inertia d_ii", "mutual inertia d_ij", "centrifugal c_jj(i)", "Coriolis c_jm(i)", "gravity G_i"};

TextTable::Cell whole(int x) { return static_cast<long long>(x); }

/// What a coefficient is: 0, constant, or a function of these joints, `f(2,3,5)`.
std::string dependence(const ExactStructure& s, std::size_t e) {
  if (s.nonzero[e] == 0) return "0";
  std::string joints;
  for (int l = 0; l < s.n; ++l)
    if (s.depends_on(e, l)) joints += fmt::format("{}{}", joints.empty() ? "" : ",", l + 1);
  return joints.empty() ? "constant" : "f(" + joints + ")";
}

void add_counts(Report& report, const StructureAnswer& a) {
  const StructureTable& t = a.table;
  ReportSection& section = report.section("How many coefficients");
  section.text(
      "Torque of joint i = sum over j of d_ij qdd_j + sum over j, m of c_jm(i) qd_j qd_m + G_i, joints by their "
      "numbers: d12 is the torque at "
      "joint 1 per acceleration of joint 2, c23(1) half of that per product of the velocities of 2 and 3, G2 the "
      "weight at joint 2. "
      "What is not zero has to be computed, identified and compensated.");
  TextTable table{"independent coefficients", {{"kind"}, {"possible"}, {"not zero"}, {"constant"}}};
  for (std::size_t k = 0; k < coefficient_kinds; ++k)
    table.add({kind_names[k], whole(t.independent[k]), whole(t.nonzero[k]), whole(t.constant[k])});
  table.add({"all", whole(total(t.independent)), whole(total(t.nonzero)), whole(total(t.constant))});
  section.table(std::move(table));
  if (t.joints > 0)
    section.text(
        fmt::format("{} of {} joints turn (degree of anthropomorphism {}); sparsity {}, where the empirical law of "
                    "Tourassis & Neuman (1985) expects {}",
                    t.turning, t.joints, format_number(t.anthropomorphism, 3), format_number(t.sparsity, 3),
                    format_number(t.expected_sparsity, 3)));

  TextTable whose{"whose zeros are they?", {{"not zero"}, {"for"}}};
  for (const Level level : levels)
    whose.add({whole(total(a.at(level).nonzero_counts())), std::string(level_name(level))});
  section.table(std::move(whose));

  if (const PrintedRow* row = a.printed()) {
    section.text(fmt::format("A {} robot in Table 3 of Tourassis & Neuman (1985): {} printed, {} exactly; masses: {}.",
                             row->name, total(row->printed), total(row->found), row->masses));
    if (!row->note.empty()) section.text(fmt::format("The printed row is wrong: {}.", row->note));
  }
}

void add_caveats(Report& report, const StructureAnswer& a) {
  if (a.robot.snaps.empty() && a.robot.general_angles.empty()) return;
  ReportSection& section = report.section("How the numbers were taken");
  for (const Snap& snap : a.robot.snaps)
    section.text(fmt::format("Taken as exact: {} (off by {}).", snap.what, format_number(snap.residual, 3)));
  if (a.typed)
    section.text(fmt::format("Without that, with the numbers as typed, {} coefficients are not zero instead of {}.",
                             total(a.typed->nonzero_counts()), total(a.numbers().nonzero_counts())),
                 Tone::warning);
  if (a.snap_effect.effort > 0)
    section.text(fmt::format("The {}.", effect_sentence(a.snap_effect)), Tone::warning);
  for (const GeneralAngle& angle : a.robot.general_angles)
    section.text(fmt::format(
        "Taken as any angle: {} rad (with multiples of 90 degrees, in {} places, first at {}); it is no multiple of "
        "0.01 degrees.",
        format_number(angle.size, 9), angle.uses, angle.first));
}

/// D by what each entry depends on.
void add_matrix(Report& report, const StructureAnswer& a) {
  const ExactStructure& s = a.numbers();
  constexpr int widest = 12;
  if (s.n == 0) return;
  if (s.n > widest) {
    report.section("What depends on what")
        .text(
            fmt::format("The table for {} joints is too wide to print; --json has on which joints each depends.", s.n));
    return;
  }
  std::vector<std::vector<std::string>> cells(static_cast<std::size_t>(s.n), std::vector<std::string>(s.n));
  TextTable gravity{"gravity", {{"joint"}, {"G"}}};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    const Coefficient& w = s.coefficients[e];
    if (w.kind == CoefficientKind::self_inertia || w.kind == CoefficientKind::mutual_inertia) {
      cells[w.i][w.j] = dependence(s, e);
      if (w.i != w.j) cells[w.j][w.i] = "\"";
    } else if (w.kind == CoefficientKind::gravity) {
      gravity.add({a.robot.model.velocity_names[w.i], dependence(s, e)});
    }
  }
  TextTable table{"inertia matrix D, symmetric; f(2,3): depends on joints 2 and 3", {{"joint"}}};
  for (int j = 0; j < s.n; ++j) table.columns.push_back({fmt::format("{}", j + 1)});
  for (int i = 0; i < s.n; ++i) {
    TextTable::Row row{fmt::format("{} {}", i + 1, a.robot.model.velocity_names[i])};
    for (int j = 0; j < s.n; ++j) row.emplace_back(cells[i][j]);
    table.add(std::move(row));
  }
  report.section("What depends on what").table(std::move(table)).table(std::move(gravity));
}

void add_zeros(Report& report, const StructureAnswer& a) {
  const ExactStructure& s = a.numbers();
  constexpr std::size_t most = 200;
  TextTable zeros{"coefficients that are zero in every position", {{"zero"}, {"because"}}};
  std::size_t left_out = 0;
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] != 0) continue;
    if (zeros.rows.size() < most)
      zeros.add({to_text(s.coefficients[e], s.n), why_zero(s, e, a.facts, a.robot.model)});
    else
      ++left_out;
  }
  ReportSection& section = report.section("Zeros, and why");
  if (zeros.rows.empty()) {
    section.text("There are none.");
    return;
  }
  section.table(std::move(zeros));
  if (left_out > 0) section.text(fmt::format("and {} more; --json has them all", left_out));
}

void add_sizes(Report& report, const StructureAnswer& a, const StructureView& view, const PrintStyle& print) {
  const ExactStructure& s = a.numbers();
  ReportSection& section = report.section("Sizes over the workspace");
  section.text(
      fmt::format("{} random positions inside the joint limits, seed {}", a.survey.positions.size(), a.survey.seed));

  TextTable small{fmt::format("negligible, but not zero (SI units): below {} of what such a coefficient could be",
                              format_number(negligible_share, 3)),
                  {{"coefficient"}, column("largest", "", print), column("share", "", print)}};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e)
    if (s.nonzero[e] != 0 && a.survey.relative(e) < negligible_share)
      small.add({to_text(s.coefficients[e], s.n), a.survey.values[e].size(), a.survey.relative(e)});
  constexpr std::size_t most = 100;
  const std::size_t count = small.rows.size();
  if (count > most) small.rows.resize(most);
  if (count > 0) section.table(std::move(small));
  if (count > most) section.text(fmt::format("and {} more; --json has them all", count - most));

  add_diagonal(section, a, a.survey.values, a.survey.dominance, print);
  if (s.n > 0) add_workspace_terms(section, a, view, print);
  add_coupling(section, a, a.survey.coupling, print);
}

/// The rows of D at one position.
void add_dominance(ReportSection& section, const StructureAnswer& a, const Coupling& coupling,
                   const PrintStyle& print) {
  TextTable table{fmt::format("diagonal of D there ({}), and how far it dominates its row: sum of |d_ij| / d_ii, below 1 is "
                              "dominant",
                              inertia_units(velocity_kinds(a.robot.model))),
                  {{"joint"}, column("d_ii", "", print), column("off the diagonal", "", print)}};
  const std::size_t n = static_cast<std::size_t>(coupling.n);
  for (std::size_t i = 0; i < n; ++i) {
    double others = 0;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) others += std::abs(coupling.D[i * n + j]);
    const double own = coupling.D[i * n + i];
    table.add({a.robot.model.velocity_names[i], own, own > 0 ? others / own : 0.0});
  }
  section.table(without_noise(std::move(table)));
}

void add_state(Report& report, const StructureAnswer& a, const StructureView& view, const PrintStyle& print) {
  const Model<double>& model = a.robot.model;
  ReportSection& section = report.section("At the position given");
  add_state_terms(section, a, view, print);
  if (model.S.size() != static_cast<std::size_t>(model.nv))
    section.text("Joints share coordinates: loading and kinematic factors are defined for joints that have one each.");
  CoefficientsWork<double> work(model);
  Configuration<double> configuration(model);
  configuration.set(model, *view.state);
  const Coupling coupling = coupling_at(model, configuration, work);
  add_dominance(section, a, coupling, print);
  TextTable table{"coupling k = loading factor LF times kinematic factor KF; projected: d_ij / M_j",
                  {{"joints"},
                   column("k", "", print),
                   column("LF", "", print),
                   column("KF", "", print),
                   column("projected", "", print)}};
  const auto cell = [](const std::optional<double>& x) -> TextTable::Cell {
    if (x) return *x;
    return std::string("-");
  };
  for (int i = 0; i < coupling.n; ++i)
    for (int j = i + 1; j < coupling.n; ++j) {
      PairCoupling pair = coupling(i, j);
      if (never_coupled(a.numbers(), i, j))
        for (std::optional<double>* zero : {&pair.coupling, &pair.kinematic, &pair.projected})
          if (*zero) *zero = 0;
      table.add({fmt::format("{}, {}", model.velocity_names[i], model.velocity_names[j]), cell(pair.coupling),
                 cell(pair.loading), cell(pair.kinematic), cell(pair.projected)});
    }
  section.table(without_noise(std::move(table)));
}

void add_all(Report& report, const StructureAnswer& a, const PrintStyle& print) {
  const ExactStructure& s = a.numbers();
  TextTable table{
      "every coefficient: SI units; share of what such a coefficient could be", {{"coefficient"}, {"is"}, column("largest", "", print), column("share", "", print), {"meaning"}}};
  for (std::size_t e = 0; e < s.coefficients.size(); ++e)
    table.add({to_text(s.coefficients[e], s.n), dependence(s, e), s.nonzero[e] != 0 ? a.survey.values[e].size() : 0.0,
               s.nonzero[e] != 0 ? a.survey.relative(e) : 0.0, meaning(s.coefficients[e], a.robot.model)});
  report.section("Every coefficient").table(std::move(table));
}

}  // namespace

std::string_view level_name(Level level) {
  switch (level) {
    case Level::numbers: return "this robot, with these numbers";
    case Level::equal_moments: return "every robot of this geometry, whose parts have the same zeros and equal moments";
    case Level::zeros: return "every robot of this geometry, whose parts have the same zeros";
    case Level::generic: break;
  }
  return "every robot of this geometry";
}

Report structure_report(const StructureAnswer& a, const StructureView& view, const PrintStyle& print) {
  Report report;
  report.title = fmt::format("{}: structure of the dynamic model", a.robot.model.name);
  const ExactError& error = a.numbers().error;
  report.highlights.push_back({"not zero", std::to_string(total(a.table.nonzero)),
                               fmt::format("of {}", total(a.table.independent)), "independent coefficients",
                               Tone::plain});
  report.highlights.push_back({"sparsity", format_number(a.table.sparsity, 3), "", "", Tone::plain});
  const int nonzero = total(a.table.nonzero), independent = total(a.table.independent);
  report.verdict = {
      nonzero == independent
          ? fmt::format("None of the {} independent coefficients is zero in every position.", independent)
          : fmt::format(
                "{} of {} independent coefficients are not zero; the other {:.0f} % are zero in every position.",
                nonzero, independent, 100 * (1 - static_cast<double>(nonzero) / independent)),
      Tone::plain};
  add_summary(report, a, view);
  add_counts(report, a);
  add_caveats(report, a);
  add_matrix(report, a);
  add_zeros(report, a);
  add_sizes(report, a, view, print);
  if (view.state) add_state(report, a, view, print);
  if (view.motion) add_motion(report, a, view, print);
  if (view.all) add_all(report, a, print);
  report.section("How sure")
      .text(fmt::format("Found by exact arithmetic modulo {} random primes, seed {}: what is called not zero is "
                        "certainly not{}; that anything "
                        "is wrongly called zero, constant or independent of a joint has a probability below 2^{:.0f}.",
                        error.rounds, a.numbers().seed,
                        a.robot.general_angles.empty() ? "" : " for almost all values of the angles taken as any angle",
                        std::ceil(error.log2_error)));
  return report;
}

}  // namespace torsor
