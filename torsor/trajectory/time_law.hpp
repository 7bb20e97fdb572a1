// Time laws: how a motion from here to there is spread over its duration, s(u) from s(0) = 0 to s(1) = 1, at rest at
// both ends. Adding a law is one function and one row of the table.
#pragma once

#include <array>
#include <numbers>
#include <string_view>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// s and its derivatives with respect to u.
template <class T>
struct TimeLawValue {
  T s, sd, sdd;
};

/// s = u - sin(2 pi u) / (2 pi): acceleration is one period of a sine.
template <Analytic T>
TimeLawValue<T> cycloidal_law(const T& u) {
  const T w = static_cast<T>(2 * std::numbers::pi);
  return {u - sin(w * u) / w, T(1) - cos(w * u), w * sin(w * u)};
}

/// s = 3 u^2 - 2 u^3: acceleration jumps at the ends.
template <Ring T>
TimeLawValue<T> cubic_law(const T& u) {
  return {u * u * (T(3) - T(2) * u), T(6) * u * (T(1) - u), T(6) - T(12) * u};
}

/// s = 10 u^3 - 15 u^4 + 6 u^5: acceleration is zero at the ends.
template <Ring T>
TimeLawValue<T> quintic_law(const T& u) {
  const T v = T(1) - u;
  return {u * u * u * (T(10) - u * (T(15) - T(6) * u)), T(30) * u * u * v * v, T(60) * u * v * (v - u)};
}

/// s = 35 u^4 - 84 u^5 + 70 u^6 - 20 u^7: jerk is zero at the ends, too.
template <Ring T>
TimeLawValue<T> septic_law(const T& u) {
  const T v = T(1) - u, uv = u * v;
  return {u * u * u * u * (T(35) - u * (T(84) - u * (T(70) - T(20) * u))), T(140) * uv * uv * uv,
          T(420) * uv * uv * (v - u)};
}

template <class T>
struct TimeLaw {
  std::string_view name, formula, source;
  TimeLawValue<T> (*at)(const T& u);
};

template <Analytic T>
inline constexpr std::array<TimeLaw<T>, 4> time_laws = {{
    {"cycloidal", "u - sin(2 pi u)/(2 pi)", "Angeles, Ma & Rojas 1989, example 1", &cycloidal_law<T>},
    {"cubic", "3u^2 - 2u^3", "least polynomial at rest at both ends", &cubic_law<T>},
    {"quintic", "10u^3 - 15u^4 + 6u^5", "minimum jerk: Flash & Hogan 1985", &quintic_law<T>},
    {"septic", "35u^4 - 84u^5 + 70u^6 - 20u^7", "least polynomial with zero jerk at both ends", &septic_law<T>},
}};

/// The law of that name, or null.
template <Analytic T = double>
constexpr const TimeLaw<T>* find_time_law(std::string_view name) {
  for (const TimeLaw<T>& law : time_laws<T>)
    if (law.name == name) return &law;
  return nullptr;
}

}  // namespace torsor
