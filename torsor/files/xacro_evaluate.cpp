// The value of an expression: operators with Python's rules (5 / 2 is 2.5, -7 // 2 is -4, True + 1 is 2).
#include <fmt/format.h>

#include <cmath>

#include "torsor/text/utf8.hpp"
#include "torsor/files/xacro_expression.hpp"

namespace torsor::detail {
namespace {

using NodeKind = XacroNode::Kind;

[[noreturn]] void operands_fault(std::string_view op, const XacroValue& a, const XacroValue& b) {
  throw XacroError(fmt::format("\"{}\" takes no {} and {}", op, type_name(a), type_name(b)));
}
[[noreturn]] void too_large() {
  throw XacroError("a whole number becomes too large", "write a decimal point: the result is rounded then");
}

XacroValue repeat(const XacroValue& what, std::int64_t times) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
  const auto* text = what.as<std::string>();
  const auto* list = what.as<XacroList>();
  const std::size_t size = text ? text->size() : list->items->size();
  if (size > 0 && count > xacro_longest / size) throw XacroError("a text or list becomes too long");
  std::string repeated;
  XacroItems items;
  for (std::size_t k = 0; k < count && size > 0; ++k) {
    if (text) repeated += *text;
    else items.insert(items.end(), list->items->begin(), list->items->end());
  }
  if (text) return repeated;
  return xacro_list(std::move(items), list->tuple);
}

XacroValue whole_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0) throw XacroError("0 to a negative power");
    return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  }
  std::int64_t result = 1;
  if (base == 0 || base == 1) return exponent == 0 ? std::int64_t{1} : base;
  if (base == -1) return exponent % 2 == 0 ? std::int64_t{1} : base;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result)) too_large();
  return result;
}

XacroValue whole_binary(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &r) ? too_large() : void(), r;
  if (op == "-") return __builtin_sub_overflow(a, b, &r) ? too_large() : void(), r;
  if (op == "*") return __builtin_mul_overflow(a, b, &r) ? too_large() : void(), r;
  if (op == "**") return whole_power(a, b);
  if (op == "|") return a | b;
  if (op == "&") return a & b;
  if (op == "^") return a ^ b;
  if (op == "<<" || op == ">>") {
    if (b < 0 || b > 62) throw XacroError("a shift by this many bits");
    return op == "<<" ? whole_binary("*", a, std::int64_t{1} << b) : XacroValue(a >> b);
  }
  if (b == 0) throw XacroError("division by zero");
  if (op == "/") return static_cast<double>(a) / static_cast<double>(b);
  if (b == -1) return op == "%" ? XacroValue(std::int64_t{0}) : whole_binary("-", 0, a);
  const std::int64_t rest = a % b, turned = rest != 0 && (rest < 0) != (b < 0) ? 1 : 0;
  return op == "//" ? a / b - turned : rest + turned * b;
}

XacroValue real_binary(const std::string& op, double a, double b) {
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (op == "**") {
    if (a == 0 && b < 0) throw XacroError("0 to a negative power");
    if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
      throw XacroError("a negative number to a broken power");
    const double r = std::pow(a, b);
    if (std::isinf(r) && std::isfinite(a) && std::isfinite(b)) throw XacroError("a power is too large");
    return r;
  }
  if (b == 0) throw XacroError("division by zero");
  if (op == "/") return a / b;
  // Python's floor: the remainder has the sign of the divisor
  double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) rest += b, quotient -= 1;
  if (rest == 0) rest = std::copysign(0.0, b);
  if (op == "%") return rest;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

bool contains(const XacroValue& in, const XacroValue& what) {
  if (const auto* text = in.as<std::string>()) {
    const auto* piece = what.as<std::string>();
    if (!piece) operands_fault("in", what, in);
    return text->find(*piece) != std::string::npos;
  }
  if (const auto* dict = in.as<XacroDict>()) return find_key(*dict, what) != nullptr;
  for (const XacroValue& item : items_of(in))
    if (equal(item, what)) return true;
  return false;
}

