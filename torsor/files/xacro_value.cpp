#include "torsor/files/xacro_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

std::string_view python_trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n\f\v";
  const std::size_t first = text.find_first_not_of(white);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// In single quotes, or in double ones where it has single ones itself.
std::string quoted_text(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos,
             has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  for (const char c : text) switch (c) {
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (c == quote) out += '\\';
        out += c;
    }
  return out += quote;
}

void append_repr(std::string& out, const XacroValue& value, int depth) {
  if (depth > 100) throw XacroError("lists lie too deep in each other");
  if (out.size() > xacro_longest) throw XacroError("its text is too long");
  if (const auto* text = value.as<std::string>()) {
    out += quoted_text(*text);
  } else if (const auto* list = value.as<XacroList>(); list && !list->written.empty()) {
    out += list->written;
  } else if (list) {
    out += list->tuple ? '(' : '[';
    for (std::size_t k = 0; k < list->items->size(); ++k) {
      if (k > 0) out += ", ";
      append_repr(out, (*list->items)[k], depth + 1);
    }
    if (list->tuple && list->items->size() == 1) out += ',';
    out += list->tuple ? ')' : ']';
  } else if (const auto* dict = value.as<XacroDict>()) {
    out += '{';
    for (std::size_t k = 0; k < dict->pairs->size(); ++k) {
      if (k > 0) out += ", ";
      append_repr(out, (*dict->pairs)[k].first, depth + 1);
      out += ": ";
      append_repr(out, (*dict->pairs)[k].second, depth + 1);
    }
    out += '}';
  } else {
    out += to_text(value);
  }
}

double number_of(const XacroValue& value) {
  if (const bool* b = value.as<bool>()) return *b;
  if (const auto* i = value.as<std::int64_t>()) return static_cast<double>(*i);
  return *value.as<double>();
}

int sign(bool less, bool equals) { return less ? -1 : equals ? 0 : 1; }

int order_numbers(const XacroValue& a, const XacroValue& b) {
  std::int64_t x = 0, y = 0;
  const auto *i = a.whole(x), *j = b.whole(y);
  if (i && j) return sign(*i < *j, *i == *j);
  const double s = number_of(a), t = number_of(b);
  return std::isnan(s) || std::isnan(t) ? 2 : sign(s < t, s == t);
}

}  // namespace

XacroValue xacro_list(XacroItems items, bool tuple) {
  return XacroList{std::make_shared<XacroItems>(std::move(items)), tuple};
}

XacroValue xacro_dict(XacroPairs pairs, bool dotted) {
  return XacroDict{std::make_shared<XacroPairs>(std::move(pairs)), dotted};
}

XacroValue xacro_dotted(XacroValue value, bool dotted) {
  if (!dotted) return value;
  if (auto* list = std::get_if<XacroList>(&value.is)) list->dotted = true;
  if (auto* dict = std::get_if<XacroDict>(&value.is)) dict->dotted = true;
  return value;
}

const XacroValue* find_key(const XacroDict& dict, const XacroValue& key) {
  for (const auto& [k, v] : *dict.pairs)
    if (equal(k, key)) return &v;
  return nullptr;
}

bool truth(const XacroValue& value) {
  if (value.as<XacroValue::None>()) return false;
  if (value.is_number()) return number_of(value) != 0;
  if (const auto* text = value.as<std::string>()) return !text->empty();
  if (const auto* list = value.as<XacroList>()) return !list->items->empty();
  if (const auto* dict = value.as<XacroDict>()) return !dict->pairs->empty();
  return true;
}

bool equal(const XacroValue& a, const XacroValue& b) {
  if (a.is_number() && b.is_number()) return order_numbers(a, b) == 0;
  if (a.is.index() != b.is.index()) return false;
  if (const auto* list = a.as<XacroList>()) {
    const auto* other = b.as<XacroList>();
    return list->tuple == other->tuple && std::ranges::equal(*list->items, *other->items, equal);
  }
  if (const auto* dict = a.as<XacroDict>()) {
    const auto* other = b.as<XacroDict>();
    return dict->pairs->size() == other->pairs->size() && std::ranges::all_of(*dict->pairs, [&](const auto& pair) {
             const XacroValue* found = find_key(*other, pair.first);
             return found && equal(pair.second, *found);
           });
  }
  if (const auto* text = a.as<std::string>()) return *text == *b.as<std::string>();
  if (const auto* f = a.as<const XacroFunction*>()) return *f == *b.as<const XacroFunction*>();
  return a.as<XacroValue::None>() != nullptr;
}

int order(const XacroValue& a, const XacroValue& b) {
  if (a.is_number() && b.is_number()) return order_numbers(a, b);
  const auto *s = a.as<std::string>(), *t = b.as<std::string>();
  if (s && t) return sign(*s < *t, *s == *t);
  const auto *l = a.as<XacroList>(), *m = b.as<XacroList>();
  if (l && m) {
    for (std::size_t k = 0; k < std::min(l->items->size(), m->items->size()); ++k)
      if (!equal((*l->items)[k], (*m->items)[k])) return order((*l->items)[k], (*m->items)[k]);
    return sign(l->items->size() < m->items->size(), l->items->size() == m->items->size());
  }
  throw XacroError(fmt::format("a {} and a {} have no order", type_name(a), type_name(b)));
}

