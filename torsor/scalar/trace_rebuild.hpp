// How a pass over a tape is written: the nodes in their order, each placed anew by the pass.
#pragma once

#include <vector>

#include "torsor/scalar/trace.hpp"

namespace torsor::detail {

inline const Node& node_at(const Tape& tape, int index) { return tape.nodes()[static_cast<std::size_t>(index)]; }

// copies inputs and outputs; each operation, its operands already those of the new tape, goes through `place`, which
// returns the node that now stands for it; constants follow when something needs them
template <class Place>
Tape rebuild(const Tape& tape, Place&& place) {
  Tape result(tape.stages());
  std::vector<int> renamed(tape.nodes().size(), -1);
  const auto rename = [&](int index) {
    int& target = renamed[static_cast<std::size_t>(index)];
    if (target < 0 && is_leaf(node_at(tape, index).operation)) target = result.append(node_at(tape, index));
    return target;
  };

  for (int i = 0; i < static_cast<int>(tape.nodes().size()); ++i) {
    Node node = node_at(tape, i);
    if (node.operation == Operation::input) rename(i);
    if (is_leaf(node.operation)) continue;
    renamed[static_cast<std::size_t>(i)] = place(result, i, [&] {
      node.a = rename(node.a);
      if (is_binary(node.operation)) node.b = rename(node.b);
      if (node.c >= 0) node.c = rename(node.c);
      return node;
    });
  }
  for (const Output& output : tape.outputs()) result.append(Output{rename(output.node), output.name});
  return result;
}

}  // namespace torsor::detail
