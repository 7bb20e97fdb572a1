// The link matrix A_i of a DH table at a position: the pose of frame i in frame i - 1 (standard convention).
//
//         | c  -ca s   sa s   a c |
//   A_i = | s   ca c  -sa c   a s |     c, s of theta_i and ca, sa of alpha_i
//         | 0   sa     ca     d   |
#pragma once

#include "torsor/model/dh_arm.hpp"
#include "torsor/spatial/transform.hpp"

namespace torsor {

/// The rotation in A_i: axes of frame i in frame i - 1.
template <Ring T>
Mat3<T> dh_rotation(const DhArm<T>& arm, const DhPosition<T>& q, int i) {
  const DhLink<T>& l = arm[i];
  const T &c = q.c[i], &s = q.s[i];
  return {{c, s, T(0)}, {-(l.ca * s), l.ca * c, l.sa}, {l.sa * s, -(l.sa * c), l.ca}};
}

/// A_i of an arm in the standard convention, i = 1 .. n.
template <Ring T>
Transform<T> dh_matrix(const DhArm<T>& arm, const DhPosition<T>& q, int i) {
  return {dh_rotation(arm, q, i), {arm[i].a * q.c[i], arm[i].a * q.s[i], q.d[i]}};
}

}  // namespace torsor
