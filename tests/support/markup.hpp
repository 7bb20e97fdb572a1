// A strict little reader of our own markup for tests: every tag closed in order, attributes quoted, no stray < or &. Not
// in a namespace of the library: tests of the command have a function of its name.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace markup {

/// Empty if the markup is well formed, else what is wrong with it. Void HTML elements need no end tag; what stands in
/// <script> and <style> is not looked at.
inline std::string markup_fault(std::string_view text) {
  std::vector<std::string> open;
  std::size_t i = 0;
  const auto name_at = [&](std::size_t k) {
    std::string name;
    while (k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) || text[k] == '-')) name += text[k++];
    return name;
  };
  while (i < text.size()) {
    if (text[i] == '>') return "stray > at " + std::to_string(i);
    if (text[i] == '&') {
      const std::string_view rest = text.substr(i, 8);
      const bool known = rest.starts_with("&amp;") || rest.starts_with("&lt;") || rest.starts_with("&gt;") ||
                         rest.starts_with("&quot;") || rest.starts_with("&#39;");
      if (!known) return "bare & at " + std::to_string(i);
    }
    if (text[i] != '<') {
      ++i;
      continue;
    }
    if (text.substr(i).starts_with("<!DOCTYPE html>")) {
      i += 15;
      continue;
    }
    if (text[i + 1] == '/') {
      const std::string name = name_at(i + 2);
      if (open.empty() || open.back() != name) return "unexpected </" + name + ">";
      open.pop_back();
      i = text.find('>', i) + 1;
      continue;
    }
    const std::string name = name_at(i + 1);
    if (name.empty()) return "stray < at " + std::to_string(i);
    // attributes: name, or name='value', or name="value"
    i += 1 + name.size();
    bool closed = false;
    while (i < text.size() && text[i] != '>') {
      if (text[i] == '/') {
        closed = true;
        ++i;
      } else if (text[i] == '=') {
        const char quote = text[++i];
        if (quote != '\'' && quote != '"') return "unquoted attribute of <" + name + ">";
        const std::size_t end = text.find(quote, i + 1);
        if (end == std::string_view::npos) return "attribute of <" + name + "> has no end";
        if (text.substr(i, end - i).find('<') != std::string_view::npos) return "bare < in attribute of <" + name + ">";
        i = end + 1;
      } else if (text[i] == '<') {
        return "< inside <" + name + ">";
      } else {
        ++i;
      }
    }
    if (i >= text.size()) return "<" + name + " has no end";
    ++i;
    if (name == "script" || name == "style") {
      const std::size_t end = text.find("</" + name + ">", i);
      if (end == std::string_view::npos) return "<" + name + "> has no end";
      i = end + name.size() + 3;
    } else if (!closed && name != "meta" && name != "br") {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

/// How often the needle occurs in the text.
inline int count_of(std::string_view text, std::string_view needle) {
  int count = 0;
  for (std::size_t i = text.find(needle); i != std::string_view::npos; i = text.find(needle, i + needle.size()))
    ++count;
  return count;
}

/// The values of all attributes of that name, in order; quoted by single quotes, as our writers do.
inline std::vector<std::string> attribute_values(std::string_view text, std::string_view name) {
  const std::string start = " " + std::string(name) + "='";
  std::vector<std::string> values;
  for (std::size_t i = text.find(start); i != std::string_view::npos; i = text.find(start, i + 1)) {
    const std::size_t begin = i + start.size();
    values.emplace_back(text.substr(begin, text.find('\'', begin) - begin));
  }
  return values;
}

}  // namespace markup
