// The operations of every path from the motion of the tool to torques: `count --tool`.
#pragma once

#include "cli/print.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

/// Prints them for a robot, or why it has none; the verb's exit code.
int print_tool_count(const std::string& title, const Description& description, const PrintArguments& print);

}  // namespace torsor
