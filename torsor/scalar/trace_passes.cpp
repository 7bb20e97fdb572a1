#include "torsor/scalar/trace_passes.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;
using detail::rebuild;

bool is_known(const Tape& tape, int index) { return node_at(tape, index).operation <= Operation::constant; }
bool is_negation(const Tape& tape, int index) { return node_at(tape, index).operation == Operation::neg; }

// the constant that an operation among known leaves amounts to; a structural value comes of structural leaves alone
int fold_constants(Tape& tape, const Node& node) {
  const Node &a = node_at(tape, node.a), &b = node_at(tape, is_binary(node.operation) ? node.b : node.a);
  const double value = detail::apply(node.operation, a.value, b.value, node.c < 0 ? 0.0 : node_at(tape, node.c).value);
  const bool is_structural = a.operation == Operation::structural && b.operation == Operation::structural &&
                             (value == 0.0 || value == 1.0 || value == -1.0);
  return tape.append({.operation = is_structural ? Operation::structural : Operation::constant, .value = value});
}

int fold_node(Tape& tape, Node node) {
  constexpr int zero = Tape::zero, one = Tape::one, minus_one = Tape::minus_one;
  const int a = node.a, b = node.b, stage = node.stage;
  const auto then = [&](Operation op, int x, int y = -1) {
    return fold_node(tape, {.operation = op, .a = x, .b = y, .stage = stage});
  };
  const auto inside = [&](int index) { return node_at(tape, index).a; };

  // what the structural leaves resolve, also against a design constant
  switch (node.operation) {
    case Operation::add:
      if (a == zero) return b;
      if (b == zero) return a;
      break;
    case Operation::sub:
      if (b == zero) return a;
      if (a == zero) return then(Operation::neg, b);
      break;
    case Operation::mul:
      if (a == zero || b == zero) return zero;
      if (a == one) return b;
      if (b == one) return a;
      if (a == minus_one) return then(Operation::neg, b);
      if (b == minus_one) return then(Operation::neg, a);
      break;
    case Operation::div:
      if (a == zero && b != zero) return zero;
      if (b == one) return a;
      if (b == minus_one) return then(Operation::neg, a);
      break;
    case Operation::neg:
      if (is_negation(tape, a)) return inside(a);
      break;
    case Operation::select:
      if (a == b) return a;
      if (is_known(tape, node.c)) return node_at(tape, node.c).value > 0 ? a : b;
      return tape.append(std::move(node));
    default: break;
  }

  if (is_known(tape, a) && (!is_binary(node.operation) || is_known(tape, b))) return fold_constants(tape, node);

  // signs travel outwards through products and end in sums
  switch (node.operation) {
    case Operation::add:
      if (is_negation(tape, b)) return then(Operation::sub, a, inside(b));
      if (is_negation(tape, a)) return then(Operation::sub, b, inside(a));
      break;
    case Operation::sub:
      if (is_negation(tape, b)) return then(Operation::add, a, inside(b));
      break;
    case Operation::mul:
    case Operation::div:
      if (is_negation(tape, a)) return then(Operation::neg, then(node.operation, inside(a), b));
      if (is_negation(tape, b)) return then(Operation::neg, then(node.operation, a, inside(b)));
      break;
    default: break;
  }
  return tape.append(std::move(node));
}

}  // namespace

Tape fold(const Tape& tape) {
  return rebuild(tape, [](Tape& result, int, auto&& renamed) { return fold_node(result, renamed()); });
}

Tape share(const Tape& tape) {
  std::unordered_map<std::uint64_t, int> known;
  std::map<std::array<int, 3>, int> known_choices;
  const auto key = [](Operation op, int a, int b) {
    const auto bits = [](auto x) { return static_cast<std::uint64_t>(x); };
    return bits(op) << 60 | bits(a + 1) << 30 | bits(b + 1);
  };
  return rebuild(tape, [&](Tape& result, int, auto&& renamed) {
    Node node = renamed();
    if (node.operation == Operation::select) {
      const auto [same, is_new] = known_choices.try_emplace({node.a, node.b, node.c}, 0);
      if (is_new) same->second = result.append(std::move(node));
      return same->second;
    }
    const bool commutes = node.operation == Operation::add || node.operation == Operation::mul;
    if (commutes && node.a > node.b) std::swap(node.a, node.b);
    if (const auto same = known.find(key(node.operation, node.a, node.b)); same != known.end()) return same->second;

    // the same difference the other way round costs only a sign
    if (node.operation == Operation::sub) {
      if (const auto opposite = known.find(key(Operation::sub, node.b, node.a)); opposite != known.end()) {
        node.operation = Operation::neg;
        node.a = opposite->second;
        node.b = -1;
        if (const auto same = known.find(key(node.operation, node.a, node.b)); same != known.end()) return same->second;
      }
    }
    const std::uint64_t its_key = key(node.operation, node.a, node.b);
    return known[its_key] = result.append(std::move(node));
  });
}

Tape live(const Tape& tape) {
  // operands come before results, so one walk backwards marks everything an output needs
  std::vector<bool> is_live(tape.nodes().size(), false);
  const auto mark = [&](int index) {
    if (index >= 0) is_live[static_cast<std::size_t>(index)] = true;
  };
  for (const Output& output : tape.outputs()) mark(output.node);
  for (std::size_t i = tape.nodes().size(); i-- > 0;) {
    if (!is_live[i]) continue;
    mark(tape.nodes()[i].a);
    mark(tape.nodes()[i].b);
    mark(tape.nodes()[i].c);
  }
  return rebuild(tape, [&](Tape& result, int index, auto&& renamed) {
    return is_live[static_cast<std::size_t>(index)] ? result.append(renamed()) : -1;
  });
}

}  // namespace torsor
