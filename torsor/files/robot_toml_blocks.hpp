// The blocks of a robot file, each read from its table into its part of the Description. A faulty entry leaves the
// default in its place, so that reading goes on and every fault of the file is found in one pass.
#pragma once

#include <optional>

#include "torsor/text/toml_table.hpp"
#include "torsor/model/description.hpp"

namespace torsor::detail {

/// position and one of rpy, quaternion, matrix, axis with angle; all may be missing. A shape has another use for
/// `axis`.
enum class RotationKeys { all, without_axis };
Transform<double> read_pose(TomlTable& table, RotationKeys keys = RotationKeys::all);

/// A name under `key`, fit to be printed and to head a CSV column; empty if it is missing.
std::string read_name(TomlTable& table, std::string_view key, std::string_view fallback);

/// The pieces of a link: mass with com and inertia, or a shape, or a list of parts.
std::vector<Part> read_parts(TomlTable& link);

/// Limits, friction, rotor and mimic of a link's joint; `kind` is not set when the file has it wrong.
void read_drive(TomlTable& link, std::optional<JointKind> kind, LinkDescription& out);

TransmissionDescription read_transmission(TomlTable& table);

/// A joint that closes a loop between two links.
LoopDescription read_loop(TomlTable& table);

/// A link with everything on it.
LinkDescription read_link(TomlTable& table, Convention convention);

}  // namespace torsor::detail
