// An XML document as plain elements, each with its line, and the way back to text. The parser behind it stays out of
// every other file. It is strict where the parser is not (one root, no attribute twice, nothing after the end), and
// bounded: no file makes it recurse deeply or fill the memory.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

struct XmlAttribute {
  std::string name, value;
  int line = 0;
};

struct XmlElement {
  std::string name, text;  // text: what stands between the tags, trimmed, elements and comments left out
  int line = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;

  const std::string* attribute(std::string_view key) const {
    for (const XmlAttribute& a : attributes)
      if (a.name == key) return &a.value;
    return nullptr;
  }
  const XmlElement* child(std::string_view key) const {
    for (const XmlElement& c : children)
      if (c.name == key) return &c;
    return nullptr;
  }
};

/// Elements may lie this deep in each other, unless the caller allows more.
constexpr int xml_depth = 64;

/// The root element of a text in UTF-8, UTF-16 or Latin-1; or what keeps it from being XML (rules `xml-...`).
/// Lines count from 1 in every encoding. Entities of a DOCTYPE are never expanded: a file that defines some is refused.
Result<XmlElement> parse_xml(std::string_view input, const std::string& file, int depth = xml_depth);

/// The name of the first element of a text, which need not be well-formed; empty where there is none.
std::string xml_root_name(std::string_view input);

/// Appends the element as text, its first line indented by `depth` steps of two blanks. Lines are not written.
void append_xml(std::string& text, const XmlElement& element, int depth = 0);

/// The same elements, whatever their lines.
bool same_xml(const XmlElement& a, const XmlElement& b);

namespace detail {

/// The text as UTF-8 without byte order mark; UTF-16 is known by its mark or its first letter, Latin-1 by its
/// declaration.
std::string xml_utf8(std::string_view text);

/// The elements that are open at an offset of a text that need not be well-formed, outermost first.
struct OpenElement {
  std::string_view name;
  std::size_t offset = 0;
};
std::vector<OpenElement> open_elements(std::string_view text, std::size_t offset);

/// The names of entities that a text refers to and XML does not define, as pieces of the text; those in comments, CDATA and
/// declarations are none.
std::vector<std::string_view> unknown_entities(std::string_view text);

}  // namespace detail
}  // namespace torsor
