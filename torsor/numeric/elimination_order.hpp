// In what order the nodes of a sparse symmetric pattern are eliminated, and what fills in: least degree first.
// George & Liu, Computer Solution of Large Sparse Positive Definite Systems, 1981, ch. 5.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace torsor {

struct EliminationOrder {
  std::vector<int> order;
  std::vector<std::vector<int>> later;  // of each node, those it meets that are eliminated after it, fill included
};

/// Of `nodes` nodes and the pairs of different ones that are neighbours. Nodes that wait (none, or a flag for each) have a
/// diagonal block of zeros, and come after all neighbours that do not wait, whose elimination fills it: of bodies and the joints
/// between them what is then left of the joints is definite.
EliminationOrder elimination_order(int nodes, std::span<const std::pair<int, int>> neighbours,
                                   const std::vector<bool>& waits = {});

}  // namespace torsor
