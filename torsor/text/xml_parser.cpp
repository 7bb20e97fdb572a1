// pugixml behind a plain tree. It parses without recursion and expands no entities; what it lets pass is checked here.
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <unordered_set>

#include "torsor/text/fault_log.hpp"
#include "torsor/text/utf8.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

// a robot of a hundred thousand links has a million elements; a file of 64 MB could have sixteen
constexpr std::ptrdiff_t most_elements = 2'000'000, most_attributes = 4'000'000;

class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      ends_.push_back(at);
  }
  int at(std::size_t offset) const {
    return static_cast<int>(std::ranges::lower_bound(ends_, offset) - ends_.begin()) + 1;
  }

 private:
  std::vector<std::size_t> ends_;
};

class Converter {
 public:
  Converter(std::string_view document, const std::string& name, int most_depth)
      : text(document), file(name), deepest(most_depth), lines(document) {}

  Result<XmlElement> run(const pugi::xml_document& document) {
    XmlElement root;
    bool defines = false;
    for (const pugi::xml_node& node : document.children()) {
      const bool entities = node.type() == pugi::node_doctype &&
                            std::string_view(node.value()).find("<!ENTITY") != std::string_view::npos;
      defines = defines || entities;
      if (entities)
        fault(line(text.find("<!DOCTYPE")), "DOCTYPE", "xml-entity", "it defines entities, which are not expanded",
              "write the text itself where the file refers to them");
      if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata)
        fault(line_of(node), "text", "xml-root", "there is text outside the root element", "leave it out");
      if (node.type() != pugi::node_element) continue;
      if (!root.name.empty())
        fault(line_of(node), quoted(node.name()), "xml-root", "it stands after the end of the root element",
              "a file has one root element: put it inside, or leave it out");
      else
        convert(node, root);
    }
    if (!defines)
      for (const std::string_view name : detail::unknown_entities(text))
        fault(line(static_cast<std::size_t>(name.data() - text.data())), fmt::format("&{};", excerpt(name)),
              "xml-entity", "there is no entity of this name", "write &amp; for the sign & itself");
    if (root.name.empty())
      return Fault{
          {file, 0}, "document", "xml-root", "it holds no element", "a robot begins with <robot name=\"...\">"};
    if (!log.empty()) return log.faults();
    return root;
  }

  Fault syntax_error(const pugi::xml_parse_result& result);

 private:
  std::string_view text;
  const std::string& file;
  int deepest;
  Lines lines;
  FaultLog log;

  int line(std::size_t offset) const { return lines.at(offset); }
  int line_of(const pugi::xml_node& node) const { return line(static_cast<std::size_t>(node.offset_debug())); }
  static std::string quoted(std::string_view name) { return fmt::format("<{}>", excerpt(name)); }

  void fault(int at, std::string offender, std::string rule, std::string what, std::string remedy) {
    log.add({{file, at}, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  void convert(const pugi::xml_node& top, XmlElement& root) {
    // parents wait on a stack of our own, so that depth costs no stack of the machine
    struct Pending {
      pugi::xml_node node;
      XmlElement* element;
      int depth;
    };
    std::vector<Pending> pending{{top, &root, 1}};
    while (!pending.empty()) {
      const auto [node, element, depth] = pending.back();
      pending.pop_back();
      if (depth > deepest) {
        fault(line_of(node), quoted(node.name()), "xml-depth",
              fmt::format("it lies deeper than {} elements", deepest),
              "a robot file has a handful of levels: close the elements that are left open");
        return;
      }
      element->name = single_line(node.name());
      element->line = line_of(node);
      attributes(node, *element);
      std::size_t count = 0;
      for (const pugi::xml_node& child : node.children()) {
        count += child.type() == pugi::node_element;
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
          element->text += trimmed(child.value());
      }
      element->children.resize(count);
      // the first child comes on top, so that faults are found in the order of the file
      for (pugi::xml_node child = node.last_child(); child; child = child.previous_sibling())
        if (child.type() == pugi::node_element) pending.push_back({child, &element->children[--count], depth + 1});
    }
  }

  void attributes(const pugi::xml_node& node, XmlElement& element) {
    const auto all = node.attributes();
    const auto count = std::distance(all.begin(), all.end());
    element.attributes.reserve(static_cast<std::size_t>(count));
    std::unordered_set<std::string_view> seen;
    // a handful is searched sooner than hashed
    const auto twice = [&](const char* name) {
      return count > 16 ? !seen.insert(name).second : element.attribute(name) != nullptr;
    };
    for (const pugi::xml_attribute& a : all) {
      // names lie where they stood in the text, so their distance tells the line
      const std::ptrdiff_t offset = node.offset_debug() + (a.name() - node.name());
      const int at = line(static_cast<std::size_t>(offset));
      if (twice(a.name()))
        fault(at, quoted(element.name), "xml-attribute-twice",
              fmt::format("the attribute \"{}\" is given twice", excerpt(a.name())), "give it once");
      element.attributes.push_back({single_line(a.name()), a.value(), at});
    }
  }

  static std::string_view trimmed(std::string_view t) {
    const std::size_t first = t.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? "" : t.substr(first, t.find_last_not_of(" \t\r\n") - first + 1);
  }
};

Fault Converter::syntax_error(const pugi::xml_parse_result& result) {
  const std::size_t offset = std::min(static_cast<std::size_t>(result.offset), text.size());
  const auto error = [&](std::size_t at, std::string offender, std::string what, std::string remedy) {
    return Fault{{file, line(at)}, std::move(offender), "xml-syntax", std::move(what), std::move(remedy)};
  };
  // where the piece that was not finished begins
  const auto began = [&](std::string_view mark) {
    const std::size_t at = text.rfind(mark, offset);
    return at == std::string_view::npos ? offset : at;
  };
  switch (result.status) {
    case pugi::status_bad_comment: return error(began("<!--"), "comment", "it is not closed", "end it with -->");
    case pugi::status_bad_cdata: return error(began("<![CDATA["), "CDATA", "it is not closed", "end it with ]]>");
    case pugi::status_bad_pi: return error(began("<?"), "declaration", "it is not closed", "end it with ?>");
    case pugi::status_bad_doctype: return error(began("<!DOCTYPE"), "DOCTYPE", "it is not closed", "end it with >");
    case pugi::status_unrecognized_tag:
      return error(offset, "tag", "the sign < begins no tag here", "write &lt; for the sign itself");
    case pugi::status_bad_start_element:
      return error(began("<"), "tag", "the opening tag is not finished", "end it with > or />");
    case pugi::status_bad_end_element:
      return error(began("</"), "tag", "the closing tag is not finished", "end it with >");
    case pugi::status_bad_attribute: {
      const std::size_t tag = began("<");
      const std::string_view name = text.substr(tag + 1, text.find_first_of(" \t\r\n/>", tag) - tag - 1);
      return error(offset, quoted(name), "an attribute is not written as name=\"value\"",
                   "put the value in quotes, and a blank between attributes");
    }
    case pugi::status_end_element_mismatch: {
      // a closing tag of the wrong name, or the end of the file where one was due
      std::size_t close = text.rfind("</", offset);
      if (close == std::string_view::npos || text.find('>', close) < offset) close = text.size();
      const std::vector<detail::OpenElement> open = detail::open_elements(text, close);
      const std::string_view name =
          close == text.size() ? "" : text.substr(close + 2, text.find_first_of(" \t\r\n>", close) - close - 2);
      if (close == text.size() && !open.empty())
        return error(open.back().offset, quoted(open.back().name), "it is never closed",
                     fmt::format("add </{}> where it ends", excerpt(open.back().name)));
      if (open.empty()) return error(close, fmt::format("</{}>", excerpt(name)), "it closes nothing", "leave it out");
      return error(
          close, fmt::format("</{}>", excerpt(name)),
          fmt::format("<{}> of line {} is still open here", excerpt(open.back().name), line(open.back().offset)),
          fmt::format("close it first, with </{}>", excerpt(open.back().name)));
    }
    default: return error(offset, "document", result.description(), "write well-formed XML");
  }
}

}  // namespace

Result<XmlElement> parse_xml(std::string_view input, const std::string& file, int depth) {
  const std::string text = detail::xml_utf8(input);
  Converter converter(text, file, depth);
  const auto refused = [&](std::size_t offset, std::string rule, std::string what, std::string remedy) {
    return Fault{{file, Lines(text).at(offset)}, "document", std::move(rule), std::move(what), std::move(remedy)};
  };
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    return refused(nul, "xml-syntax", "it holds a zero byte", "XML is text: is it the right file?");
  std::ptrdiff_t elements = 0;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
    elements += at + 1 < text.size() && text[at + 1] != '/' && text[at + 1] != '!';
  if (elements > most_elements || std::ranges::count(text, '=') > most_attributes)
    return refused(0, "xml-size",
                   fmt::format("it holds more than {} elements or {} attributes", most_elements, most_attributes),
                   "a robot has some thousands: is it the right file?");

  pugi::xml_document document;
  const auto result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment, pugi::encoding_utf8);
  if (!result) return converter.syntax_error(result);
  return converter.run(document);
}

}  // namespace torsor
