#include "torsor/files/yaml_subset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "torsor/files/yaml_text.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

constexpr int yaml_depth = 64;
constexpr std::size_t yaml_most_nodes = 1'000'000;

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::function<double(const std::string&)>& expression)
      : expression_(expression) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      if (line.ends_with('\r')) line.remove_suffix(1);
      lines_.emplace_back(line);
      at = end + 1;
    }
  }

  XacroValue run() {
    bool begun = false;
    for (; !done(); ++at_) {
      const std::string_view line = lines_[at_];
      if (line.starts_with('%') && !begun) continue;
      if (line == "---" || line.starts_with("--- ") || line.starts_with("---\t")) {
        if (begun) fault("a second document begins", "keep one");
        begun = true;
        lines_[at_].replace(0, 3, "   ");
      }
      if (!blank(at_)) break;
    }
    skip_blank();
    if (done()) return {};
    XacroValue value = block(-1, 0);
    skip_blank();
    if (!done() && lines_[at_].starts_with("...")) return value;
    if (!done())
      fault(lines_[at_].starts_with("---") ? "a second document begins" : "it does not fit what stands before",
            "indent entries of one map or list alike");
    return value;
  }

 private:
  std::vector<std::string> lines_;
  const std::function<double(const std::string&)>& expression_;
  std::size_t at_ = 0, nodes_ = 0;
  struct Anchor {
    XacroValue value;
    std::size_t nodes = 0;
  };
  std::unordered_map<std::string, Anchor> anchors_;

  bool done() const { return at_ >= lines_.size(); }
  [[noreturn]] void fault(std::string what, std::string remedy = "") const {
    throw XacroError(fmt::format("YAML, line {}: {}", std::min(at_ + 1, lines_.size()), what), std::move(remedy),
                     "yaml");
  }
  bool blank(std::size_t line) const {
    const std::size_t first = lines_[line].find_first_not_of(" \t");
    return first == std::string::npos || lines_[line][first] == '#';
  }
  void skip_blank() {
    while (!done() && blank(at_)) ++at_;
  }
  /// The column where the line begins; a document mark ends everything.
  int indent(std::size_t line) const {
    const std::string& text = lines_[line];
    if (text.starts_with("---") || text.starts_with("...")) return -1;
    const std::size_t first = text.find_first_not_of(' ');
    if (text[first] == '\t')
      throw XacroError(fmt::format("YAML, line {}: it is indented by a tab", line + 1), "indent by blanks", "yaml");
    return static_cast<int>(first);
  }

  void count_node(std::size_t many = 1) {
    nodes_ += many;
    if (nodes_ > yaml_most_nodes) fault("it holds too many values");
  }

  /// What stands before a value: an anchor, a tag.
  struct Properties {
    std::string anchor, tag;
  };
  Properties properties(std::string_view& text) const {
    Properties found;
    while (text.starts_with('&') || text.starts_with('!')) {
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      (text[0] == '&' ? found.anchor : found.tag) =
          std::string(text.substr(text[0] == '&' ? 1 : 0, end - (text[0] == '&' ? 1 : 0)));
      text = trimmed_yaml(text.substr(end));
    }
    return found;
  }
  XacroValue finished(XacroValue value, const Properties& p, std::size_t nodes_before,
                      const std::string* scalar = nullptr) {
    if (!p.tag.empty()) {
      constexpr std::pair<std::string_view, double> units[] = {{"!radians", 1},   {"!degrees", std::numbers::pi / 180},
                                                               {"!meters", 1},    {"!millimeters", 0.001},
                                                               {"!foot", 0.3048}, {"!inches", 0.0254}};
      const auto unit = std::ranges::find(units, p.tag, [](const auto& u) { return u.first; });
      if (unit != std::end(units)) {
        if (!scalar) fault(fmt::format("{} stands before no number", p.tag));
        value = expression_(*scalar) * unit->second;
      } else if (p.tag == "!!str" && scalar) {
        value = *scalar;
      } else if (p.tag == "!!float" && scalar) {
        double x = 0;
        if (!parse_python_float(*scalar, x)) fault(fmt::format("\"{}\" is no number", excerpt(*scalar)));
        value = x;
      } else if (!any_of_words(p.tag, {"!!map", "!!seq", "!!int", "!!bool", "!!null"})) {
        fault(fmt::format("the tag \"{}\" is not read", excerpt(p.tag)),
              "use !degrees, !radians, !meters, !millimeters, !foot or !inches");
      }
    }
    if (!p.anchor.empty()) anchors_[p.anchor] = {value, nodes_ - nodes_before + 1};
    return value;
  }

  /// The node that begins at the present line, which is indented more than `outer`; a list may stand as far out as its key.
  XacroValue block(int outer, int depth, bool list_may_align = false) {
    if (depth > yaml_depth) fault("maps and lists lie too deep in each other");
    count_node();
    skip_blank();
    if (done()) return {};
    const int column = indent(at_);
    std::string_view text = std::string_view(lines_[at_]).substr(static_cast<std::size_t>(std::max(column, 0)));
    const bool aligned = list_may_align && column == outer && is_entry(text);
    if (column <= outer && !aligned) return {};
    if (is_entry(text)) return list(column, depth);
    const std::size_t before = nodes_;
    if (text[0] == '&' || text[0] == '!') {
      std::string_view rest = without_comment(text);
      const Properties p = properties(rest);
      if (rest.empty()) {
        ++at_;
        return finished(block(outer, depth + 1), p, before);
      }
      if (key_end(text) == std::string_view::npos || key_end(rest) == std::string_view::npos)
        return value(text, outer, depth);
    }
    if (text.starts_with("? ")) fault("keys that are no scalars are not read");
    if (key_end(text) != std::string_view::npos) return map(column, depth);
    return value(text, outer, depth);
  }

  XacroValue list(int column, int depth) {
    XacroItems items;
    while (true) {
      skip_blank();
      if (done() || indent(at_) != column) break;
      std::string& line = lines_[at_];
      if (!is_entry(std::string_view(line).substr(static_cast<std::size_t>(column)))) break;
      // what stands after the dash is a node of its own, further in
      line[static_cast<std::size_t>(column)] = ' ';
      if (blank(at_)) {
        ++at_;
        items.push_back(block(column, depth + 1));
      } else {
        items.push_back(block(column, depth + 1));
      }
    }
    if (!done() && indent(at_) > column) fault("it is indented deeper than the list it stands in");
    return xacro_list(std::move(items));
  }

  XacroValue map(int column, int depth) {
    XacroPairs pairs, merged;
    while (true) {
      skip_blank();
      if (done() || indent(at_) != column) break;
      const std::string line = lines_[at_].substr(static_cast<std::size_t>(column));
      const std::size_t end = key_end(line);
      if (is_entry(line)) break;
      if (end == std::string_view::npos) fault("there is no \"key: value\"");
      std::string_view written = trimmed_yaml(std::string_view(line).substr(0, end));
      const XacroValue key = key_value(written);
      std::string rest(std::string_view(line).substr(end + 1));
      XacroValue value_of_key = value(rest, column, depth, true);
      if (written == "<<")
        merge(value_of_key, merged);
      else
        set(pairs, key, std::move(value_of_key));
    }
    if (!done() && indent(at_) > column) fault("it is indented deeper than the map it stands in");
    // what is merged comes first, and what stands here overrides it
    for (auto& [key, v] : pairs) set(merged, key, std::move(v));
    return xacro_dict(std::move(merged));
  }

  void set(XacroPairs& pairs, const XacroValue& key, XacroValue value) const {
    if (pairs.size() > 10'000) fault("a map has too many keys");  // each is compared with all others
    for (auto& [k, v] : pairs)
      if (equal(k, key)) {
        v = std::move(value);
        return;
      }
    pairs.emplace_back(key, std::move(value));
  }

  void merge(const XacroValue& from, XacroPairs& into) const {
    if (const auto* dict = from.as<XacroDict>()) {
      for (const auto& [k, v] : *dict->pairs)
        if (!find_key({std::make_shared<XacroPairs>(into), false}, k)) into.emplace_back(k, v);
    } else if (const auto* several = from.as<XacroList>()) {
      for (const XacroValue& each : *several->items) merge(each, into);
    } else {
      fault("<< wants a map, or a list of them");
    }
  }

  XacroValue key_value(std::string_view written) const {
    if (written.starts_with('"') || written.starts_with('\'')) {
      std::size_t at = 0;
      std::string text;
      if (!quoted(written, at, text) || at != written.size()) fault("a key is not well quoted");
      return text;
    }
    if (written.starts_with('[') || written.starts_with('{') || written.starts_with('*') || written.starts_with('&'))
      fault("keys that are no scalars are not read");
    return plain_scalar(std::string(written));
  }

  /// What stands after a key or a dash, on this line and on deeper ones below it.
  XacroValue value(std::string_view after, int column, int depth, bool of_key = false) {
    std::string_view text = without_comment(after);
    const std::size_t before = nodes_;
    const Properties p = properties(text);
    if (text.empty()) {
      ++at_;
      return finished(block(column, depth + 1, of_key), p, before);
    }
    count_node();
    if (text[0] == '|' || text[0] == '>') {
      const std::string literal_text = literal_block(text, column);
      return finished(literal_text, p, before, &literal_text);
    }
    if (text[0] == '*') {
      const auto found = anchors_.find(std::string(text.substr(1)));
      if (found == anchors_.end()) fault(fmt::format("there is no anchor \"{}\"", excerpt(text.substr(1))));
      ++at_;
      count_node(found->second.nodes);
      return found->second.value;
    }
    if (text[0] == '[' || text[0] == '{' || text[0] == '"' || text[0] == '\'')
      return in_line(text, column, depth, p, before);
    if (text[0] == '@' || text[0] == '`' || text[0] == '%')
      fault(fmt::format("\"{}\" begins no value", text[0]), "put the text in quotes");
    // plain, over as many lines as are indented deeper
    std::string scalar(text);
    for (++at_; !done() && !blank(at_) && indent(at_) > column; ++at_) {
      const std::string_view more = without_comment(lines_[at_]);
      if (key_end(more) != std::string_view::npos) fault("a key stands inside a value", "is it indented too deep?");
      scalar += ' ';
      scalar += more;
    }
    if (of_key && key_end(text) != std::string_view::npos)
      fault("a second key stands in one line", "put the text in quotes");
    return finished(plain_scalar(scalar), p, before, &scalar);
  }

  std::string literal_block(std::string_view head, int column) {
    const bool folded = head[0] == '>';
    char chomp = 0;
    for (const char c : head.substr(1)) {
      if (c == '-' || c == '+')
        chomp = c;
      else
        fault("an indentation indicator is not read");
    }
    int inner = -1;
    std::vector<std::string> kept;
    for (++at_; !done(); ++at_) {
      const std::string& line = lines_[at_];
      const std::size_t first = line.find_first_not_of(' ');
      if (first == std::string::npos) {
        kept.emplace_back();
        continue;
      }
      if (inner < 0) inner = static_cast<int>(first);
      if (static_cast<int>(first) <= column || static_cast<int>(first) < inner) break;
      kept.push_back(line.substr(static_cast<std::size_t>(inner)));
    }
    std::size_t tail = 0;
    while (!kept.empty() && kept.back().empty()) kept.pop_back(), ++tail;
    std::string out;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k > 0) out += folded && !kept[k].empty() && !kept[k - 1].empty() && kept[k][0] != ' ' ? ' ' : '\n';
      out += kept[k];
    }
    if (chomp != '-' && !out.empty()) out += '\n';
    if (chomp == '+') out.append(tail, '\n');
    return out;
  }

  /// A quoted text from `at` on; false where it is not closed.
  bool quoted(std::string_view text, std::size_t& at, std::string& out) const {
    const char quote = text[at++];
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == quote) {
        if (quote == '\'' && at + 1 < text.size() && text[at + 1] == '\'') {
          out += '\'';
          ++at;
          continue;
        }
        ++at;
        return true;
      }
      if (quote == '"' && c == '\\' && at + 1 < text.size()) {
        const std::size_t known = std::string_view("nrt\\\"/0 ").find(text[++at]);
        if (known == std::string_view::npos) fault("an escape in a quoted text is not read");
        out += "\n\r\t\\\"/\0 "[known];
        continue;
      }
      out += c;
    }
    return false;
  }

  /// A quoted or flow value, which goes on until it is closed.
  XacroValue in_line(std::string_view first, int column, int depth, const Properties& p, std::size_t before) {
    std::string text(first);
    const std::size_t begun = at_;
    while (!is_closed(text)) {
      ++at_;
      if (done() || (!blank(at_) && indent(at_) <= column && column >= 0 &&
                     lines_[at_].find_first_not_of(" ]}") != std::string::npos)) {
        at_ = begun;
        fault("a quote or bracket is not closed");
      }
      const std::string_view more = lines_[at_];
      text += ' ';
      text += without_comment(more);
    }
    std::size_t at = 0;
    XacroValue out = flow(text, at, depth + 1);
    if (!trimmed_yaml(std::string_view(text).substr(at)).empty())
      fault("something stands after the closing quote or bracket");
    ++at_;
    const auto* scalar = out.as<std::string>();
    const std::string copy = scalar ? *scalar : "";
    return finished(std::move(out), p, before, scalar ? &copy : nullptr);
  }

  static void skip(std::string_view text, std::size_t& at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  }

  XacroValue flow(std::string_view text, std::size_t& at, int depth) {
    if (depth > yaml_depth) fault("maps and lists lie too deep in each other");
    count_node();
    skip(text, at);
    if (at >= text.size()) fault("a value is missing");
    const char c = text[at];
    if (c == '"' || c == '\'') {
      std::string out;
      if (!quoted(text, at, out)) fault("a quote is not closed");
      return out;
    }
    if (c == '[') return flow_list(text, at, depth);
    if (c == '{') return flow_map(text, at, depth);
    const std::size_t first = at;
    while (at < text.size() && std::string_view(",]}").find(text[at]) == std::string_view::npos &&
           !(text[at] == ':' &&
             (at + 1 == text.size() || std::string_view(" ,]}").find(text[at + 1]) != std::string_view::npos)))
      ++at;
    std::string_view word = trimmed_yaml(text.substr(first, at - first));
    const Properties p = properties(word);
    if (word.starts_with('*')) {
      const auto found = anchors_.find(std::string(word.substr(1)));
      if (found == anchors_.end()) fault(fmt::format("there is no anchor \"{}\"", excerpt(word.substr(1))));
      count_node(found->second.nodes);
      return found->second.value;
    }
    if (word.empty() && at < text.size() && (text[at] == '[' || text[at] == '{'))
      fault("tags and anchors of flow lists are not read");
    const std::string scalar(word);
    return finished(plain_scalar(scalar), p, nodes_, &scalar);
  }

  XacroValue flow_list(std::string_view text, std::size_t& at, int depth) {
    XacroItems items;
    ++at;
    for (skip(text, at); at < text.size() && text[at] != ']'; skip(text, at)) {
      items.push_back(flow(text, at, depth + 1));
      skip(text, at);
      if (at < text.size() && text[at] == ',')
        ++at;
      else if (at >= text.size() || text[at] != ']')
        fault("a comma is missing in a list");
    }
    ++at;
    return xacro_list(std::move(items));
  }

  XacroValue flow_map(std::string_view text, std::size_t& at, int depth) {
    XacroPairs pairs;
    ++at;
    for (skip(text, at); at < text.size() && text[at] != '}'; skip(text, at)) {
      const XacroValue key = flow(text, at, depth + 1);
      if (key.as<XacroList>() || key.as<XacroDict>()) fault("keys that are no scalars are not read");
      skip(text, at);
      XacroValue of_key;
      if (at < text.size() && text[at] == ':') {
        ++at;
        skip(text, at);
        if (at < text.size() && text[at] != ',' && text[at] != '}') of_key = flow(text, at, depth + 1);
      }
      set(pairs, key, std::move(of_key));
      skip(text, at);
      if (at < text.size() && text[at] == ',')
        ++at;
      else if (at >= text.size() || text[at] != '}')
        fault("a comma is missing in a map");
    }
    ++at;
    return xacro_dict(std::move(pairs));
  }
};

}  // namespace

XacroValue read_yaml(std::string_view text, const std::function<double(const std::string&)>& expression) {
  return YamlReader(text, expression).run();
}

}  // namespace torsor::detail
