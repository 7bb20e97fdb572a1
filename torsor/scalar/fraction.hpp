// Fraction: an exact rational number of 64 bits above and below the line. Its arithmetic either is exact or says that
// the result does not fit; it never wraps around.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>

namespace torsor {

struct Fraction {
  long long numerator = 0, denominator = 1;  // in lowest terms, the denominator positive

  friend bool operator==(const Fraction&, const Fraction&) = default;
};

/// numerator / denominator in lowest terms; nothing where the denominator is zero or the result does not fit.
inline std::optional<Fraction> fraction(long long numerator, long long denominator) {
  constexpr long long lowest = INT64_MIN;  // has no opposite
  if (denominator == 0 || numerator == lowest || denominator == lowest) return std::nullopt;
  const long long divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
  return Fraction{numerator / divisor, denominator / divisor};
}

/// a + b, or nothing if it does not fit.
inline std::optional<Fraction> sum(const Fraction& a, const Fraction& b) {
  const long long common = std::gcd(a.denominator, b.denominator);
  const long long scale_a = b.denominator / common, scale_b = a.denominator / common;
  long long left = 0, right = 0, above = 0, below = 0;
  if (__builtin_mul_overflow(a.numerator, scale_a, &left) || __builtin_mul_overflow(b.numerator, scale_b, &right) ||
      __builtin_add_overflow(left, right, &above) || __builtin_mul_overflow(a.denominator, scale_a, &below))
    return std::nullopt;
  return fraction(above, below);
}

/// a b, or nothing if it does not fit.
inline std::optional<Fraction> product(const Fraction& a, const Fraction& b) {
  // crosswise in lowest terms first, so that the product is in lowest terms and fits whenever it can
  const long long left = std::gcd(a.numerator, b.denominator), right = std::gcd(b.numerator, a.denominator);
  Fraction c;
  if (__builtin_mul_overflow(a.numerator / left, b.numerator / right, &c.numerator) ||
      __builtin_mul_overflow(a.denominator / right, b.denominator / left, &c.denominator) || c.numerator == INT64_MIN)
    return std::nullopt;
  return c;
}

inline double to_double(const Fraction& a) {
  return static_cast<double>(a.numerator) / static_cast<double>(a.denominator);
}

}  // namespace torsor
