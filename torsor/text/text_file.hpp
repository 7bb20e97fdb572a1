// The whole of a text file, of any kind of stream, within a bound: also of a pipe, whose size nobody knows; and written whole or
// not at all.
#pragma once

#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

/// Everything in a file, or why it cannot be read; `-` is standard input. A file may have 64 MB at most.
Result<std::string> read_text_file(const std::string& path);

/// Writes a file beside the one of that name and then gives it the name: where that fails, what was there is as it was. What is
/// no plain file (a pipe, a terminal) is written as it is.
Faults write_text_file(const std::string& path, std::string_view text);

}  // namespace torsor
