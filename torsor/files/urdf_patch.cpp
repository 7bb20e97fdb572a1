#include "torsor/files/urdf_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "torsor/text/number.hpp"
#include "torsor/text/xml.hpp"

namespace torsor {
namespace {

/// A piece of the text, by its bytes.
struct Piece {
  std::size_t begin = 0, end = 0;
};

struct Attribute {
  std::string name;
  Piece value;  // between the quotes
};

/// An element by its tags; the second is empty where the first closes itself.
struct Element {
  std::string name;
  std::size_t parent = 0;
  Piece open, close;
  std::vector<Attribute> attributes;
  bool closed() const { return close.end > close.begin; }
};

/// Where the elements of a sound XML text are. Entry 0 stands for the text itself.
class Outline {
 public:
  explicit Outline(std::string_view xml) : text(xml) {
    elements.push_back({});
    std::size_t inside = 0;
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
      if (skip(at, "<!--", "-->") || skip(at, "<![CDATA[", "]]>") || skip(at, "<?", "?>")) continue;
      if (text.substr(at, 2) == "<!") {  // a document type: its brackets may hold others
        int depth = 0;
        do {
          depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
        } while (++at < text.size() && depth > 0);
        continue;
      }
      if (text.substr(at, 2) == "</") {
        const std::size_t end = std::min(text.find('>', at), text.size() - 1) + 1;
        elements[inside].close = {at, end};
        inside = elements[inside].parent;
        at = end;
        continue;
      }
      inside = read_tag(at, inside);
    }
  }

  std::string_view text;
  std::vector<Element> elements;

 private:
  bool skip(std::size_t& at, std::string_view begin, std::string_view end) const {
    if (text.substr(at, begin.size()) != begin) return false;
    const std::size_t found = text.find(end, at + begin.size());
    at = found == std::string_view::npos ? text.size() : found + end.size();
    return true;
  }

  std::size_t read_tag(std::size_t& at, std::size_t inside) {
    constexpr std::string_view white = " \t\r\n";
    Element e;
    e.parent = inside;
    e.open.begin = at++;
    const std::size_t name = std::min(text.find_first_of(" \t\r\n/>", at), text.size());
    e.name = text.substr(at, name - at);
    for (at = name;;) {
      at = std::min(text.find_first_not_of(white, at), text.size());
      if (at == text.size() || text[at] == '>' || text[at] == '/') break;
      const std::size_t equals = text.find('=', at), quote = text.find_first_of("\"'", at);
      if (equals == std::string_view::npos || quote == std::string_view::npos) break;
      const std::size_t last = text.find(text[quote], quote + 1);
      if (last == std::string_view::npos) break;
      const std::string_view word = text.substr(at, equals - at);
      e.attributes.push_back({std::string(word.substr(0, word.find_last_not_of(white) + 1)), {quote + 1, last}});
      at = last + 1;
    }
    const bool empty = at < text.size() && text[at] == '/';
    at = std::min(text.find('>', at), text.size() - 1) + 1;
    e.open.end = at;
    elements.push_back(std::move(e));
    return empty ? inside : elements.size() - 1;
  }
};

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    bool found = false;
    for (const auto& [name, letter] : {std::pair<std::string_view, char>{"&amp;", '&'},
                                       {"&lt;", '<'},
                                       {"&gt;", '>'},
                                       {"&quot;", '"'},
                                       {"&apos;", '\''}})
      if (text.substr(k, name.size()) == name) {
        out += letter;
        k += name.size() - 1;
        found = true;
        break;
      }
    if (!found) out += text[k];
  }
  return out;
}

class Patcher {
 public:
  explicit Patcher(std::string_view text) : outline(text) {
    newline = text.find("\r\n") == std::string_view::npos ? "\n" : "\r\n";
    for (std::size_t e = 1; e < outline.elements.size(); ++e) {
      const Element& each = outline.elements[e];
      const Element& inside = outline.elements[each.parent];
      if ((each.name != "link" && each.name != "joint") || each.parent == 0 || inside.name != "robot" ||
          inside.parent != 0)
        continue;
      if (const Attribute* const given = attribute(e, "name"))
        named[each.name + " " +
              unescaped(outline.text.substr(given->value.begin, given->value.end - given->value.begin))]
            .push_back(e);
    }
  }

