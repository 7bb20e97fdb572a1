// JSON read strictly (RFC 8259): one value, no comments, no trailing commas, no member twice, numbers finite. Depth is
// bounded, time is linear in the size of the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

struct JsonMember;

struct JsonValue {
  enum class Kind { null, truth, number, text, list, object } kind = Kind::null;
  bool truth = false;
  double number = 0;
  std::string text;
  std::vector<JsonValue> items;     // of a list
  std::vector<JsonMember> members;  // of an object, in the order of the text
  int line = 0;

  bool is(Kind k) const { return kind == k; }
  /// The member of an object; null where there is none, or where this is no object.
  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

inline const JsonValue* JsonValue::find(std::string_view key) const {
  for (const auto& [name, value] : members)
    if (name == key) return &value;
  return nullptr;
}

/// The value that is the whole of a text in UTF-8; or what keeps it from being JSON (rule `json`), with its line.
Result<JsonValue> parse_json(std::string_view text, const std::string& file);

}  // namespace torsor
