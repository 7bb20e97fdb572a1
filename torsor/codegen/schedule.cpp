#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_rebuild.hpp"

namespace torsor {
namespace {

using detail::node_at;

std::size_t place(int i) { return static_cast<std::size_t>(i); }

std::array<int, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

/// The nodes in another order, operands before results.
Tape reordered(const Tape& tape, const std::vector<int>& order) {
  Tape result(tape.stages());
  std::vector<int> renamed(tape.nodes().size(), -1);
  const auto rename = [&](int i) {
    if (i >= 0 && renamed[place(i)] < 0) renamed[place(i)] = result.append(node_at(tape, i));  // a leaf
    return i < 0 ? -1 : renamed[place(i)];
  };
  for (const int input : tape.inputs()) rename(input);
  for (const int i : order) {
    Node node = node_at(tape, i);
    node.a = rename(node.a);
    node.b = rename(node.b);
    node.c = rename(node.c);
    renamed[place(i)] = result.append(std::move(node));
  }
  for (const Output& output : tape.outputs()) result.append(Output{rename(output.node), output.name});
  return result;
}

/// Of what is ready, what frees the most values, two being as good as three; among equals what was recorded first.
std::vector<int> greedy(const Tape& tape) {
  const std::size_t n = tape.nodes().size();
  std::vector<int> left = count_uses(tape), missing(n, 0), freed(n, 0), order;
  std::vector<std::vector<int>> users(n);
  std::array<std::set<int>, 3> ready;  // by what they free
  const auto is_value = [&](int i) { return i >= 0 && !is_leaf(node_at(tape, i).operation); };
  const auto count_freed = [&](int i) {
    const auto [a, b, c] = operands(node_at(tape, i));
    int count = 0;
    for (const int operand : {a, b == a ? -1 : b, c == a || c == b ? -1 : c})
      if (is_value(operand)) count += left[place(operand)] == (operand == a) + (operand == b) + (operand == c) ? 1 : 0;
    return std::min(count, 2);
  };
  const auto admit = [&](int i) { ready[place(freed[place(i)] = count_freed(i))].insert(i); };
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = tape.nodes()[i];
    if (is_leaf(node.operation)) continue;
    for (const int operand : operands(node))
      if (is_value(operand)) {
        ++missing[i];
        users[place(operand)].push_back(static_cast<int>(i));
      }
    if (missing[i] == 0) admit(static_cast<int>(i));
  }
  while (true) {
    const auto most =
        std::find_if(ready.rbegin(), ready.rend(), [](const std::set<int>& some) { return !some.empty(); });
    if (most == ready.rend()) return order;
    const int best = *most->begin();
    most->erase(most->begin());
    order.push_back(best);
    for (const int operand : operands(node_at(tape, best))) {
      if (!is_value(operand)) continue;
      // a value is freed by its last user, which names it three times at most: before that nothing changes for the others
      if (--left[place(operand)] > 3) continue;
      for (const int user : users[place(operand)])
        if (ready[place(freed[place(user)])].erase(user) > 0) admit(user);
    }
    for (const int user : users[place(best)])
      if (--missing[place(user)] == 0) admit(user);
  }
}

}  // namespace

std::vector<int> count_uses(const Tape& tape) {
  std::vector<int> uses(tape.nodes().size(), 0);
  for (const Node& node : tape.nodes())
    for (const int operand : operands(node))
      if (operand >= 0) ++uses[place(operand)];
  for (const Output& output : tape.outputs()) ++uses[place(output.node)];
  return uses;
}

int count_instructions(const Tape& tape) {
  const std::vector<int> uses = count_uses(tape);
  const auto is_fused = [&](int i) { return node_at(tape, i).operation == Operation::mul && uses[place(i)] == 1; };
  int count = 0;
  for (const Node& node : tape.nodes()) {
    if (is_leaf(node.operation)) continue;
    const bool is_sum = node.operation == Operation::add || node.operation == Operation::sub;
    count += node.operation == Operation::div ? 8 : is_sum && (is_fused(node.a) || is_fused(node.b)) ? 0 : 1;
  }
  return count;
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

Tape schedule(const Tape& tape) { return reordered(tape, greedy(tape)); }

Tape tidy_for_code(const Tape& tape) {
  return schedule(live(order_sums(settle_signs(live(share(fold(tape)))))));
}

}  // namespace torsor
