// Where the tests find their data. The places are known to one translation unit alone, so that all others compile to the
// same object in whatever folder the project lies. Not in a namespace of the library: tests of the command have a function
// of that name.
#pragma once

#include <string>
#include <string_view>

namespace places {

/// A path in the project, as "robots/puma560.toml"; in_project("") is its folder.
std::string in_project(std::string_view path);

/// The command `torsor`; empty where it was not built.
std::string command_path();

}  // namespace places
