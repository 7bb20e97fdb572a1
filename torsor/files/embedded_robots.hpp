// The files that travel inside the library: the text of every robots/*.toml, robots/loops/*.toml, robots/mechanisms/*.toml and examples/data/* at the time of the build.
// A name on the command line that is not a file is looked up here, so one binary knows its robots wherever it runs.
#pragma once

#include <span>
#include <string_view>

namespace torsor {

struct EmbeddedFile {
  std::string_view name;  // the file's name, of robots and mechanisms without .toml
  std::string_view text;  // the file, byte for byte
};
using EmbeddedRobot = EmbeddedFile;

/// All embedded robot files whose robots are trees, sorted by name.
/// The views are valid for the life of the program.
std::span<const EmbeddedRobot> embedded_robots();

/// Likewise those with closed loops, robots/loops/*.toml: what computes on trees refuses them.
std::span<const EmbeddedRobot> embedded_robots_with_loops();

/// Likewise all embedded mechanism files, robots/mechanisms/*.toml.
std::span<const EmbeddedFile> embedded_mechanisms();

/// The files that the documentation's commands read, examples/data/*, and `contents.txt`, a line `NAME: what it is` for each.
std::span<const EmbeddedFile> embedded_examples();

}  // namespace torsor
