// What holds of the axes of a robot in every position, decided exactly as the structure is: which are parallel, at right
// angles, in one plane, along gravity or across it, and about which the masses beyond are balanced. These are the reasons
// for which coefficients vanish.
//
// With the screws s = (w, v) about the world's origin, u the direction of a turn (w) or a slide (v), C s = (n, f):
//
//   parallel        u_i x u_j = 0          right angle   u_i . u_j = 0         in one plane   w_i . v_j + v_i . w_j = 0
//   along gravity   u x g = 0              across        u . g = 0
//   balanced        f = 0: turning leaves the mass centre where it is; in its own plane too if n x w = 0
#pragma once

#include "torsor/numeric/row_major.hpp"
#include "torsor/structure/exact_structure.hpp"

namespace torsor {

struct JointFacts {
  bool slides = false;
  bool along_gravity = true, across_gravity = true;  // both, where there is no gravity
  bool massless = true;                              // it moves no mass
  bool balanced = true;                              // the mass centre of what it moves lies on its axis
  bool principal = true;                             // and its axis is a principal one of what it moves
};

/// Of two joints on one path to the base.
struct PairFacts {
  bool one_path = false;
  bool parallel = true, right_angle = true, one_plane = true, coaxial = true;
};

struct AxisFacts {
  int n = 0;
  std::vector<JointFacts> joints;
  std::vector<PairFacts> pairs;  // [i * n + j], symmetric

  const PairFacts& operator()(int i, int j) const { return pairs[cell(i, n, j)]; }
};

/// The facts of a robot whose joints have a coordinate each (n = 0 where some share one); with the rounds of the structure.
AxisFacts axis_facts(const ExactRobot&, Level, const ExactOptions& = {});

}  // namespace torsor
