// The polynomial behind a sequence of whole numbers, found exactly: by Newton's forward differences, in fractions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "torsor/scalar/fraction.hpp"

namespace torsor {

struct ExactPolynomial {
  std::vector<Fraction> coefficients;  // of 1, n, n^2, ...
  int first = 0;                       // holds from this n on

  /// The value at n, if it is a whole number.
  std::optional<long long> operator()(long long n) const;
};

/// The polynomial of lowest degree through all the values at n = first, first + 1, ..., the first few of them left out
/// if they do not belong (small cases are often special). Nothing where at least two values more than it takes to fix
/// the polynomial are not there to confirm it, or where its fractions do not fit.
std::optional<ExactPolynomial> exact_polynomial(std::span<const long long> values, int first);

/// `3/2 n^4 + 105 n - 99`.
std::string to_text(const ExactPolynomial& polynomial);

}  // namespace torsor
