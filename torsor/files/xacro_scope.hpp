// Properties and macros by name. A macro has a scope inside that of its caller; an include with ns=... has one of its own,
// whose names are reached by a dot.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "torsor/files/xacro_value.hpp"

namespace torsor {
struct XmlElement;
}

namespace torsor::detail {

class XacroTexts;

class XacroScope {
 public:
  struct Property {
    XacroValue value;
    bool lazy = false;       // text still to be evaluated, at its first use
    bool resolving = false;  // it is in use for its own value
  };

  XacroScope* parent = nullptr;
  bool is_namespace = false;
  XacroTexts* owner = nullptr;  // who evaluates lazy properties
  std::unordered_map<std::string, Property> own;

  /// The scope that has the name, or null.
  XacroScope* holder(const std::string& name) {
    for (XacroScope* scope = this; scope; scope = scope->parent)
      if (scope->own.contains(name)) return scope;
    return nullptr;
  }
  XacroScope& top() {
    XacroScope* scope = this;
    while (scope->parent) scope = scope->parent;
    return *scope;
  }
  void set(const std::string& name, const XacroValue& given, bool lazy) {
    XacroValue value = literal(given);
    const bool waits = lazy && value.as<std::string>();
    own.insert_or_assign(name, Property{std::move(value), waits});
  }
};

struct XacroMacro {
  struct Parameter {
    std::string name;
    bool forwarded = false;  // ^: the property of the same name at the caller
    std::optional<std::string> otherwise;
  };
  std::string name;
  const XmlElement* body = nullptr;
  std::vector<Parameter> parameters;
};

/// The parameters of a macro: `a b:=1 c:=^ d:=^|2 *block **blocks`; throws XacroError.
std::vector<XacroMacro::Parameter> macro_parameters(std::string_view text);

struct XacroMacros {
  XacroMacros* parent = nullptr;
  std::unordered_map<std::string, std::variant<XacroMacro, XacroMacros*>> own;

  const std::variant<XacroMacro, XacroMacros*>* find(const std::string& name) const {
    for (const XacroMacros* scope = this; scope; scope = scope->parent)
      if (const auto found = scope->own.find(name); found != scope->own.end()) return &found->second;
    return nullptr;
  }
};

}  // namespace torsor::detail
