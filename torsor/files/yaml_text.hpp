// A line of YAML as text: its entry, key and comment, which are none inside quotes; and plain scalars.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "torsor/files/xacro_value.hpp"

namespace torsor::detail {

bool any_of_words(std::string_view text, std::initializer_list<std::string_view> words);

/// Plain scalars by the rules of YAML 1.1 as PyYAML has them: 1e-5 without a point is a text, yes is true, 010 is eight.
XacroValue plain_scalar(const std::string& text);

/// Without blanks and tabs at its ends; without its comment, too.
std::string_view trimmed_yaml(std::string_view text);
std::string_view without_comment(std::string_view text);

/// Whether it is an entry of a list, `- ...`.
bool is_entry(std::string_view text);
/// Where the colon after a key stands, or npos.
std::size_t key_end(std::string_view text);
/// Whether all quotes and brackets of a flow value are closed.
bool is_closed(std::string_view text);

}  // namespace torsor::detail
