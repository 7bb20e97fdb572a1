// The functions that expressions may call: those of Python that make no trouble, its mathematics, and those of xacro.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <unordered_map>

#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro_expression.hpp"

namespace torsor::detail {
namespace {

using Arguments = XacroArguments;
using Context = XacroContext;

void count(const Arguments& a, std::string_view name, std::size_t least, std::size_t most) {
  if (a.values.size() < least || a.values.size() > most || !a.named.empty())
    throw XacroError(fmt::format("{}() does not take {} arguments{}", name, a.values.size(),
                                 a.named.empty() ? "" : " and such with names"));
}

// mathematics: what has no value is an error, as in Python, not a nan
double sound(double result, std::string_view name, bool finite_arguments) {
  if (finite_arguments && std::isnan(result)) throw XacroError(fmt::format("{}() has no value there", name));
  if (finite_arguments && std::isinf(result)) throw XacroError(fmt::format("{}() is too large there", name));
  return result;
}

#define TORSOR_XACRO_MATH_1(NAME, EXPRESSION)                                  \
  {#NAME, [](Arguments& a, Context&) -> XacroValue {                           \
     count(a, #NAME, 1, 1);                                                    \
     const double x = real(a.values[0], #NAME "()");                           \
     return sound(EXPRESSION, #NAME, std::isfinite(x));                        \
   }}
#define TORSOR_XACRO_MATH_2(NAME, EXPRESSION)                                  \
  {#NAME, [](Arguments& a, Context&) -> XacroValue {                           \
     count(a, #NAME, 2, 2);                                                    \
     const double x = real(a.values[0], #NAME "()"), y = real(a.values[1], #NAME "()"); \
     return sound(EXPRESSION, #NAME, std::isfinite(x) && std::isfinite(y));    \
   }}

double log_of(double x) {
  if (!(x > 0) && !std::isnan(x)) throw XacroError("log() has no value there");
  return std::log(x);
}

const XacroFunction math_functions[] = {
    TORSOR_XACRO_MATH_1(sin, std::sin(x)),
    TORSOR_XACRO_MATH_1(cos, std::cos(x)),
    TORSOR_XACRO_MATH_1(tan, std::tan(x)),
    TORSOR_XACRO_MATH_1(asin, std::asin(x)),
    TORSOR_XACRO_MATH_1(acos, std::acos(x)),
    TORSOR_XACRO_MATH_1(atan, std::atan(x)),
    TORSOR_XACRO_MATH_1(sinh, std::sinh(x)),
    TORSOR_XACRO_MATH_1(cosh, std::cosh(x)),
    TORSOR_XACRO_MATH_1(tanh, std::tanh(x)),
    TORSOR_XACRO_MATH_1(asinh, std::asinh(x)),
    TORSOR_XACRO_MATH_1(acosh, std::acosh(x)),
    TORSOR_XACRO_MATH_1(atanh, std::atanh(x)),
    TORSOR_XACRO_MATH_1(sqrt, std::sqrt(x)),
    TORSOR_XACRO_MATH_1(cbrt, std::cbrt(x)),
    TORSOR_XACRO_MATH_1(exp, std::exp(x)),
    TORSOR_XACRO_MATH_1(expm1, std::expm1(x)),
    TORSOR_XACRO_MATH_1(log2, std::log2(x)),
    TORSOR_XACRO_MATH_1(log10, std::log10(x)),
    TORSOR_XACRO_MATH_1(log1p, std::log1p(x)),
    TORSOR_XACRO_MATH_1(fabs, std::abs(x)),
    // multiplied and divided in Python's order
    TORSOR_XACRO_MATH_1(radians, x * (std::numbers::pi / 180)),
    TORSOR_XACRO_MATH_1(degrees, x * (180 / std::numbers::pi)),
    TORSOR_XACRO_MATH_1(erf, std::erf(x)),
    TORSOR_XACRO_MATH_1(gamma, std::tgamma(x)),
    TORSOR_XACRO_MATH_2(atan2, std::atan2(x, y)),
    TORSOR_XACRO_MATH_2(fmod, std::fmod(x, y)),
    TORSOR_XACRO_MATH_2(copysign, std::copysign(x, y)),
    TORSOR_XACRO_MATH_2(pow, std::pow(x, y)),
    TORSOR_XACRO_MATH_2(remainder, std::remainder(x, y)),
    {"log",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "log", 1, 2);
       const double x = log_of(real(a.values[0], "log()"));
       if (a.values.size() == 1) return x;
       const double base = log_of(real(a.values[1], "log()"));
       if (base == 0) throw XacroError("division by zero");
       return x / base;
     }},
    {"hypot",
     [](Arguments& a, Context&) -> XacroValue {
       double h = 0;
       for (const XacroValue& v : a.values) h = std::hypot(h, real(v, "hypot()"));
       return h;
     }},
    {"floor",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "floor", 1, 1);
       if (!a.values[0].as<double>()) return whole(a.values[0], "floor()");
       return whole_of(std::floor(*a.values[0].as<double>()));
     }},
    {"ceil",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "ceil", 1, 1);
       if (!a.values[0].as<double>()) return whole(a.values[0], "ceil()");
       return whole_of(std::ceil(*a.values[0].as<double>()));
     }},
    {"trunc",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "trunc", 1, 1);
       if (!a.values[0].as<double>()) return whole(a.values[0], "trunc()");
       return whole_of(std::trunc(*a.values[0].as<double>()));
     }},
    {"isnan",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "isnan", 1, 1), std::isnan(real(a.values[0], "isnan()"));
     }},
    {"isinf",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "isinf", 1, 1), std::isinf(real(a.values[0], "isinf()"));
     }},
    {"isfinite",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "isfinite", 1, 1), std::isfinite(real(a.values[0], "isfinite()"));
     }},
};

