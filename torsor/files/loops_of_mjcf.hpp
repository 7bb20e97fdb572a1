// An MJCF with <connect> or <weld>, as a mechanism: its tree as mechanism_of_robot() has it, and a joint for each loop.
// MuJoCo closes loops by springs and dampers; here they stay closed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "torsor/mechanism/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The mechanism that an MJCF text describes, where its file puts it (qpos0 of MuJoCo); actuators are at the joints of
/// its tree.
Result<MechanismDescription> read_mjcf_mechanism(std::string_view text, const std::string& file);

using ReadFile = std::function<Result<std::string>(const std::string& path)>;

/// The same with other files read by `read`, and at other positions and velocities of the tree, in the coordinates of the
/// robot that the file without its loops is; empty ones are those of the file, and at rest.
Result<MechanismDescription> read_mjcf_mechanism(std::string_view text, const std::string& file, const ReadFile& read,
                                                 std::span<const double> q = {}, std::span<const double> qd = {});

}  // namespace torsor
