#include <cmath>
#include <utility>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;

bool is_constant(const Tape& tape, int i) { return node_at(tape, i).operation <= Operation::constant; }

int constant(Tape& tape, double value) {
  const bool is_structural = value == 0 || value == 1 || value == -1;
  return tape.append({.operation = is_structural ? Operation::structural : Operation::constant, .value = value});
}

/// Appends an operation whose operands are settled already.
int settled(Tape& tape, Node node) {
  const int stage = node.stage;
  const auto then = [&](Operation op, int a, int b = -1) {
    return settled(tape, {.operation = op, .a = a, .b = b, .stage = stage});
  };
  const auto is_negation = [&](int i) { return node_at(tape, i).operation == Operation::neg; };
  const auto inside = [&](int i) { return node_at(tape, i).a; };
  const auto value = [&](int i) { return node_at(tape, i).value; };

  switch (node.operation) {
    case Operation::neg:
      if (is_negation(node.a)) return inside(node.a);
      if (is_constant(tape, node.a)) return constant(tape, -value(node.a));
      break;
    case Operation::add:
      if (is_negation(node.a) && is_negation(node.b))
        return then(Operation::neg, then(Operation::add, inside(node.a), inside(node.b)));
      if (is_negation(node.b)) return then(Operation::sub, node.a, inside(node.b));
      if (is_negation(node.a)) return then(Operation::sub, node.b, inside(node.a));
      break;
    case Operation::sub:
      if (is_negation(node.a)) return then(Operation::neg, then(Operation::add, inside(node.a), node.b));
      if (is_negation(node.b)) return then(Operation::add, node.a, inside(node.b));
      break;
    case Operation::mul: {
      if (is_constant(tape, node.b)) std::swap(node.a, node.b);
      if (is_negation(node.a)) return then(Operation::neg, then(Operation::mul, inside(node.a), node.b));
      if (is_negation(node.b)) return then(Operation::neg, then(Operation::mul, node.a, inside(node.b)));
      if (!is_constant(tape, node.a)) break;
      const double k = value(node.a);
      if (is_constant(tape, node.b)) return constant(tape, k * value(node.b));
      if (k == 0) return Tape::zero;
      if (k == 1) return node.b;
      if (k < 0) return then(Operation::neg, then(Operation::mul, constant(tape, -k), node.b));
      // the inner product has its constant first
      if (const Node inner = node_at(tape, node.b); inner.operation == Operation::mul && is_constant(tape, inner.a))
        return then(Operation::mul, constant(tape, k * value(inner.a)), inner.b);
      break;
    }
    case Operation::div:
      if (is_negation(node.a)) return then(Operation::neg, then(Operation::div, inside(node.a), node.b));
      if (is_negation(node.b)) return then(Operation::neg, then(Operation::div, node.a, inside(node.b)));
      break;
    default: break;
  }
  return tape.append(std::move(node));
}

/// Negations that are left: a single use lets what is negated take the sign.
Tape absorbed(const Tape& tape) {
  const std::vector<int> uses = count_uses(tape);
  std::vector<bool> is_turned(tape.nodes().size(), false);
  for (const Node& node : tape.nodes()) {
    if (node.operation != Operation::neg || uses[static_cast<std::size_t>(node.a)] != 1) continue;
    const Node& inner = node_at(tape, node.a);
    is_turned[static_cast<std::size_t>(node.a)] =
        inner.operation == Operation::sub ||
        (inner.operation == Operation::mul && (is_constant(tape, inner.a) || is_constant(tape, inner.b)));
  }
  return detail::rebuild(tape, [&](Tape& result, int index, auto&& renamed) {
    Node node = renamed();
    const Node& before = node_at(tape, index);
    if (before.operation == Operation::neg && is_turned[static_cast<std::size_t>(before.a)]) return node.a;
    if (is_turned[static_cast<std::size_t>(index)]) {
      if (node.operation == Operation::sub) {
        std::swap(node.a, node.b);
      } else {
        int& factor = is_constant(result, node.a) ? node.a : node.b;
        factor = constant(result, -node_at(result, factor).value);
      }
    }
    return result.append(std::move(node));
  });
}

}  // namespace

Tape settle_signs(const Tape& tape) {
  const Tape plain =
      detail::rebuild(tape, [](Tape& result, int, auto&& renamed) { return settled(result, renamed()); });
  return absorbed(live(share(plain)));
}

}  // namespace torsor
