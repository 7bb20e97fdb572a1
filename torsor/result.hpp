// What the outside world can get wrong, and how we say it: Result<T> is a value or the list of *all* faults found.
#pragma once

#include <string>
#include <utility>
#include <vector>

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

namespace detail {

// a fault may quote anything: a zero byte would cut the line short, an escape would command the terminal
inline std::string printable(const std::string& text) {
  const char* const digits = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      line += c;
    else
      (line += "\\x") += {digits[byte / 16], digits[byte % 16]};
  }
  return line;
}

}  // namespace detail

/// One line, control characters as \xNN:
/// `puma.toml:14: joint "elbow": unknown kind "revolut" [joint-kind]; use fixed, revolute, ...`
inline std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.file.empty()) {
    text += error.where.file + ':';
    if (error.where.line > 0) text += std::to_string(error.where.line) + ':';
    text += ' ';
  }
  if (!error.offender.empty()) text += error.offender + ": ";
  text += error.what;
  if (!error.rule.empty()) text += " [" + error.rule + "]";
  if (!error.remedy.empty()) text += "; " + error.remedy;
  return detail::printable(text);
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
