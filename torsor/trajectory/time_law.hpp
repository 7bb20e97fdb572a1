// Time laws: how a motion from here to there is spread over its duration, s(u) from s(0) = 0 to s(1) = 1, at rest at
// both ends. Adding a law is one function and one row of the table. The laws with a cruise (ramp_law.hpp) have a shape,
// which the table gives for an equal division; pace.hpp finds the one that limits ask for.
#pragma once

#include <array>
#include <numbers>
#include <string_view>

#include "torsor/trajectory/ramp_law.hpp"

namespace torsor {

/// s = u - sin(2 pi u) / (2 pi): acceleration is one period of a sine.
template <Analytic T>
TimeLawValue<T> cycloidal_law(const T& u, const RampShape& = {}) {
  const T w = static_cast<T>(2 * std::numbers::pi);
  return {u - sin(w * u) / w, T(1) - cos(w * u), w * sin(w * u)};
}

/// s = 3 u^2 - 2 u^3: acceleration jumps at the ends.
template <Ring T>
TimeLawValue<T> cubic_law(const T& u, const RampShape& = {}) {
  return {u * u * (T(3) - T(2) * u), T(6) * u * (T(1) - u), T(6) - T(12) * u};
}

/// s = 10 u^3 - 15 u^4 + 6 u^5: acceleration is zero at the ends.
template <Ring T>
TimeLawValue<T> quintic_law(const T& u, const RampShape& = {}) {
  const T v = T(1) - u;
  return {u * u * u * (T(10) - u * (T(15) - T(6) * u)), T(30) * u * u * v * v, T(60) * u * v * (v - u)};
}

/// s = 35 u^4 - 84 u^5 + 70 u^6 - 20 u^7: jerk is zero at the ends, too.
template <Ring T>
TimeLawValue<T> septic_law(const T& u, const RampShape& = {}) {
  const T v = T(1) - u, uv = u * v;
  return {u * u * u * u * (T(35) - u * (T(84) - u * (T(70) - T(20) * u))), T(140) * uv * uv * uv,
          T(420) * uv * uv * (v - u)};
}

template <class T>
struct TimeLaw {
  std::string_view name, formula, source;
  TimeLawValue<T> (*evaluate)(const T& u, const RampShape& shape);
  LawPeaks peaks;
  RampShape shape = {};

  TimeLawValue<T> at(const T& u) const { return evaluate(u, shape); }
};

namespace detail {

template <Analytic T>
inline constexpr std::array<TimeLaw<T>, 4> smooth_laws = {{
    {"cycloidal", "u - sin(2 pi u)/(2 pi)", "Angeles, Ma & Rojas 1989, example 1", &cycloidal_law<T>,
     {2, 2 * std::numbers::pi, 4 * std::numbers::pi * std::numbers::pi}},
    {"cubic", "3u^2 - 2u^3", "least polynomial at rest at both ends", &cubic_law<T>, {1.5, 6}},
    {"quintic", "10u^3 - 15u^4 + 6u^5", "minimum jerk: Flash & Hogan 1985", &quintic_law<T>,
     {1.875, 10 / std::numbers::sqrt3, 60}},
    {"septic", "35u^4 - 84u^5 + 70u^6 - 20u^7", "least polynomial with zero jerk at both ends", &septic_law<T>,
     {2.1875, 16.8 / 2.23606797749978969641, 52.5}},
}};

template <Decidable T>
inline constexpr std::array<TimeLaw<T>, 3> ramp_laws = {{
    {"trapezoid", "thirds: s'' = 9/2, 0, -9/2", "Biagiotti & Melchiorri 2008, section 3.2", &s_curve_law<T>,
     {1.5, 4.5}, {0, 1.0 / 3}},
    {"s-curve", "sevenths: s''' = J, 0, -J, 0, -J, 0, J, J = 343/8", "Biagiotti & Melchiorri 2008, section 3.4",
     &s_curve_law<T>, {1.75, 6.125, 42.875}, {1.0 / 7, 1.0 / 7}},
    {"smooth-trapezoid", "thirds: s'' = 9/2 (1 - cos(6 pi u)), 0, mirrored", "Biagiotti & Melchiorri 2008, section 3.3",
     &smooth_trapezoid_law<T>, {1.5, 9, 27 * std::numbers::pi}, {0, 1.0 / 3}},
}};

// a law in pieces is for numbers that can be compared
template <Analytic T>
constexpr auto all_laws() {
  if constexpr (Decidable<T>) {
    std::array<TimeLaw<T>, smooth_laws<T>.size() + ramp_laws<T>.size()> laws{};
    for (std::size_t i = 0; i < laws.size(); ++i)
      laws[i] = i < smooth_laws<T>.size() ? smooth_laws<T>[i] : ramp_laws<T>[i - smooth_laws<T>.size()];
    return laws;
  } else {
    return smooth_laws<T>;
  }
}

}  // namespace detail

template <Analytic T>
inline constexpr auto time_laws = detail::all_laws<T>();

/// The law of that name, or null.
template <Analytic T = double>
constexpr const TimeLaw<T>* find_time_law(std::string_view name) {
  for (const TimeLaw<T>& law : time_laws<T>)
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace torsor
