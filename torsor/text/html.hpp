// Text into HTML and inline SVG: one escape that is right both between tags and inside quoted attributes.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

/// The text with & < > " ' as entities; invalid UTF-8 and control characters other than tab and newline become U+FFFD.
std::string escape_html(std::string_view text);

}  // namespace torsor
