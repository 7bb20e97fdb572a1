// What a joint motion is: anything that has a duration and gives q, qd, qdd at a time; and its samples as plain rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "torsor/expect.hpp"

namespace torsor {

/// size() coordinates, duration() [s]; sample(t, q, qd, qdd) for any t: at rest before 0 and after duration().
template <class M>
concept JointMotion = requires(const M& motion, double t, std::span<double> out) {
  { motion.size() } -> std::convertible_to<std::size_t>;
  { motion.duration() } -> std::convertible_to<double>;
  motion.sample(t, out, out, out);
};

/// One instant of a motion; q has as many entries as positions, qd and qdd as velocities.
struct MotionRow {
  double t = 0;
  std::vector<double> q, qd, qdd;
};

/// How many rows sample_motion gives: every period [s] from 0, and the end.
inline std::int64_t sample_count(double duration, double period) {
  TORSOR_EXPECT(duration >= 0 && period > 0);
  // an end that is a whole number of periods up to rounding is not sampled twice
  return 1 + static_cast<std::int64_t>(std::ceil(duration / period * (1 - 1e-12)));
}

/// Calls visit(row) for every row of the motion, in the order of time; the row is reused.
template <JointMotion M, class Visit>
void sample_motion(const M& motion, double period, Visit&& visit) {
  const std::size_t n = motion.size();
  MotionRow row{0, std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  const std::int64_t count = sample_count(motion.duration(), period);
  for (std::int64_t k = 0; k < count; ++k) {
    row.t = k + 1 == count ? motion.duration() : static_cast<double>(k) * period;
    motion.sample(row.t, row.q, row.qd, row.qdd);
    visit(static_cast<const MotionRow&>(row));
  }
}

}  // namespace torsor
