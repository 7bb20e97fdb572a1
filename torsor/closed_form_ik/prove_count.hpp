// How many solutions a closed loop of six revolute joints has, proven: bounds that rounding cannot break, for every arm and
// pose within some units of rounding of the one given.
//
//   exclude    the circle of the joint left over is halved until M(t) of loop_elimination.hpp, made in intervals, is regular
//              for all t of an arc: there is no solution in it
//   enclose    in what remains the null vectors of M, and the joints that follow from them, are enclosed in a box
//   count      Krawczyk's operator (1969) maps the box into itself: exactly one solution; or off itself: none
//
// A loop with one side that is longer than all others together has none, without any of this.
//
// Where solutions meet, or nearly so, the boxes cannot be told apart: then nothing is proven. A cut that fails is followed
// by the next.
#pragma once

#include <span>

#include "torsor/closed_form_ik/loop_elimination.hpp"

namespace torsor {

struct CountProof {
  bool proven = false;
  int count = 0;                        // proven: exactly so many
  std::array<SixAngles, 16> solution{};  // each of them to 1e-9 rad
  int cuts = 0;                         // that were tried
  long arcs = 0;                        // that were looked at
};

/// Lengths of the loop in units of the arm. Tries the cuts in turn until one proves the count or the time [s] is over.
CountProof prove_count(const TurningLoop&, std::span<const LoopCut> cuts, double seconds);

}  // namespace torsor
