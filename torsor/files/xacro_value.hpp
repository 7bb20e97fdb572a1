// What an expression of xacro is worth: the few kinds of value of Python that robot descriptions compute with, printed
// as Python prints them. Whole numbers have 64 bits; what needs more is an error, never a rounded number.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace torsor {

struct XmlElement;

namespace detail {

class XacroScope;
struct XacroFunction;

/// Why an expression has no value; the expander adds where, and in which macros.
struct XacroError : std::runtime_error {
  explicit XacroError(const std::string& what, std::string what_to_do = "", std::string id = "xacro-expression")
      : std::runtime_error(what), remedy(std::move(what_to_do)), rule(std::move(id)) {}
  std::string remedy, rule;
};

struct XacroValue;
using XacroItems = std::vector<XacroValue>;
using XacroPairs = std::vector<std::pair<XacroValue, XacroValue>>;

/// A list or tuple; a mapping in the order of its keys. `dotted`: from YAML or dotify, entries may be asked for as
/// `a.b`, and so may those of the entries.
struct XacroList {
  std::shared_ptr<XacroItems> items;
  bool tuple = false, dotted = false;
  std::string written = {};  // as a text where it is no list in Python: `range(0, 3)`
};
struct XacroDict {
  std::shared_ptr<XacroPairs> pairs;
  bool dotted = false;
};

struct XacroValue {
  using None = std::monostate;
  std::variant<None, bool, std::int64_t, double, std::string, XacroList, XacroDict, const XacroFunction*, XacroScope*,
               const XmlElement*>
      is;

  XacroValue() = default;
  template <class T>
  XacroValue(T value) : is(std::move(value)) {}
  XacroValue(const char* text) : is(std::string(text)) {}
  XacroValue(std::string_view text) : is(std::string(text)) {}

  template <class T>
  const T* as() const { return std::get_if<T>(&is); }
  /// bool counts as a whole number, as in Python.
  const std::int64_t* whole(std::int64_t& room) const {
    if (const bool* b = as<bool>()) return room = *b, &room;
    return as<std::int64_t>();
  }
  bool is_number() const { return as<bool>() || as<std::int64_t>() || as<double>(); }
};

XacroValue xacro_list(XacroItems items, bool tuple = false);
XacroValue xacro_dict(XacroPairs pairs, bool dotted = false);
/// The value with entries that may be asked for by a dot, if `dotted`.
XacroValue xacro_dotted(XacroValue value, bool dotted = true);
const XacroValue* find_key(const XacroDict&, const XacroValue& key);

bool truth(const XacroValue&);
bool equal(const XacroValue&, const XacroValue&);
/// Below 0, 0 or above 0; nan compares as unordered (2). Throws for kinds that have no order.
int order(const XacroValue&, const XacroValue&);
double real(const XacroValue&, std::string_view what);
std::int64_t whole(const XacroValue&, std::string_view what);
/// Of a number without digits behind its point.
std::int64_t whole_of(double x);
std::string_view type_name(const XacroValue&);

/// As Python's str() and repr().
std::string to_text(const XacroValue&);
std::string to_repr(const XacroValue&);
std::string python_float(double);

/// What a text in an attribute stands for: a whole number, a number, a truth value, or itself; in single quotes, what is
/// between them.
XacroValue literal(const XacroValue&);
/// Text as a whole number or a number in Python's spelling.
bool parse_python_int(std::string_view, std::int64_t&);
bool parse_python_float(std::string_view, double&);
/// "true", "1" and the like of a condition; throws for what is neither true nor false.
bool condition(const XacroValue& value, std::string_view source);

/// A text, or a list, of more than this is refused: expressions are a line long.
constexpr std::size_t xacro_longest = 1'000'000;

}  // namespace detail
}  // namespace torsor
