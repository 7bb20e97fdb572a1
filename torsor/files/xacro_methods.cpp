// The methods of texts, dicts and lists that expressions may call, and the % of texts.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "torsor/files/xacro_expression.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor::detail {
namespace {

using Arguments = XacroArguments;

std::string_view method_text(const Arguments& a, std::size_t k, std::string_view method) {
  if (k < a.values.size())
    if (const auto* text = a.values[k].as<std::string>()) return *text;
  throw XacroError(fmt::format("{}() wants a text", method));
}

std::string stripped(const std::string& text, const Arguments& a, bool left, bool right) {
  const std::string_view set = a.values.empty() ? " \t\r\n\f\v" : method_text(a, 0, "strip");
  const std::size_t first = left ? text.find_first_not_of(set) : 0,
                    last = right ? text.find_last_not_of(set) : text.size() - 1;
  return text.empty() || first == std::string::npos || last == std::string::npos ? ""
                                                                                 : text.substr(first, last - first + 1);
}

XacroValue split_text(const std::string& text, const Arguments& a) {
  XacroItems pieces;
  const std::int64_t most = a.values.size() > 1 ? whole(a.values[1], "split()") : -1;
  if (a.values.empty() || a.values[0].as<XacroValue::None>()) {
    constexpr std::string_view white = " \t\r\n\f\v";
    for (std::size_t at = text.find_first_not_of(white); at != std::string::npos;) {
      std::size_t end = std::min(text.find_first_of(white, at), text.size());
      if (std::ssize(pieces) == most) end = text.size();
      pieces.emplace_back(text.substr(at, end - at));
      at = text.find_first_not_of(white, end);
    }
    return xacro_list(std::move(pieces));
  }
  const std::string_view by = method_text(a, 0, "split");
  if (by.empty()) throw XacroError("split() by an empty text");
  for (std::size_t at = 0;;) {
    const std::size_t end = std::ssize(pieces) == most ? std::string::npos : text.find(by, at);
    pieces.emplace_back(text.substr(at, end == std::string::npos ? end : end - at));
    if (end == std::string::npos) return xacro_list(std::move(pieces));
    at = end + by.size();
  }
}

std::string replaced(const std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) throw XacroError("replace() of an empty text");
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(from, at);
    out += text.substr(at, end == std::string::npos ? end : end - at);
    if (out.size() > xacro_longest) throw XacroError("a text becomes too long");
    if (end == std::string::npos) return out;
    out += to;
    at = end + from.size();
  }
}

XacroValue text_method(const std::string& text, const std::string& method, const Arguments& a) {
  const auto of_all = [&](bool up) {
    std::string out = text;
    for (char& c : out)
      if (up ? ('a' <= c && c <= 'z') : ('A' <= c && c <= 'Z')) c = static_cast<char>(c ^ 0x20);
    return out;
  };
  if (!a.named.empty()) throw XacroError(fmt::format("{}() takes no arguments with names", excerpt(method)));
  if (method == "lower") return of_all(false);
  if (method == "upper") return of_all(true);
  if (method == "strip") return stripped(text, a, true, true);
  if (method == "lstrip") return stripped(text, a, true, false);
  if (method == "rstrip") return stripped(text, a, false, true);
  if (method == "split") return split_text(text, a);
  if (method == "startswith") return text.starts_with(method_text(a, 0, method));
  if (method == "endswith") return text.ends_with(method_text(a, 0, method));
  if (method == "replace" && a.values.size() == 2)
    return replaced(text, method_text(a, 0, method), method_text(a, 1, method));
  if (method == "find") {
    const std::size_t at = text.find(method_text(a, 0, method));
    return at == std::string::npos ? std::int64_t{-1}
                                   : static_cast<std::int64_t>(text_width(std::string_view(text).substr(0, at)));
  }
  if (method == "count") return std::ssize(*split_text(text, {{a.values.at(0)}, {}}).as<XacroList>()->items) - 1;
  if (method == "isdigit") return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (method == "join" && a.values.size() == 1) {
    std::string out;
    bool first = true;
    for (const XacroValue& v : items_of(a.values[0])) {
      const auto* piece = v.as<std::string>();
      if (!piece) throw XacroError("join() wants texts");
      out += (first ? "" : text) + *piece;
      first = false;
      if (out.size() > xacro_longest) throw XacroError("a text becomes too long");
    }
    return out;
  }
  throw XacroError(fmt::format("the method {}() of a text is not read", excerpt(method)));
}

