// What the outside world can get wrong, and how we say it: Result<T> is a value or the list of *all* faults found.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "torsor/code_point.hpp"
#include "torsor/expect.hpp"

namespace torsor {

/// A place in a file; line 0 means the file as a whole, an empty file means "not from a file".
struct Where {
  std::string file;
  int line = 0;
};

/// One fault: where it is, what it is about, the rule it breaks (a short permanent id), what was found, what to do
/// about it.
struct Error {
  Where where;
  std::string offender;  // `joint "elbow"`
  std::string rule;      // `joint-kind`
  std::string what;      // `unknown kind "revolut"`
  std::string remedy;    // `use fixed, revolute, prismatic, ...`
};

/// Any bytes as one line of valid UTF-8, control characters and stray bytes as \xNN: a zero byte would cut a line short,
/// an escape would command the terminal.
inline std::string printable(std::string_view text) {
  const char* const digits = "0123456789abcdef";
  std::string line;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const bool stray = point.value == U'\uFFFD' && !text.starts_with("\xef\xbf\xbd");
    const bool plain = !stray && !is_control(point.value);
    for (const char c : text.substr(0, point.bytes)) {
      const auto byte = static_cast<unsigned char>(c);
      if (plain)
        line += c;
      else
        (line += "\\x") += {digits[byte / 16], digits[byte % 16]};
    }
    text.remove_prefix(point.bytes);
  }
  return line;
}

/// A sentence with its long names cut: what stands in double quotes after 80 code points, a bare word after 400, each
/// with how many more there were. Names have no quotes in them, and may have ten million letters.
inline std::string with_short_names(std::string_view text) {
  constexpr std::size_t longest_quoted = 80, longest_word = 400;
  std::string out;
  while (!text.empty()) {
    // a piece: from one quote or blank to the next
    const bool opens = text.front() == '"' && text.find('"', 1) != std::string_view::npos;
    const std::size_t end = opens ? text.find('"', 1) : std::min(text.find_first_of(" \"", 1), text.size());
    std::string_view rest = text.substr(0, end);
    const std::size_t longest = 1 + (opens ? longest_quoted : longest_word);
    std::size_t points = 0, kept = 0;
    for (; !rest.empty(); ++points) {
      const std::size_t bytes = first_code_point(rest).bytes;
      if (points < longest) kept += bytes;
      rest.remove_prefix(bytes);
    }
    out += text.substr(0, kept);
    if (points > longest) out += "... (" + std::to_string(points - longest) + " more)";
    if (opens) out += '"';
    text.remove_prefix(end + opens);
  }
  return out;
}

/// One printable line, long names cut:
/// `puma.toml:14: joint "elbow": unknown kind "revolut" [joint-kind]; use fixed, revolute, ...`
inline std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.file.empty()) {
    text += error.where.file + ':';
    if (error.where.line > 0) text += std::to_string(error.where.line) + ':';
    text += ' ';
  }
  if (!error.offender.empty()) text += with_short_names(error.offender) + ": ";
  text += with_short_names(error.what);
  if (!error.rule.empty()) text += " [" + error.rule + "]";
  if (!error.remedy.empty()) text += "; " + with_short_names(error.remedy);
  return printable(text);
}

using Errors = std::vector<Error>;

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)), ok_(true) {}
  Result(Errors errors) : errors_(std::move(errors)) { TORSOR_EXPECT(!errors_.empty()); }
  Result(Error error) : errors_{std::move(error)} {}

  explicit operator bool() const { return ok_; }
  const T& operator*() const& {
    TORSOR_EXPECT(ok_);
    return value_;
  }
  T& operator*() & {
    TORSOR_EXPECT(ok_);
    return value_;
  }
  T operator*() && {
    TORSOR_EXPECT(ok_);
    return std::move(value_);
  }
  const T* operator->() const {
    TORSOR_EXPECT(ok_);
    return &value_;
  }
  T* operator->() {
    TORSOR_EXPECT(ok_);
    return &value_;
  }
  const Errors& errors() const { return errors_; }

 private:
  T value_{};
  Errors errors_;
  bool ok_ = false;
};

}  // namespace torsor
