// Texts in the encoding of one byte a letter that Windows and old files of Western languages have.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

/// As UTF-8. ISO 8859-1 is the same but for control characters that no text has.
std::string utf8_of_windows_1252(std::string_view text);

}  // namespace torsor
