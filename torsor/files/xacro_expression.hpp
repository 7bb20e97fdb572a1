// Expressions between ${ and }: the part of Python that has values alone. They are parsed into a tree once and evaluated
// as often as a macro is called. Nothing is executed but what is written here: no imports, no attributes of objects, no
// files but those that load_yaml is allowed to read.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/files/xacro_value.hpp"

namespace torsor::detail {

struct XacroNode {
  enum class Kind {
    constant,
    name,
    list,
    tuple,
    dict,
    attribute,
    index,
    slice,
    call,
    unary,
    binary,
    compare,
    both,
    either,
    choice,
    comprehension
  };
  Kind kind = Kind::constant;
  XacroValue value;                              // of a constant
  std::string text;                              // a name, an operator
  std::vector<std::unique_ptr<XacroNode>>
      parts;  // operands; a call: the function, then its arguments; null where left out
  std::vector<std::string> names;                // operators of comparisons; keywords of arguments, else empty; targets
};

/// The tree of an expression; throws XacroError for what is none.
std::unique_ptr<XacroNode> parse_expression(std::string_view text);

/// What an expression is evaluated in.
struct XacroContext {
  /// The value of a name, or null.
  std::function<const XacroValue*(const std::string&)> name;
  /// The contents of a YAML file, and the full name of a file: of the one who may open files.
  std::function<XacroValue(const std::string&)> load_yaml;
  std::function<std::string(const std::string&)> file_name;
  std::function<XacroValue(const std::string&)> argument;
  /// A message that the file wants its reader to see.
  std::function<void(const std::string&)> say;
  long steps = 0;  // taken so far, over all expressions
  int depth = 0;   // of operators in each other
};
/// An expansion that takes more is refused.
constexpr long xacro_most_steps = 5'000'000;

XacroValue evaluate(const XacroNode&, XacroContext&);

struct XacroArguments {
  XacroItems values;
  std::vector<std::pair<std::string, XacroValue>> named;
};

/// A function that expressions may call: `python.abs` and the like by the name after the dot.
struct XacroFunction {
  std::string_view name;
  XacroValue (*run)(XacroArguments&, XacroContext&);
};
/// Names that every expression knows: functions, pi and other constants, the namespaces math, python and xacro.
const XacroValue* builtin_name(const std::string&);
/// A function or constant of one of those namespaces, or null.
const XacroValue* builtin_member(std::string_view space, const std::string& name);
/// A call of a method of a text, list or dict.
XacroValue call_method(const XacroValue& object, const std::string& method, XacroArguments&, XacroContext&);
XacroValue call_value(const XacroValue& function, XacroArguments&, XacroContext&);
/// The items of what can be gone through.
XacroItems items_of(const XacroValue&);
XacroValue binary(const std::string& op, const XacroValue&, const XacroValue&);
/// "%.3f" % x.
std::string percent_format(const std::string& form, const XacroValue&);
/// A property of a namespace that an include made.
const XacroValue* scope_member(XacroScope*, const std::string& name);

}  // namespace torsor::detail
