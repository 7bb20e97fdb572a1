// The two kinds of motion file, each read from the root table, which collects the faults.
#pragma once

#include "torsor/files/motion_toml.hpp"
#include "torsor/text/toml_table.hpp"

namespace torsor::detail {

/// Fill in the motion, of no use where there were faults. False where the kind of path is not known, and with it which
/// keys belong to the file.
bool read_joint_motion(TomlTable& root, const Model<double>* robot, PlannedMotion& planned);
bool read_tool_rows(TomlTable& root, const Model<double>* robot, PlannedMotion& planned);

/// The limits of the joints that [scale] asks for, or nothing.
std::optional<ScalingLimits> read_scaling_limits(TomlTable& root, const Model<double>* robot);

/// The time law under `law`, one of the table; the fallback where none is given.
std::string read_law(TomlTable& root, std::string_view fallback);

/// A number [s] under `key`: positive, or (not negative) where zero is allowed too.
enum class Zero { refused, allowed };
std::optional<double> read_seconds(TomlTable& table, std::string_view key, Zero zero = Zero::refused);

/// Faults that the library found in what the file said, put on record at a key of the table.
void blame(TomlTable& table, std::string_view key, const Faults& errors);

}  // namespace torsor::detail
