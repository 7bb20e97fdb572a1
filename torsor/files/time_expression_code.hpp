// What a formula is computed by (time_expression.hpp): numbers with two derivatives, or bounds of them over a span, the words
// of the table, and a formula as steps on a stack.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "torsor/files/time_expression_bounds.hpp"
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
  TimeBounds (*bounds)(const TimeBounds& x);
  bool bends = false;  // at x = 0
};

inline constexpr ExpressionWord expression_words[] = {
    {"sin", [](const TimeValue& x) { return chained(x, std::sin(x.f), std::cos(x.f), -std::sin(x.f)); },
     [](const TimeBounds& x) { return bounds_chained(x, span_wave(x.f, sin), span_wave(x.f, cos)); }},
    {"cos", [](const TimeValue& x) { return chained(x, std::cos(x.f), -std::sin(x.f), -std::cos(x.f)); },
     [](const TimeBounds& x) { return bounds_chained(x, span_wave(x.f, cos), -span_wave(x.f, sin)); }},
    {"tan",
     [](const TimeValue& x) {
       const double y = std::tan(x.f), y1 = 1 + y * y;
       return chained(x, y, y1, 2 * y * y1);
     },
     [](const TimeBounds& x) {
       // between two poles
       constexpr double pi = std::numbers::pi;
       if (!(x.f.size() < 1e6) || std::floor(x.f.low / pi + 0.5) != std::floor(x.f.high / pi + 0.5))
         return TimeBounds{};
       const Interval y = span_monotone(x.f, [](double z) { return std::tan(z); });
       return bounds_chained(x, y, Interval(1) + span_square(y));
     }},
    {"asin",
     [](const TimeValue& x) {
       const double d = 1 / std::sqrt((1 - x.f) * (1 + x.f));
       return chained(x, std::asin(x.f), d, x.f * d * d * d);
     },
     [](const TimeBounds& x) {
       if (!(x.f.low > -1 && x.f.high < 1)) return TimeBounds{};
       const Interval d = span_power(Interval(1) - span_square(x.f), -0.5);
       return bounds_chained(x, span_monotone(x.f, [](double z) { return std::asin(z); }), d);
     }},
    {"acos",
     [](const TimeValue& x) {
       const double d = 1 / std::sqrt((1 - x.f) * (1 + x.f));
       return chained(x, std::acos(x.f), -d, -x.f * d * d * d);
     },
     [](const TimeBounds& x) {
       if (!(x.f.low > -1 && x.f.high < 1)) return TimeBounds{};
       const Interval d = span_power(Interval(1) - span_square(x.f), -0.5);
       return bounds_chained(x, span_monotone(x.f, [](double z) { return std::acos(z); }), -d);
     }},
    {"atan",
     [](const TimeValue& x) {
       const double d = 1 / (1 + x.f * x.f);
       return chained(x, std::atan(x.f), d, -2 * x.f * d * d);
     },
     [](const TimeBounds& x) {
       return bounds_chained(x, span_monotone(x.f, [](double z) { return std::atan(z); }),
                             span_inverse(Interval(1) + span_square(x.f)));
     }},
    {"sinh", [](const TimeValue& x) { return chained(x, std::sinh(x.f), std::cosh(x.f), std::sinh(x.f)); },
     [](const TimeBounds& x) { return bounds_chained(x, span_sinh(x.f), span_cosh(x.f)); }},
    {"cosh", [](const TimeValue& x) { return chained(x, std::cosh(x.f), std::sinh(x.f), std::cosh(x.f)); },
     [](const TimeBounds& x) { return bounds_chained(x, span_cosh(x.f), span_sinh(x.f)); }},
    {"tanh",
     [](const TimeValue& x) {
       const double y = std::tanh(x.f), y1 = (1 - y) * (1 + y);
       return chained(x, y, y1, -2 * y * y1);
     },
     [](const TimeBounds& x) {
       const Interval y = span_monotone(x.f, [](double z) { return std::tanh(z); });
       return bounds_chained(x, y, Interval(1) - span_square(y));
     }},
    {"exp", [](const TimeValue& x) { return chained(x, std::exp(x.f), std::exp(x.f), std::exp(x.f)); }, &bounds_exp},
    {"log", [](const TimeValue& x) { return chained(x, std::log(x.f), 1 / x.f, -1 / (x.f * x.f)); }, &bounds_log},
    {"sqrt",
     [](const TimeValue& x) {
       const double y = std::sqrt(x.f);
       return chained(x, y, 0.5 / y, -0.25 / (y * x.f));
     },
     [](const TimeBounds& x) {
       if (!(x.f.low >= 0)) return TimeBounds{};
       return bounds_chained(x, span_power(x.f, 0.5), span_product(0.5, span_power(x.f, -0.5)));
     }},
    {"abs",
     [](const TimeValue& x) {
       return x.f < 0 ? TimeValue{-x.f, -x.fd, -x.fdd} : x;
     },
     [](const TimeBounds& x) {
       const double most = x.f.size();
       if (!holds_zero(x.f)) return x.f.low > 0 ? x : TimeBounds{-x.f, -x.fd};
       return TimeBounds{{0, most}, span_hull(x.fd, -x.fd)};
     },
     true},
};

