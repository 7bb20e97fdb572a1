// Cartesian arms: three slides whose directions span the space, at right angles or not. The wrist point is where it is
// with no slide out, plus the three shifts along constant directions: one linear system, one solution, no singularity.
#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor {
namespace {

/// All slides in, and the directions they move the wrist point in.
ArmPose slides_in(const WristArm& arm) {
  ArmPose pose;
  for (std::size_t i = 0; i < 3; ++i) {
    pose.c[i] = arm.joint[i].ct;
    pose.s[i] = arm.joint[i].st;
  }
  return pose;
}

Mat3<double> directions(const WristArm& arm) {
  const auto behind = [](const Mat3<double>& R, const SixAxisJoint& j) {
    return times_rotation_x(times_rotation_z(R, j.ct, j.st), j.ca, j.sa);
  };
  const Mat3<double> first = Mat3<double>::identity(), second = behind(first, arm[1]), third = behind(second, arm[2]);
  return {first.z, second.z, third.z};
}

double volume(const Mat3<double>& Z) { return dot(Z.x, cross(Z.y, Z.z)); }

}  // namespace

std::string cartesian_premise(const WristArm& arm) {
  if (!arm[1].prismatic || !arm[2].prismatic || !arm[3].prismatic) return "its joints are not three prismatic joints";
  if (abs(volume(directions(arm))) < 1e-6) return "its three prismatic joints lie in a plane";
  return "";
}

void solve_cartesian(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  ArmPose pose = slides_in(arm);
  const Mat3<double> Z = directions(arm);
  const Vec3<double> e = p - wrist_point(arm, pose);
  const double V = volume(Z);
  pose.d = {dot(e, cross(Z.y, Z.z)) / V, dot(Z.x, cross(e, Z.z)) / V, dot(Z.x, cross(Z.y, e)) / V};
  out.add(pose);
}

}  // namespace torsor
