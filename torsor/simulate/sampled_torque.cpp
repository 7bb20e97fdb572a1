#include "torsor/simulate/sampled_torque.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/numeric/finite.hpp"
#include "torsor/trajectory/not_a_knot.hpp"

namespace torsor {

Result<SampledTorque> SampledTorque::make(std::span<const double> times, std::span<const double> tau,
                                          Interpolation rule) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "effort-samples", std::move(what), std::move(remedy)});
  };
  if (times.empty() || tau.size() % times.size() != 0) fault("samples", "there are none", "give at least one instant");
  if (!all_finite(times) || !all_finite(tau)) fault("samples", "some are not numbers", "");
  for (std::size_t i = 1; i < times.size() && errors.empty(); ++i)
    if (times[i] < times[i - 1] || (i > 1 && times[i] == times[i - 2]))
      fault("time", fmt::format("{} s comes after {} s", times[i], times[i - 1]), "sort the samples by time");
  if (!errors.empty()) return errors;

  SampledTorque e;
  e.coordinates_ = tau.size() / times.size();
  e.rule_ = rule;
  e.t_.assign(times.begin(), times.end());
  e.tau_.assign(tau.begin(), tau.end());
  std::unique_copy(times.begin(), times.end(), std::back_inserter(e.breaks_));
  if (rule != Interpolation::cubic) return e;
  // piece by piece
  for (std::size_t first = 0; first < times.size();) {
    std::size_t count = 1;
    while (first + count < times.size() && times[first + count] > times[first + count - 1]) ++count;
    const auto t = times.subspan(first, count), y = tau.subspan(first * e.coordinates_, count * e.coordinates_);
    const auto slopes = not_a_knot_spline(t, y, e.coordinates_).sd;
    e.slope_.insert(e.slope_.end(), slopes.begin(), slopes.end());
    first += count;
  }
  return e;
}

void SampledTorque::effort(double t, std::span<const double>, std::span<const double>, std::span<double> tau) {
  // the last sample at or before t; most often the one of the last call or its neighbour
  const std::size_t n = t_.size();
  if (!(t_[last_] <= t && (last_ + 1 == n || t < t_[last_ + 1]))) {
    const auto behind = std::upper_bound(t_.begin(), t_.end(), t);
    last_ = behind == t_.begin() ? 0 : static_cast<std::size_t>(behind - t_.begin()) - 1;
  }
  const double *a = &tau_[last_ * coordinates_], *b = a + coordinates_;
  const bool between = t > t_[last_] && last_ + 1 < n;
  const double h = between ? t_[last_ + 1] - t_[last_] : 1, u = between ? (t - t_[last_]) / h : 0, v = 1 - u;
  for (std::size_t c = 0; c < tau.size(); ++c) {
    tau[c] = a[c];
    if (!between || rule_ == Interpolation::hold) continue;
    const double rise = b[c] - a[c];
    tau[c] += u * rise;
    if (rule_ == Interpolation::linear) continue;
    const double *s0 = &slope_[last_ * coordinates_], *s1 = s0 + coordinates_;
    tau[c] += u * v * (v * (h * s0[c] - rise) - u * (h * s1[c] - rise));
  }
}

}  // namespace torsor
