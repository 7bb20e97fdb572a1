// A mechanism by the name a user types: a file, standard input, or one of the mechanisms inside the library.
#pragma once

#include <span>
#include <string>

#include "torsor/files/parameter_setting.hpp"
#include "torsor/mechanism/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

struct MechanismSources;

/// `-` is standard input; an existing file, or anything with '/' or ending in .toml, is read from disk; any other text names
/// an embedded mechanism. Robots and tables that a file names are looked for beside it, robots then in the library.
Result<MechanismDescription> load_mechanism(const std::string& name_or_path,
                                            std::span<const ParameterSetting> = {});

/// What a mechanism file at that path finds of what it names: beside it, robots then in the library.
MechanismSources sources_beside(const std::string& path);

}  // namespace torsor
