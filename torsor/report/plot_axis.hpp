// From the values of a plot to an axis: range, scale, tick values and their labels.
//
// Linear ticks are multiples of 1, 2 or 5 times a power of ten. Very large or small values are labelled in a power of
// 1000 that is named in the heading, "torque (10⁻⁶ N m)"; a small variation on a large value is labelled from an
// offset, "height − 1000.5 (m)". Logarithmic axes show decades, and 1-2-5 between them where there is room.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torsor {

struct PlotAxis {
  std::string label = {};
  std::string unit = {};
  bool log = false;
  std::optional<double> low = {};  // the range follows the data where not given
  std::optional<double> high = {};
};

/// The least interval that holds the values seen so far; empty until the first one.
struct PlotRange {
  bool empty = true;
  double low = 0;
  double high = 0;

  /// Widens the range; non-finite values, and on a logarithmic axis those not above zero, do not count.
  void include(double value, bool log = false);
  void include(std::span<const double> values, bool log = false);
};

struct AxisTick {
  double position = 0;     // 0 at the low end, 1 at the high end
  std::string label = {};  // empty for a minor tick of a logarithmic axis
};

struct AxisScale {
  bool log = false;
  double offset = 0;  // labels show (value - offset) / 10^exponent
  int exponent = 0;
  double low = 0;  // in labelled units, or log10 of the value
  double high = 1;
  std::vector<AxisTick> ticks = {};
  std::string heading = {};  // label, offset, power and unit

  /// Where the value lies between the low end (0) and the high end (1); NaN if it cannot be shown on this axis.
  double position(double value) const;
  /// The value (log axis: its log10) at a position.
  double value_at(double position) const;
};

/// Chooses scale and ticks, about that many; `padding` is the fraction of the span added at each end that is not given.
AxisScale make_scale(const PlotAxis& axis, PlotRange data, double padding, int about);

/// Multiples of 1, 2 or 5 times a power of ten within [low, high], between about / 1.6 - 1 and 1.6 about + 1 of them.
/// Requires low < high.
std::vector<double> nice_ticks(double low, double high, int about);

}  // namespace torsor
