#include "torsor/numeric/smoothing_spline.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/expect.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/rest_watch.hpp"
#include "torsor/numeric/spline_filter.hpp"

namespace torsor {
namespace {

SplineStatus check(std::span<const double> times, std::span<const double> y, double cutoff) {
  if (times.empty()) return SplineStatus::no_samples;
  if (!all_finite(times) || !all_finite(y)) return SplineStatus::not_finite;
  if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>{}) != times.end())
    return SplineStatus::times_not_increasing;
  if (!(cutoff > 0)) return SplineStatus::bad_cutoff;
  return SplineStatus::ok;
}

}  // namespace

std::string_view describe(SplineStatus status) {
  switch (status) {
    case SplineStatus::ok: return "ok";
    case SplineStatus::no_samples: return "there are no samples";
    case SplineStatus::not_finite: return "a time or a sample is not finite";
    case SplineStatus::times_not_increasing: return "the times do not increase";
    case SplineStatus::bad_cutoff: return "the cutoff is not positive";
  }
  return "";
}

double median_period(std::span<const double> times) {
  if (times.size() < 2) return 0;
  std::vector<double> spacing(times.size() - 1);
  for (std::size_t i = 0; i < spacing.size(); ++i) spacing[i] = times[i + 1] - times[i];
  const auto middle = spacing.begin() + static_cast<std::ptrdiff_t>(spacing.size() / 2);
  std::nth_element(spacing.begin(), middle, spacing.end());
  return *middle;
}

SmoothingSpline smoothing_spline(std::span<const double> times, std::span<const double> y, double cutoff,
                                 std::size_t channels) {
  TORSOR_EXPECT(y.size() == times.size() * channels);
  SmoothingSpline spline{
      .status = check(times, y, cutoff), .channels = channels, .t = {}, .s = {}, .sd = {}, .sdd = {}};
  if (spline.status != SplineStatus::ok) return spline;
  const double period = times.size() > 1 ? median_period(times) : 1;
  SplineFilter filter(channels, cutoff, period);
  RestWatch watch(channels, spline_reach(cutoff, period));
  for (std::size_t i = 0; i < times.size(); ++i) {
    filter.push(times[i], y.subspan(i * channels, channels));
    watch.push(times[i], y.subspan(i * channels, channels));
  }
  filter.smooth(spline.s, spline.sd, spline.sdd);
  watch.settle(times.size(), spline.s, spline.sd, spline.sdd);
  spline.t.assign(times.begin(), times.end());
  return spline;
}

SmoothingSpline::Point SmoothingSpline::at(double time, std::size_t channel) const {
  TORSOR_EXPECT(status == SplineStatus::ok && channel < channels);
  const auto knot = [&](std::size_t i) {
    return Point{s[i * channels + channel], sd[i * channels + channel], sdd[i * channels + channel]};
  };
  const auto after = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin());
  const std::size_t i = after == 0 ? 0 : after - 1;
  const Point left = knot(i);
  const double tau = time - t[i];
  const Point parabola{left.s + tau * (left.sd + tau * left.sdd / 2), left.sd + tau * left.sdd, left.sdd};
  if (after == 0 || after == t.size()) return parabola;

  // the parabola misses the right end by a, b, c (in units of the interval); three more powers of u make up for it
  const Point right = knot(after);
  const double h = t[after] - t[i], u = tau / h;
  const double a = right.s - left.s - h * (left.sd + h * left.sdd / 2);
  const double b = h * (right.sd - left.sd - h * left.sdd);
  const double c = h * h * (right.sdd - left.sdd);
  const double a3 = 10 * a - 4 * b + c / 2, a4 = -15 * a + 7 * b - c, a5 = 6 * a - 3 * b + c / 2;
  return {parabola.s + u * u * u * (a3 + u * (a4 + u * a5)),
          parabola.sd + u * u * (3 * a3 + u * (4 * a4 + u * 5 * a5)) / h,
          parabola.sdd + u * (6 * a3 + u * (12 * a4 + u * 20 * a5)) / (h * h)};
}

}  // namespace torsor
