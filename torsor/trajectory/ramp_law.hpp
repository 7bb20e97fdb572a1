// Time laws with a cruise: speed ramps up, stays, ramps down, symmetric about the middle. s(u) goes from 0 to 1 in u =
// 0..1.
//
//   s-curve           acceleration is a trapezoid in each ramp: jerk J for j, acceleration A for c, jerk -J for j;
//                     seven segments in all
//   trapezoid         the same with j = 0: acceleration is constant in each ramp
//   smooth trapezoid  acceleration is A (1 - cos(2 pi u/c))/2 in ramps of length c, so that it starts and ends at zero
//
// With the ramp r = 2j + c and top speed V: the ramps cover V r together, so that V (1 - r) = 1 and A = V / (j + c), 2
// V / c. Biagiotti & Melchiorri, Trajectory Planning for Automatic Machines and Robots, 2008, sections 3.2 to 3.4.
#pragma once

#include <limits>
#include <numbers>

#include "torsor/numeric/dense.hpp"

namespace torsor {

/// s and its derivatives with respect to u.
template <class T>
struct TimeLawValue {
  T s, sd, sdd;
};

/// Parts of the duration: jerk j and constant acceleration c; the ramp 2j + c is at most one half.
struct RampShape {
  double jerk = 0, constant = 0;

  double ramp() const { return 2 * jerk + constant; }
  double top_speed() const { return 1 / (1 - ramp()); }
};

/// The largest |s'|, |s''|, |s'''| of a law; infinite where s'' jumps.
struct LawPeaks {
  double velocity = 0, acceleration = 0, jerk = std::numeric_limits<double>::infinity();
};

namespace detail {

/// The first half of a law, and by symmetry the second: s(u) = 1 - s(1 - u).
template <Decidable T, class FirstHalf>
TimeLawValue<T> mirrored(const T& u, const FirstHalf& first_half) {
  if (!(u > T(0.5))) return first_half(u);
  const TimeLawValue<T> at = first_half(T(1) - u);
  return {T(1) - at.s, at.sd, -at.sdd};
}

}  // namespace detail

/// The seven segments; fewer where parts of the shape are zero.
template <Decidable T>
TimeLawValue<T> s_curve_law(const T& u, const RampShape& shape) {
  const double j = shape.jerk, c = shape.constant, r = shape.ramp(), top = shape.top_speed(),
               acceleration = top / (j + c);
  const T V = static_cast<T>(top), A = static_cast<T>(acceleration), half(0.5), sixth = static_cast<T>(1.0 / 6);
  return detail::mirrored(u, [&](const T& t) -> TimeLawValue<T> {
    if (t < T(j)) {  // jerk up
      const T J = static_cast<T>(acceleration / j);
      return {J * t * t * t * sixth, J * t * t * half, J * t};
    }
    if (t < T(j + c)) {  // acceleration constant
      const T y = t - T(j), v = static_cast<T>(acceleration * j / 2);
      return {T(acceleration * j * j / 6) + v * y + A * y * y * half, v + A * y, A};
    }
    if (t < T(r)) {  // jerk down
      const T J = static_cast<T>(acceleration / j), z = T(r) - t;
      return {T(top * r / 2) - V * z + J * z * z * z * sixth, V - J * z * z * half, J * z};
    }
    return {V * (t - T(r / 2)), V, T(0)};
  });
}

/// Ramps of length c with a raised cosine of acceleration.
template <Decidable T>
TimeLawValue<T> smooth_trapezoid_law(const T& u, const RampShape& shape) {
  const double c = shape.constant, top = shape.top_speed();
  const T V = static_cast<T>(top);
  return detail::mirrored(u, [&](const T& t) -> TimeLawValue<T> {
    if (!(t < T(c))) return {V * (t - T(c / 2)), V, T(0)};
    const T w = static_cast<T>(2 * std::numbers::pi), x = t / T(c), wx = w * x;
    // 1 - cos by its half angle, which keeps its digits at the start
    const T sine = sin(wx / T(2)), versine = T(2) * sine * sine;
    return {T(top * c) * (x * x / T(2) - versine / (w * w)), V * (x - sin(wx) / w), T(top / c) * versine};
  });
}

inline LawPeaks s_curve_peaks(const RampShape& shape) {
  const double acceleration = shape.top_speed() / (shape.jerk + shape.constant);
  return {shape.top_speed(), acceleration,
          shape.jerk > 0 ? acceleration / shape.jerk : std::numeric_limits<double>::infinity()};
}

inline LawPeaks smooth_trapezoid_peaks(const RampShape& shape) {
  const double V = shape.top_speed(), c = shape.constant;
  return {V, 2 * V / c, 2 * std::numbers::pi * V / (c * c)};
}

}  // namespace torsor
