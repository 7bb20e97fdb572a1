// What a Cartesian motion is: anything that has a duration and gives pose, twist and acceleration of a frame at a time.
#pragma once

#include <concepts>
#include <cstdint>

#include "torsor/spatial/transform.hpp"
#include "torsor/trajectory/motion.hpp"

namespace torsor {

/// A moving frame, all components in the world: its pose; angular velocity and the velocity of its origin; angular
/// acceleration and the acceleration of its origin, each the time derivative of the one before.
struct CartesianState {
  Transform<double> X;
  Motion<double> twist{}, acceleration{};
};

/// duration() [s]; sample(t) for any t: at rest before 0 and after duration().
template <class M>
concept CartesianMotion = requires(const M& motion, double t) {
  { motion.duration() } -> std::convertible_to<double>;
  { motion.sample(t) } -> std::convertible_to<CartesianState>;
};

/// Calls visit(t, state) every period [s] from 0, and at the end.
template <CartesianMotion M, class Visit>
void sample_cartesian(const M& motion, double period, Visit&& visit) {
  const std::int64_t count = sample_count(motion.duration(), period);
  for (std::int64_t k = 0; k < count; ++k) {
    const double t = k + 1 == count ? motion.duration() : static_cast<double>(k) * period;
    visit(t, motion.sample(t));
  }
}

}  // namespace torsor
