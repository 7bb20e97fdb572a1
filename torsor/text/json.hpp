// JSON, written as a stream: nothing is held in memory but the path to the value being written.
//
// Doubles are written in the shortest form that reads back to the same bits; -0 keeps its sign. JSON has no NaN and no
// infinity: such a value is written as null and remembered by its path, so that the caller can say so (notes()).
// Strings are escaped and always valid UTF-8 (invalid bytes become U+FFFD).
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torsor {

struct JsonStyle {
  int indent = 2;            // spaces per level; 0 writes everything on one line
  bool inside_html = false;  // escape < > & in strings, so that the text may stand in a <script> element
};

class JsonWriter {
 public:
  /// Writes to the stream, which must outlive the writer; the caller checks the stream's state at the end.
  explicit JsonWriter(std::ostream& out, JsonStyle style = {});

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();

  /// The name of the next value; only inside an object, once per value.
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(std::nullptr_t);
  template <std::same_as<bool> B>
  JsonWriter& value(B truth) {
    return literal(truth ? "true" : "false");
  }
  template <std::integral I>
  requires(!std::same_as<I, bool>) JsonWriter& value(I number) { return literal(std::to_string(number)); }

  /// An array of numbers, on one line whatever the indent.
  JsonWriter& value(std::span<const double> numbers);
  JsonWriter& value(std::span<const std::string> texts);

  /// key(name) and value(v) in one.
  template <class V>
  JsonWriter& field(std::string_view name, const V& v) {
    return key(name).value(v);
  }

  /// How many values were not finite and are null in the output.
  std::size_t non_finite() const { return non_finite_; }
  /// The first of them: `links[2].mass is inf`.
  const std::vector<std::string>& first_non_finite() const { return first_non_finite_; }
  /// One sentence per non-finite value with its path, `series[2].y[17] is nan, written as null`: 20 and a count.
  std::vector<std::string> notes() const;

 private:
  struct Level {
    bool object = false;
    bool one_line = false;
    std::size_t count = 0;
    std::string key;
  };

  JsonWriter& literal(std::string_view text);
  void separate();
  void new_line();
  void open(bool object, char bracket);
  void close(bool object, char bracket);
  void string(std::string_view text);
  std::string path() const;

  std::ostream& out_;
  JsonStyle style_;
  std::vector<Level> levels_;
  bool after_key_ = false;
  std::size_t non_finite_ = 0;
  std::vector<std::string> first_non_finite_;
};

}  // namespace torsor
