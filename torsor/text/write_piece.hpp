// Bytes out in one piece; a full disk or a closed pipe is noticed and told, never swallowed.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "torsor/result.hpp"

namespace torsor {

/// Writes and flushes; the fault (of this rule, under this name of a file) when the stream fails.
std::optional<Fault> write_piece(std::ostream& out, std::string_view bytes, const std::string& file,
                                 const std::string& rule);

}  // namespace torsor
