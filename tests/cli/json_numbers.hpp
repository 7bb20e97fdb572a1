// Numbers out of a JSON answer, and back into an argument of the command.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cli_test {

inline double number(const nlohmann::json& j) { return j.get<double>(); }

/// As an option takes them: `"1 2.5 -3"`.
inline std::string list(const nlohmann::json& numbers) {
  std::string text;
  for (const nlohmann::json& x : numbers) text += (text.empty() ? "" : " ") + x.dump();
  return '"' + text + '"';
}

}  // namespace cli_test
