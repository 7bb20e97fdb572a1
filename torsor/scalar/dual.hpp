// Forward derivatives: a value and its N directional derivatives, carried through every operation by the chain rule.
//
//   (a + a' e)(b + b' e) = a b + (a' b + a b') e,   e^2 = 0,   f(a + a' e) = f(a) + f'(a) a' e
//
// Dual<Dual<double>> gives mixed second derivatives: seed the inner level with one direction, the outer with another,
// and value.value, value.tangent, tangent.value, tangent.tangent are f, f_inner, f_outer, f_inner_outer.
// A Dual is as much of a number as its T: a Dual over a finite field is a Field, a Dual over double is Ordered.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "torsor/expect.hpp"
#include "torsor/scalar/concepts.hpp"

namespace torsor {

namespace detail {

// an arithmetic type other than T that T can be made from
template <class S, class T>
concept LiteralFor = std::is_arithmetic_v<S> && !std::same_as<S, T> && std::constructible_from<T, S>;

}  // namespace detail

/// A number with N first derivatives: value, and tangent[i] = d value / d direction i.
/// A T converts silently to a constant (all tangents zero); other arithmetic types convert explicitly.
template <class T = double, int N = 1>
struct Dual {
  static_assert(N >= 1);
  using Tangent = std::array<T, static_cast<std::size_t>(N)>;

  T value;
  Tangent tangent;

  constexpr Dual() : Dual(T(0)) {}
  constexpr Dual(const T& constant) : value(constant) { tangent.fill(T(0)); }
  constexpr Dual(const T& value_, const Tangent& tangent_) : value(value_), tangent(tangent_) {}

  template <detail::LiteralFor<T> S>
  constexpr explicit Dual(S constant) : Dual(T(constant)) {}

  /// The independent variable number `index` at `value`: tangent[index] = 1, the others 0.
  static constexpr Dual variable(const T& value, int index = 0) {
    TORSOR_EXPECT(0 <= index && index < N);
    Dual x(value);
    x.tangent[static_cast<std::size_t>(index)] = T(1);
    return x;
  }

  friend constexpr Dual operator-(const Dual& a) {
    return combine(-a.value, [&](std::size_t i) { return -a.tangent[i]; });
  }
  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    return combine(a.value + b.value, [&](std::size_t i) { return a.tangent[i] + b.tangent[i]; });
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    return combine(a.value - b.value, [&](std::size_t i) { return a.tangent[i] - b.tangent[i]; });
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return combine(a.value * b.value, [&](std::size_t i) { return a.tangent[i] * b.value + a.value * b.tangent[i]; });
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) requires Field<T> {
    const T quotient = a.value / b.value, inverse = T(1) / b.value;
    return combine(quotient, [&](std::size_t i) { return (a.tangent[i] - quotient * b.tangent[i]) * inverse; });
  }

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) requires Field<T> { return *this = *this / b; }

  // the order is that of the values; whatever mask T yields (a bool, lanes) is handed on
  friend constexpr auto operator<(const Dual& a, const Dual& b) requires Ordered<T> { return a.value < b.value; }
  friend constexpr auto operator>(const Dual& a, const Dual& b) requires Ordered<T> { return a.value > b.value; }
  friend constexpr auto operator<=(const Dual& a, const Dual& b) requires Ordered<T> { return a.value <= b.value; }
  friend constexpr auto operator>=(const Dual& a, const Dual& b) requires Ordered<T> { return a.value >= b.value; }

  /// The Dual with the given value and tangent[i] = f(i): how every operation builds its result.
  template <class F>
  static constexpr Dual combine(const T& value, F&& f) {
    Dual result(value);
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) result.tangent[i] = f(i);
    return result;
  }
};

namespace detail {

// f(a) with slope f'(a)
template <class T, int N>
constexpr Dual<T, N> chain(const Dual<T, N>& a, const T& f, const T& slope) {
  return Dual<T, N>::combine(f, [&](std::size_t i) { return slope * a.tangent[i]; });
}

}  // namespace detail

template <Analytic T, int N>
constexpr Dual<T, N> sqrt(const Dual<T, N>& a) {
  const T root = sqrt(a.value);
  return detail::chain(a, root, T(1) / (root + root));
}

template <Analytic T, int N>
constexpr Dual<T, N> sin(const Dual<T, N>& a) {
  return detail::chain<T, N>(a, sin(a.value), cos(a.value));
}

template <Analytic T, int N>
constexpr Dual<T, N> cos(const Dual<T, N>& a) {
  return detail::chain<T, N>(a, cos(a.value), -sin(a.value));
}

template <Analytic T, int N>
constexpr Dual<T, N> exp(const Dual<T, N>& a) {
  const T e = exp(a.value);
  return detail::chain(a, e, e);
}

template <Analytic T, int N>
constexpr Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T inverse = T(1) / (x.value * x.value + y.value * y.value);
  const T by_y = x.value * inverse, by_x = y.value * inverse;
  return Dual<T, N>::combine(atan2(y.value, x.value),
                             [&](std::size_t i) { return by_y * y.tangent[i] - by_x * x.tangent[i]; });
}

/// a where the mask is set, b elsewhere, tangents included: the derivative of the branch taken.
template <class Mask, class T, int N>
requires requires(const Mask& mask, const T& x) {
  { select(mask, x, x) } -> std::convertible_to<T>;
}
constexpr Dual<T, N> select(const Mask& mask, const Dual<T, N>& a, const Dual<T, N>& b) {
  return Dual<T, N>::combine(select(mask, a.value, b.value),
                             [&](std::size_t i) { return select(mask, a.tangent[i], b.tangent[i]); });
}

/// |a|; at zero the derivative is the one from the right.
template <Ordered T, int N>
constexpr Dual<T, N> abs(const Dual<T, N>& a) {
  return select(a.value < T(0), -a, a);
}

}  // namespace torsor

// rounding is that of the value
template <class T, int N>
struct std::numeric_limits<torsor::Dual<T, N>> : std::numeric_limits<T> {};
