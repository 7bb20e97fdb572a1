// Expression: what is printed. A tree of sums and products over the letters of a robot, with fractions as coefficients
// and perhaps other expressions by name. Printers read it (expression_text.cpp, expression_latex.cpp), and it can be
// evaluated, so that what is printed can be checked.
#pragma once

#include <cstdlib>
#include <span>

#include "torsor/scalar/fraction.hpp"
#include "torsor/symbolic/symbols.hpp"

namespace torsor {

struct Expression {
  enum class Kind { number, variable, name, sum, product, power };

  Kind kind = Kind::number;
  Fraction number = {};           // number
  int index = 0;                  // variable: of Monomial; name: of the list of definitions
  int exponent = 1;               // power, of its one part
  std::vector<Expression> parts;  // sum, product, power

  static Expression of(const Fraction& number) { return {Kind::number, number, 0, 1, {}}; }
  static Expression variable(int index) { return {Kind::variable, {}, index, 1, {}}; }
  static Expression named(int index) { return {Kind::name, {}, index, 1, {}}; }
  // normalised: sums in sums and products in products are one, the number of a product stands first, a name once in a sum
  static Expression sum(std::vector<Expression> parts);
  static Expression product(const std::vector<Expression>& parts);
  static Expression power(Expression base, int exponent);
  /// -e, the signs of a sum turned one by one.
  static Expression negative(const Expression& e);

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// A left-hand side and what it is equal to: `D12`, `t7`, `c12(3)`. The name is a letter with an index, and perhaps an
/// argument in parentheses.
struct Definition {
  std::string letter, index, argument;
  Expression value;

  std::string text() const { return letter + index + (argument.empty() ? "" : "(" + argument + ")"); }
  std::string latex() const;
};

/// How numbers are printed: as fractions, or as decimals with that many significant digits (0: fractions).
struct NumberStyle {
  int digits = 0;  // from 17 on: as many as give the double back
};

/// `1/2 m2 l^2 C2 + Izz2`: factors apart by blanks, powers by ^. `definitions` is what names refer to.
std::string to_text(const Expression&, const Symbols&, std::span<const Definition> definitions, NumberStyle = {});

/// The same for a LaTeX formula.
std::string to_latex(const Expression&, const Symbols&, std::span<const Definition> definitions, NumberStyle = {});

/// A LaTeX formula in lines that begin with a sign and are no wider than `points`, as far as single products allow, in a
/// document of 10 pt. Joined by blanks they are the formula.
std::vector<std::string> latex_lines(const std::string& formula, double points = 270);

/// A number in a style, without its sign; `latex` sets fractions with a bar.
std::string number_text(const Fraction& size, NumberStyle, bool latex);

/// Multiplications and additions it takes to evaluate it as written; a sign is free, powers are multiplications.
struct ExpressionCost {
  int multiplications = 0, additions = 0;

  ExpressionCost& operator+=(const ExpressionCost& b) {
    multiplications += b.multiplications;
    additions += b.additions;
    return *this;
  }
};
ExpressionCost cost_of(const Expression&);

/// The value where the letters and the names have some (values of all variables, then of the definitions before it).
template <Ring T, class Constant>
T evaluate(const Expression& e, std::span<const T> variables, std::span<const T> names, const Constant& constant) {
  switch (e.kind) {
    case Expression::Kind::number: return constant(e.number);
    case Expression::Kind::variable: return variables[static_cast<std::size_t>(e.index)];
    case Expression::Kind::name: return names[static_cast<std::size_t>(e.index)];
    case Expression::Kind::sum: {
      T total(0);
      for (const Expression& part : e.parts) total += evaluate<T>(part, variables, names, constant);
      return total;
    }
    case Expression::Kind::product: {
      T total(1);
      for (const Expression& part : e.parts) total = total * evaluate<T>(part, variables, names, constant);
      return total;
    }
    case Expression::Kind::power: break;
  }
  const T base = evaluate<T>(e.parts.front(), variables, names, constant);
  T total = base;
  for (int k = 1; k < e.exponent; ++k) total = total * base;
  return total;
}

}  // namespace torsor
