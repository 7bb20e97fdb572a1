#include "torsor/numeric/exact_polynomial.hpp"

#include <algorithm>
#include <cstddef>

namespace torsor {
namespace {

/// to += a b, if that fits.
bool add_product(Fraction& to, const Fraction& a, const Fraction& b) {
  const auto ab = product(a, b), total = ab ? sum(to, *ab) : std::nullopt;
  if (total) to = *total;
  return total.has_value();
}

/// The leading differences of the values, as many as are not zero; all of them if the last one is not.
std::vector<long long> leading_differences(std::vector<long long> row) {
  std::vector<long long> leading;
  std::size_t degree_plus_one = 0;
  while (!row.empty()) {
    leading.push_back(row[0]);
    bool all_zero = true;
    for (const long long x : row) all_zero = all_zero && x == 0;
    if (!all_zero) degree_plus_one = leading.size();
    for (std::size_t k = 0; k + 1 < row.size(); ++k) row[k] = row[k + 1] - row[k];
    row.pop_back();
  }
  leading.resize(degree_plus_one);
  return leading;
}

}  // namespace

std::optional<ExactPolynomial> exact_polynomial(std::span<const long long> values, int first) {
  constexpr std::size_t confirmations = 2, special = 3;
  for (std::size_t skip = 0; skip <= special && skip < values.size(); ++skip) {
    const std::vector<long long> rest(values.begin() + static_cast<std::ptrdiff_t>(skip), values.end());
    const std::vector<long long> differences = leading_differences(rest);
    if (differences.size() + confirmations > rest.size()) continue;

    // sum of differences_j * (n - start choose j), multiplied out
    const long long start = first + static_cast<long long>(skip);
    ExactPolynomial polynomial{{Fraction{}}, static_cast<int>(start)};
    std::vector<Fraction> choose{{1, 1}};
    for (std::size_t j = 0; j < differences.size(); ++j) {
      polynomial.coefficients.resize(std::max(polynomial.coefficients.size(), choose.size()));
      for (std::size_t k = 0; k < choose.size(); ++k)
        if (!add_product(polynomial.coefficients[k], choose[k], {differences[j], 1})) return std::nullopt;
      // (n choose j + 1) = (n choose j) (n - start - j) / (j + 1)
      const auto step = static_cast<long long>(j);
      std::vector<Fraction> next(choose.size() + 1);
      for (std::size_t k = 0; k < choose.size(); ++k)
        if (!add_product(next[k + 1], choose[k], {1, step + 1}) ||
            !add_product(next[k], choose[k], *fraction(-(start + step), step + 1)))
          return std::nullopt;
      choose = std::move(next);
    }
    return polynomial;
  }
  return std::nullopt;
}

std::optional<long long> ExactPolynomial::operator()(long long n) const {
  Fraction value;
  for (std::size_t k = coefficients.size(); k-- > 0;) {
    Fraction next = coefficients[k];
    if (!add_product(next, value, {n, 1})) return std::nullopt;
    value = next;
  }
  if (value.denominator != 1) return std::nullopt;
  return value.numerator;
}

std::string to_text(const ExactPolynomial& polynomial) {
  std::string text;
  for (std::size_t k = polynomial.coefficients.size(); k-- > 0;) {
    const Fraction& c = polynomial.coefficients[k];
    if (c.numerator == 0) continue;
    const bool negative = c.numerator < 0;
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    const long long size = negative ? -c.numerator : c.numerator;
    if (size != c.denominator || k == 0) {
      text += std::to_string(size);
      if (c.denominator != 1) text += "/" + std::to_string(c.denominator);
      if (k > 0) text += " ";
    }
    if (k > 0) text += "n";
    if (k > 1) text += "^" + std::to_string(k);
  }
  return text.empty() ? "0" : text;
}

}  // namespace torsor
