// A tape run again over any Analytic number: double for a check, Dual for derivatives, Trace to record it elsewhere.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/scalar/concepts.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

namespace detail {

// one operation on numbers; b is ignored by the operations of one argument
template <Analytic T>
T apply(Operation op, const T& a, const T& b) {
  switch (op) {
    case Operation::add: return a + b;
    case Operation::sub: return a - b;
    case Operation::mul: return a * b;
    case Operation::div: return a / b;
    case Operation::neg: return -a;
    case Operation::sqrt: return sqrt(a);
    case Operation::sin: return sin(a);
    case Operation::cos: return cos(a);
    case Operation::exp: return exp(a);
    case Operation::atan2: return atan2(a, b);
    case Operation::abs:
      // a number without an order still has |a| and its derivative
      if constexpr (requires { abs(a); })
        return abs(a);
      else
        return sqrt(a * a);
    case Operation::structural:
    case Operation::constant:
    case Operation::input: break;
  }
  TORSOR_EXPECT(!is_leaf(op));
  return a;
}

}  // namespace detail

/// The outputs of the tape, in the order they were marked, for inputs in the order they were created.
template <Analytic T = double>
std::vector<T> evaluate(const Tape& tape, std::type_identity_t<std::span<const T>> inputs) {
  TORSOR_EXPECT(inputs.size() == tape.inputs().size());
  std::vector<T> values;
  values.reserve(tape.nodes().size());
  const auto value_of = [&](int node) -> const T& { return values[static_cast<std::size_t>(node)]; };

  std::size_t next_input = 0;
  for (const Node& node : tape.nodes()) {
    const Operation op = node.operation;
    if (op == Operation::input)
      values.push_back(inputs[next_input++]);
    else if (is_leaf(op))
      values.push_back(T(node.value));
    else
      values.push_back(detail::apply<T>(op, value_of(node.a), value_of(is_binary(op) ? node.b : node.a)));
  }

  std::vector<T> results;
  for (const Output& output : tape.outputs()) results.push_back(value_of(output.node));
  return results;
}

}  // namespace torsor