/// The least or the largest of the arguments, or of the one list.
XacroValue extreme(const Arguments& a, std::string_view name, int sign) {
  count(a, name, 1, xacro_longest);
  const XacroItems items = a.values.size() == 1 ? items_of(a.values[0]) : a.values;
  if (items.empty()) throw XacroError(fmt::format("{}() of an empty list", name));
  const XacroValue* best = &items[0];
  for (const XacroValue& v : items)
    if (order(v, *best) == sign) best = &v;
  return *best;
}

XacroValue rounded(const Arguments& a) {
  count(a, "round", 1, 2);
  const XacroValue& x = a.values[0];
  std::int64_t room = 0;
  const auto* i = x.whole(room);
  if (a.values.size() == 1 || a.values[1].as<XacroValue::None>()) {
    if (i) return *i;
    return whole_of(std::nearbyint(real(x, "round()")));  // halves to even
  }
  const std::int64_t digits = whole(a.values[1], "round()");
  if (i && digits >= 0) return *i;
  const double value = real(x, "round()");
  if (digits > 300 || !std::isfinite(value)) return value;
  if (digits < 0) {
    if (i) throw XacroError("round() of a whole number to tens is not read");
    if (digits < -300) return std::copysign(0.0, value);
    const double scale = std::pow(10.0, static_cast<double>(-digits));
    return std::nearbyint(value / scale) * scale;
  }
  // through decimals, which rounds the exact value, as Python does
  return std::strtod(fmt::format("{:.{}f}", value, digits).c_str(), nullptr);
}

