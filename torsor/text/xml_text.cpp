// XML as characters: encodings on the way in, escapes on the way out, and a look at a text that the parser gave up on.
#include <algorithm>

#include "torsor/text/single_byte_text.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

/// Control characters as references, so that a file on the screen commands no terminal.
void append_escaped(std::string& text, std::string_view value) {
  while (!value.empty()) {
    const CodePoint point = first_code_point(value);
    switch (point.value) {
      case U'&': text += "&amp;"; break;
      case U'<': text += "&lt;"; break;
      case U'>': text += "&gt;"; break;
      case U'"': text += "&quot;"; break;
      case U'\t':
      case U'\n':
      case U'\r': text += "&#" + std::to_string(static_cast<unsigned>(point.value)) + ';'; break;
      default:
        if (point.value < 0x20)
          text += ' ';  // XML has no way to write it
        else if (is_control(point.value))
          text += "&#" + std::to_string(static_cast<unsigned>(point.value)) + ';';
        else
          text += value.substr(0, point.bytes);
    }
    value.remove_prefix(point.bytes);
  }
}

std::string utf8_of_utf16(std::string_view text, bool big_endian) {
  std::string out;
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(text[i]), b = static_cast<unsigned char>(text[i + 1]);
    return static_cast<char32_t>(big_endian ? a * 256 + b : b * 256 + a);
  };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    char32_t c = unit(i);
    const bool pair = c >= 0xD800 && c < 0xDC00 && i + 3 < text.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000;
    if (pair) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    }
    append_utf8(out, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
  }
  return out;
}

bool declares_latin1(std::string_view text) {
  if (!text.starts_with("<?xml")) return false;
  std::string declaration(text.substr(0, std::min<std::size_t>(text.find("?>"), 200)));
  std::ranges::transform(declaration, declaration.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return declaration.find("iso-8859-1") != std::string::npos || declaration.find("latin1") != std::string::npos;
}

}  // namespace

void append_xml(std::string& text, const XmlElement& element, int depth) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  text += indent + '<' + element.name;
  for (const XmlAttribute& attribute : element.attributes) {
    text += ' ' + attribute.name + "=\"";
    append_escaped(text, attribute.value);
    text += '"';
  }
  if (element.children.empty() && element.text.empty()) {
    text += "/>\n";
    return;
  }
  text += '>';
  append_escaped(text, element.text);
  if (!element.children.empty()) {
    text += '\n';
    for (const XmlElement& child : element.children) append_xml(text, child, depth + 1);
    text += indent;
  }
  text += "</" + element.name + ">\n";
}

bool same_xml(const XmlElement& a, const XmlElement& b) {
  const auto same = [](const XmlAttribute& x, const XmlAttribute& y) { return x.name == y.name && x.value == y.value; };
  return a.name == b.name && a.text == b.text && std::ranges::equal(a.attributes, b.attributes, same) &&
         std::ranges::equal(a.children, b.children, same_xml);
}

namespace detail {

std::string xml_utf8(std::string_view text) {
  using namespace std::string_view_literals;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with("\xFF\xFE")) return utf8_of_utf16(text.substr(2), false);
  if (text.starts_with("\xFE\xFF")) return utf8_of_utf16(text.substr(2), true);
  if (text.starts_with("<\0"sv)) return utf8_of_utf16(text, false);
  if (text.starts_with("\0<"sv)) return utf8_of_utf16(text, true);
  return declares_latin1(text) ? utf8_of_windows_1252(text) : std::string(text);
}

std::vector<OpenElement> open_elements(std::string_view text, std::size_t offset) {
  text = text.substr(0, offset);
  std::vector<OpenElement> open;
  const auto after = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view tag = text.substr(at);
    if (tag.starts_with("<!--")) {
      at = after("-->", at);
    } else if (tag.starts_with("<![CDATA[")) {
      at = after("]]>", at);
    } else if (tag.starts_with("<?") || tag.starts_with("<!")) {
      at = after(">", at);
    } else if (tag.starts_with("</")) {
      if (!open.empty()) open.pop_back();
      at = after(">", at);
    } else {
      const std::string_view name = tag.substr(1, tag.find_first_of(" \t\r\n/>", 1) - 1);
      const std::size_t start = at;
      // to the end of the tag, over quoted values that may hold a >
      std::size_t end = at + 1 + std::min(name.size(), tag.size() - 1);
      while (end < text.size() && text[end] != '>') {
        const char c = text[end];
        end = c == '"' || c == '\'' ? after({&c, 1}, end + 1) : end + 1;
      }
      if (end < text.size() && text[end - 1] != '/') open.push_back({name, start});
      at = end;
    }
  }
  return open;
}

std::vector<std::string_view> unknown_entities(std::string_view text) {
  constexpr std::string_view known[] = {"lt", "gt", "amp", "quot", "apos"};
  constexpr std::pair<std::string_view, std::string_view> passed_over[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  std::vector<std::string_view> names;
  for (std::size_t at = text.find_first_of("<&"); at != std::string_view::npos; at = text.find_first_of("<&", at)) {
    const std::string_view rest = text.substr(at++);
    if (rest.front() == '<') {
      for (const auto& [begin, end] : passed_over)
        if (rest.starts_with(begin)) {
          at += rest.find(end, begin.size()) == std::string_view::npos ? rest.size() : rest.find(end, begin.size());
          break;
        }
      continue;
    }
    // a sign that begins no name is taken as it stands
    const std::size_t end = rest.find_first_of("&;<>\"' \t\r\n#", 1);
    if (end == std::string_view::npos || end == 1 || rest[end] != ';') continue;
    const std::string_view name = rest.substr(1, end - 1);
    if (std::ranges::find(known, name) == std::end(known)) names.push_back(name);
  }
  return names;
}

}  // namespace detail

std::string xml_root_name(std::string_view input) {
  const std::string text = detail::xml_utf8(input);
  std::size_t at = text.find('<');
  while (at != std::string::npos && at + 1 < text.size() && (text[at + 1] == '!' || text[at + 1] == '?')) {
    const std::string_view end = text.compare(at, 4, "<!--") == 0 ? "-->" : ">";
    const std::size_t close = text.find(end, at + 2);
    at = close == std::string::npos ? close : text.find('<', close);
  }
  if (at >= text.size()) return "";
  const std::size_t end = text.find_first_of(" \t\r\n/>", at + 1);
  return text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
}

}  // namespace torsor