bool compares(const std::string& op, const XacroValue& a, const XacroValue& b) {
  if (op == "==") return equal(a, b);
  if (op == "!=") return !equal(a, b);
  // values have no identity here: what is asked for is None, True or the same text
  if (op == "is") return a.is.index() == b.is.index() && equal(a, b);
  if (op == "is not") return !compares("is", a, b);
  if (op == "in") return contains(b, a);
  if (op == "not in") return !contains(b, a);
  const int o = order(a, b);
  if (o == 2) return false;
  return op == "<" ? o < 0 : op == "<=" ? o <= 0 : op == ">" ? o > 0 : o >= 0;
}

std::int64_t size_of(const XacroValue& v) {
  if (const auto* text = v.as<std::string>()) return static_cast<std::int64_t>(text_width(*text));
  return std::ssize(*v.as<XacroList>()->items);
}

/// Entries of a text are its characters, not its bytes.
XacroValue entry(const XacroValue& of, std::int64_t at) {
  if (const auto* list = of.as<XacroList>())
    return xacro_dotted((*list->items)[static_cast<std::size_t>(at)], list->dotted);
  std::string_view text = *of.as<std::string>();
  for (; at > 0; --at) text.remove_prefix(first_code_point(text).bytes);
  return text.substr(0, first_code_point(text).bytes);
}

XacroValue index_value(const XacroValue& of, const XacroValue& at) {
  if (const auto* dict = of.as<XacroDict>()) {
    if (const XacroValue* found = find_key(*dict, at)) return xacro_dotted(*found, dict->dotted);
    throw XacroError(fmt::format("there is no key {}", excerpt(to_repr(at))));
  }
  if (!of.as<std::string>() && !of.as<XacroList>()) throw XacroError(fmt::format("a {} has no entries", type_name(of)));
  std::int64_t i = whole(at, "an index");
  const std::int64_t size = size_of(of);
  if (i < 0) i += size;
  if (i < 0 || i >= size)
    throw XacroError(fmt::format("the index {} is out of range: there are {} entries", to_text(at), size));
  return entry(of, i);
}

XacroValue slice_value(const XacroValue& of, const XacroValue* bounds) {
  if (!of.as<std::string>() && !of.as<XacroList>()) throw XacroError(fmt::format("a {} has no entries", type_name(of)));
  const auto given = [&](int k) { return !bounds[k].as<XacroValue::None>(); };
  const std::int64_t size = size_of(of), step = given(2) ? whole(bounds[2], "a slice") : 1;
  if (step == 0) throw XacroError("a slice with step 0");
  const auto bound = [&](int k, std::int64_t otherwise) {
    if (!given(k)) return otherwise;
    std::int64_t at = whole(bounds[k], "a slice");
    if (at < 0) at += size;
    return step > 0 ? std::clamp<std::int64_t>(at, 0, size) : std::clamp<std::int64_t>(at, -1, size - 1);
  };
  const std::int64_t first = bound(0, step > 0 ? 0 : size - 1), end = bound(1, step > 0 ? size : -1);
  std::string text;
  XacroItems items;
  for (std::int64_t at = first; step > 0 ? at < end : at > end; at += step) {
    if (of.as<std::string>()) text += *entry(of, at).as<std::string>();
    else items.push_back(entry(of, at));
    if (step > size || step < -size) break;
  }
  if (of.as<std::string>()) return text;
  return xacro_dotted(xacro_list(std::move(items), of.as<XacroList>()->tuple), of.as<XacroList>()->dotted);
}

XacroValue member(const XacroValue& of, const std::string& name) {
  if (const auto* scope = of.as<XacroScope*>()) {
    if (const XacroValue* found = scope_member(*scope, name)) return *found;
    throw XacroError(fmt::format("the namespace has no property \"{}\"", excerpt(name)), "", "xacro-undefined");
  }
  if (const auto* space = of.as<const XacroFunction*>(); space && !(*space)->run) {
    if (const XacroValue* found = builtin_member((*space)->name, name)) return *found;
    throw XacroError(fmt::format("{} has no \"{}\"", (*space)->name, excerpt(name)), "", "xacro-undefined");
  }
  if (const auto* dict = of.as<XacroDict>(); dict && dict->dotted) {
    if (const XacroValue* found = find_key(*dict, name)) return xacro_dotted(*found);
    throw XacroError(fmt::format("there is no key \"{}\"", excerpt(name)), "", "xacro-undefined");
  }
  throw XacroError(fmt::format("a {} has no \".{}\"", type_name(of), excerpt(name)),
                   of.as<XacroDict>() ? "write [...], or xacro.dotify(...) round the dict" : "");
}