XacroValue range_of(const Arguments& a) {
  count(a, "range", 1, 3);
  const std::int64_t first = a.values.size() > 1 ? whole(a.values[0], "range()") : 0,
                     end = whole(a.values[a.values.size() > 1 ? 1 : 0], "range()"),
                     step = a.values.size() > 2 ? whole(a.values[2], "range()") : 1;
  if (step == 0) throw XacroError("range() with step 0");
  XacroItems items;
  for (std::int64_t at = first; step > 0 ? at < end : at > end;) {
    if (items.size() == 100'000) throw XacroError("a list becomes too long");
    items.emplace_back(at);
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  XacroValue list = xacro_list(std::move(items));
  std::get<XacroList>(list.is).written =
      step == 1 ? fmt::format("range({}, {})", first, end) : fmt::format("range({}, {}, {})", first, end, step);
  return list;
}

XacroValue whole_from(const Arguments& a) {
  count(a, "int", 0, 2);
  if (a.values.empty()) return std::int64_t{0};
  const XacroValue& v = a.values[0];
  std::int64_t i = 0;
  if (const auto* text = v.as<std::string>()) {
    if (a.values.size() == 2) throw XacroError("int() with a base is not read");
    if (parse_python_int(*text, i)) return i;
    throw XacroError(fmt::format("\"{}\" is no whole number", excerpt(*text)));
  }
  if (const auto* x = v.as<double>()) return whole_of(std::trunc(*x));
  return whole(v, "int()");
}

XacroValue real_from(const Arguments& a) {
  count(a, "float", 0, 1);
  if (a.values.empty()) return 0.0;
  double x = 0;
  if (const auto* text = a.values[0].as<std::string>()) {
    if (parse_python_float(*text, x)) return x;
    throw XacroError(fmt::format("\"{}\" is no number", excerpt(*text)));
  }
  return real(a.values[0], "float()");
}

void set_key(XacroPairs& pairs, const XacroValue& key, XacroValue value) {
  for (auto& [k, v] : pairs)
    if (equal(k, key)) {
      v = std::move(value);
      return;
    }
  pairs.emplace_back(key, std::move(value));
}

XacroValue dict_from(const Arguments& a) {
  XacroPairs pairs;
  if (a.values.size() > 1) throw XacroError("dict() takes one list of pairs");
  for (const XacroValue& v : a.values) {
    if (const auto* dict = v.as<XacroDict>()) pairs = *dict->pairs;
    else
      for (const XacroValue& item : items_of(v)) {
        const XacroItems pair = items_of(item);
        if (pair.size() != 2) throw XacroError("dict() wants pairs");
        set_key(pairs, pair[0], pair[1]);
      }
  }
  for (const auto& [key, value] : a.named) set_key(pairs, key, value);
  return xacro_dict(std::move(pairs));
}

XacroItems sorted_items(const Arguments& a) {
  if (a.values.size() != 1) throw XacroError("sorted() takes one list");
  bool down = false;
  for (const auto& [key, value] : a.named) {
    if (key != "reverse") throw XacroError(fmt::format("sorted() with {} is not read", excerpt(key)));
    down = truth(value);
  }
  XacroItems items = items_of(a.values[0]);
  std::stable_sort(items.begin(), items.end(),
                   [&](const XacroValue& x, const XacroValue& y) { return order(x, y) == (down ? 1 : -1); });
  return items;
}

const XacroFunction python_functions[] = {
    {"len",
     [](Arguments& a, Context&) -> XacroValue { return count(a, "len", 1, 1), std::ssize(items_of(a.values[0])); }},
    {"str",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "str", 0, 1), a.values.empty() ? "" : to_text(a.values[0]);
     }},
    {"repr", [](Arguments& a, Context&) -> XacroValue { return count(a, "repr", 1, 1), to_repr(a.values[0]); }},
    {"float", [](Arguments& a, Context&) -> XacroValue { return real_from(a); }},
    {"int", [](Arguments& a, Context&) -> XacroValue { return whole_from(a); }},
    {"bool",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "bool", 0, 1), !a.values.empty() && truth(a.values[0]);
     }},
    {"min", [](Arguments& a, Context&) -> XacroValue { return extreme(a, "min", -1); }},
    {"max", [](Arguments& a, Context&) -> XacroValue { return extreme(a, "max", 1); }},
    {"round", [](Arguments& a, Context&) -> XacroValue { return rounded(a); }},
    {"range", [](Arguments& a, Context&) -> XacroValue { return range_of(a); }},
    {"sorted", [](Arguments& a, Context&) -> XacroValue { return xacro_list(sorted_items(a)); }},
    {"list",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "list", 0, 1), xacro_list(a.values.empty() ? XacroItems{} : items_of(a.values[0]));
     }},
    {"tuple",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "tuple", 0, 1), xacro_list(a.values.empty() ? XacroItems{} : items_of(a.values[0]), true);
     }},
    {"dict", [](Arguments& a, Context&) -> XacroValue { return dict_from(a); }},
    {"abs",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "abs", 1, 1);
       if (a.values[0].as<double>()) return std::abs(*a.values[0].as<double>());
       const std::int64_t i = whole(a.values[0], "abs()");
       return i < 0 ? binary("-", std::int64_t{0}, i) : XacroValue(i);
     }},
    {"sum",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "sum", 1, 2);
       XacroValue total = a.values.size() == 2 ? a.values[1] : XacroValue(std::int64_t{0});
       for (const XacroValue& v : items_of(a.values[0])) total = binary("+", total, v);
       return total;
     }},
    {"all",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "all", 1, 1), std::ranges::all_of(items_of(a.values[0]), truth);
     }},
    {"any",
     [](Arguments& a, Context&) -> XacroValue {
       return count(a, "any", 1, 1), std::ranges::any_of(items_of(a.values[0]), truth);
     }},
    {"reversed",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "reversed", 1, 1);
       XacroItems items = items_of(a.values[0]);
       std::ranges::reverse(items);
       return xacro_list(std::move(items));
     }},
    {"enumerate",
     [](Arguments& a, Context&) -> XacroValue {
       count(a, "enumerate", 1, 2);
       std::int64_t k = a.values.size() == 2 ? whole(a.values[1], "enumerate()") : 0;
       XacroItems out;
       for (XacroValue& v : items_of(a.values[0])) out.push_back(xacro_list({k++, std::move(v)}, true));
       return xacro_list(std::move(out));
     }},
    {"zip",
     [](Arguments& a, Context&) -> XacroValue {
       std::vector<XacroItems> lists;
       std::size_t least = a.values.empty() ? 0 : xacro_longest;
       for (const XacroValue& v : a.values) lists.push_back(items_of(v)), least = std::min(least, lists.back().size());
       XacroItems out;
       for (std::size_t k = 0; k < least; ++k) {
         XacroItems row;
         for (const XacroItems& list : lists) row.push_back(list[k]);
         out.push_back(xacro_list(std::move(row), true));
       }
       return xacro_list(std::move(out));
     }},
    {"map",
     [](Arguments& a, Context& c) -> XacroValue {
       count(a, "map", 2, 2);
       XacroItems out;
       for (XacroValue& v : items_of(a.values[1])) {
         Arguments one{{std::move(v)}, {}};
         out.push_back(call_value(a.values[0], one, c));
       }
       return xacro_list(std::move(out));
     }},
};

