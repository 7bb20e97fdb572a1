// What torques are made of, inertia, velocities and gravity, and the coefficients along a motion: tables and plots.
#include <fmt/format.h>

#include <algorithm>

#include "torsor/report/coordinate_table.hpp"
#include "torsor/report/structure_report.hpp"

namespace torsor {
namespace {

/// Ratio of two sizes; `-` where there is nothing to compare with.
TextTable::Cell ratio(double part, double whole) {
  if (whole > 0) return part / whole;
  return std::string("-");
}

std::string effort_units(const StructureAnswer& a) { return units_of(velocity_kinds(a.robot.model), Quantity::effort); }

TextTable sizes_table(const std::string& caption, const StructureAnswer& a, const TermSizes& sizes,
                      const PrintStyle& print) {
  TextTable table{fmt::format("what torques are made of ({}): {}", effort_units(a), caption), {{"joint"}}};
  for (const char* name :
       {"D qdd, mean", "largest", "C, mean", "largest", "G, mean", "largest", "C : D qdd", "G : D qdd"})
    table.columns.push_back(column(name, "", print));
  for (std::size_t i = 0; i < sizes.inertia.size(); ++i)
    table.add({a.robot.model.velocity_names[i], sizes.inertia[i].mean, sizes.inertia[i].most, sizes.velocity[i].mean,
               sizes.velocity[i].most, sizes.gravity[i].mean, sizes.gravity[i].most,
               ratio(sizes.velocity[i].mean, sizes.inertia[i].mean),
               ratio(sizes.gravity[i].mean, sizes.inertia[i].mean)});
  return without_noise(std::move(table));
}

/// Without what rounding leaves of a zero.
double clean(double x, const Spread& spread) { return std::abs(x) <= 1e-12 * spread.size() ? 0 : x; }

std::string time_text(double t) { return format_number(t, 6); }

/// `0.412, 1.5 to 2.1, 3.3`; an instant without change of sign in brackets.
std::string passages(const MotionSurvey& survey, std::size_t coefficient, std::size_t most) {
  std::string out;
  std::size_t count = 0;
  for (const ZeroPassage& zero : survey.zeros) {
    if (zero.coefficient != coefficient || ++count > most) continue;
    const std::string text =
        zero.from == zero.to ? time_text(zero.from) : fmt::format("{} to {}", time_text(zero.from), time_text(zero.to));
    out += fmt::format("{}{}{}{}", out.empty() ? "" : ", ", zero.changes_sign ? "" : "(", text,
                       zero.changes_sign ? "" : ")");
  }
  if (count > most) out += fmt::format(" and {} more", count - most);
  return out;
}

PlotGrid terms_plot(const StructureAnswer& a, const MotionSurvey& survey) {
  PlotGrid grid;
  grid.title = "what the torques are made of";
  grid.note = "D qdd: inertia; C: velocities; G: gravity";
  const std::vector<CoordinateKind> kinds = velocity_kinds(a.robot.model);
  for (std::size_t i = 0; i < survey.sizes.inertia.size(); ++i) {
    SvgPlot plot;
    plot.title = a.robot.model.velocity_names[i];
    plot.x = {"time", "s"};
    plot.y = {"torque", std::string(torque_unit(kinds[i]))};
    PlotSeries inertia{"D qdd", survey.times, {}}, velocity{"C", survey.times, {}}, gravity{"G", survey.times, {}};
    for (const TorqueSplit& terms : survey.terms) {
      inertia.y.push_back(terms.inertia[i]);
      velocity.y.push_back(terms.velocity[i]);
      gravity.y.push_back(terms.gravity[i]);
    }
    plot.series = {std::move(inertia), std::move(velocity), std::move(gravity)};
    grid.plots.push_back(std::move(plot));
  }
  return grid;
}

std::vector<double> or_zero(const std::vector<double>& rates, const StructureAnswer& a) {
  return rates.empty() ? std::vector<double>(static_cast<std::size_t>(a.robot.model.nv), 0.0) : rates;
}

}  // namespace

TorqueSplit state_terms(const StructureAnswer& a, const StructureView& view) {
  return torque_split_at(a.robot.model, *view.state, or_zero(view.qd, a), or_zero(view.qdd, a));
}

void add_workspace_terms(ReportSection& section, const StructureAnswer& a, const StructureView& view,
                         const PrintStyle& print) {
  const auto numbers = [](const std::vector<double>& list) {
    std::string out;
    for (const double x : list) out += (out.empty() ? "" : ", ") + format_number(x, 3);
    return out;
  };
  section.table(
      sizes_table("inertia D qdd, velocities C, gravity G; and the means of C and G against "
                  "that of D qdd",
                  a, view.sizes, print));
  section.text(
      fmt::format("These are random states with speeds up to {} {} and accelerations up to {} {}; --speeds and "
                  "--accelerations take others.",
                  numbers(view.limits.speed), units_of(velocity_kinds(a.robot.model), 1),
                  numbers(view.limits.acceleration), units_of(velocity_kinds(a.robot.model), 2)));
}

void add_state_terms(ReportSection& section, const StructureAnswer& a, const StructureView& view,
                     const PrintStyle& print) {
  const TorqueSplit terms = state_terms(a, view);
  TextTable table{
      fmt::format("what the torques are made of there ({}): inertia D qdd, velocities C, gravity G", effort_units(a)),
      {{"joint"}}};
  for (const char* name : {"D qdd", "C", "G", "C : D qdd", "G : D qdd"})
    table.columns.push_back(column(name, "", print));
  for (std::size_t i = 0; i < terms.inertia.size(); ++i)
    table.add({a.robot.model.velocity_names[i], terms.inertia[i], terms.velocity[i], terms.gravity[i],
               ratio(std::abs(terms.velocity[i]), std::abs(terms.inertia[i])),
               ratio(std::abs(terms.gravity[i]), std::abs(terms.inertia[i]))});
  section.table(without_noise(std::move(table)));
}

void add_motion(Report& report, const StructureAnswer& a, const StructureView& view, const PrintStyle& print) {
  const ExactStructure& s = a.numbers();
  const MotionSurvey& survey = view.motion->survey;
  ReportSection& section = report.section("Along a motion");
  section.text(fmt::format("{}, {} instants", view.motion->name, survey.times.size()));
  section.table(
      sizes_table("inertia D qdd, velocities C, gravity G", a, survey.sizes, print));
  section.figure(terms_plot(a, survey));
  add_diagonal(section, a, survey.values, survey.dominance, print);
  add_coupling(section, a, survey.coupling, print);

  TextTable table{"coefficients along it, and when they are zero (s); in brackets where the sign stays",
                  {{"coefficient"},
                   column("least", "", print),
                   column("mean", "", print),
                   column("largest", "", print),
                   {"zero at"}}};
  std::size_t left_out = 0;
  for (std::size_t e = 0; e < s.coefficients.size(); ++e) {
    if (s.nonzero[e] == 0) continue;
    const CoefficientKind kind = s.coefficients[e].kind;
    if (!view.all && (kind == CoefficientKind::centrifugal || kind == CoefficientKind::coriolis)) {
      ++left_out;
      continue;
    }
    const bool idle = std::ranges::find(survey.idle, e) != survey.idle.end();
    const Spread& spread = survey.values[e];
    if (idle)
      table.add({to_text(s.coefficients[e], s.n), 0.0, 0.0, 0.0, std::string("all along")});
    else
      table.add({to_text(s.coefficients[e], s.n), clean(spread.least, spread), clean(spread.mean, spread),
                 clean(spread.most, spread), passages(survey, e, view.all ? 1000 : 6)});
  }
  section.table(std::move(table));
  if (left_out > 0) section.text(fmt::format("and {} centrifugal and Coriolis coefficients with --all", left_out));
}

}  // namespace torsor
