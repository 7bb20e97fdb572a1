// Modular: the whole numbers modulo a random prime p of 61 bits, where an identity of rational functions is decided by
// evaluating it: what is not zero modulo p is not zero, and what is zero at random points modulo random primes is zero
// identically but for a probability one can bound (Schwartz 1980, Zippel 1979).
//
// The primes are p = -1 modulo N, N = 360 or 36000 (a multiple of four). Then -1 is no square, so that 1 + t^2 never
// vanishes; the circle c^2 + s^2 = 1 is a cyclic group of p + 1 points,
//
//   c = (1 - t^2) / (1 + t^2),  s = 2t / (1 + t^2),  t uniform: every point but (-1, 0)
//
// and as N divides p + 1 it holds the N-th part of a turn, exactly: cosines and sines of whole (or hundredth) degrees
// satisfy every relation that they satisfy as real numbers. All of them come from one point zeta of order N. Decimals
// are exact fractions. Numbers are kept in Montgomery form, x 2^64 mod p.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/scalar/concepts.hpp"

namespace torsor {

/// A prime with what arithmetic modulo it needs.
struct PrimeModulus {
  std::uint64_t p = 3;
  std::uint64_t negative_inverse = 0;  // -1/p modulo 2^64
  std::uint64_t one = 0, square = 0;   // 2^64 and 2^128 modulo p

  PrimeModulus() = default;
  explicit PrimeModulus(std::uint64_t odd_prime);
};

namespace detail {

// what Modular numbers of this thread are taken modulo
inline thread_local constinit std::uint64_t modulus_p = 3, modulus_negative_inverse = 0, modulus_one = 0,
                                            modulus_square = 0;

/// a b / 2^64 modulo p, for a, b < p < 2^63 (Montgomery 1985).
inline std::uint64_t montgomery(std::uint64_t a, std::uint64_t b, std::uint64_t p, std::uint64_t negative_inverse) {
  __extension__ using Wide = unsigned __int128;
  const Wide t = static_cast<Wide>(a) * b;
  const std::uint64_t m = static_cast<std::uint64_t>(t) * negative_inverse;
  const std::uint64_t r = static_cast<std::uint64_t>((t + static_cast<Wide>(m) * p) >> 64U);
  return r >= p ? r - p : r;
}

}  // namespace detail

/// While it lives, the Modular numbers of this thread are taken modulo its prime; none may outlive it.
class ModulusScope {
 public:
  explicit ModulusScope(const PrimeModulus& modulus);
  ~ModulusScope();
  ModulusScope(const ModulusScope&) = delete;
  ModulusScope& operator=(const ModulusScope&) = delete;

 private:
  PrimeModulus before_;
};

class Modular {
 public:
  constexpr Modular() = default;
  explicit Modular(int k) {
    if (k == 0 || k == 1) {  // the literals of the algorithms
      value_ = k == 0 ? 0 : detail::modulus_one;
      return;
    }
    const Modular size = of(static_cast<std::uint64_t>(k < 0 ? -static_cast<long long>(k) : k));
    *this = k < 0 ? -size : size;
  }
  /// k modulo p.
  static Modular of(std::uint64_t k) { return raw(product(k % detail::modulus_p, detail::modulus_square)); }

  friend Modular operator+(Modular a, Modular b) {
    const std::uint64_t sum = a.value_ + b.value_;  // below 2^62
    return raw(sum >= detail::modulus_p ? sum - detail::modulus_p : sum);
  }
  friend Modular operator-(Modular a, Modular b) {
    return raw(a.value_ >= b.value_ ? a.value_ - b.value_ : a.value_ + detail::modulus_p - b.value_);
  }
  friend Modular operator-(Modular a) { return Modular() - a; }
  friend Modular operator*(Modular a, Modular b) { return raw(product(a.value_, b.value_)); }
  /// a / b; b must not be zero.
  friend Modular operator/(Modular a, Modular b) { return a * b.power(detail::modulus_p - 2); }
  Modular& operator+=(Modular b) { return *this = *this + b; }
  Modular& operator-=(Modular b) { return *this = *this - b; }
  Modular& operator*=(Modular b) { return *this = *this * b; }
  Modular& operator/=(Modular b) { return *this = *this / b; }

  Modular power(std::uint64_t exponent) const;

  friend bool operator==(Modular, Modular) = default;
  friend bool is_zero(Modular a) { return a.value_ == 0; }
  /// The representative in [0, p).
  std::uint64_t representative() const { return product(value_, 1); }

 private:
  static Modular raw(std::uint64_t value) {
    Modular m;
    m.value_ = value;
    return m;
  }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return detail::montgomery(a, b, detail::modulus_p, detail::modulus_negative_inverse);
  }

  std::uint64_t value_ = 0;
};

static_assert(Field<Modular>);

/// A point of the circle: an angle without its value. The product adds angles.
struct CirclePoint {
  Modular c{1}, s{0};

  friend CirclePoint operator*(const CirclePoint& a, const CirclePoint& b) {
    return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
  }
  friend bool operator==(const CirclePoint&, const CirclePoint&) = default;
};

/// The angle times a whole number.
CirclePoint power(CirclePoint point, std::int64_t exponent);

/// Uniform modulo p.
Modular random_modular(std::mt19937_64&);

/// Uniform over the circle but for (-1, 0), by the tangent of half the angle.
CirclePoint random_circle_point(std::mt19937_64&);

/// Whether n is prime, for every n below 2^63 (Miller-Rabin with the first twelve primes as bases).
bool is_prime(std::uint64_t n);

/// A prime p = -1 modulo `order` (a multiple of four, at most 2^20), uniform among those in [2^60, 2^61).
PrimeModulus random_prime(std::mt19937_64&, std::uint64_t order);

/// A point of exactly that order, which must divide p + 1: one `order`-th part of a turn, whose quarter turn is (0, 1).
CirclePoint root_of_turn(std::mt19937_64&, std::uint64_t order);

/// A decimal number in positional form: sign, digits and the power of ten, "-0.4318e1" = -4318 10^-3.
struct Decimal {
  bool negative = false;
  std::string digits = "0";  // without leading or trailing zeros; "0" for zero
  int exponent = 0;          // of the last digit

  bool is_zero() const { return digits == "0"; }
};

/// The whole text as one decimal number; nothing if it is none, or its exponent beyond +-9999.
std::optional<Decimal> parse_decimal(std::string_view text);

/// The shortest decimal that reads back as this finite double. Where that takes 16 digits or more, but 12 are within
/// two units in the last place, arithmetic has blurred a decimal (671.83 mm into 0.6718299999999999 m), and the 12 are
/// taken.
Decimal shortest_decimal(double x);

/// The exact value modulo the prime; none of the primes here divides a power of ten.
Modular modular(const Decimal&);
inline Modular modular(double x) { return modular(shortest_decimal(x)); }

}  // namespace torsor
