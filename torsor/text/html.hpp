// Text into HTML and inline SVG: one escape that is right both between tags and inside quoted attributes.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

/// The text with & < > " ' as entities; invalid UTF-8 and control characters other than tab and newline become U+FFFD.
std::string escape_html(std::string_view text);

/// Text as HTML in which no line ends between a number and its unit, nor within the unit: `0.0018 kg m²`, `16 %`.
std::string escape_running_text(std::string_view text);

/// The same of what begins a line: its first word begins with a capital where it is a word and no symbol (`tau`, `q1`).
std::string escape_sentence(std::string_view text);

}  // namespace torsor