XacroValue evaluate_call(const XacroNode& node, XacroContext& context) {
  XacroArguments arguments;
  for (std::size_t k = 1; k < node.parts.size(); ++k) {
    XacroValue value = evaluate(*node.parts[k], context);
    if (node.names[k - 1].empty()) arguments.values.push_back(std::move(value));
    else arguments.named.emplace_back(node.names[k - 1], std::move(value));
  }
  const XacroNode& function = *node.parts[0];
  if (function.kind != NodeKind::attribute) return call_value(evaluate(function, context), arguments, context);
  const XacroValue object = evaluate(*function.parts[0], context);
  // a key of a dotted dict hides its methods
  const auto* dict = object.as<XacroDict>();
  const bool hidden = dict && dict->dotted && find_key(*dict, function.text);
  if (!hidden && (object.as<std::string>() || object.as<XacroList>() || dict))
    return call_method(object, function.text, arguments, context);
  return call_value(member(object, function.text), arguments, context);
}

XacroValue evaluate_comprehension(const XacroNode& node, XacroContext& context) {
  const XacroItems items = items_of(evaluate(*node.parts[1], context));
  XacroItems out;
  std::vector<XacroValue> bound(node.names.size());
  const auto outer = context.name;
  context.name = [&](const std::string& name) -> const XacroValue* {
    for (std::size_t k = 0; k < node.names.size(); ++k)
      if (node.names[k] == name) return &bound[k];
    return outer(name);
  };
  struct Restore {
    XacroContext& context;
    decltype(context.name) saved;
    ~Restore() { context.name = std::move(saved); }
  } restore{context, outer};
  for (const XacroValue& item : items) {
    if (node.names.size() == 1) {
      bound[0] = item;
    } else {
      bound = items_of(item);
      if (bound.size() != node.names.size()) throw XacroError("a list has not as many entries as names after \"for\"");
    }
    if (node.parts[2] && !truth(evaluate(*node.parts[2], context))) continue;
    out.push_back(evaluate(*node.parts[0], context));
  }
  return xacro_list(std::move(out));
}

XacroValue evaluate_unary(const std::string& op, const XacroValue& x) {
  if (op == "not") return !truth(x);
  std::int64_t room = 0;
  if (const auto* i = x.whole(room)) {
    if (op == "~") return ~*i;
    return op == "-" ? whole_binary("-", 0, *i) : XacroValue(*i);
  }
  const double value = real(x, fmt::format("\"{}\"", op));
  if (op == "~") throw XacroError("\"~\" wants a whole number");
  return op == "-" ? -value : value;
}

}  // namespace

XacroValue binary(const std::string& op, const XacroValue& a, const XacroValue& b) {
  const auto *s = a.as<std::string>(), *t = b.as<std::string>();
  const auto *l = a.as<XacroList>(), *m = b.as<XacroList>();
  std::int64_t x = 0, y = 0;
  const auto *i = a.whole(x), *j = b.whole(y);
  if (op == "%" && s) return percent_format(*s, b);
  if (op == "+" && s && t) {
    if (s->size() + t->size() > xacro_longest) throw XacroError("a text becomes too long");
    return *s + *t;
  }
  if (op == "+" && l && m && l->tuple == m->tuple) {
    XacroItems items = *l->items;
    items.insert(items.end(), m->items->begin(), m->items->end());
    if (items.size() > xacro_longest) throw XacroError("a list becomes too long");
    return xacro_list(std::move(items), l->tuple);
  }
  if (op == "*" && (s || l) && j) return repeat(a, *j);
  if (op == "*" && (t || m) && i) return repeat(b, *i);
  if (i && j) return whole_binary(op, *i, *j);
  if (!a.is_number() || !b.is_number() || op == "|" || op == "&" || op == "^" || op == "<<" || op == ">>")
    operands_fault(op, a, b);
  return real_binary(op, real(a, op), real(b, op));
}

