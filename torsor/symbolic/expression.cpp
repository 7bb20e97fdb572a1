#include "torsor/symbolic/expression.hpp"

#include <fmt/format.h>

#include "torsor/scalar/poly.hpp"

namespace torsor {

namespace {

/// `3 t7` as 3 and the name; nothing where there is more than a name.
std::optional<std::pair<Fraction, int>> multiple_of_name(const Expression& e) {
  using Kind = Expression::Kind;
  if (e.kind == Kind::name) return std::pair(Fraction{1, 1}, e.index);
  if (e.kind != Kind::product || e.parts.size() != 2) return std::nullopt;
  if (e.parts[0].kind != Kind::number || e.parts[1].kind != Kind::name) return std::nullopt;
  return std::pair(e.parts[0].number, e.parts[1].index);
}

}  // namespace

Expression Expression::sum(std::vector<Expression> parts) {
  std::vector<Expression> flat;
  const auto take = [&](Expression part) {
    if (part.kind == Kind::number && part.number.numerator == 0) return;
    // -t7 - t7 is -2 t7
    if (const auto more = multiple_of_name(part))
      for (Expression& other : flat) {
        const auto there = multiple_of_name(other);
        if (!there || there->second != more->second) continue;
        const auto both = torsor::sum(there->first, more->first);
        if (!both) break;
        other = product({of(*both), named(more->second)});
        return;
      }
    flat.push_back(std::move(part));
  };
  for (Expression& part : parts)
    if (part.kind == Kind::sum)
      for (Expression& inner : part.parts) take(std::move(inner));
    else
      take(std::move(part));
  std::erase_if(flat, [](const Expression& e) { return e.kind == Kind::number && e.number.numerator == 0; });
  if (flat.empty()) return of({});
  if (flat.size() == 1) return flat.front();
  return {Kind::sum, {}, 0, 1, std::move(flat)};
}

Expression Expression::product(const std::vector<Expression>& parts) {
  Fraction number{1, 1};
  std::vector<Expression> flat;
  const auto take = [&](const Expression& part) {
    if (part.kind != Kind::number) return flat.push_back(part);
    const auto both = torsor::product(number, part.number);
    if (!both) throw PolyOverflow("a coefficient does not fit a fraction of 64 bits");
    number = *both;
  };
  for (const Expression& part : parts)
    if (part.kind == Kind::product)
      for (const Expression& inner : part.parts) take(inner);
    else
      take(part);
  if (number.numerator == 0 || flat.empty()) return of(number);
  if (number == Fraction{1, 1} && flat.size() == 1) return flat.front();
  if (number != Fraction{1, 1}) flat.insert(flat.begin(), of(number));
  return {Kind::product, {}, 0, 1, std::move(flat)};
}

Expression Expression::power(Expression base, int exponent) {
  if (exponent == 1) return base;
  return {Kind::power, {}, 0, exponent, {std::move(base)}};
}

Expression Expression::negative(const Expression& e) {
  if (e.kind != Kind::sum) return product({of({-1, 1}), e});
  std::vector<Expression> parts;
  for (const Expression& part : e.parts) parts.push_back(negative(part));
  return sum(std::move(parts));
}

std::string Definition::latex() const {
  const std::string stem = letter.size() > 1 ? "\\mathrm{" + letter + "}" : letter;
  return stem + (index.empty() ? "" : "_{" + index + "}") + (argument.empty() ? "" : "^{(" + argument + ")}");
}

std::string number_text(const Fraction& size, NumberStyle style, bool latex) {
  const bool whole = size.denominator == 1;
  if (style.digits > 0 && !(whole && std::llabs(size.numerator) < 1000)) {
    std::string text =
        style.digits < 17 ? fmt::format("{:.{}g}", to_double(size), style.digits) : fmt::format("{}", to_double(size));
    const std::size_t e = text.find('e');
    if (!latex || e == std::string::npos) return text;
    return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
  }
  if (whole) return std::to_string(size.numerator);
  return latex ? fmt::format("\\frac{{{}}}{{{}}}", size.numerator, size.denominator)
               : fmt::format("{}/{}", size.numerator, size.denominator);
}

ExpressionCost cost_of(const Expression& e) {
  ExpressionCost cost;
  int factors = 0;
  for (const Expression& part : e.parts) {
    cost += cost_of(part);
    // a factor of 1 or -1 is a sign
    if (part.kind != Expression::Kind::number || std::llabs(part.number.numerator) != 1 || part.number.denominator != 1)
      ++factors;
  }
  if (e.kind == Expression::Kind::sum && !e.parts.empty()) cost.additions += static_cast<int>(e.parts.size()) - 1;
  if (e.kind == Expression::Kind::product && factors > 0) cost.multiplications += factors - 1;
  if (e.kind == Expression::Kind::power) cost.multiplications += e.exponent - 1;
  return cost;
}

}  // namespace torsor
