#include <algorithm>
#include <array>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;

std::size_t place(int i) { return static_cast<std::size_t>(i); }

std::array<int, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

}  // namespace

std::vector<int> count_uses(const Tape& tape) {
  std::vector<int> uses(tape.nodes().size(), 0);
  for (const Node& node : tape.nodes())
    for (const int operand : operands(node))
      if (operand >= 0) ++uses[place(operand)];
  for (const Output& output : tape.outputs()) ++uses[place(output.node)];
  return uses;
}

int most_waiting(const Tape& tape) {
  std::vector<int> left = count_uses(tape);
  for (const Output& output : tape.outputs()) --left[place(output.node)];
  int waiting = 0, most = 0;
  for (std::size_t i = 0; i < tape.nodes().size(); ++i) {
    const Node& node = tape.nodes()[i];
    if (is_leaf(node.operation)) continue;
    for (const int operand : operands(node))
      if (operand >= 0 && --left[place(operand)] == 0 && !is_leaf(node_at(tape, operand).operation)) --waiting;
    if (left[i] > 0) ++waiting;
    most = std::max(most, waiting);
  }
  return most;
}

Tape schedule(const Tape& tape) { return tape; }

Tape tidy_for_code(const Tape& tape) {
  return schedule(live(order_sums(settle_signs(live(share(fold(tape)))))));
}

}  // namespace torsor
