// The operation counts that Hollerbach & Sahar 1983 print for inverse kinematics, and the same executed. Their figures
// live in quoted_rates.cpp and nowhere else in the library.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "torsor/model/robot_forms.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {

/// Gives a shipped robot by its name.
using RobotLookup = std::function<RobotForms<double>(std::string_view)>;

struct QuotedRates {
  std::string_view label;
  std::string_view printed;                        // multiplications / additions; empty where nothing is printed
  OperationCount (*executed)(const RobotLookup&);  // a division is a multiplication; null: quoted only
  std::string_view remark;                         // how it is executed, and why the two differ
};

struct QuotedRatesTable {
  std::string_view title, source;
  std::span<const QuotedRates> rows;
};

std::span<const QuotedRatesTable> quoted_rates();

}  // namespace torsor
