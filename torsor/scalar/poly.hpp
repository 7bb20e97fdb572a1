// Poly: exact sparse polynomials in parameters and in the cosines and sines of angles, reduced by s^2 = 1 - c^2. The
// form is canonical, so that two polynomials are the same function exactly where they are equal.
//
//   p = sum of fraction * monomial,  monomials in descending order, each sine to the first power at most
//
// A monomial packs its exponents, four bits each: 24 angles (variables 2k and 2k + 1 are the cosine and the sine of
// angle k) and 144 parameters. Products of monomials are sums of words, and the fourth bit of each exponent guards
// it: an exponent above 7, a fraction that does not fit 64 bits, or more terms than allowed end the computation
// with PolyOverflow, and never give a wrong polynomial. Like terms of a product are found by hashing, with a key that is
// linear in the exponents, so that the key of a product is the sum of two keys.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/scalar/concepts.hpp"
#include "torsor/scalar/fraction.hpp"

namespace torsor {

/// A result does not fit: in what() which limit was met.
struct PolyOverflow : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The exponents of all variables.
struct Monomial {
  static constexpr int words = 12, per_word = 16, variables = words * per_word;
  static constexpr int angles = 24, first_parameter = 2 * angles, parameters = variables - first_parameter;
  static constexpr int highest_exponent = 7;

  std::array<std::uint64_t, words> w{};  // variable 0 in the highest bits of the first word

  static constexpr int shift(int variable) { return 60 - 4 * (variable % per_word); }
  int exponent(int variable) const {
    return static_cast<int>((w[static_cast<std::size_t>(variable / per_word)] >> shift(variable)) & 15U);
  }
  /// Adds to an exponent that has room for it.
  void raise(int variable, int by) {
    w[static_cast<std::size_t>(variable / per_word)] += static_cast<std::uint64_t>(by) << shift(variable);
  }
  /// Calls use(variable, exponent) for each variable that it has.
  template <class Use>
  void each(const Use& use) const {
    for (int k = 0; k < words; ++k)
      for (std::uint64_t rest = w[static_cast<std::size_t>(k)]; rest != 0;) {
        const int v = k * per_word + std::countl_zero(rest) / 4;
        use(v, exponent(v));
        rest &= ~(std::uint64_t{15} << shift(v));
      }
  }
  friend auto operator<=>(const Monomial&, const Monomial&) = default;  // NOLINT(modernize-use-nullptr)
};

struct PolyTerm {
  Monomial monomial;
  Fraction coefficient{1, 1};

  friend bool operator==(const PolyTerm&, const PolyTerm&) = default;
};

class Poly {
 public:
  Poly() = default;
  explicit Poly(int k) : Poly(Fraction{k, 1}) {}
  explicit Poly(const Fraction& constant) {
    if (constant.numerator != 0) terms_.push_back({{}, constant});
  }
  /// One variable: the cosine (2k) or sine (2k + 1) of angle k, or a parameter (from Monomial::first_parameter on).
  static Poly variable(int index);
  static Poly parameter(int k) { return variable(Monomial::first_parameter + k); }
  static Poly cosine(int angle) { return variable(2 * angle); }
  static Poly sine(int angle) { return variable(2 * angle + 1); }
  /// The sum of the terms, in any order, like ones too.
  static Poly of(const std::vector<PolyTerm>& terms);

  friend Poly operator+(const Poly& a, const Poly& b);
  friend Poly operator-(const Poly& a, const Poly& b);
  friend Poly operator*(const Poly& a, const Poly& b);
  friend Poly operator-(Poly a);
  /// By a constant; PolyOverflow otherwise, for a quotient of polynomials is none.
  friend Poly operator/(const Poly& a, const Poly& b);
  Poly& operator+=(const Poly& b) { return *this = *this + b; }
  Poly& operator-=(const Poly& b) { return *this = *this - b; }
  Poly& operator*=(const Poly& b) { return *this = *this * b; }

  friend bool operator==(const Poly&, const Poly&) = default;
  bool is_zero() const { return terms_.empty(); }
  /// In descending order of the monomials.
  std::span<const PolyTerm> terms() const { return terms_; }
  bool depends_on(int variable) const;

 private:
  std::vector<PolyTerm> terms_;
};

static_assert(Field<Poly>);  // in form: formulations that halve ask for it

/// With respect to an angle, or to a parameter.
Poly derivative_by_angle(const Poly&, int angle);
Poly derivative_by_parameter(const Poly&, int k);

/// While it lives, a product or a sum of this thread may have that many terms; 10^7 otherwise.
class PolyTermLimit {
 public:
  explicit PolyTermLimit(std::size_t most_terms);
  ~PolyTermLimit();
  PolyTermLimit(const PolyTermLimit&) = delete;
  PolyTermLimit& operator=(const PolyTermLimit&) = delete;

 private:
  std::size_t before_;
};

/// While it lives, the multiplications of this thread may form that many products of two terms, together; any number
/// otherwise. Few terms may be left of many products: this is what bounds the time.
class PolyProductLimit {
 public:
  explicit PolyProductLimit(std::size_t most_products);
  ~PolyProductLimit();
  PolyProductLimit(const PolyProductLimit&) = delete;
  PolyProductLimit& operator=(const PolyProductLimit&) = delete;

 private:
  std::size_t limit_before_, left_before_;
};

/// The value where every variable has one (Monomial::variables of them); `constant` makes a T of a fraction.
template <Ring T, class Constant>
T evaluate(const Poly& p, std::type_identity_t<std::span<const T>> values, const Constant& constant) {
  TORSOR_EXPECT(values.size() == static_cast<std::size_t>(Monomial::variables));
  T total(0);
  for (const PolyTerm& term : p.terms()) {
    T factor = constant(term.coefficient);
    term.monomial.each([&](int v, int exponent) {
      for (int e = exponent; e > 0; --e) factor = factor * values[static_cast<std::size_t>(v)];
    });
    total += factor;
  }
  return total;
}
inline double evaluate(const Poly& p, std::span<const double> values) { return evaluate<double>(p, values, to_double); }

}  // namespace torsor