std::string joined_words(const Arguments& a) {
  std::string text;
  for (const XacroValue& v : a.values) text += (text.empty() ? "" : " ") + to_text(v);
  return text;
}

const XacroFunction xacro_functions[] = {
    {"load_yaml",
     [](Arguments& a, Context& c) -> XacroValue {
       return count(a, "load_yaml", 1, 1), c.load_yaml(to_text(a.values[0]));
     }},
    {"abs_filename",
     [](Arguments& a, Context& c) -> XacroValue {
       return count(a, "abs_filename", 1, 1), c.file_name(to_text(a.values[0]));
     }},
    {"dotify", [](Arguments& a, Context&) -> XacroValue { return xacro_dotted(dict_from(a)); }},
    {"arg",
     [](Arguments& a, Context& c) -> XacroValue { return count(a, "arg", 1, 1), c.argument(to_text(a.values[0])); }},
    {"message", [](Arguments& a, Context& c) -> XacroValue { return c.say(joined_words(a)), ""; }},
    {"warning", [](Arguments& a, Context& c) -> XacroValue { return c.say(joined_words(a)), ""; }},
    {"error", [](Arguments& a, Context& c) -> XacroValue { return c.say(joined_words(a)), ""; }},
    {"print_location", [](Arguments&, Context&) -> XacroValue { return ""; }},
    {"fatal",
     [](Arguments& a, Context&) -> XacroValue {
       throw XacroError(fmt::format("the file refuses: {}", joined_words(a)), "", "xacro-fatal");
     }},
    {"tokenize",
     [](Arguments& a, Context&) -> XacroValue {
       if (a.values.empty() || a.values.size() > 3)
         throw XacroError("tokenize() takes a text, separators, and whether empty pieces are left out");
       const std::string text = to_text(a.values[0]);
       std::string separators = a.values.size() > 1 ? to_text(a.values[1]) : ",; ";
       bool skip = a.values.size() < 3 || truth(a.values[2]);
       for (const auto& [key, value] : a.named) {
         if (key == "sep")
           separators = to_text(value);
         else if (key == "skip_empty")
           skip = truth(value);
         else
           throw XacroError(fmt::format("tokenize() takes no \"{}\"", excerpt(key)));
       }
       XacroItems pieces;
       for (std::size_t at = 0; at <= text.size();) {
         const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
         if (!skip || end > at) pieces.emplace_back(text.substr(at, end - at));
         at = end + 1;
       }
       return xacro_list(std::move(pieces));
     }},
};

struct Builtins {
  std::unordered_map<std::string, XacroValue> all, math, python, xacro;

  Builtins() {
    static const XacroFunction spaces[] = {{"math", nullptr}, {"python", nullptr}, {"xacro", nullptr}};
    for (const XacroFunction& f : python_functions) python.emplace(f.name, &f);
    for (const XacroFunction& f : math_functions) math.emplace(f.name, &f);
    for (const XacroFunction& f : xacro_functions) xacro.emplace(f.name, &f);
    math.emplace("pi", std::numbers::pi);
    math.emplace("e", std::numbers::e);
    math.emplace("tau", 2 * std::numbers::pi);
    math.emplace("inf", std::numeric_limits<double>::infinity());
    math.emplace("nan", std::numeric_limits<double>::quiet_NaN());
    all = python;
    all.insert(math.begin(), math.end());
    for (const char* name : {"load_yaml", "abs_filename", "dotify"}) all.emplace(name, xacro.at(name));
    for (const XacroFunction& space : spaces) all.emplace(space.name, &space);
  }
};

const Builtins& builtins() {
  static const Builtins known;
  return known;
}

}  // namespace

const XacroValue* builtin_name(const std::string& name) {
  const auto found = builtins().all.find(name);
  return found == builtins().all.end() ? nullptr : &found->second;
}

const XacroValue* builtin_member(std::string_view space, const std::string& name) {
  const auto& names = space == "math" ? builtins().math : space == "python" ? builtins().python : builtins().xacro;
  const auto found = names.find(name);
  return found == names.end() ? nullptr : &found->second;
}

}  // namespace torsor::detail
