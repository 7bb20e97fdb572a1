// Numbers out of a JSON answer, and back into an argument of the command.
#pragma once

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command.hpp"

namespace cli_test {

inline double number(const nlohmann::json& j) { return j.get<double>(); }

/// As an option takes them: `"1 2.5 -3"`.
inline std::string list(const nlohmann::json& numbers) {
  std::string text;
  for (const nlohmann::json& x : numbers) text += (text.empty() ? "" : " ") + x.dump();
  return '"' + text + '"';
}

/// What a command that says nothing on standard error answers as JSON.
inline nlohmann::json answer_of(const std::string& arguments) {
  const Outcome outcome = torsor(arguments + " --json");
  CHECK(outcome.err == "");
  REQUIRE(outcome.code == 0);
  return json_of(outcome);
}

/// A motion of the tool of the PUMA on a line that ends out of its reach.
inline const std::string reaching =
    "motion = \"tool\"\npath = \"line\"\nduration = 1\n[[point]]\nposition = [0.4, 0.2, 0.6]\n"
    "rpy = [0, 1.5, 0]\n[[point]]\nposition = [1.4, 0.2, 0.6]\n";

}  // namespace cli_test
