#include "torsor/files/yaml_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace torsor::detail {
namespace {

/// Goes along a text, character by character, and knows what is in quotes; they open at its beginning or behind one of `openers`.
class QuoteWalk {
 public:
  QuoteWalk(std::string_view text, std::string_view openers) : text_(text), openers_(openers) {}

  /// Whether the character at k is in no quotes and none of them; moves k over what is escaped.
  bool outside(std::size_t& k) {
    const char c = text_[k];
    if (quote_ == '"' && c == '\\')
      ++k;
    else if (quote_ != 0)
      quote_ = c == quote_ ? 0 : quote_;
    else if ((c == '"' || c == '\'') && (k == 0 || openers_.find(text_[k - 1]) != std::string_view::npos))
      quote_ = c;
    else
      return true;
    return false;
  }
  bool inside() const { return quote_ != 0; }

 private:
  std::string_view text_, openers_;
  char quote_ = 0;
};

/// What a character adds to the brackets that are open.
int bracket(char c) { return (c == '[' || c == '{') - (c == ']' || c == '}'); }

}  // namespace

bool any_of_words(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

XacroValue plain_scalar(const std::string& text) {
  if (any_of_words(text, {"", "~", "null", "Null", "NULL"})) return {};
  if (any_of_words(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return true;
  if (any_of_words(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return false;
  std::string bare = text;
  std::erase(bare, '_');
  const bool minus = bare.starts_with('-');
  const std::string_view size = std::string_view(bare).substr(minus || bare.starts_with('+') ? 1 : 0);
  if (size.empty()) return text;
  if (any_of_words(size, {".inf", ".Inf", ".INF"}))
    return minus ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (any_of_words(bare, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  const auto digits = [](std::string_view s, std::string_view set) {
    return !s.empty() && s.find_first_not_of(set) == std::string_view::npos;
  };
  const auto integer = [&](std::string_view s, int base) -> XacroValue {
    std::int64_t value = 0;
    if (std::from_chars(s.data(), s.data() + s.size(), value, base).ec != std::errc()) return text;
    return minus ? -value : value;
  };
  if (digits(size, "0123456789") && '0' <= text[text.size() - size.size()]) {
    if (size == "0") return std::int64_t{0};
    if (size[0] != '0') return integer(size, 10);
    return digits(size, "01234567") ? integer(size, 8) : XacroValue(text);
  }
  if (size.starts_with("0x") && digits(size.substr(2), "0123456789abcdefABCDEF")) return integer(size.substr(2), 16);
  if (size.starts_with("0b") && digits(size.substr(2), "01")) return integer(size.substr(2), 2);
  // a decimal point is needed, and a sign of the exponent
  const std::size_t point = size.find('.'), e = size.find_first_of("eE");
  const std::string_view mantissa = size.substr(0, e);
  const bool exponent_fits =
      e == std::string_view::npos ||
      (size.size() > e + 2 && (size[e + 1] == '+' || size[e + 1] == '-') && digits(size.substr(e + 2), "0123456789"));
  double value = 0;
  if (point != std::string_view::npos && point < std::min(e, size.size()) && mantissa.size() > 1 &&
      digits(mantissa, "0123456789.") && std::ranges::count(mantissa, '.') == 1 && exponent_fits &&
      parse_python_float(size, value))
    return minus ? -value : value;
  // 1:30 is ninety in YAML 1.1
  if (size.find(':') != std::string_view::npos && digits(size, "0123456789:.") && size[0] != ':') {
    double sum = 0;
    bool sound = true, decimal = false;
    for (std::size_t at = 0; at <= size.size();) {
      const std::size_t end = std::min(size.find(':', at), size.size());
      double piece = 0;
      sound = sound && parse_python_float(size.substr(at, end - at), piece) && (at == 0 || piece < 60);
      decimal = decimal || size.substr(at, end - at).find('.') != std::string_view::npos;
      sum = 60 * sum + piece;
      at = end + 1;
    }
    constexpr double largest = 9e15;  // beyond, digits are lost: no whole number that a double can tell
    if (sound && (decimal || sum > largest)) return minus ? -sum : sum;
    if (sound) return static_cast<std::int64_t>(minus ? -sum : sum);
  }
  return text;
}

std::string_view trimmed_yaml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view without_comment(std::string_view text) {
  QuoteWalk walk(text, " \t[{,:");
  for (std::size_t k = 0; k < text.size(); ++k)
    if (walk.outside(k) && text[k] == '#' && (k == 0 || text[k - 1] == ' ' || text[k - 1] == '\t'))
      return trimmed_yaml(text.substr(0, k));
  return trimmed_yaml(text);
}

bool is_entry(std::string_view text) { return text == "-" || text.starts_with("- ") || text.starts_with("-\t"); }

std::size_t key_end(std::string_view text) {
  QuoteWalk walk(text, " ");
  int open = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!walk.outside(k)) continue;
    const char c = text[k];
    if (open > 0 || (k == 0 && bracket(c) > 0))
      open += bracket(c);
    else if (c == '#' && k > 0 && text[k - 1] == ' ')
      return std::string_view::npos;
    else if (c == ':' && (k + 1 == text.size() || text[k + 1] == ' ' || text[k + 1] == '\t'))
      return k;
  }
  return std::string_view::npos;
}

bool is_closed(std::string_view text) {
  QuoteWalk walk(text, " [{,:");
  int open = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (walk.outside(k)) open += bracket(text[k]);
  return !walk.inside() && open <= 0;
}

}  // namespace torsor::detail
