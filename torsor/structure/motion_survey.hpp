// The coefficients along a motion: how large each gets, when it passes zero, how far D is diagonal, and how the terms of the
// torques compare. A coefficient passes zero where its sign changes: between two instants the root is found on the motion
// itself, by bisection. What is 1e-12 of its largest size on the motion, or smaller, counts as zero: at rest in such a place,
// a coefficient is zero for a while, from one time to another. Two zeros between neighbouring instants are missed.
#pragma once

#include "torsor/structure/course.hpp"
#include "torsor/structure/torque_split.hpp"
#include "torsor/structure/exact_structure.hpp"

namespace torsor {

/// When a coefficient is zero: for an instant, or for a while.
struct ZeroPassage {
  std::size_t coefficient = 0;
  double from = 0, to = 0;    // [s]
  bool changes_sign = false;  // else it only comes there, or starts or ends there
};

struct MotionSurvey {
  std::vector<double> times;       // the instants looked at
  std::vector<Spread> values;      // per independent coefficient; positions by number of instant
  std::vector<ZeroPassage> zeros;  // of those that do not vanish identically, coefficient by coefficient
  std::vector<std::size_t> idle;   // that do not vanish identically, but all along this motion
  std::vector<Spread> dominance;   // per coordinate: sum over j of |d_ij| / d_ii, j not i
  std::vector<Spread> coupling;    // k_ij at [i n + j], i < j
  TermSizes sizes;                 // of D qdd, C, G
  std::vector<TorqueSplit> terms;  // at every instant
};

/// Along a course of the joints; structure: what vanishes identically is not looked at.
MotionSurvey motion_survey(const Model<double>&, const ExactStructure& structure, const Course&);

}  // namespace torsor
