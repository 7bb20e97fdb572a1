// The whole of a text file, of any kind of stream, within a bound: also of a pipe, whose size nobody knows.
#pragma once

#include <string>

#include "torsor/result.hpp"

namespace torsor {

/// Everything in a file, or why it cannot be read; `-` is standard input. A file may have 64 MB at most.
Result<std::string> read_text_file(const std::string& path);

}  // namespace torsor
