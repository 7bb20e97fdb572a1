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

std::string bound_text(double bound, int digits) { return std::isfinite(bound) ? format_number(bound, digits) : "-"; }

}  // namespace

std::vector<std::string> limit_sentences(std::span<const PassedLimit> passed, const Model<double>& model, InstantsBy by,
                                         bool degrees) {
  std::vector<std::string> sentences;
  for (const PassedLimit& each : passed) {
    std::string text = describe(each, model, instant_words(each.time, by), degrees);
    if (each.first < each.time) text += fmt::format("; first passed {}", instant_words(each.first, by));
    sentences.push_back(std::move(text));
  }
  return sentences;
}

std::vector<TextTable> limit_tables(const LimitWatch& watch, std::span<const double> peak_speeds,
                                    const PrintStyle& print) {
  const Model<double>& model = watch.model();
  const auto limited = [](const Limits& l) {
    return std::isfinite(l.lower) || std::isfinite(l.upper) || std::isfinite(l.velocity);
  };
  if (std::none_of(model.limits.begin(), model.limits.end(), limited)) return {};
  const auto number = [&print](const char* name) { return column(name, "", print); };
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  TextTable table{"positions and speeds against their limits",
                  {number("joint"), number("lowest"), number("highest"), number("lower limit"), number("upper limit"),
                   number("unit"), number("peak speed"), number("limit"), number("peak/limit"), number("unit")}};
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const Limits& limits = model.limits[k];
    const SeenRange& range = watch.range(static_cast<int>(k));
    const bool seen = range.lowest <= range.highest;
    const auto shown = [&](double x) { return in_unit(x, kinds[k], print.degrees); };
    const auto cell = [&](double x) { return seen ? TextTable::Cell(shown(x)) : TextTable::Cell(std::string("-")); };
    const double share = 100 * std::abs(peak_speeds[k]) / limits.velocity;
    table.add({model.velocity_names[k], cell(range.lowest), cell(range.highest),
               bound_text(shown(limits.lower), print.significant()), bound_text(shown(limits.upper), print.significant()),
               std::string(coordinate_unit(kinds[k], 0, print.degrees)), shown(peak_speeds[k]),
               bound_text(shown(limits.velocity), print.significant()),
               std::isfinite(limits.velocity) && limits.velocity > 0 ? format_number(share < 1e-9 ? 0 : share, 2) + " %"
                                                                     : std::string("-"),
               std::string(coordinate_unit(kinds[k], 1, print.degrees))});
  }
  return {without_noise(std::move(table))};
}

std::vector<PlotLine> limit_lines(const Limits& limits, LimitKind kind) {
  std::vector<PlotLine> lines;
  const auto line = [&lines](double value, const char* what) {
    if (std::isfinite(value)) lines.push_back({value, fmt::format("{}limit {}", what, format_number(value, 4))});
  };
  if (kind == LimitKind::position) {
    line(limits.lower, "lower ");
    line(limits.upper, "upper ");
    return lines;
  }
  const double bound = kind == LimitKind::effort ? limits.effort : limits.velocity;
  line(bound, "");
  line(-bound, "");
  return lines;
}

}  // namespace torsor
