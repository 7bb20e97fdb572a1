// Sums of angles recombined: C2 C3 - S2 S3 is written C23 where axes 2 and 3 are parallel, and 1 - C2^2 is written S2^2.
//
// A run of r revolute joints with axes of one direction has r + 1 links that lie in parallel planes; the angles between
// any two of them, q_a + ... + q_b, are the edges of the complete graph on the links, and any spanning tree of it is a
// basis: every joint angle is a signed sum of the angles in the tree. What multiplies each product of the other letters
// is written in every basis, each angle with c^2 or with s^2 put away, and the shortest result is kept.
#pragma once

#include <map>

#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

class AngleSums {
 public:
  explicit AngleSums(const SymbolicRobot&);

  /// The letters of the robot and those of the sums.
  const Symbols& symbols() const { return symbols_; }

  /// The same function in fewer terms where possible. No Poly: a sine may be squared, and angles are not independent.
  std::vector<PolyTerm> shortest(const Poly&);

 private:
  struct Basis {
    std::vector<int> angles;  // of the tree
    std::vector<Poly> c, s;   // of the joint angles, in them
  };
  struct Run {
    std::vector<int> angles;  // of the joints
    std::vector<Basis> bases;
    std::map<std::string, std::vector<PolyTerm>> known;  // answers by what was asked
  };

  void add_run(const std::vector<int>& angles);
  const std::vector<PolyTerm>& shortest_in(Run&, const Poly& part);

  Symbols symbols_;
  std::vector<Run> runs_;
};

}  // namespace torsor
