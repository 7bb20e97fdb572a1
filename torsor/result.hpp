// What the outside world can get wrong, and how we say it: Result<T> is a value or the list of *all* faults found.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
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

/// note: good to know; warning: probably wrong, and the author may accept it; error: no body, no robot can be so.
enum class Severity { note, warning, error };

constexpr std::string_view severity_name(Severity severity) {
  constexpr std::string_view names[] = {"note", "warning", "error"};
  return names[static_cast<std::size_t>(severity)];
}

/// One fault: where it is, what it is about, the rule it breaks (a short permanent id), what was found, what to do
/// about it.
struct Fault {
  Where where;
  std::string offender;  // `joint "elbow"`
  std::string rule;      // `joint-kind`
  std::string what;      // `unknown kind "revolut"`
  std::string remedy;    // `use fixed, revolute, prismatic, ...`
  Severity severity = Severity::error;  // notes and warnings may stand beside the errors of what is refused
};

/// What is said of a result that is not finite, by every verb and function. of: whose numbers are to blame.
Fault not_finite(std::string offender, std::string_view what, double result,
                 std::string_view of = "motion or of the robot");

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
inline std::string to_string(const Fault& error) {
  std::string text;
  if (error.severity != Severity::error) (text += severity_name(error.severity)) += ": ";
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

using Faults = std::vector<Fault>;

/// What is thrown where a Result without a value is opened: every fault, a line each in what().
class Error : public std::runtime_error {
 public:
  explicit Error(Faults faults);
  const Faults& faults() const { return faults_; }

 private:
  Faults faults_;
};

[[noreturn]] void throw_error(const Faults& faults);  // out of line: opening is one test and a jump that is not taken

/// A value, or why there is none. Opened without a value it throws Error, in every build: nobody computes with a robot that
/// is not there.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Faults faults) : faults_(std::move(faults)) { TORSOR_EXPECT(!faults_.empty()); }
  Result(Fault fault) : faults_{std::move(fault)} {}

  explicit operator bool() const { return value_.has_value(); }
  const T& operator*() const& { return opened(*this); }
  T& operator*() & { return opened(*this); }
  T operator*() && { return std::move(opened(*this)); }
  const T* operator->() const { return &opened(*this); }
  T* operator->() { return &opened(*this); }
  const Faults& faults() const { return faults_; }

 private:
  template <class Self>
  static auto& opened(Self& self) {
    if (!self.value_) [[unlikely]]
      throw_error(self.faults_);
    return *self.value_;
  }

  std::optional<T> value_;
  Faults faults_;
};

}  // namespace torsor
