// The numbers of a robot put into its polynomials.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "torsor/scalar/modular.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/equations.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {
namespace {

std::optional<Fraction> fraction_of(const Decimal& decimal) {
  if (decimal.digits.size() > 18) return std::nullopt;
  std::optional<Fraction> value = Fraction{std::stoll(decimal.digits) * (decimal.negative ? -1 : 1), 1};
  const Fraction ten = decimal.exponent < 0 ? Fraction{1, 10} : Fraction{10, 1};
  for (int k = std::abs(decimal.exponent); k > 0 && value; --k) value = product(*value, ten);
  return value;
}

bool varies(SymbolKind kind) {
  return kind == SymbolKind::displacement || kind == SymbolKind::velocity || kind == SymbolKind::acceleration;
}

/// Which variables keep their letters.
std::vector<bool> kept_letters(const SymbolicRobot& robot) {
  std::vector<bool> kept(Monomial::variables, false);
  for (std::size_t k = 0; k < robot.symbols.angles.size(); ++k)
    kept[2 * k] = kept[2 * k + 1] = robot.symbols.angles[k].letter.empty();
  for (std::size_t k = 0; k < robot.symbols.parameters.size(); ++k)
    kept[Monomial::first_parameter + k] = varies(robot.symbols.parameters[k].kind);
  return kept;
}

/// Exact: the decimals as the file has them. Constant angles that keep a letter are of no exact value.
std::optional<Poly> exactly(const Poly& p, const SymbolicRobot& robot, const std::vector<bool>& kept) {
  std::vector<std::optional<Fraction>> values(Monomial::variables);
  for (std::size_t k = 0; k < robot.symbols.parameters.size(); ++k)
    values[Monomial::first_parameter + k] = fraction_of(shortest_decimal(robot.symbols.parameters[k].value));
  std::vector<PolyTerm> terms;
  for (const PolyTerm& term : p.terms()) {
    Monomial letters;
    std::optional<Fraction> number = term.coefficient;
    term.monomial.each([&](int v, int exponent) {
      const auto k = static_cast<std::size_t>(v);
      if (kept[k]) return letters.raise(v, exponent);
      for (int e = exponent; e > 0 && number; --e) number = values[k] ? product(*number, *values[k]) : std::nullopt;
    });
    if (!number) return std::nullopt;
    terms.push_back({letters, *number});
  }
  try {
    return Poly::of(terms);
  } catch (const PolyOverflow&) {
    return std::nullopt;
  }
}

}  // namespace

Poly with_numbers(const Poly& p, const SymbolicRobot& robot, bool& rounded) {
  const std::vector<bool> kept = kept_letters(robot);
  if (auto exact = exactly(p, robot, kept)) return *exact;
  rounded = true;

  // in floating point; what cancels to the last digits is zero
  struct Total {
    double sum = 0, size = 0;
  };
  std::map<Monomial, Total> totals;
  const std::vector<double> values = robot.symbols.values();
  double largest = 0;
  for (const PolyTerm& term : p.terms()) {
    Monomial letters;
    double number = to_double(term.coefficient);
    term.monomial.each([&](int v, int exponent) {
      const auto k = static_cast<std::size_t>(v);
      if (kept[k]) return letters.raise(v, exponent);
      for (int e = exponent; e > 0; --e) number *= values[k];
    });
    Total& total = totals[letters];
    total.sum += number;
    total.size += std::abs(number);
    largest = std::max(largest, total.size);
  }
  std::vector<PolyTerm> terms;
  for (const auto& [letters, total] : totals) {
    if (std::abs(total.sum) <= 1e-13 * total.size || std::abs(total.sum) <= 1e-15 * largest) continue;
    // fractions of 64 bits have eighteen places after the point
    const int places = std::clamp(18 + static_cast<int>(std::floor(std::log10(std::abs(total.sum)))), 0, 11);
    const auto number = fraction_of(*parse_decimal(fmt::format("{:.{}e}", total.sum, places)));
    if (!number)
      throw PolyOverflow(
          fmt::format("the coefficient {:.3g} is too small or too large for a fraction of 64 bits", total.sum));
    terms.push_back({letters, *number});
  }
  return Poly::of(terms);
}

}  // namespace torsor
