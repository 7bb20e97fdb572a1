// How a tree lies in lanes when one state is computed at a time: in limbs, runs of up to four bodies each on the one before
// it, side by side. A limb ends where the tree branches, so that what it carries hangs on its last body. Links that are
// fixed are one body with what carries them. A joint of several freedoms is a limb, or two, whose lanes all move one body.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

enum class LimbKind : unsigned char { chain, joint, rest_of_joint };

struct Limb {
  int parent = -1;   // limb that carries it; -1: the base
  int above = -1;    // limb that elimination goes on with: the parent, or the one before where rotors couple branches
  LimbKind kind = LimbKind::chain;
  int count = 0;     // coordinates in its lanes, 1 .. 4
  int parts = 1;     // of a joint: how many limbs it takes, this one and those right behind it
  int q = 0, v = 0;  // the first of them
  int body = 0;      // first body of a chain, the body of a joint
};

/// Two limbs on one branch; own: a chain with itself. Of one joint's limbs each is neither inner nor outer.
struct LimbPair {
  enum Kind : unsigned char { own, below, same_joint } kind;
  int inner = 0, outer = 0;
};

struct LimbPlan {
  static constexpr int lanes = 4;
  /// Where the lanes of a limb start in a list that has those of all limbs.
  static constexpr std::ptrdiff_t place(int limb) { return std::ptrdiff_t{lanes} * limb; }

  Tree<double> tree;  // without the fixed links
  std::vector<Limb> limbs;
  std::vector<LimbPair> pairs;
  std::vector<std::vector<int>> children;  // for each limb: those that it carries
  std::vector<std::vector<int>> way_in;    // for each limb: itself, and those that its elimination passes
  std::vector<std::vector<int>> beyond;    // for each limb: those whose elimination passes it
  std::vector<std::vector<int>> related;   // for each limb: itself and those with which it has derivatives
  std::vector<int> meet;                   // limbs x limbs: the outermost limb on both ways inward, -1: none
  bool branched = false;                   // some pair of limbs is not related

  std::vector<int> body_of;               // for each body of the model: the one that has its inertia now, -1: the base
  std::vector<Transform<double>> X_body;  // and where it is there

  int count() const { return static_cast<int>(limbs.size()); }
};

/// The inertias of the tree once more; allocates nothing.
void refill(const Tree<double>&, LimbPlan&);

/// None for a tree whose coordinates are shared (mimic joints), or that has none, or so many that the matrices of all pairs
/// of limbs, on which the kernels work, are larger than what they save is worth.
std::optional<LimbPlan> limb_plan(const Tree<double>&);

}  // namespace torsor
