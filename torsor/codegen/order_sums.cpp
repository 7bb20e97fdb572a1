#include <algorithm>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;

bool is_sum(const Node& node) { return node.operation == Operation::add || node.operation == Operation::sub; }

struct SumTerm {
  int node = 0;  // of the new tape
  bool is_negative = false, is_product = false;
  int depth = 0;
};

/// Products behind plain terms, for each of them then goes with its addition; late results behind early ones, so that a
/// chain of additions waits for one of them only. A chain begins with a positive term, if there is any.
void put_in_order(std::vector<SumTerm>& terms) {
  std::stable_sort(terms.begin(), terms.end(), [](const SumTerm& x, const SumTerm& y) {
    return x.is_product != y.is_product ? y.is_product : x.depth < y.depth;
  });
  const auto positive = std::find_if(terms.begin(), terms.end(), [](const SumTerm& t) { return !t.is_negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
}

}  // namespace

Tape order_sums(const Tape& tape) {
  const std::vector<int> uses = count_uses(tape);
  // the sums that some other sum takes as its only user are taken apart there
  std::vector<bool> is_inner(tape.nodes().size(), false);
  for (const Node& node : tape.nodes())
    if (is_sum(node))
      for (const int operand : {node.a, node.b})
        is_inner[static_cast<std::size_t>(operand)] =
            is_sum(node_at(tape, operand)) && uses[static_cast<std::size_t>(operand)] == 1;

  Tape result(tape.stages());
  std::vector<int> renamed(tape.nodes().size(), -1), depth(tape.nodes().size(), 0);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto rename = [&](int i) {
    if (i >= 0 && renamed[at(i)] < 0 && is_leaf(node_at(tape, i).operation))
      renamed[at(i)] = result.append(node_at(tape, i));
    return i < 0 ? -1 : renamed[at(i)];
  };
  const auto collect = [&](auto&& self, int i, bool is_negative, std::vector<SumTerm>& terms) -> void {
    const Node& node = node_at(tape, i);
    for (const bool second : {false, true}) {
      const int operand = second ? node.b : node.a;
      const bool sign = is_negative != (second && node.operation == Operation::sub);
      if (is_inner[at(operand)])
        self(self, operand, sign, terms);
      else
        terms.push_back({rename(operand), sign,
                         node_at(tape, operand).operation == Operation::mul && uses[at(operand)] == 1,
                         depth[at(operand)]});
    }
  };

  for (int i = 0; i < static_cast<int>(tape.nodes().size()); ++i) {
    Node node = node_at(tape, i);
    if (node.operation == Operation::input) rename(i);
    if (is_leaf(node.operation)) continue;
    for (const int operand : {node.a, node.b, node.c})
      if (operand >= 0) depth[at(i)] = std::max(depth[at(i)], depth[at(operand)] + 1);
    if (is_inner[at(i)]) continue;
    if (!is_sum(node)) {
      node.a = rename(node.a);
      node.b = rename(node.b);
      node.c = rename(node.c);
      renamed[at(i)] = result.append(node);
      continue;
    }
    std::vector<SumTerm> terms;
    collect(collect, i, false, terms);
    put_in_order(terms);
    int sum = terms.front().node;
    const bool all_negative = terms.front().is_negative;
    for (std::size_t k = 1; k < terms.size(); ++k)
      sum = result.append({.operation = terms[k].is_negative != all_negative ? Operation::sub : Operation::add,
                           .a = sum, .b = terms[k].node, .stage = node.stage});
    if (all_negative) sum = result.append({.operation = Operation::neg, .a = sum, .stage = node.stage});
    renamed[at(i)] = sum;
  }
  for (const Output& output : tape.outputs()) result.append(Output{rename(output.node), output.name});
  return result;
}

}  // namespace torsor
