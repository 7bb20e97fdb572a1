// How a chain is cut out of a tree: where the joints rest that are not its own, and what becomes of those that move with it.
#pragma once

#include <map>
#include <string>

namespace torsor {

/// Joints that move with a joint on the other side of the cut, by mimicry. carry: they still do, as a branch on the chain, or
/// with a joint of the chain that followed as their leader, so that the torques are exact. freeze: each side rests, so that
/// what is left is a single chain; its poses are exact, its torques those of the tree with the followers at rest.
enum class Followers { carry, freeze };

struct ChainOptions {
  /// Joints by name and where they are held (rad, m), beside the chain or on it; all others beside it rest at zero.
  std::map<std::string, double> hold = {};
  Followers followers = Followers::carry;
};

}  // namespace torsor
