// What a motion asks of a robot, in the few numbers by which designs are compared: the largest torque of every joint, the
// energy that the joints take and give back, and how strongly the joints are coupled, k_ij = |d_ij| / sqrt(d_ii d_jj), over the instants of the motion. The
// largest torque is looked for between them as well.
#pragma once

#include "torsor/model/model.hpp"
#include "torsor/structure/course.hpp"

namespace torsor {

struct MotionEffect {
  std::vector<double> peak;     // per coordinate: largest |tau|, friction and rotors included
  double energy = 0;            // sum over joints of the integral of |tau qd| [J]
  double coupling_mean = 0;     // of k_ij over pairs and instants
  double coupling_largest = 0;  // of them all
};

/// At the instants of the course, peaks also between them; joints of one degree of freedom.
MotionEffect motion_effect(const Model<double>&, const Course&);

}  // namespace torsor
