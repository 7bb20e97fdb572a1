// A robot by the name a user types: a file, standard input, or one of the robots inside the library.
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// `-` is standard input; an existing file, or anything with '/' or ending in .toml, .urdf, .xacro, .xml, .mjcf, .sdf,
/// .world or .yaml, is read from disk; any other text names an embedded robot. XML is read as MJCF, SDF or URDF by its root
/// element, macros of xacro expanded with the options, .yaml as the loops of a URDF beside it (robot_yaml.hpp); all else as a
/// robot file. A file may have 64 MB at most.
Result<Description> load_robot(const std::string& name_or_path, const LoadOptions& options = {});

/// What the author of a TOML file may have meant it to be: by tables that only robots, or only mechanisms, have.
enum class FileKind { unknown, robot, mechanism };
FileKind kind_of_file(std::string_view toml);

/// A robot from text in memory: XML is read as MJCF, SDF, URDF or xacro, all else as a robot file. `file` is its name in faults.
Result<Description> read_robot_text(std::string_view text, const std::string& file, const LoadOptions& options = {});

}  // namespace torsor
