// Numbers of the command line with their unit behind them: 1kHz, 0.5ms, 10%.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "torsor/text/number.hpp"

namespace torsor {

/// A unit and its size in SI; the longer of two with the same end comes first.
struct QuantityUnit {
  std::string_view text;
  double factor;
};

namespace quantities {
inline constexpr QuantityUnit frequency[] = {{"kHz", 1e3}, {"Hz", 1}};
inline constexpr QuantityUnit time[] = {{"ms", 1e-3}, {"us", 1e-6}, {"s", 1}};
inline constexpr QuantityUnit share[] = {{"%", 0.01}};
}  // namespace quantities

/// The number in SI, or the fault of the option; a bare number is in SI. Nothing given: the fallback.
inline Result<double> read_quantity(const std::string& option, const std::optional<std::string>& text,
                                    std::span<const QuantityUnit> units, double fallback) {
  if (!text) return fallback;
  std::string_view number = *text;
  double factor = 1;
  for (const QuantityUnit& unit : units)
    if (number.ends_with(unit.text)) {
      number.remove_suffix(unit.text.size());
      factor = unit.factor;
      break;
    }
  const ParsedNumber parsed = parse_number(number);
  if (parsed) return parsed.value * factor;
  std::string known;
  for (const QuantityUnit& unit : units) known += fmt::format("{}{}", known.empty() ? "" : ", ", unit.text);
  return Fault{{},
               option,
               "option-value",
               fmt::format("\"{}\" is not a number", *text),
               fmt::format("give a number, with {} behind it if you like", known)};
}

}  // namespace torsor