double real(const XacroValue& value, std::string_view what) {
  if (value.is_number()) return number_of(value);
  throw XacroError(fmt::format("{} wants a number, not a {}", what, type_name(value)));
}

std::int64_t whole_of(double x) {
  if (!(std::abs(x) < 9.2e18)) throw XacroError("a number is too large for a whole one");
  return static_cast<std::int64_t>(x);
}

std::int64_t whole(const XacroValue& value, std::string_view what) {
  std::int64_t room = 0;
  if (const auto* i = value.whole(room)) return *i;
  throw XacroError(fmt::format("{} wants a whole number, not a {}", what, type_name(value)));
}

std::string_view type_name(const XacroValue& value) {
  constexpr std::string_view names[] = {"None", "bool", "int",      "float",     "text",
                                        "list", "dict", "function", "namespace", "block"};
  return names[value.is.index()];
}

std::string python_float(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, x, std::chars_format::scientific).ptr;
  const std::string_view all(text, static_cast<std::size_t>(end - text));
  const std::size_t e = all.find('e');
  int exponent = 0;
  const std::size_t skip = all[e + 1] == '+' ? 2 : 1;
  std::from_chars(all.data() + e + skip, all.data() + all.size(), exponent);
  // with an exponent where Python has one; else in full, with at least one decimal
  if (exponent < -4 || exponent >= 16) return std::string(all);
  char plain[400];
  const auto stop = std::to_chars(plain, plain + sizeof plain, x, std::chars_format::fixed).ptr;
  std::string out(plain, stop);
  if (out.find('.') == std::string::npos) out += ".0";
  return out;
}

std::string to_text(const XacroValue& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  if (const bool* b = value.as<bool>()) return *b ? "True" : "False";
  if (const auto* i = value.as<std::int64_t>()) return std::to_string(*i);
  if (const auto* x = value.as<double>()) return python_float(*x);
  if (value.as<XacroValue::None>()) return "None";
  if (value.as<XacroList>() || value.as<XacroDict>()) return to_repr(value);
  throw XacroError(fmt::format("a {} is no text", type_name(value)), "call the function, or name something in it");
}

std::string to_repr(const XacroValue& value) {
  std::string out;
  append_repr(out, value, 0);
  return out;
}

bool parse_python_int(std::string_view text, std::int64_t& value) {
  text = python_trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc() && !text.empty() && end == text.data() + text.size();
}

bool parse_python_float(std::string_view text, double& value) {
  text = python_trimmed(text);
  const bool plus = text.starts_with('+');
  if (plus) text.remove_prefix(1);
  if (text.empty() || (plus && text.starts_with('-'))) return false;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (fault == std::errc::result_out_of_range) {
    // beyond all numbers, or closer to zero than any: as Python reads them
    const std::size_t e = text.find_first_of("eE");
    const bool tiny =
        e == std::string_view::npos ? text.find_first_of("123456789") > text.find('.') : text[e + 1] == '-';
    value = tiny ? 0 : std::numeric_limits<double>::infinity();
    if (text.starts_with('-')) value = -value;
    return true;
  }
  // from_chars takes nan(...), Python does not
  return fault == std::errc() && text.find('(') == std::string_view::npos;
}

XacroValue literal(const XacroValue& value) {
  const auto* text = value.as<std::string>();
  if (!text) return value;
  if (text->size() >= 2 && text->front() == '\'' && text->back() == '\'') return text->substr(1, text->size() - 2);
  if (text->empty() || text->find('_') != std::string::npos) return value;
  std::int64_t i = 0;
  if (parse_python_int(*text, i)) return i;
  // a whole number that does not fit stays text: it prints as it is, and nobody computes with it
  const std::string_view digits = python_trimmed(*text);
  if (digits.find_first_not_of("+-0123456789") == std::string_view::npos) return value;
  double x = 0;
  if (parse_python_float(*text, x)) return x;
  if (*text == "true" || *text == "True") return true;
  if (*text == "false" || *text == "False") return false;
  return value;
}

bool condition(const XacroValue& value, std::string_view source) {
  const auto* text = value.as<std::string>();
  if (!text) return truth(value);
  if (*text == "true" || *text == "True") return true;
  if (*text == "false" || *text == "False") return false;
  std::int64_t i = 0;
  if (parse_python_int(*text, i)) return i != 0;
  throw XacroError(
      fmt::format("the condition \"{}\" is \"{}\", neither true nor false", excerpt(source), excerpt(*text)),
      "write a comparison, true, false, 1 or 0", "xacro-condition");
}

}  // namespace torsor::detail