struct ExpressionPair {
  std::string_view name;
  TimeValue (*apply)(const TimeValue& a, const TimeValue& b);
  TimeBounds (*bounds)(const TimeBounds& a, const TimeBounds& b);
  bool bends = false;  // where a = b
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
     },
     [](const TimeBounds& y, const TimeBounds& x) {
       // on one side of the origin: the angle from there
       const Interval pi(-std::numbers::pi - 1e-15, std::numbers::pi + 1e-15);
       if (!(x.f.low > 0)) return TimeBounds{pi, unbounded};
       const TimeBounds slope = bounds_quotient(y, x);
       return bounds_chained(slope, span_monotone(slope.f, [](double z) { return std::atan(z); }),
                             span_inverse(Interval(1) + span_square(slope.f)));
     }},
    {"min", [](const TimeValue& a, const TimeValue& b) { return b.f < a.f ? b : a; },
     [](const TimeBounds& a, const TimeBounds& b) {
       if (a.f.high < b.f.low || b.f.high < a.f.low) return a.f.high < b.f.low ? a : b;
       return TimeBounds{{std::min(a.f.low, b.f.low), std::min(a.f.high, b.f.high)}, span_hull(a.fd, b.fd)};
     },
     true},
    {"max", [](const TimeValue& a, const TimeValue& b) { return b.f > a.f ? b : a; },
     [](const TimeBounds& a, const TimeBounds& b) {
       if (a.f.high < b.f.low || b.f.high < a.f.low) return a.f.high < b.f.low ? b : a;
       return TimeBounds{{std::max(a.f.low, b.f.low), std::max(a.f.high, b.f.high)}, span_hull(a.fd, b.fd)};
     },
     true},
    {"+",
     [](const TimeValue& a, const TimeValue& b) {
       return TimeValue{a.f + b.f, a.fd + b.fd, a.fdd + b.fdd};
     },
     [](const TimeBounds& a, const TimeBounds& b) {
       return TimeBounds{known(a.f + b.f), known(a.fd + b.fd)};
     }},
    {"-",
     [](const TimeValue& a, const TimeValue& b) {
       return TimeValue{a.f - b.f, a.fd - b.fd, a.fdd - b.fdd};
     },
     [](const TimeBounds& a, const TimeBounds& b) {
       return TimeBounds{known(a.f - b.f), known(a.fd - b.fd)};
     }},
    {"*", &expression_product, &bounds_product},
    {"/", &expression_quotient, &bounds_quotient},
    {"^", &expression_power, &bounds_power},
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

inline const auto& apply_to(const auto& row, const TimeValue&) { return row.apply; }
inline const auto& apply_to(const auto& row, const TimeBounds&) { return row.bounds; }
inline TimeValue negated(const TimeValue& x) { return {-x.f, -x.fd, -x.fdd}; }
inline TimeBounds negated(const TimeBounds& x) { return {-x.f, -x.fd}; }
inline TimeValue difference(const TimeValue& a, const TimeValue& b) { return {a.f - b.f, a.fd - b.fd, a.fdd - b.fdd}; }
inline TimeBounds difference(const TimeBounds& a, const TimeBounds& b) {
  return {known(a.f - b.f), known(a.fd - b.fd)};
}

/// The value of a formula where its variables are variable(row); `at_bend(x)` is told of what is zero where the formula has a corner, of each
/// word in its order.
template <std::size_t Depth, class Variable, class AtBend>
auto run_expression(const ExpressionCode& code, const Variable& variable, const AtBend& at_bend) {
  using T = std::remove_cvref_t<decltype(variable(0))>;
  std::array<T, Depth> stack;
  std::size_t top = 0;
  for (const ExpressionStep& step : code) switch (step.kind) {
      case ExpressionStep::Kind::number: stack[top++] = T{step.number, 0}; break;
      case ExpressionStep::Kind::variable: stack[top++] = variable(step.row); break;
      case ExpressionStep::Kind::negate: stack[top - 1] = negated(stack[top - 1]); break;
      case ExpressionStep::Kind::word: {
        const ExpressionWord& word = expression_words[step.row];
        if (word.bends) at_bend(stack[top - 1]);
        stack[top - 1] = apply_to(word, stack[top - 1])(stack[top - 1]);
        break;
      }
      case ExpressionStep::Kind::pair: {
        --top;
        const ExpressionPair& pair = expression_pairs[step.row];
        if (pair.bends) at_bend(difference(stack[top - 1], stack[top]));
        stack[top - 1] = apply_to(pair, stack[top])(stack[top - 1], stack[top]);
        break;
      }
    }
  return stack[0];
}

}  // namespace torsor::detail
