// The one friction law, used by inverse and forward dynamics alike: the torque that the joint's own friction takes, as
// a function of position and speed (Angeles, Ma & Rojas 1989, eq. (40) allows any such function; it opposes the
// motion).
//
//   f(q, qd) = viscous qd + sign(qd) [ C + (S - C) exp(-(qd/v_s)^2) ] + table(q, qd) + function(q, qd)
//
// C is the Coulomb level, one for each direction; S the breakaway level (Stribeck, v_s its speed). At rest the dry part
// is taken as 0: it may be anything between -S and S, and inverse dynamics cannot know.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor {

/// Samples on a grid, bilinear between them, constant beyond the ends. `q` may be empty: the torque then depends on qd
/// alone. values[i * qd.size() + k] belongs to (q[i], qd[k]); grids strictly increasing.
template <class T>
struct FrictionTable {
  std::vector<double> q, qd;
  std::vector<T> values;
};

template <class T>
struct Friction {
  T viscous{0};
  T coulomb_positive{0}, coulomb_negative{0};      // both >= 0, for qd > 0 and qd < 0
  T breakaway_positive{0}, breakaway_negative{0};  // Stribeck levels; not used while stribeck_velocity is 0
  double stribeck_velocity = 0;
  FrictionTable<T> table;
  std::function<T(const T& q, const T& qd)>
      function;  // set in code, never by a file; cast() to another scalar leaves it out
};

/// Whether the law ever asks for a torque: one whose numbers are all zero does not.
inline bool has_torque(const Friction<double>& law) {
  const auto some = [](double x) { return x != 0; };
  return some(law.viscous) || some(law.coulomb_positive) || some(law.coulomb_negative) ||
         (law.stribeck_velocity > 0 && (some(law.breakaway_positive) || some(law.breakaway_negative))) ||
         std::ranges::any_of(law.table.values, some) || law.function;
}

/// The same law over another scalar; `convert` maps each number.
template <class U, class T, class Convert>
Friction<U> cast(const Friction<T>& law, const Convert& convert) {
  Friction<U> out{convert(law.viscous),
                  convert(law.coulomb_positive),
                  convert(law.coulomb_negative),
                  convert(law.breakaway_positive),
                  convert(law.breakaway_negative),
                  law.stribeck_velocity,
                  {law.table.q, law.table.qd, {}},
                  {}};
  for (const T& v : law.table.values) out.table.values.push_back(convert(v));
  // a function of T has no meaning over another scalar: set the one for U on the result
  if constexpr (std::is_same_v<U, T>)
    out.function = law.function;
  else
    TORSOR_EXPECT(!law.function);
  return out;
}

namespace detail {

/// Position of x in a grid: interval index and fraction, by comparisons that also hold lane-wise.
template <Ordered T>
T interpolate(std::span<const double> grid, const T& x, const auto& value_at) {
  T y = value_at(0);
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const T a = T(grid[k]), b = T(grid[k + 1]), fraction = (x - a) / (b - a);
    const T inside = value_at(k) * (T(1) - fraction) + value_at(k + 1) * fraction;
    y = select(x < a, y, select(x < b, inside, value_at(k + 1)));
  }
  return y;
}

}  // namespace detail

template <Ordered T, Ordered U>
U evaluate(const FrictionTable<T>& table, const U& q, const U& qd) {
  const std::size_t columns = table.qd.size();
  const auto along_speed = [&](std::size_t i) {
    return detail::interpolate<U>(table.qd, qd, [&](std::size_t k) { return U(table.values[i * columns + k]); });
  };
  if (table.q.empty()) return along_speed(0);
  return detail::interpolate<U>(table.q, q, along_speed);
}

/// Torque that a law takes but for the function set in code; U is T, or numbers that carry derivatives of it.
template <Ordered T, Ordered U>
U friction_of_file(const Friction<T>& law, const U& q, const U& qd) {
  const U zero(0);
  U positive(law.coulomb_positive), negative(law.coulomb_negative);
  if (law.stribeck_velocity > 0) {
    const U u = qd / U(law.stribeck_velocity), fade = exp(-(u * u));
    positive += U(law.breakaway_positive - law.coulomb_positive) * fade;
    negative += U(law.breakaway_negative - law.coulomb_negative) * fade;
  }
  U effort = U(law.viscous) * qd + select(zero < qd, positive, select(qd < zero, -negative, zero));
  if (!law.table.values.empty()) effort += evaluate(law.table, q, qd);
  return effort;
}

/// Torque taken by friction at position q and speed qd of the joint (N m or N); add it in inverse dynamics, subtract it
/// in forward.
template <Ordered T>
T friction_torque(const Friction<T>& law, const T& q, const T& qd) {
  T effort = friction_of_file(law, q, qd);
  if (law.function) effort += law.function(q, qd);
  return effort;
}

/// Its derivatives by q and qd. Dry friction jumps at rest; its derivative there is taken as 0, and at a corner of a table
/// as the one beyond. Of a function set in code, whose inside nobody knows, central differences over 1e-5 are taken.
template <Ordered T>
std::array<T, 2> friction_slopes(const Friction<T>& law, const T& q, const T& qd) {
  using D = Dual<T, 2>;
  std::array<T, 2> slopes = friction_of_file(law, D::variable(q, 0), D::variable(qd, 1)).tangent;
  if (law.function) {
    const T h(1e-5), per_span = T(1) / (h + h);
    slopes[0] += (law.function(q + h, qd) - law.function(q - h, qd)) * per_span;
    slopes[1] += (law.function(q, qd + h) - law.function(q, qd - h)) * per_span;
  }
  return slopes;
}

}  // namespace torsor
