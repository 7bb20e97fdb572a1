// What a formula is computed by (time_expression.hpp): numbers with two derivatives, the words of the table, and a formula
// as steps on a stack.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "torsor/trajectory/time_function.hpp"

namespace torsor::detail {

inline constexpr std::size_t deepest_expression = 50;

/// g(f) for a function g with value and two derivatives at f
inline TimeValue chained(const TimeValue& f, double g, double g1, double g2) {
  return {g, g1 * f.fd, g2 * f.fd * f.fd + g1 * f.fdd};
}

inline TimeValue expression_product(const TimeValue& a, const TimeValue& b) {
  return {a.f * b.f, a.fd * b.f + a.f * b.fd, a.fdd * b.f + 2 * a.fd * b.fd + a.f * b.fdd};
}

inline TimeValue expression_quotient(const TimeValue& a, const TimeValue& b) {
  const double r = 1 / b.f;
  return expression_product(a, chained(b, r, -r * r, 2 * r * r * r));
}

struct ExpressionWord {
  std::string_view name;
  TimeValue (*apply)(const TimeValue& x);
};

inline constexpr ExpressionWord expression_words[] = {
    {"sin", [](const TimeValue& x) { return chained(x, std::sin(x.f), std::cos(x.f), -std::sin(x.f)); }},
    {"cos", [](const TimeValue& x) { return chained(x, std::cos(x.f), -std::sin(x.f), -std::cos(x.f)); }},
    {"tan",
     [](const TimeValue& x) {
       const double y = std::tan(x.f), y1 = 1 + y * y;
       return chained(x, y, y1, 2 * y * y1);
     }},
    {"asin",
     [](const TimeValue& x) {
       const double d = 1 / std::sqrt((1 - x.f) * (1 + x.f));
       return chained(x, std::asin(x.f), d, x.f * d * d * d);
     }},
    {"acos",
     [](const TimeValue& x) {
       const double d = 1 / std::sqrt((1 - x.f) * (1 + x.f));
       return chained(x, std::acos(x.f), -d, -x.f * d * d * d);
     }},
    {"atan",
     [](const TimeValue& x) {
       const double d = 1 / (1 + x.f * x.f);
       return chained(x, std::atan(x.f), d, -2 * x.f * d * d);
     }},
    {"sinh", [](const TimeValue& x) { return chained(x, std::sinh(x.f), std::cosh(x.f), std::sinh(x.f)); }},
    {"cosh", [](const TimeValue& x) { return chained(x, std::cosh(x.f), std::sinh(x.f), std::cosh(x.f)); }},
    {"tanh",
     [](const TimeValue& x) {
       const double y = std::tanh(x.f), y1 = (1 - y) * (1 + y);
       return chained(x, y, y1, -2 * y * y1);
     }},
    {"exp", [](const TimeValue& x) { return chained(x, std::exp(x.f), std::exp(x.f), std::exp(x.f)); }},
    {"log", [](const TimeValue& x) { return chained(x, std::log(x.f), 1 / x.f, -1 / (x.f * x.f)); }},
    {"sqrt",
     [](const TimeValue& x) {
       const double y = std::sqrt(x.f);
       return chained(x, y, 0.5 / y, -0.25 / (y * x.f));
     }},
    {"abs",
     [](const TimeValue& x) {
       return x.f < 0 ? TimeValue{-x.f, -x.fd, -x.fdd} : x;
     }},
};

struct ExpressionPair {
  std::string_view name;
  TimeValue (*apply)(const TimeValue& a, const TimeValue& b);
};

inline TimeValue expression_power(const TimeValue& a, const TimeValue& b) {
  const auto log = std::ranges::find(expression_words, "log", &ExpressionWord::name);
  const auto exp = std::ranges::find(expression_words, "exp", &ExpressionWord::name);
  if (b.fd != 0 || b.fdd != 0) return exp->apply(expression_product(b, log->apply(a)));
  // a constant exponent: a factor of zero ends the row of derivatives before 0^-1 spoils it
  const double n = b.f, g1 = n == 0 ? 0 : n * std::pow(a.f, n - 1);
  const double g2 = n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.f, n - 2);
  return chained(a, std::pow(a.f, n), g1, g2);
}

inline constexpr ExpressionPair expression_pairs[] = {
    {"atan2",
     [](const TimeValue& y, const TimeValue& x) {
       // derivatives of the angle of (x, y): (x y' - y x') / r^2, once more by the quotient rule
       const double r2 = x.f * x.f + y.f * y.f, turn = x.f * y.fd - y.f * x.fd, w = turn / r2;
       const double grow = 2 * (x.f * x.fd + y.f * y.fd);
       return TimeValue{std::atan2(y.f, x.f), w, (x.f * y.fdd - y.f * x.fdd - w * grow) / r2};
     }},
    {"min", [](const TimeValue& a, const TimeValue& b) { return b.f < a.f ? b : a; }},
    {"max", [](const TimeValue& a, const TimeValue& b) { return b.f > a.f ? b : a; }},
    {"+",
     [](const TimeValue& a, const TimeValue& b) {
       return TimeValue{a.f + b.f, a.fd + b.fd, a.fdd + b.fdd};
     }},
    {"-",
     [](const TimeValue& a, const TimeValue& b) {
       return TimeValue{a.f - b.f, a.fd - b.fd, a.fdd - b.fdd};
     }},
    {"*", &expression_product},
    {"/", &expression_quotient},
    {"^", &expression_power},
};

/// One step of the formula in postfix order: a number, the variable, or something applied to what is on the stack.
struct ExpressionStep {
  enum class Kind { number, variable, negate, word, pair };
  Kind kind = Kind::number;
  double number = 0;
  int row = 0;
};

using ExpressionCode = std::vector<ExpressionStep>;

/// How many values are on the stack at most.
inline std::size_t stack_depth(const ExpressionCode& code) {
  std::size_t depth = 0, most = 0;
  for (const ExpressionStep& step : code) {
    depth += step.kind == ExpressionStep::Kind::number || step.kind == ExpressionStep::Kind::variable ? 1 : 0;
    depth -= step.kind == ExpressionStep::Kind::pair ? 1 : 0;
    most = std::max(most, depth);
  }
  return most;
}

template <std::size_t Depth>
TimeValue run_expression(const ExpressionCode& code, double t) {
  std::array<TimeValue, Depth> stack;
  std::size_t top = 0;
  for (const ExpressionStep& step : code) switch (step.kind) {
      case ExpressionStep::Kind::number: stack[top++] = {step.number, 0, 0}; break;
      case ExpressionStep::Kind::variable: stack[top++] = {t, 1, 0}; break;
      case ExpressionStep::Kind::negate: {
        TimeValue& x = stack[top - 1];
        x = {-x.f, -x.fd, -x.fdd};
        break;
      }
      case ExpressionStep::Kind::word: stack[top - 1] = expression_words[step.row].apply(stack[top - 1]); break;
      case ExpressionStep::Kind::pair:
        --top;
        stack[top - 1] = expression_pairs[step.row].apply(stack[top - 1], stack[top]);
        break;
    }
  return stack[0];
}

}  // namespace torsor::detail
