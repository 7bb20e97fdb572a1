// The list of parameters in <xacro:macro params="...">, with the rules of the program xacro, which are those of a regular
// expression: NAME, NAME:=DEFAULT, NAME:=^, NAME:=^|DEFAULT; a default is ${...}, $(...), or a word with quoted pieces.
#include <fmt/format.h>

#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro_scope.hpp"

namespace torsor::detail {
namespace {

constexpr std::string_view parameter_blanks = " \t\r\n\f\v";

std::size_t skip_parameter_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(parameter_blanks, at), text.size());
}
bool ends_parameter(std::string_view text, std::size_t at) {
  return at >= text.size() || parameter_blanks.find(text[at]) != std::string_view::npos;
}

/// Where the default that begins at `at` ends.
std::size_t default_end(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("${") || rest.starts_with("$(")) {
    const char closing = rest[1] == '{' ? '}' : ')';
    for (std::size_t end = text.find(closing, at); end != std::string_view::npos; end = text.find(closing, end + 1))
      if (ends_parameter(text, end + 1)) return end + 1;
  }
  std::size_t end = at;
  while (!ends_parameter(text, end)) {
    const char c = text[end];
    if (c != '\'' && c != '"') {
      ++end;
      continue;
    }
    const std::size_t close = text.find(c, end + 1);
    if (close == std::string_view::npos)
      throw XacroError(fmt::format("a quote in the parameters \"{}\" is not closed", excerpt(text)), "", "xacro-macro");
    end = close + 1;
  }
  return end;
}

}  // namespace

std::vector<XacroMacro::Parameter> macro_parameters(std::string_view text) {
  std::vector<XacroMacro::Parameter> all;
  for (std::size_t at = skip_parameter_blanks(text, 0); at < text.size(); at = skip_parameter_blanks(text, at)) {
    XacroMacro::Parameter parameter;
    const std::size_t name = std::min(text.find_first_of(" \t\r\n\f\v:=", at), text.size());
    const std::size_t sign = skip_parameter_blanks(text, name);
    const std::string_view after = text.substr(sign);
    if (name == at || (!after.starts_with(":=") && !after.starts_with('='))) {
      // no default: a word
      const std::size_t end = std::min(text.find_first_of(parameter_blanks, at), text.size());
      parameter.name = std::string(text.substr(at, end - at));
      at = end;
    } else {
      parameter.name = std::string(text.substr(at, name - at));
      at = skip_parameter_blanks(text, sign + (after[0] == ':' ? 2 : 1));
      if (text.substr(at).starts_with('^')) {
        parameter.forwarded = true;
        at += text.substr(at).starts_with("^|") ? 2 : 1;
      }
      const std::size_t end = default_end(text, at);
      if (end > at) parameter.otherwise = std::string(text.substr(at, end - at));
      at = end;
    }
    all.push_back(std::move(parameter));
  }
  return all;
}

}  // namespace torsor::detail
