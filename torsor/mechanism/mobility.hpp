// Degrees of freedom and redundant equations of a mechanism where it stands: the rank of J and who depends on whom.
// Counting joints (Gruebler, Kutzbach) only says what would be if all equations were independent.
//
//   freedoms = 6 n - rank J,   redundant = rows - rank J
//
// The rank is that of a spanning tree of joints, which is its rows, and of the loops over the freedoms of the tree
// (joint_tree.hpp), by factorisations with pivots of each set of loops that share joints. Large sets are reduced first
// (sparse_reduction.hpp): linear in the number of bodies of chains and of rows of loops, cubic only in the freedoms and
// redundancies that are then left.
#pragma once

#include "torsor/mechanism/constrained_motion.hpp"

namespace torsor {

/// One equation that follows from others, and the blocks it follows from.
struct Dependence {
  int row = 0, block = 0;
  std::vector<int> partners;  // blocks, its own left out unless its own rows are among them
};

struct MobilityReport {
  int bodies = 0, rows = 0, rank = 0;
  int freedoms = 0;  // of velocity, of all equations of the set
  int counted = 0;   // by counting alone: 6 n - rows; may be negative
  int redundant = 0;
  double gap_in_rank = 0;  // least length that counted, over the largest that did not: how sure the rank is
  std::vector<Dependence> dependences;
  std::vector<int> independent;  // coordinates of velocity (6 b + 0..5: w, v) that determine all others (Wehage & Haug)
  bool too_large = false;  // not computed: 2e9 products are needed, as for a thousand freedoms in one set of loops
};

/// Of a state whose positions are assembled; rows of length 1 that come to less than the tolerance beside others count as
/// dependent.
MobilityReport mobility(const Mechanism&, const MechanismState&, EquationSet, double tolerance = 1e-9);

/// `crank.wz`, `crank.vx`: a coordinate of velocity 6 b + 0..5 by the name of its body.
std::string coordinate_name(const Mechanism&, int coordinate);

}  // namespace torsor
