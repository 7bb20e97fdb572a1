// From the motion of the tool to joint torques in one pass, for the rotary arm: Hollerbach & Sahar (1983), section 7.3.
// Inverse kinematics finds positions and the motion of the first three links; the outward pass of dynamics brings the
// motion of the tool into the frames of the wrist, (92)-(96) and (99)-(103), and what falls off there, the tool's motion
// relative to the forearm, is what inverse kinematics needs for the last three joints; dynamics goes on from links that
// all move already. Nothing is computed twice:
//
//   1w1, 2w2, 3w3, their derivatives, 2pdd4      rotary_velocity.hpp, rotary_acceleration.hpp, steps 1 to 3
//   4wh, 4whd                                    inverse_wrist_precomputed.hpp, in place of (52)-(54), (73), (74)
//   last three rates and accelerations           steps 4
//
// 2pdd4 comes from the trajectory and has no gravity in it: inverse_wrist_given() adds it.
#pragma once

#include "torsor/formulations/inverse_wrist_precomputed.hpp"
#include "torsor/closed_form_ik/rotary_acceleration.hpp"

namespace torsor {

/// Constants and results for an arm in standard DH frames with the table of rotary_position.hpp and no twist behind
/// joint 6; p7 is 6p7*, from the wrist to the tip.
template <class T, class Inertia = FullInertia<T>>
struct RotaryToolWork : PrecomputedWristWork<T, Inertia> {
  RotaryToolWork(const DhArm<T>& arm, const Vec3<T>& p7)
      : PrecomputedWristWork<T, Inertia>(arm), rotary(arm[1].d, arm[2].a, arm[4].d, p7) {}

  RotaryArm<T> rotary;
  RotaryPosition<T> position;
  RotaryVelocity<T> velocity;
  RotaryAcceleration<T> acceleration;
};

/// Joint torques tau (6) that move the tool so, in one branch; work.position, velocity and acceleration tell the joints.
template <Analytic T, class Inertia>
void tool_to_torques(const DhArm<T>& arm, const EndEffectorMotion<T>& tool, const RotaryBranch& branch,
                     RotaryToolWork<T, Inertia>& work, Rates<T> tau) {
  RotaryPosition<T>& at = work.position;
  RotaryVelocity<T>& velocity = work.velocity;
  RotaryAcceleration<T>& acceleration = work.acceleration;
  std::vector<QuarterTurn<T>>& A = work.A;

  at = rotary_position(work.rotary, tool, branch);
  const std::pair<T, T> turns[] = {{at.c1, at.s1}, {at.c2, at.s2}, {at.c3, at.s3},
                                   {at.c4, at.s4}, {at.c5, at.s5}, {at.c6, at.s6}};
  for (int i = 1; i <= 6; ++i) A[i] = QuarterTurn<T>(arm[i], turns[i - 1].first, turns[i - 1].second);

  detail::rotary_velocity_forearm(work.rotary, tool, at, velocity);
  detail::rotary_acceleration_forearm(work.rotary, tool, at, velocity, acceleration);
  WristKinematics<T> given;
  given.W6 = tool.W6, given.w6 = tool.w6, given.wd6 = tool.wd6;
  given.w1_1 = A[1].back_along_z(velocity.qd[0]), given.wd1_1 = A[1].back_along_z(acceleration.qdd[0]);
  given.w2_2 = acceleration.w2_2, given.wd2_2 = acceleration.wd2_2;
  given.w3_3 = velocity.w3_3, given.wd3_3 = acceleration.wd3_3;
  given.pdd4_2 = acceleration.pdd4_2;

  mark_stage<T>("hand");
  relative_end_effector_motion(A, given, work.tool);
  velocity.wh_4 = work.tool.wh_4;
  acceleration.whd_4 = work.tool.whd_4;
  detail::rotary_velocity_wrist(at, velocity);
  detail::rotary_acceleration_wrist(at, velocity, acceleration);

  inverse_wrist_given<T, Inertia>(arm, given, velocity.qd, acceleration.qdd, work, tau);
}

}  // namespace torsor
