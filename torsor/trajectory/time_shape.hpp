// What is known of a function of time besides its values: where it has corners, and bounds of it.
#pragma once

#include <optional>

#include "torsor/scalar/interval.hpp"

namespace torsor {

/// Bounds of f and of f' on a span of time; infinite where nothing is known.
struct TimeBounds {
  Interval f{-infinity, infinity}, fd{-infinity, infinity};
};

/// What is known of a function of time besides its values.
class TimeShape {
 public:
  virtual ~TimeShape() = default;

  /// The first instant in (a, b] at which f or a derivative of it jumps.
  virtual std::optional<double> corner(double /*a*/, double /*b*/) const { return std::nullopt; }
  /// Bounds that hold on [a, b].
  virtual TimeBounds bounds(double a, double b) const = 0;
};

}  // namespace torsor
