#include "torsor/report/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "torsor/expect.hpp"

namespace torsor {

namespace {

// value * 10^power, in two steps so that even 10^324 does not overflow on the way
double times_power(double value, int power) {
  const int half = power / 2;
  return value * std::pow(10.0, half) * std::pow(10.0, power - half);
}

// k * 10^power, rounded once: 3 * 10^-1 is 0.3, not 0.30000000000000004
double decimal(double k, int power) {
  if (power < -300) return times_power(k, power);
  return power < 0 ? k / std::pow(10.0, -power) : k * std::pow(10.0, power);
}

int floor_log10(double value) { return static_cast<int>(std::floor(std::log10(value))); }

struct Step {
  int mantissa = 1;  // 1, 2 or 5
  int exponent = 0;
};

Step nice_step(double span, int about) {
  const double raw = span / std::max(1, about);
  const int exponent = floor_log10(raw);
  const double mantissa = times_power(raw, -exponent);
  // the geometric means of neighbours divide: sqrt(2), sqrt(10), sqrt(50)
  if (mantissa < 1.42) return {1, exponent};
  if (mantissa < 3.17) return {2, exponent};
  if (mantissa < 7.08) return {5, exponent};
  return {1, exponent + 1};
}

std::vector<double> ticks_of(double low, double high, Step step) {
  const double width = decimal(step.mantissa, step.exponent);
  const double first = std::ceil(low / width - 1e-9), last = std::floor(high / width + 1e-9);
  std::vector<double> ticks;
  // counted from the first one, since beyond 2^53 adding one changes nothing
  for (int i = 0; i <= last - first; ++i) ticks.push_back(decimal((first + i) * step.mantissa, step.exponent) + 0.0);
  return ticks;
}

// typographic minus, no sign on zero
std::string tick_label(double value, int decimals) {
  std::string label = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool zero = label.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "\u2212" + label : label;
}

std::string power_of_ten(int power) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = power < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(power))) text += digits[digit - '0'];
  return text;
}

std::string heading(const PlotAxis& axis, double offset, int exponent) {
  std::string text = axis.label;
  if (offset != 0)
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", offset > 0 ? "\u2212" : "+", std::abs(offset));
  std::string unit = exponent == 0 ? axis.unit : power_of_ten(exponent) + (axis.unit.empty() ? "" : " " + axis.unit);
  if (!unit.empty()) text += (text.empty() ? "(" : " (") + unit + ")";
  return text;
}

void pad(double& low, double& high, const PlotAxis& axis, double padding) {
  const double margin = (high - low) * padding;
  // values that do not change sign do not need space beyond zero
  const bool positive = low >= 0, negative = high <= 0;
  if (!axis.low) low = positive && !axis.log ? std::max(0.0, low - margin) : low - margin;
  if (!axis.high) high = negative && !axis.log ? std::min(0.0, high + margin) : high + margin;
}

AxisScale log_scale(const PlotAxis& axis, PlotRange data, double padding, int about) {
  AxisScale scale;
  scale.log = true;
  scale.low = std::log10(data.low);
  scale.high = std::log10(data.high);
  // nearly a constant: a decade around it
  if (scale.high - scale.low < 1e-3) scale.low -= 0.5, scale.high += 0.5;
  pad(scale.low, scale.high, axis, padding);
  scale.heading = heading(axis, 0, 0);

  const double span = scale.high - scale.low;
  const auto add = [&](double log10_value, std::string label) {
    const double position = (log10_value - scale.low) / span;
    if (position >= -1e-9 && position <= 1 + 1e-9) scale.ticks.push_back({position, std::move(label)});
  };
  // less than a decade: ordinary ticks at uneven places
  if (span < 0.7) {
    const double low = std::pow(10.0, scale.low), high = std::pow(10.0, scale.high);
    const Step step = nice_step(high - low, about);
    const bool plain = step.exponent > -5 && high < 1e6;
    for (const double tick : ticks_of(low, high, step)) {
      if (tick > 0)
        add(std::log10(tick), plain ? tick_label(tick, std::max(0, -step.exponent)) : fmt::format("{:.4g}", tick));
    }
    return scale;
  }
  const int stride = std::max(1, static_cast<int>(std::ceil(span / std::max(1, about))));
  for (int decade = static_cast<int>(std::floor(scale.low)); decade <= static_cast<int>(std::ceil(scale.high));
       ++decade) {
    for (int m = 1; m <= 9; ++m) {
      const bool labelled = m == 1 ? decade % stride == 0 : span < 2 && (m == 2 || m == 5);
      // lines without a label: the decades between, and 2 to 9 where they are not too many
      if (!labelled && (m == 1 ? span > 40 : span > 8 || stride > 1)) continue;
      std::string label;
      if (labelled && std::abs(decade) <= 3)
        label = tick_label(decimal(m, decade), std::max(0, -decade));
      else if (labelled)
        label = (m == 1 ? "" : std::to_string(m) + "·") + power_of_ten(decade);
      add(std::log10(m) + decade, std::move(label));
    }
  }
  return scale;
}

