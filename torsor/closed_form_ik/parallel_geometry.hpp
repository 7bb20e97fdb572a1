// What arms with axes 2, 3 and 4 parallel have in common whatever the pose, and vectors in the plane across those axes; the
// letters are those of parallel_arm.cpp.
#pragma once

#include <cmath>

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"

namespace torsor::detail {

struct Plane {
  double x = 0, y = 0;
};
inline Plane turned(double c, double s, const Plane& v) { return {c * v.x - s * v.y, s * v.x + c * v.y}; }
inline double length(const Plane& v) { return hypotenuse(v.x, v.y); }

/// s2 and s23: senses of axes 3 and 4; k: of p along axis 2; f: from axis 4 to p across the axes where psi is zero.
struct ParallelGeometry {
  explicit ParallelGeometry(const ParallelArm& arm)
      : s2(arm[2].ca),
        s23(arm[2].ca * arm[3].ca),
        k(arm[2].d + s2 * arm[3].d + s23 * (arm[4].d + arm[4].ca * arm[5].d)),
        a2(std::abs(arm[2].a)),
        a3(std::abs(arm[3].a)),
        f{arm[4].a, -s23 * arm[4].sa * arm[5].d},
        twists{s23 * arm[4].ca, s23 * arm[4].sa, arm[5].ca, arm[5].sa} {}

  double s2, s23, k, a2, a3;
  Plane f;
  WristTwists twists;
};

}  // namespace torsor::detail
