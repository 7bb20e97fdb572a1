// The drive file: motors by their data sheets, and which of them moves which joint through what gear. docs/sizing.md
// describes every key.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/motor.hpp"

namespace torsor {

/// The motors and drives that a text describes, or all faults, by line; `file` names the text in messages.
Result<DriveSheet> read_drive_toml(std::string_view text, const std::string& file);

}  // namespace torsor
