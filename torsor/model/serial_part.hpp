// One chain of a tree as a robot of its own: the links on the way from a base link to a tip. The joints beside the way
// are held at zero, so that what hangs on a link of the chain is rigidly part of it, and what lies inward of the base is
// where the base stands. Then the torques of the chain's joints are exactly those of the whole tree while the other joints
// rest at zero: nothing that loads the chain is left out.
#pragma once

#include "torsor/model/description.hpp"

namespace torsor {

/// Links of the tree held rigidly on a link of the chain.
struct HeldLinks {
  std::string link;                // of the chain
  std::vector<std::string> roots;  // of those held, the ones right on it, in the order of the tree
  int count = 0;                   // links, rotors that are bodies not counted
  int joints = 0;                  // of them on joints that would move
  int shapes = 0;                  // of them with shapes of a URDF, which are left out
  double mass = 0;
};

struct SerialPart {
  Description description;      // the tip's tool that is named, or its last, or else its own frame, is the default
  std::vector<HeldLinks> held;  // inward to outward
  bool base_moved = false;      // joints between the root and the base are held at zero, too
};

/// The chain from `base` (empty: the root) to `tip`, a link or else a tool, which means the link it is on. Faults: names that are no links, a tip that does not hang from the
/// base, and joints that cannot be held because they follow a joint of the chain or lead one, by mimicry or a coupling.
Result<SerialPart> serial_part(const Description& tree, const std::string& base, const std::string& tip);

}  // namespace torsor
