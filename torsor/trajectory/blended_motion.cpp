#include "torsor/trajectory/blended_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace torsor {

void BlendedMotion::sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
  TORSOR_EXPECT(q.size() == size_ && qd.size() == size_ && qdd.size() == size_);
  if (!(t >= 0) || t >= duration()) {
    const double* rest = &q_[t >= duration() ? q_.size() - size_ : 0];
    std::copy_n(rest, size_, q.begin());
    std::fill(qd.begin(), qd.end(), 0.0);
    std::fill(qdd.begin(), qdd.end(), 0.0);
    return;
  }
  const BlendValue<double> at = schedule_.at(t);
  const double *knot = &q_[at.knot * size_], *before = &slope_[at.knot * size_], *after = before + size_;
  for (std::size_t i = 0; i < size_; ++i) {
    q[i] = knot[i] + before[i] * at.before + after[i] * at.after;
    qd[i] = before[i] * at.before_d + after[i] * at.after_d;
    qdd[i] = before[i] * at.before_dd + after[i] * at.after_dd;
  }
}

Result<BlendedMotion> blended_motion(std::span<const std::vector<double>> positions, std::span<const double> times,
                                     std::span<const double> blend_times, Blend blend) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  };
  const std::size_t n = positions.size();
  if (n < 2) fault("motion", "motion-points", "has nowhere to go", "give at least two positions");
  if (n > 0 && times.size() != n - 1)
    fault("times", "motion-size", fmt::format("there are {} for {} segments", times.size(), n - 1),
          "give one per segment");
  if (blend_times.size() != n)
    fault("blend times", "motion-size", fmt::format("there are {} for {} positions", blend_times.size(), n),
          "give one per position");
  for (std::size_t i = 0; i < n; ++i) {
    const std::string name = fmt::format("position {}", i + 1);
    if (positions[i].size() != positions[0].size())
      fault(name, "motion-size",
            fmt::format("has {} coordinates, the first {}", positions[i].size(), positions[0].size()),
            "give as many as the robot has");
    for (const double x : positions[i])
      if (!std::isfinite(x)) {
        fault(name, "motion-finite", "has a coordinate that is not finite", "give finite positions");
        break;
      }
    const bool end = i == 0 || i + 1 == n;
    if (i < blend_times.size() && !(std::isfinite(blend_times[i]) && (end ? blend_times[i] > 0 : blend_times[i] >= 0)))
      fault(name, "motion-blend", fmt::format("the blend time is {}", blend_times[i]),
            end ? "give a positive number of seconds" : "give a number of seconds, not negative");
  }
  if (!errors.empty()) return errors;
  // what the blends take of a segment: half between, all at the ends
  const auto taken = [&](std::size_t i) { return i == 0 || i + 1 == n ? blend_times[i] : blend_times[i] / 2; };
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (!(times[i] > 0 && std::isfinite(times[i])))
      fault(fmt::format("segment {}", i + 1), "motion-duration", fmt::format("the time is {}", times[i]),
            "give a positive number of seconds");
    else if (taken(i) + taken(i + 1) > times[i] * (1 + 1e-12))
      fault(fmt::format("segment {}", i + 1), "motion-blend",
            fmt::format("its blends take {} s of {} s", taken(i) + taken(i + 1), times[i]),
            "give more time or shorter blends");
  if (!errors.empty()) return errors;

  // a line that starts at rest passes its first position half a blend later than one that is under way; likewise the
  // last
  BlendedMotion motion;
  motion.size_ = positions[0].size();
  std::vector<double> knots, half;
  double time = 0;
  for (std::size_t i = 0; i < n; ++i) {
    half.push_back(blend_times[i] / 2);
    knots.push_back(i == 0 ? half[0] : i + 1 == n ? time - half[i] : time);
    if (i + 1 < n) time += times[i];
    motion.q_.insert(motion.q_.end(), positions[i].begin(), positions[i].end());
  }
  motion.slope_.assign((n + 1) * motion.size_, 0.0);
  for (std::size_t i = 0; i + 1 < n; ++i)
    for (std::size_t k = 0; k < motion.size_; ++k)
      motion.slope_[(i + 1) * motion.size_ + k] = (positions[i + 1][k] - positions[i][k]) / (knots[i + 1] - knots[i]);
  motion.schedule_ = BlendSchedule(std::move(knots), std::move(half), blend);
  return motion;
}

}  // namespace torsor
