// Inverse kinematic positions of the rotary arm of Hollerbach & Sahar, Int. J. Robotics Research 2(4), 1983, section 4,
// in their steps and letters, once for all scalars:
//
//   alpha = (90, 0, -90, 90, -90) degrees, lengths s_1, a_2, s_4 and no others; 6p7* leads from the wrist to the tip
//
//   step 1   p4 = p7 - W6 6p7*                                                              (19)
//   step 2   theta_1, and 1pw = (+-r, p_wz, 0); s3 by the cosine rule; s2 and c2            (20)-(30)
//   step 3   A1A2, W3 = A1A2 A3, and 3W6 = W3^T W6, of which seven elements are needed      (31)-(33)
//   step 4   theta_4, theta_5, theta_6                                                      (34)-(44)
//
// Two things are not in the paper: theta_1 + pi, the shoulder turned over, with r negative from (21) on; and c2, which
// (29) divides by a_2 - s_4 s3, zero at poses that are not singular when s_4 >= a_2, and which here has the denominator
// of (28), r^2 + p_wz^2: one addition less. Which of eight branches is a matter of three signs. The pose is one that is
// reached and is not singular: family_rotary.cpp, which shares the equations, tells the others apart.
#pragma once

#include <array>

#include "torsor/closed_form_ik/end_effector_motion.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

/// The lengths, and what is made of them beforehand.
template <class T>
struct RotaryArm {
  RotaryArm(const T& s_1_, const T& a_2_, const T& s_4_, const Vec3<T>& p7_)
      : s_1(s_1_), a_2(a_2_), s_4(s_4_), p7(p7_), squares(a_2 * a_2 + s_4 * s_4), double_product(T(2) * a_2 * s_4) {}

  T s_1, a_2, s_4;
  Vec3<T> p7;  // 6p7*, the tip in frame 6
  T squares, double_product;
};

/// Signs of 1p_wx, cos theta_3 and sin theta_5, each +1 or -1.
struct RotaryBranch {
  int shoulder = 1, elbow = 1, wrist = 1;
};

/// Joint angles, their cosines and sines, and the intermediate results that velocities and accelerations use again.
template <class T>
struct RotaryPosition {
  Vec3<T> p7, p4;    // p7* and the wrist, in the base
  T p_wx, p_wy;      // 1pw, whose third component is zero
  T s4s3, s4c3;      // s_4 s3, s_4 c3
  Mat3<T> A1A2, W3;  // axes of links 2 and 3
  T c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6;
  std::array<T, 6> theta;
};

namespace detail {

/// The numerators of (28) and of (29) as mended.
template <class T>
void rotary_shoulder(const T& a_2, const T& p_wx, const T& p_wy, const T& s4s3, const T& s4c3, T& s2, T& c2) {
  const T p2_wx = a_2 - s4s3;
  s2 = p_wy * p2_wx - p_wx * s4c3;
  c2 = p_wx * p2_wx + p_wy * s4c3;
}

/// (32): axes of link 2.
template <class T>
Mat3<T> rotary_A1A2(const T& c1, const T& s1, const T& c2, const T& s2) {
  return {{c1 * c2, s1 * c2, s2}, {-(c1 * s2), -(s1 * s2), c2}, {s1, -c1, T(0)}};
}

/// (33): axes of the forearm.
template <class T>
Mat3<T> rotary_W3(const Mat3<T>& A1A2, const T& c3, const T& s3) {
  return {A1A2.x * c3 + A1A2.y * s3, -A1A2.z, A1A2.y * c3 - A1A2.x * s3};
}

/// (31): the seven elements of 3W6 that are needed.
template <class T>
struct RotaryW {
  T w11, w12, w13, w21, w22, w23, w33;

  RotaryW(const Mat3<T>& W3, const Mat3<T>& W6)
      : w11(dot(W3.x, W6.x)),
        w12(dot(W3.x, W6.y)),
        w13(dot(W3.x, W6.z)),
        w21(dot(W3.y, W6.x)),
        w22(dot(W3.y, W6.y)),
        w23(dot(W3.y, W6.z)),
        w33(dot(W3.z, W6.z)) {}

  T s5(const T& c4, const T& s4) const { return -w13 * c4 - w23 * s4; }  // (39)
  const T& c5() const { return w33; }                                    // (40)
  T s6(const T& c4, const T& s4) const { return w21 * c4 - w11 * s4; }   // (42)
  T c6(const T& c4, const T& s4) const { return w22 * c4 - w12 * s4; }   // (43)
};

}  // namespace detail

/// The joint angles (rad) that put the tool with axes W6 and tip p7 (m) there, in one branch.
template <Analytic T>
RotaryPosition<T> rotary_position(const RotaryArm<T>& arm, const EndEffectorMotion<T>& tool,
                                  const RotaryBranch& branch) {
  RotaryPosition<T> out;
  auto& [p7, p4, p_wx, p_wy, s4s3, s4c3, A1A2, W3, c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6, theta] = out;

  mark_stage<T>("position 1");
  p7 = tool.W6 * arm.p7;
  p4 = tool.p7 - p7;  // (19)

  mark_stage<T>("position 2");
  const T shoulder(branch.shoulder), elbow(branch.elbow), wrist(branch.wrist);
  theta[0] = atan2(shoulder * p4.y, shoulder * p4.x);  // (20)
  const T rr = p4.x * p4.x + p4.y * p4.y;
  p_wx = shoulder * sqrt(rr);
  c1 = p4.x / p_wx;  // (21)
  s1 = p4.y / p_wx;
  p_wy = p4.z - arm.s_1;  // (22), (23)
  const T pw_pw = rr + p_wy * p_wy;
  s3 = (arm.squares - pw_pw) / arm.double_product;  // (24)
  c3 = elbow * sqrt(T(1) - s3 * s3);                // (25)
  theta[2] = atan2(s3, c3);                         // (26)
  s4s3 = arm.s_4 * s3;
  s4c3 = arm.s_4 * c3;
  detail::rotary_shoulder(arm.a_2, p_wx, p_wy, s4s3, s4c3, s2, c2);  // (28), (29)
  s2 = s2 / pw_pw;
  c2 = c2 / pw_pw;
  theta[1] = atan2(s2, c2);  // (30)

  mark_stage<T>("position 3");
  A1A2 = detail::rotary_A1A2(c1, s1, c2, s2);
  W3 = detail::rotary_W3(A1A2, c3, s3);
  const detail::RotaryW<T> w(W3, tool.W6);

  mark_stage<T>("position 4");
  theta[3] = atan2(-(wrist * w.w23), -(wrist * w.w13));  // (36)
  c4 = cos(theta[3]);
  s4 = sin(theta[3]);
  s5 = w.s5(c4, s4);
  c5 = w.c5();
  theta[4] = atan2(s5, c5);  // (41)
  s6 = w.s6(c4, s4);
  c6 = w.c6(c4, s4);
  theta[5] = atan2(s6, c6);  // (44)
  return out;
}

}  // namespace torsor
