// The robot file: a robot arm or tree in TOML, for people to write and read. docs/robot-file.md describes every key.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The robot a text describes, in SI units and radians, sound enough for build() to succeed; or all faults, by line.
/// `file` names the text in messages, and the robot if it has no name of its own.
Result<Description> read_robot_toml(std::string_view text, const std::string& file);

}  // namespace torsor