XacroValue dict_method(const XacroDict& dict, const std::string& method, const Arguments& a) {
  XacroItems out;
  if (method == "get" && !a.values.empty() && a.values.size() <= 2) {
    const XacroValue* found = find_key(dict, a.values[0]);
    if (found) return xacro_dotted(*found, dict.dotted);
    return a.values.size() == 2 ? a.values[1] : XacroValue();
  }
  for (const auto& [key, value] : *dict.pairs) {
    const XacroValue entry = xacro_dotted(value, dict.dotted);
    if (method == "keys") out.push_back(key);
    else if (method == "values") out.push_back(entry);
    else if (method == "items") out.push_back(xacro_list({key, entry}, true));
    else break;
  }
  if (method == "keys" || method == "values" || method == "items") return xacro_list(std::move(out));
  throw XacroError(fmt::format("the method {}() of a dict is not read", excerpt(method)));
}

XacroValue list_method(const XacroList& list, const std::string& method, const Arguments& a) {
  if (a.values.size() == 1 && (method == "index" || method == "count")) {
    std::int64_t times = 0;
    for (std::size_t k = 0; k < list.items->size(); ++k) {
      if (!equal((*list.items)[k], a.values[0])) continue;
      if (method == "index") return static_cast<std::int64_t>(k);
      ++times;
    }
    if (method == "count") return times;
    throw XacroError(fmt::format("{} is not in the list", excerpt(to_repr(a.values[0]))));
  }
  throw XacroError(fmt::format("the method {}() of a list is not read", excerpt(method)),
                   method == "append" || method == "extend" ? "make a new list: a + [b]" : "");
}

}  // namespace

XacroValue call_method(const XacroValue& object, const std::string& method, XacroArguments& a, XacroContext&) {
  if (const auto* text = object.as<std::string>()) {
    if (method == "count" && a.values.empty()) throw XacroError("count() wants a text");
    return text_method(*text, method, a);
  }
  if (const auto* dict = object.as<XacroDict>()) return dict_method(*dict, method, a);
  return list_method(*object.as<XacroList>(), method, a);
}

std::string percent_format(const std::string& form, const XacroValue& given) {
  const auto* tuple = given.as<XacroList>();
  const XacroItems values = tuple && tuple->tuple ? *tuple->items : XacroItems{given};
  std::size_t used = 0;
  std::string out;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] != '%') {
      out += form[at];
      continue;
    }
    const std::size_t end = form.find_first_not_of("-+ #0123456789.", at + 1);
    if (end == std::string::npos || end - at > 8)
      throw XacroError(fmt::format("\"{}\" is no form of a number", excerpt(form)));
    std::string directive = form.substr(at, end - at);
    at = end;
    if (form[end] == '%') {
      out += '%';
      continue;
    }
    if (used == values.size()) throw XacroError("there are more forms than values");
    const XacroValue& value = values[used++];
    char text[512];
    int length = 0;
    if (form[end] == 'd' || form[end] == 'i') {
      const std::int64_t i = value.as<double>() ? whole_of(std::trunc(*value.as<double>())) : whole(value, "%d");
      length = std::snprintf(text, sizeof text, (directive + "lld").c_str(), static_cast<long long>(i));
    } else if (std::string_view("feEgG").find(form[end]) != std::string_view::npos) {
      length = std::snprintf(text, sizeof text, (directive + form[end]).c_str(), real(value, "%f"));
    } else if (std::string_view("xXo").find(form[end]) != std::string_view::npos) {
      const std::int64_t i = whole(value, "%x");
      // Python writes a sign, C two's complement
      if (i < 0 || directive.find_first_of("+ ") != std::string::npos)
        throw XacroError(fmt::format("the form \"{}{}\" with a sign is not read", directive, form[end]));
      length = std::snprintf(text, sizeof text, (directive + "ll" + form[end]).c_str(), static_cast<long long>(i));
    } else if (form[end] == 's' && directive == "%") {
      out += to_text(value);
      continue;
    } else if (form[end] == 'r' && directive == "%") {
      out += to_repr(value);
      continue;
    } else {
      throw XacroError(fmt::format("the form \"{}{}\" is not read", directive, excerpt(form.substr(end, 1))));
    }
    if (length < 0 || length >= static_cast<int>(sizeof text)) throw XacroError("a formatted number is too long");
    out += text;
  }
  if (used != values.size()) throw XacroError("there are more values than forms");
  return out;
}

}  // namespace torsor::detail
