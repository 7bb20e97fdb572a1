#include "torsor/text/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "torsor/expect.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {

namespace {
constexpr std::size_t notes_kept = 20;
}

JsonWriter::JsonWriter(std::ostream& out, JsonStyle style) : out_(out), style_(style) {}

void JsonWriter::new_line() {
  if (style_.indent == 0) return;
  out_.put('\n');
  for (std::size_t i = 0; i < levels_.size() * static_cast<std::size_t>(style_.indent); ++i) out_.put(' ');
}

// what stands between the previous value or key and the next value
void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  TORSOR_EXPECT(!level.object);
  if (level.count++ > 0) out_.put(',');
  if (!level.one_line)
    new_line();
  else if (level.count > 1 && style_.indent > 0)
    out_.put(' ');
}

void JsonWriter::open(bool object, char bracket) {
  separate();
  out_.put(bracket);
  levels_.push_back({object, false, 0, {}});
}

void JsonWriter::close(bool object, char bracket) {
  TORSOR_EXPECT(!levels_.empty() && levels_.back().object == object && !after_key_);
  static_cast<void>(object);
  const bool broken = levels_.back().count > 0 && !levels_.back().one_line;
  levels_.pop_back();
  if (broken) new_line();
  out_.put(bracket);
}

JsonWriter& JsonWriter::begin_object() { return open(true, '{'), *this; }
JsonWriter& JsonWriter::end_object() { return close(true, '}'), *this; }
JsonWriter& JsonWriter::begin_array() { return open(false, '['), *this; }
JsonWriter& JsonWriter::end_array() { return close(false, ']'), *this; }

JsonWriter& JsonWriter::key(std::string_view name) {
  TORSOR_EXPECT(!levels_.empty() && levels_.back().object && !after_key_);
  Level& level = levels_.back();
  if (level.count++ > 0) out_.put(',');
  new_line();
  level.key = name;
  string(name);
  out_.put(':');
  if (style_.indent > 0) out_.put(' ');
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::literal(std::string_view text) {
  separate();
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  return *this;
}

JsonWriter& JsonWriter::value(std::nullptr_t) { return literal("null"); }

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) {
    literal("null");
    if (non_finite_++ < notes_kept) {
      const char* kind = std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
      first_non_finite_.push_back(fmt::format("{} is {}", path(), kind));
    }
    return *this;
  }
  // a bare -0 is read as the integer 0 by most readers, -0.0 is not
  if (number == 0) return literal(std::signbit(number) ? "-0.0" : "0");
  std::string text;
  append_number(text, number);
  return literal(text);
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  string(text);
  return *this;
}

JsonWriter& JsonWriter::value(std::span<const double> numbers) {
  begin_array();
  levels_.back().one_line = true;
  for (const double number : numbers) value(number);
  return end_array();
}

JsonWriter& JsonWriter::value(std::span<const std::string> texts) {
  begin_array();
  for (const std::string& text : texts) value(std::string_view(text));
  return end_array();
}

void JsonWriter::string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto [value, bytes] = first_code_point(text);
    text.remove_prefix(bytes);
    const bool markup = style_.inside_html && (value == U'<' || value == U'>' || value == U'&');
    switch (value) {
      case U'"': quoted += "\\\""; break;
      case U'\\': quoted += "\\\\"; break;
      case U'\n': quoted += "\\n"; break;
      case U'\t': quoted += "\\t"; break;
      case U'\r': quoted += "\\r"; break;
      default:
        if (!markup && !is_control(value))
          append_utf8(quoted, value);
        else if (const auto code = static_cast<unsigned>(value); code <= 0xFFFF)
          quoted += fmt::format("\\u{:04x}", code);
        else  // a pair of surrogates
          quoted += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
    }
  }
  quoted += '"';
  out_.write(quoted.data(), static_cast<std::streamsize>(quoted.size()));
}

// figures[0].series[2].y[17]
std::string JsonWriter::path() const {
  std::string text;
  for (const Level& level : levels_) {
    if (!level.object)
      text += fmt::format("[{}]", level.count - 1);
    else
      text += (text.empty() ? "" : ".") + level.key;
  }
  return text.empty() ? "the value" : text;
}

std::vector<std::string> JsonWriter::notes() const {
  std::vector<std::string> sentences = first_non_finite_;
  for (std::string& sentence : sentences) sentence += ", written as null";
  if (non_finite_ > notes_kept) {
    sentences.push_back(fmt::format("{} more values are not finite, written as null", non_finite_ - notes_kept));
  }
  return sentences;
}

}  // namespace torsor
