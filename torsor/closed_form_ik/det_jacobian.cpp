#include "torsor/closed_form_ik/det_jacobian.hpp"

#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/wrist_partition.hpp"

namespace torsor {

double elbow_determinant(const WristArm& arm, const WristPlaces& at) { return -arm[1].sa * arm[2].a * at.m.y * at.g.x; }
double polar_determinant(const WristArm& arm, const WristPlaces& at) {
  return -arm[1].sa * arm[2].sa * at.f.y * at.g.x;
}
double cylindrical_determinant(const WristArm& arm, const WristPlaces& at) {
  return -arm[1].ca * arm[2].sa * (at.f.y - arm[2].st * arm[1].a);
}
double cartesian_determinant(const WristArm& arm, const WristPlaces&) { return arm[1].sa * arm[2].sa * arm[2].st; }
double scara_determinant(const WristArm& arm, const WristPlaces& at) {
  return arm[1].ca * arm[2].ca * arm[1].a * (at.s2 * at.f.x + at.c2 * at.f.y);
}
double general_determinant(const WristArm& arm, const WristPlaces& at) {
  const std::array<Vec3<double>, 3> C = detail::arm_columns(arm, at).C;
  return dot(C[0], cross(C[1], C[2]));
}

double det_jacobian(const WristArm& arm, const IkBranch& b) {
  const double det = arm.family->arm_determinant(arm, detail::wrist_places(arm, b)) * arm[4].sa * arm[5].sa * b.s[4];
  return arm.backwards ? -det : det;
}

}  // namespace torsor
