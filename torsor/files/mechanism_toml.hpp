// The mechanism file: bodies, joints, couplings, drivers, actuators, springs and forces in TOML, robots as parts of it.
// docs/mechanism-file.md describes every key.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/files/mechanism_parameters.hpp"
#include "torsor/mechanism/description.hpp"
#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// Where a mechanism file finds what it names. Empty functions: robots inside the library, and no tables.
struct MechanismSources {
  std::function<Result<Description>(const std::string& name)> robot = {};
  std::function<Result<std::string>(const std::string& name)> text = {};  // of a CSV file
};

/// The mechanism a text describes, in SI units and radians, every name in it known; or all faults, by line. `file` names
/// the text in messages, and the mechanism if it has no name of its own. Parameters have the values of the file but for those set.
Result<MechanismDescription> read_mechanism_toml(std::string_view text, const std::string& file,
                                                 const MechanismSources& sources = {},
                                                 std::span<const ParameterSetting> = {});

}  // namespace torsor