XacroItems items_of(const XacroValue& value) {
  if (const auto* list = value.as<XacroList>()) {
    XacroItems items = *list->items;
    for (XacroValue& item : items) item = xacro_dotted(std::move(item), list->dotted);
    return items;
  }
  XacroItems items;
  if (const auto* dict = value.as<XacroDict>()) {
    for (const auto& [key, ignored] : *dict->pairs) items.push_back(key);
    return items;
  }
  if (const auto* all = value.as<std::string>()) {
    for (std::string_view text = *all; !text.empty();) {
      const std::size_t bytes = first_code_point(text).bytes;
      items.emplace_back(text.substr(0, bytes));
      text.remove_prefix(bytes);
    }
    return items;
  }
  throw XacroError(fmt::format("a {} cannot be gone through", type_name(value)));
}

XacroValue call_value(const XacroValue& function, XacroArguments& arguments, XacroContext& context) {
  const auto* f = function.as<const XacroFunction*>();
  if (!f || !(*f)->run) throw XacroError(fmt::format("a {} cannot be called", type_name(function)));
  return (*f)->run(arguments, context);
}

XacroValue evaluate(const XacroNode& node, XacroContext& context) {
  if (++context.steps > xacro_most_steps)
    throw XacroError("the expansion takes too long", "does a macro call itself without end?", "xacro-endless");
  // a long sum is a deep tree, and properties go on in each other's
  struct Deeper {
    int& depth;
    explicit Deeper(int& d) : depth(d) {
      if (++depth > 1000)
        throw XacroError("the expression is too deep", "make properties of its parts", "xacro-endless");
    }
    ~Deeper() { --depth; }
  } deeper(context.depth);
  const auto part = [&](std::size_t k) { return evaluate(*node.parts[k], context); };
  switch (node.kind) {
    case NodeKind::constant: return node.value;
    case NodeKind::name:
      if (const XacroValue* found = context.name(node.text)) return *found;
      throw XacroError(fmt::format("the name \"{}\" is not defined", excerpt(node.text)),
                       fmt::format("define it: <xacro:property name=\"{}\" value=\"...\"/>", excerpt(node.text)),
                       "xacro-undefined");
    case NodeKind::list:
    case NodeKind::tuple: {
      XacroItems items;
      for (const auto& p : node.parts) items.push_back(evaluate(*p, context));
      return xacro_list(std::move(items), node.kind == NodeKind::tuple);
    }
    case NodeKind::dict: {
      XacroPairs pairs;
      for (std::size_t k = 0; k < node.parts.size(); k += 2) pairs.emplace_back(part(k), part(k + 1));
      return xacro_dict(std::move(pairs));
    }
    case NodeKind::attribute: return member(part(0), node.text);
    case NodeKind::index: return index_value(part(0), part(1));
    case NodeKind::slice: {
      const XacroValue object = part(0);
      XacroValue bounds[3];
      for (std::size_t k = 0; k < 3; ++k)
        if (node.parts[k + 1]) bounds[k] = part(k + 1);
      return slice_value(object, bounds);
    }
    case NodeKind::call: return evaluate_call(node, context);
    case NodeKind::unary: return evaluate_unary(node.text, part(0));
    case NodeKind::binary: {
      const XacroValue left = part(0);
      return binary(node.text, left, part(1));
    }
    case NodeKind::compare: {
      XacroValue left = part(0);
      for (std::size_t k = 0; k < node.names.size(); ++k) {
        XacroValue right = part(k + 1);
        if (!compares(node.names[k], left, right)) return false;
        left = std::move(right);
      }
      return true;
    }
    case NodeKind::both: {
      XacroValue left = part(0);
      return truth(left) ? part(1) : left;
    }
    case NodeKind::either: {
      XacroValue left = part(0);
      return truth(left) ? left : part(1);
    }
    case NodeKind::choice: return truth(part(0)) ? part(1) : part(2);
    case NodeKind::comprehension: return evaluate_comprehension(node, context);
  }
  return {};
}

}  // namespace torsor::detail