AxisScale linear_scale(const PlotAxis& axis, PlotRange data, double padding, int about) {
  AxisScale scale;
  double low = data.low, high = data.high;
  double largest = std::max(std::abs(low), std::abs(high));
  const double span = high - low;  // infinite for the widest ranges, and then neither constant nor in need of an offset

  // a constant, or rounding noise on one, is shown as such in the middle of the axis; so is what varies little next to
  // the smallest doubles, where an offset cannot be written
  const bool constant = span <= (largest < 1e-290 ? 1e-4 : 1e-12) * largest;
  // a small variation on a large value is labelled from a round value below it
  if (!constant && span < 1e-4 * largest) {
    const int power = floor_log10(span) + 1;
    scale.offset = decimal(std::floor(decimal(low, -power)), power);
    low -= scale.offset;
    high -= scale.offset;
    largest = std::max(std::abs(low), std::abs(high));
  }
  if (largest > 0) {
    const int magnitude = floor_log10(largest);
    if (magnitude < -3 || magnitude > 4) scale.exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
  }
  low = times_power(low, -scale.exponent);
  high = times_power(high, -scale.exponent);
  if (constant) {
    const double margin = low == 0 ? 1 : 0.25 * std::abs(low);
    low -= margin;
    high += margin;
  } else {
    pad(low, high, axis, padding);
  }
  scale.low = low;
  scale.high = high;
  scale.heading = heading(axis, scale.offset, scale.exponent);
  const Step step = nice_step(high - low, about);
  for (const double tick : ticks_of(low, high, step)) {
    scale.ticks.push_back({(tick - low) / (high - low), tick_label(tick, std::max(0, -step.exponent))});
  }
  return scale;
}

}  // namespace

void PlotRange::include(double value, bool log) {
  if (!std::isfinite(value) || (log && value <= 0)) return;
  low = empty ? value : std::min(low, value);
  high = empty ? value : std::max(high, value);
  empty = false;
}

void PlotRange::include(std::span<const double> values, bool log) {
  for (const double value : values) include(value, log);
}

double AxisScale::position(double value) const {
  if (!std::isfinite(value) || (log && value <= 0)) return std::numeric_limits<double>::quiet_NaN();
  const double shown = log ? std::log10(value) : times_power(value - offset, -exponent);
  return (shown - low) / (high - low);
}

double AxisScale::value_at(double position) const {
  const double shown = low + (high - low) * position;
  return log ? shown : times_power(shown, exponent) + offset;
}

AxisScale make_scale(const PlotAxis& axis, PlotRange data, double padding, int about) {
  if (data.empty) data = axis.log ? PlotRange{false, 1, 10} : PlotRange{false, 0, 1};
  const auto usable = [&](const std::optional<double>& end) {
    return end && std::isfinite(*end) && (!axis.log || *end > 0);
  };
  if (usable(axis.low)) data.low = *axis.low;
  if (usable(axis.high)) data.high = *axis.high;
  if (data.low > data.high) std::swap(data.low, data.high);
  return axis.log ? log_scale(axis, data, padding, about) : linear_scale(axis, data, padding, about);
}

std::vector<double> nice_ticks(double low, double high, int about) {
  TORSOR_EXPECT(low < high);
  return ticks_of(low, high, nice_step(high - low, about));
}

}  // namespace torsor
