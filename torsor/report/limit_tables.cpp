#include "torsor/report/limit_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

std::string instant_words(double t, InstantsBy by) {
  if (by == InstantsBy::nothing) return "";
  return by == InstantsBy::time ? fmt::format("at {} s", format_number(t, 6)) : fmt::format("in row {:.0f}", t);
}

std::string when_words(const PassedLimit& passed, InstantsBy by) {
  if (!passed.mean_from) return instant_words(passed.time, by);
  const auto [from, to] = std::minmax(*passed.mean_from, passed.time);
  return fmt::format("as the mean from {} s to {} s", format_number(from, 6), format_number(to, 6));
}

std::string bound_text(double bound, int digits) { return std::isfinite(bound) ? format_number(bound, digits) : "-"; }

}  // namespace

std::vector<std::string> limit_sentences(std::span<const PassedLimit> passed, const Model<double>& model, InstantsBy by,
                                         bool degrees) {
  std::vector<std::string> sentences;
  for (const PassedLimit& each : passed) {
    std::string text = describe(each, model, when_words(each, by), degrees);
    if (each.first < each.time) text += fmt::format("; first passed {}", instant_words(each.first, by));
    sentences.push_back(std::move(text));
  }
  return sentences;
}

namespace {

/// A peak beside its limit: value, limit, share, unit.
void add_cells(TextTable::Row& row, const SeenPeak& peak, std::string limit, LimitKind kind, CoordinateKind of,
               const PrintStyle& print) {
  const double percent = 100 * peak.share;
  const bool known = limit != "-" && std::isfinite(percent);
  row.insert(row.end(), {in_unit(peak.value, of, print.degrees), std::move(limit),
                         known ? format_number(percent < 1e-9 ? 0 : percent, 2) + " %" : std::string("-"),
                         std::string(limit_unit(kind, of, print.degrees))});
}

TextTable headed(const char* caption, std::initializer_list<const char*> names, const PrintStyle& print) {
  TextTable table{caption};
  for (const char* name : names) table.columns.push_back(column(name, "", print));
  return table;
}

template <class... Bounds>
bool limited(const Model<double>& model, Bounds... bounds) {
  return std::ranges::any_of(model.limits, [=](const Limits& l) { return (std::isfinite(l.*bounds) || ...); });
}

}  // namespace

std::vector<TextTable> limit_tables(const LimitWatch& watch, const PrintStyle& print) {
  const Model<double>& model = watch.model();
  std::vector<TextTable> tables = acceleration_tables(watch, print);
  if (!limited(model, &Limits::lower, &Limits::upper, &Limits::velocity)) return tables;
  TextTable table = headed("positions and speeds against their limits",
                           {"joint", "lowest", "highest", "lower limit", "upper limit", "unit", "peak speed", "limit",
                            "peak/limit", "unit"},
                           print);
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Limits& limits = model.limits[k];
    const SeenRange& range = watch.range(static_cast<int>(k));
    const bool seen = range.lowest <= range.highest;
    const auto shown = [&](double x) { return in_unit(x, kinds[k], print.degrees); };
    const auto cell = [&](double x) { return seen ? TextTable::Cell(shown(x)) : TextTable::Cell(std::string("-")); };
    const auto bound = [&](double x) { return bound_text(shown(x), print.significant()); };
    TextTable::Row row{model.velocity_names[k], cell(range.lowest), cell(range.highest), bound(limits.lower),
                       bound(limits.upper), std::string(coordinate_unit(kinds[k], 0, print.degrees))};
    add_cells(row, watch.peak(LimitKind::velocity, static_cast<int>(k)), bound(limits.velocity), LimitKind::velocity,
              kinds[k], print);
    table.add(std::move(row));
  }
  tables.insert(tables.begin(), without_noise(std::move(table)));
  return tables;
}

std::vector<TextTable> acceleration_tables(const LimitWatch& watch, const PrintStyle& print) {
  const Model<double>& model = watch.model();
  if (!limited(model, &Limits::acceleration, &Limits::deceleration, &Limits::jerk)) return {};
  TextTable table = headed(
      "accelerations, and jerks as means over a step, against their limits",
      {"joint", "peak acceleration", "limit", "peak/limit", "unit", "peak jerk", "limit", "peak/limit", "unit"}, print);
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Limits& limits = model.limits[k];
    const auto peak = [&](LimitKind kind) { return watch.peak(kind, static_cast<int>(k)); };
    const auto bound = [&](double x) { return bound_text(in_unit(x, kinds[k], print.degrees), print.significant()); };
    TextTable::Row row{model.velocity_names[k]};
    std::string limit = bound(limits.acceleration);
    if (slowing_limit(limits) != limits.acceleration) limit += ", slowing " + bound(slowing_limit(limits));
    add_cells(row, peak(LimitKind::acceleration), std::move(limit), LimitKind::acceleration, kinds[k], print);
    // where no limit asks for it, it is not looked at
    if (std::isfinite(limits.jerk))
      add_cells(row, peak(LimitKind::jerk), bound(limits.jerk), LimitKind::jerk, kinds[k], print);
    else
      row.insert(row.end(), 4, std::string("-"));
    table.add(std::move(row));
  }
  return {without_noise(std::move(table))};
}

std::vector<PlotLine> limit_lines(const Limits& limits, LimitKind kind, CoordinateKind of, bool degrees) {
  std::vector<PlotLine> lines;
  const auto line = [&](double value, const char* what) {
    if (!std::isfinite(value)) return;
    const double shown = in_unit(value, of, degrees && kind != LimitKind::effort);
    lines.push_back({shown, fmt::format("{}limit {}", what, format_number(shown, 4))});
  };
  const auto both = [&line](double bound, const char* what = "") {
    line(bound, what);
    line(-bound, what);
  };
  switch (kind) {
    case LimitKind::position:
      line(limits.lower, "lower ");
      line(limits.upper, "upper ");
      break;
    case LimitKind::effort: both(limits.effort); break;
    case LimitKind::velocity: both(limits.velocity); break;
    case LimitKind::acceleration:
      both(limits.acceleration);
      if (slowing_limit(limits) != limits.acceleration) both(slowing_limit(limits), "deceleration ");
      break;
    case LimitKind::jerk: both(limits.jerk); break;
  }
  return lines;
}

}  // namespace torsor
