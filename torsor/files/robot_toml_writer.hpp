// A description as a robot file (docs/robot-file.md): SI units, shortest numbers that read back exactly, angles that are
// whole degrees written in degrees.
#pragma once

#include <string>

#include "torsor/model/description.hpp"

namespace torsor {

/// The text of a TOML robot file that read_robot_toml() turns into the same robot.
std::string write_robot_toml(const Description&);

/// Sixteen hexadecimal digits of that text (FNV-1a): the same for the same robot, however its own file is laid out. To find
/// what changed by accident; no protection against intent.
std::string robot_digest(const Description&);

}  // namespace torsor
