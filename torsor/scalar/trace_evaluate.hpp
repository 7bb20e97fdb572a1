// A tape run again over any number: double for a check, Dual for derivatives, Trace to record it elsewhere, Interval for
// bounds. A number that is a Ring only serves the tapes that have sums and products only.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "torsor/expect.hpp"
#include "torsor/scalar/concepts.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

namespace detail {

// one operation on numbers; b is ignored by the operations of one argument, c by all but select
template <Ring T>
T apply(Operation op, const T& a, const T& b, const T& c) {
  switch (op) {
    case Operation::add: return a + b;
    case Operation::sub: return a - b;
    case Operation::mul: return a * b;
    case Operation::neg: return -a;
    default: break;
  }
  if constexpr (Analytic<T>) {
    switch (op) {
      case Operation::div: return a / b;
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
      default: break;
    }
  }
  if constexpr (Ordered<T>) {
    if (op == Operation::less) return select(a < b, T(1), T(0));
    if (op == Operation::select) return select(T(0) < c, a, b);
  }
  TORSOR_EXPECT(false);  // a leaf, or an operation that T does not have
  return a;
}

}  // namespace detail

/// Runs one tape again and again, in memory of its own: nothing is allocated after the first run. The tape outlives it.
template <Ring T = double>
class TapeRun {
 public:
  explicit TapeRun(const Tape& tape) : tape_(&tape) { values_.reserve(tape.nodes().size()); }

  /// For inputs in the order they were created.
  void run(std::type_identity_t<std::span<const T>> inputs) {
    TORSOR_EXPECT(inputs.size() == tape_->inputs().size());
    values_.clear();
    const auto value_of = [&](int node) -> const T& { return values_[static_cast<std::size_t>(node)]; };
    std::size_t next_input = 0;
    for (const Node& node : tape_->nodes()) {
      const Operation op = node.operation;
      if (op == Operation::input)
        values_.push_back(inputs[next_input++]);
      else if (is_leaf(op))
        values_.push_back(T(node.value));
      else
        values_.push_back(detail::apply<T>(op, value_of(node.a), value_of(is_binary(op) ? node.b : node.a),
                                           value_of(node.c >= 0 ? node.c : node.a)));
    }
  }

  /// Output k of the last run, in the order they were marked.
  const T& output(std::size_t k) const { return values_[static_cast<std::size_t>(tape_->outputs()[k].node)]; }

 private:
  const Tape* tape_;
  std::vector<T> values_;
};

/// The outputs of the tape, in the order they were marked, for inputs in the order they were created.
template <Ring T = double>
std::vector<T> evaluate(const Tape& tape, std::type_identity_t<std::span<const T>> inputs) {
  TapeRun<T> once(tape);
  once.run(inputs);
  std::vector<T> results;
  for (std::size_t k = 0; k < tape.outputs().size(); ++k) results.push_back(once.output(k));
  return results;
}

}  // namespace torsor
