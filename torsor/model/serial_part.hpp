// One chain of a tree as a robot of its own: the links on the way from a base link to a tip. The joints beside the way
// are held, at zero unless told otherwise, so that what hangs on a link of the chain is rigidly part of it, and what lies
// inward of the base is where the base stands. Joints beside the way that follow one of its joints are carried along, or
// frozen, too. Then the torques of the chain's joints are exactly those of the whole tree while the other joints rest:
// nothing that loads the chain is left out.
#pragma once

#include "torsor/model/chain_options.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

/// Links of the tree held rigidly on a link of the chain.
struct HeldLinks {
  std::string link;                // of the chain
  std::vector<std::string> roots;  // of those held, the ones right on it, in the order of the tree
  int count = 0;                   // links, rotors that are bodies not counted
  int joints = 0;                  // of them on joints that would move
  int displaced = 0;               // of these joints those that are not held at zero
  int shapes = 0;                  // of them with shapes of a URDF, which are left out
  double mass = 0;
};

struct SerialPart {
  Description description;           // the tip's tool that is named, or its last, or else its own frame, is the default
  std::vector<HeldLinks> held;       // inward to outward
  std::vector<std::string> carried;  // links beside the chain whose joints follow one of its joints
  std::vector<std::string> frozen;   // joints of the chain that are held: fixed ones of it
  bool base_moved = false;           // joints between the root and the base are held, too
};

/// The chain from `base` (empty: the root) to `tip`, a link or else a tool, which means the link it is on. Faults: names that
/// are no links or joints, a tip that does not hang from the base, and motors that drive joints on both sides of the cut.
Result<SerialPart> serial_part(const Description& tree, const std::string& base, const std::string& tip,
                               const ChainOptions& options = {});

/// What was held, carried and left out, in sentences without a full stop.
std::vector<std::string> sentences(const SerialPart& part);

}  // namespace torsor
