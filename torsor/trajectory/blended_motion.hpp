// A joint motion by straight segments with blends: from rest at the first position to rest at the last, past the
// positions between them without a stop. Segments take the times given; the first begins and the last ends with a blend
// from and to rest, so that both ends are met exactly; at a position between, the motion passes beside it by slope
// change * b/4 (parabolic) or 3b/16 (polynomial), b half the blend time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/trajectory/blend.hpp"

namespace torsor {

class BlendedMotion {
 public:
  std::size_t size() const { return size_; }
  double duration() const { return schedule_.end(); }

  /// Position, velocity, acceleration at time t [s], size() entries each; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const;

 private:
  friend Result<BlendedMotion> blended_motion(std::span<const std::vector<double>>, std::span<const double>,
                                              std::span<const double>, Blend);

  std::size_t size_ = 0;
  std::vector<double> q_, slope_;  // knots row by row; slopes of the segments, with a zero row before and after
  BlendSchedule schedule_;
};

/// positions: two or more, equally long; times [s]: one per segment; blend_times [s]: one per position. Half the blend
/// times (for the ends: the whole) must fit into each segment. All faults are named.
Result<BlendedMotion> blended_motion(std::span<const std::vector<double>> positions, std::span<const double> times,
                                     std::span<const double> blend_times, Blend blend = Blend::polynomial);

}  // namespace torsor
