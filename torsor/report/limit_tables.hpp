// Whether a motion keeps the limits of the robot, as sentences, a table and lines of plots.
#pragma once

#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/svg_plot.hpp"

namespace torsor {

/// A sentence for every limit that is passed, the worst of a kind first.
std::vector<std::string> limit_sentences(std::span<const PassedLimit> passed, const Model<double>& model, InstantsBy by,
                                         bool degrees = false);
inline std::vector<std::string> limit_sentences(const LimitWatch& watch, InstantsBy by, bool degrees = false) {
  return limit_sentences(watch.passed(), watch.model(), by, degrees);
}

/// Positions and speeds beside their limits, accelerations and jerks beside theirs; no table where the robot has none.
std::vector<TextTable> limit_tables(const LimitWatch& watch, const PrintStyle& print);
/// The second of these alone.
std::vector<TextTable> acceleration_tables(const LimitWatch& watch, const PrintStyle& print);

/// The lines of a plot of a coordinate: of its positions, rates or torques, in the unit that is shown.
std::vector<PlotLine> limit_lines(const Limits& limits, LimitKind kind, CoordinateKind of, bool degrees);

}  // namespace torsor
