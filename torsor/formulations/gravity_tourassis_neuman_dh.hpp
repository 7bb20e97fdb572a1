// The gravitational coefficients from the elements of DH matrices (Tourassis & Neuman 1985, appendix B, with the signs
// that V of (8) asks for): n, o, a are the columns of A_0^{i-1}, M_i = m_i + ... + m_N, sigma = 1 for a slide.
//
//   G_i = -M_i { sigma_i g.a + sigma_i* [x_i (g.o) - y_i (g.n)] }                                              (B-3)
//   G_i = +M_i g { sigma_i a_z + sigma_i* (x_i o_z - y_i n_z) }      on a level base, g = (0, 0, -g)           (B-4)
//
// (x_i, y_i): mass centre of links i..N in frame i-1, not of link i in its own, as the text under (B-2) has it. O(N).
#pragma once

#include "torsor/formulations/gravity_tourassis_neuman.hpp"
#include "torsor/spatial/turn.hpp"

namespace torsor {

template <class T>
struct GravityTourassisNeumanDhWork {
  explicit GravityTourassisNeumanDhWork(const DhArm<T>& arm) : constants(arm), Mp(arm.links.size() + 2) {}

  GravityTourassisNeumanWork<T> constants;  // M and mr
  std::vector<Vec3<T>> Mp;                  // first moment of links i..N in frame i-1
};

namespace detail {

/// M_i (x_i, y_i, z_i), link by link from the tool: A_i takes what lies beyond from frame i to frame i-1.
template <Ring T>
void gravity_first_moments(const DhArm<T>& arm, const DhPosition<T>& q, GravityTourassisNeumanDhWork<T>& w) {
  mark_stage<T>("first moments");
  const int N = arm.n();
  w.Mp[N + 1] = {};
  for (int i = N; i >= 1; --i) {
    const DhLink<T>& l = arm[i];
    // p_i* is (a, 0, 0) after the twist and (0, 0, d) before the turn
    Vec3<T> v = turn_x(l.ca, l.sa, i == N ? w.constants.mr[i] : w.constants.mr[i] + w.Mp[i + 1]);
    v.x += w.constants.M[i] * l.a;
    v = turn_z(q.c[i], q.s[i], v);
    v.z += w.constants.M[i] * q.d[i];
    w.Mp[i] = v;
  }
}

}  // namespace detail

/// G (N) by (B-3). Never allocates.
template <Ring T>
void gravity_tourassis_neuman_dh(const DhArm<T>& arm, const DhPosition<T>& q, GravityTourassisNeumanDhWork<T>& w,
                                 Rates<T> G) {
  detail::gravity_first_moments(arm, q, w);
  mark_stage<T>("eq. B-3");
  Mat3<T> R = Mat3<T>::identity();  // n, o, a
  const Vec3<T>& g = arm.g;
  for (int i = 1; i <= arm.n(); ++i) {
    if (i > 1) R = R * dh_matrix(arm, q, i - 1).R;
    G[i - 1] = arm[i].prismatic ? -(w.constants.M[i] * dot(g, R.z)) : w.Mp[i].y * dot(g, R.x) - w.Mp[i].x * dot(g, R.y);
  }
}

/// G (N) by (B-4), for an arm whose base is level (DhArm::level). Never allocates.
template <Ring T>
void gravity_level_base(const DhArm<T>& arm, const DhPosition<T>& q, GravityTourassisNeumanDhWork<T>& w, Rates<T> G) {
  detail::gravity_first_moments(arm, q, w);
  mark_stage<T>("eq. B-4");
  const T g = -arm.g.z;
  Vec3<T> row{T(0), T(0), T(1)};  // n_z, o_z, a_z: z_0 in frame i-1
  for (int i = 1; i <= arm.n(); ++i) {
    if (i > 1) row = turn_x(arm[i - 1].ca, -arm[i - 1].sa, turn_z(q.c[i - 1], -q.s[i - 1], row));
    G[i - 1] = g * (arm[i].prismatic ? w.constants.M[i] * row.z : w.Mp[i].x * row.y - w.Mp[i].y * row.x);
  }
}

}  // namespace torsor