  void inertial(const InertialEdit& edit) {
    const std::size_t link = find("link", edit.link);
    if (link == 0) return;
    const Vec3<double>& c = edit.com;
    const Sym3<double>& I = edit.tensor;
    for (const double x : {edit.mass, c.x, c.y, c.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz})
      if (!std::isfinite(x))
        return fault("link", edit.link, "inertia", "a number of its inertia is not finite", "give kg, m and kg m^2");
    using Row = std::vector<std::pair<std::string, std::string>>;
    const auto number = [](double x) { return print_number(x); };
    const std::string xyz = number(c.x) + " " + number(c.y) + " " + number(c.z);
    const Row origin{{"xyz", xyz}, {"rpy", "0 0 0"}}, mass{{"value", number(edit.mass)}},
        tensor{{"ixx", number(I.xx)}, {"ixy", number(I.xy)}, {"ixz", number(I.xz)},
               {"iyy", number(I.yy)}, {"iyz", number(I.yz)}, {"izz", number(I.zz)}};
    if (const std::size_t old = child(link, "inertial")) {
      std::vector<std::string> missing;
      for (const auto& [name, row] :
           {std::pair{"origin", &origin}, std::pair{"mass", &mass}, std::pair{"inertia", &tensor}}) {
        if (const std::size_t part = child(old, name)) {
          for (const auto& [key, value] : *row) set(part, key, value);
          // the other way to turn it
          for (const Attribute& a : outline.elements[part].attributes)
            if (a.name == "quat_xyzw") replace(a.value, "0 0 0 1");
        } else {
          missing.push_back(element(name, *row));
        }
      }
      if (!missing.empty()) insert(old, missing);
      return;
    }
    insert(link, {"<inertial>", "  " + element("origin", origin), "  " + element("mass", mass),
                  "  " + element("inertia", tensor), "</inertial>"});
  }

  void limit(const LimitEdit& edit) {
    const std::size_t joint = find("joint", edit.joint);
    if (joint == 0) return;
    std::vector<std::pair<std::string, std::string>> row;
    for (const auto& [name, value] : {std::pair{"lower", edit.lower},
                                      {"upper", edit.upper},
                                      {"effort", edit.effort},
                                      {"velocity", edit.velocity}}) {
      if (!value) continue;
      if (!std::isfinite(*value))
        return fault("joint", edit.joint, "limits", fmt::format("its {} is not finite", name), "leave it out");
      row.emplace_back(name, print_number(*value));
    }
    if (const std::size_t old = child(joint, "limit"))
      for (const auto& [key, value] : row) set(old, key, value);
    else if (!row.empty())
      insert(joint, {element("limit", row)});
  }

  Result<std::string> run() {
    if (!errors.empty()) return errors;
    std::ranges::stable_sort(changes, {}, [](const Change& c) { return c.at.begin; });
    std::string out;
    std::size_t at = 0;
    for (const Change& change : changes) {
      out += outline.text.substr(at, change.at.begin - at);
      out += change.text;
      at = change.at.end;
    }
    out += outline.text.substr(at);
    return out;
  }

 private:
  struct Change {
    Piece at;
    std::string text;
  };
  Outline outline;
  std::string newline;
  std::vector<Change> changes;
  std::unordered_map<std::string, std::vector<std::size_t>> named;  // `link NAME`, `joint NAME`
  Faults errors;

  void fault(const char* kind, const std::string& name, const char* rule, std::string what, std::string remedy) {
    errors.push_back({{}, fmt::format("{} \"{}\"", kind, name), rule, std::move(what), std::move(remedy)});
  }

  void replace(Piece at, std::string text) { changes.push_back({at, std::move(text)}); }

  const Attribute* attribute(std::size_t e, std::string_view name) const {
    const auto& all = outline.elements[e].attributes;
    const auto found = std::ranges::find(all, name, &Attribute::name);
    return found == all.end() ? nullptr : &*found;
  }

