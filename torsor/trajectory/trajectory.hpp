// A motion of joints over time, of whatever kind: of a file, through points, a spline, rows of a table, a function. All
// that goes along a motion takes this one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "torsor/trajectory/motion.hpp"

namespace torsor {

class Trajectory {
 public:
  /// q, qd, qdd at a time [s].
  using Sample = std::function<void(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd)>;

  Trajectory() = default;

  /// Any joint motion; copies of the trajectory share it.
  template <JointMotion M>
  requires(!std::same_as<M, Trajectory>) Trajectory(M motion) : size_(motion.size()), duration_(motion.duration()) {
    sample_ = [held = std::make_shared<const M>(std::move(motion))](double t, auto q, auto qd, auto qdd) {
      held->sample(t, q, qd, qdd);
    };
  }

  /// A function of time from 0 to its duration [s], with so many coordinates. breaks: the instants inside, in order, at
  /// which accelerations may jump.
  Trajectory(std::size_t size, double duration, Sample sample, std::vector<double> breaks = {})
      : size_(size), duration_(duration), sample_(std::move(sample)), breaks_(std::move(breaks)) {}

  std::size_t size() const { return size_; }
  double duration() const { return duration_; }
  const std::vector<double>& breaks() const { return breaks_; }

  /// Position, velocity, acceleration at time t [s], size() entries each. A joint motion is at rest before 0 and after
  /// duration(); a function is asked as it is.
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    if (sample_) sample_(t, q, qd, qdd);
  }

  /// The same in a time longer by a factor > 0: velocities / factor, accelerations / factor^2.
  Trajectory stretched(double factor) const {
    TORSOR_EXPECT(factor > 0);
    Trajectory out = *this;
    out.duration_ = duration_ * factor;
    for (double& t : out.breaks_) t *= factor;
    // the end is met exactly: an instant before it a joint still rubs
    out.sample_ = [given = *this, factor, end = out.duration_](double t, auto q, auto qd, auto qdd) {
      given.sample(t == end ? given.duration_ : t / factor, q, qd, qdd);
      for (double& x : qd) x /= factor;
      for (double& x : qdd) x /= factor * factor;
    };
    return out;
  }

 private:
  std::size_t size_ = 0;
  double duration_ = 0;
  Sample sample_;
  std::vector<double> breaks_;
};

static_assert(JointMotion<Trajectory>);

}  // namespace torsor
