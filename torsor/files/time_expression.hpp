// A formula in one variable as files have it, `0.4 + 3*t + 0.5*sin(2*t)`, with exact first and second derivatives.
//
//   sum      = product { (+|-) product }
//   product  = power { (*|/) power }              with any signs before it
//   power    = atom [ ^ power ]                   -t^2 is -(t^2), 2^-t is 2^(-t)
//   atom     = number | t | pi | e | word ( sum [, sum] ) | ( sum )
//
// Strict: no product without its sign, no word that is not in the table, at most 4000 characters nested 50 deep. The
// derivatives follow the chain rule (g o f)'' = g'' f'^2 + g' f''; at a corner of abs, min or max they are those of the
// right.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "torsor/result.hpp"
#include "torsor/trajectory/time_function.hpp"

namespace torsor {

/// The function a formula in `variable` stands for; or what is wrong with it (rule `expression`) and at which column. The
/// caller knows file, line and offender.
Result<TimeFunction> read_time_expression(std::string_view text, std::string_view variable = "t");

/// A formula in several variables: its value, and what is zero where it has a corner.
struct StateFormula {
  std::function<double(std::span<const double> x)> value;
  std::function<void(std::span<const double> x, std::span<double> bends)> bends;
  int bend_count = 0;
};

/// The same grammar; names of variables are words with dots (`angle.crank`), or anything in brackets (`[angle.left crank]`).
/// variable(name) gives the number of one, or says what is wrong.
Result<StateFormula> read_state_expression(std::string_view text,
                                           const std::function<Result<int>(std::string_view name)>& variable);

}  // namespace torsor