  /// The link or joint of the robot with this name; 0 and a fault where there is none, or there are several.
  std::size_t find(const char* kind, const std::string& name) {
    std::vector<std::size_t>& found = named[std::string(kind) + " " + name];
    if (found.size() == 1) return found.front();
    if (found.empty())
      fault(kind, name, "urdf-patch", "the text has none of this name", "name one that it has");
    else
      fault(kind, name, "urdf-patch", "there are several of this name", "give them different names");
    return 0;
  }

  /// The element of this name inside another; 0 where there is none, and a fault where there are several: one of them would
  /// keep the old numbers.
  std::size_t child(std::size_t of, const std::string& name) {
    const Element& parent = outline.elements[of];
    std::size_t found = 0;
    for (std::size_t e = of + 1; e < outline.elements.size() && outline.elements[e].open.begin < parent.close.begin;
         ++e) {
      if (outline.elements[e].parent != of || outline.elements[e].name != name) continue;
      if (found != 0) fault(parent.name.c_str(), name, "urdf-patch", "it is given several times", "leave one of them");
      if (found == 0) found = e;
    }
    return found;
  }

  void set(std::size_t e, const std::string& name, const std::string& value) {
    if (const Attribute* const old = attribute(e, name)) return replace(old->value, value);
    const Element& element = outline.elements[e];
    const std::size_t at = element.attributes.empty() ? element.open.begin + 1 + element.name.size()
                                                      : element.attributes.back().value.end + 1;
    replace({at, at}, fmt::format(" {}=\"{}\"", name, value));
  }

  static std::string element(std::string_view name, const std::vector<std::pair<std::string, std::string>>& row) {
    std::string text = fmt::format("<{}", name);
    for (const auto& [key, value] : row) text += fmt::format(" {}=\"{}\"", key, value);
    return text + "/>";
  }

  /// The blanks before a tag on its line.
  std::string indentation(std::size_t e) const {
    const std::size_t begin = outline.elements[e].open.begin;
    const std::size_t line = begin == 0 ? 0 : outline.text.rfind('\n', begin - 1) + 1;  // npos + 1 is 0
    const std::string_view before = outline.text.substr(line, begin - line);
    return std::string(before.substr(0, std::min(before.find_first_not_of(" \t"), before.size())));
  }

  /// Lines as the first children of an element.
  void insert(std::size_t into, const std::vector<std::string>& lines) {
    const Element& e = outline.elements[into];
    const std::string own = indentation(into);
    std::string inner = own + "  ";
    for (std::size_t k = into + 1; k < outline.elements.size(); ++k)
      if (outline.elements[k].parent == into) {
        if (const std::string first = indentation(k); first.size() > own.size()) inner = first;
        break;
      }
    std::string text;
    for (const std::string& line : lines) text.append(newline).append(inner).append(line);
    if (e.closed()) return replace({e.open.end, e.open.end}, text);
    // it closes itself: now it has an inside
    const std::size_t slash = outline.text.rfind('/', e.open.end);
    replace({slash, e.open.end}, ">" + text + newline + own + "</" + e.name + ">");
  }
};

Fault twice(const char* kind, const std::string& name) {
  return {{}, fmt::format("{} \"{}\"", kind, name), "urdf-patch", "it is to be changed twice", "give each once"};
}

}  // namespace

Result<std::string> patch_urdf(std::string_view text, const std::vector<InertialEdit>& inertials,
                               const std::vector<LimitEdit>& limits) {
  // whatever is unsound is refused by the one who knows XML
  if (const auto sound = parse_xml(text, "text"); !sound) return sound.faults();
  std::unordered_set<std::string> asked;
  for (const InertialEdit& edit : inertials)
    if (!asked.insert("link " + edit.link).second) return twice("link", edit.link);
  for (const LimitEdit& edit : limits)
    if (!asked.insert("joint " + edit.joint).second) return twice("joint", edit.joint);
  Patcher patcher(text);
  for (const InertialEdit& edit : inertials) patcher.inertial(edit);
  for (const LimitEdit& edit : limits) patcher.limit(edit);
  return patcher.run();
}

}  // namespace torsor
