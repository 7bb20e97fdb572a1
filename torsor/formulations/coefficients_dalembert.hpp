// The generalized d'Alembert equations of motion (Fu, Gonzalez & Lee 1987, section 3.4): D, h and c in closed form,
// with the shares of translation and of rotation of the links kept apart. Standard DH frames; joint i acts on z_{i-1}.
//
//   D_ij = D_ij^tran + D_ij^rot                                                                       i <= j (3.4-25)
//   D_ij^tran = sum_{s>=j} m_s [z_{j-1} x (r_s - p_{j-1})] . [z_{i-1} x (r_s - p_{i-1})]
//   D_ij^rot  = sum_{s>=j} (sR0 z_{i-1})^T I_s (sR0 z_{j-1})
//   h_i^tran  = sum_{s>=i} m_s a_s . [z_{i-1} x (r_s - p_{i-1})]                                             (3.4-26)
//   h_i^rot   = sum_{s>=i} (sR0 z_{i-1})^T (I_s b_s + w_s x I_s w_s)                                         (3.4-27)
//   c_i       = -g . sum_{s>=i} m_s [z_{i-1} x (r_s - p_{i-1})]                                              (3.4-28)
//
//   w_s = sum_{p<=s} qd_p z_{p-1}                        b_s = sum_{p<=s} w_{p-1} x qd_p z_{p-1}
//   a_s = sum_{k<s} [w_k x (w_k x p_k*) + b_k x p_k*]  +  w_s x (w_s x c_s) + b_s x c_s
//
// r_s: mass centre of link s; c_s: the same from the origin of frame s-1; p_k* = p_k - p_{k-1}. (3.4-27) is written as
// what its two terms come to: the first is I_s b_s, the second, (z x w).(I w), is z.(w x I w).
//
// The source leaves prismatic joints out. Where joint i slides, the partial velocity of every r_s beyond it is z_{i-1}
// instead of z_{i-1} x (r_s - p_{i-1}), the partial angular velocity is zero, w and b pass over the joint unchanged,
// and the motion relative to a turning frame adds 2 w_i x qd_i z_{i-1} to the accelerations a_s of all links s >= i.
//
// Vectors of the translational part are in base axes, those of the rotational part in the axes of link s. O(n^3).
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/turn.hpp"
#include "torsor/spatial/turning.hpp"

namespace torsor {

/// The coefficients in their parts: D row-major n x n and full, h and c with n entries; N m and N, kg m^2 and the like.
template <class T>
struct DAlembertTerms {
  std::vector<T> D_tran, D_rot, h_tran, h_rot, c;
};

template <class T>
struct DAlembertWork {
  explicit DAlembertWork(const DhArm<T>& arm)
      : n(arm.n()),
        z(n + 1),
        p(n + 1),
        p_star(n + 1),
        c_bar(n + 1),
        r_bar(n + 1),
        partial(pairs()),
        m_partial(pairs()),
        axis(pairs()),
        I_axis(pairs()) {
    terms.D_tran = terms.D_rot = std::vector<T>(n * n, T(0));
    terms.h_tran = terms.h_rot = terms.c = std::vector<T>(n, T(0));
  }

  std::size_t n;
  std::vector<Vec3<T>> z, p, p_star, c_bar, r_bar;  // base axes, index 0 .. n
  // of link s and joint i <= s: d v_s / d qd_i and m_s times it, base axes; sR0 z_{i-1} and I_s times it, axes of s
  std::vector<Vec3<T>> partial, m_partial, axis, I_axis;
  DAlembertTerms<T> terms;

  std::size_t pairs() const { return (n + 1) * (n + 1); }
  std::size_t at(int s, int i) const { return static_cast<std::size_t>(s) * (n + 1) + static_cast<std::size_t>(i); }
  std::size_t entry(int i, int j) const {
    return static_cast<std::size_t>(i - 1) * n + static_cast<std::size_t>(j - 1);
  }
};

namespace detail {

/// z_s, p_s, p_s*, c_s, r_s and the partial velocities of the mass centres.
template <Ring T>
void dalembert_positions(const DhArm<T>& arm, const DhPosition<T>& q, DAlembertWork<T>& w) {
  Mat3<T> R = Mat3<T>::identity();  // 0R_s
  w.z[0] = R.z;
  for (int s = 1; s <= arm.n(); ++s) {
    const DhLink<T>& link = arm[s];
    mark_stage<T>("positions");
    R = times_rotation_x(times_rotation_z(R, q.c[s], q.s[s]), link.ca, link.sa);
    w.z[s] = R.z;
    w.p_star[s] = R.x * link.a + w.z[s - 1] * q.d[s];
    w.c_bar[s] = w.p_star[s] + R * link.r;
    w.p[s] = s == 1 ? w.p_star[s] : w.p[s - 1] + w.p_star[s];
    w.r_bar[s] = s == 1 ? w.c_bar[s] : w.p[s - 1] + w.c_bar[s];

    mark_stage<T>("partial velocities");
    for (int i = 1; i <= s; ++i) {
      const Vec3<T> arm_of_i = i == s ? w.c_bar[s] : i == 1 ? w.r_bar[s] : w.r_bar[s] - w.p[i - 1];
      w.partial[w.at(s, i)] = arm[i].prismatic ? w.z[i - 1] : cross(w.z[i - 1], arm_of_i);
      w.m_partial[w.at(s, i)] = w.partial[w.at(s, i)] * link.m;
    }
  }
}

/// sR0 z_{i-1} and I_s sR0 z_{i-1} of the revolute joints i <= s.
template <Ring T>
void dalembert_axes(const DhArm<T>& arm, const DhPosition<T>& q, DAlembertWork<T>& w) {
  mark_stage<T>("axes in link frames");
  for (int s = 1; s <= arm.n(); ++s) {
    const DhLink<T>& link = arm[s];
    for (int i = 1; i <= s; ++i) {
      if (arm[i].prismatic) continue;
      w.axis[w.at(s, i)] = i == s ? Vec3<T>{T(0), link.sa, link.ca}
                                  : turn_x(link.ca, -link.sa, turn_z(q.c[s], -q.s[s], w.axis[w.at(s - 1, i)]));
      w.I_axis[w.at(s, i)] = link.I * w.axis[w.at(s, i)];
    }
  }
}

/// (3.4-25), from the partial velocities and the axes.
template <Ring T>
void dalembert_inertia(const DhArm<T>& arm, DAlembertWork<T>& w) {
  const int n = arm.n();
  for (int i = 1; i <= n; ++i)
    for (int j = i; j <= n; ++j) {
      mark_stage<T>("D tran");
      T tran = dot(w.m_partial[w.at(j, j)], w.partial[w.at(j, i)]);
      for (int s = j + 1; s <= n; ++s) tran += dot(w.m_partial[w.at(s, j)], w.partial[w.at(s, i)]);
      w.terms.D_tran[w.entry(i, j)] = w.terms.D_tran[w.entry(j, i)] = tran;

      if (arm[i].prismatic || arm[j].prismatic) continue;
      mark_stage<T>("D rot");
      T rot = dot(w.axis[w.at(j, i)], w.I_axis[w.at(j, j)]);
      for (int s = j + 1; s <= n; ++s) rot += dot(w.axis[w.at(s, i)], w.I_axis[w.at(s, j)]);
      w.terms.D_rot[w.entry(i, j)] = w.terms.D_rot[w.entry(j, i)] = rot;
    }
}

/// (3.4-26), from the partial velocities.
template <Ring T>
void dalembert_velocity_tran(const DhArm<T>& arm, Rates<const T> qd, DAlembertWork<T>& w) {
  mark_stage<T>("h tran");
  Vec3<T> omega, beta, a_origin;  // w_s, b_s and the sum over k < s
  for (int s = 1; s <= arm.n(); ++s) {
    const Vec3<T> rate = w.z[s - 1] * qd[s - 1];
    if (arm[s].prismatic) {
      a_origin += cross(omega, rate) * T(2);
    } else {
      if (s > 1) beta += cross(omega, rate);
      omega += rate;
    }
    const Mat3<T> W = turning(omega, beta);  // W x = w x (w x x) + b x x
    const Vec3<T> a = a_origin + W * w.c_bar[s];
    if (s < arm.n()) a_origin += W * w.p_star[s];
    for (int i = 1; i <= s; ++i) {
      const T share = dot(w.m_partial[w.at(s, i)], a);
      T& h = w.terms.h_tran[static_cast<std::size_t>(i - 1)];
      h = i == s ? share : h + share;
    }
  }
}

/// (3.4-27), from the axes.
template <Ring T>
void dalembert_velocity_rot(const DhArm<T>& arm, const DhPosition<T>& q, Rates<const T> qd, DAlembertWork<T>& w) {
  mark_stage<T>("h rot");
  Vec3<T> omega, beta;  // sR0 w_s and sR0 b_s
  for (int s = 1; s <= arm.n(); ++s) {
    const DhLink<T>& link = arm[s];
    const auto cross_joint = [&](const Vec3<T>& v) { return turn_x(link.ca, -link.sa, turn_z(q.c[s], -q.s[s], v)); };
    const T& rate = qd[s - 1];
    if (!link.prismatic) {
      beta += Vec3<T>{omega.y * rate, -(omega.x * rate), T(0)};  // w x qd z
      omega.z += rate;
    }
    omega = cross_joint(omega);
    beta = cross_joint(beta);
    const Vec3<T> moment = link.I * beta + cross(omega, link.I * omega);
    for (int i = 1; i <= s; ++i) {
      const T share = arm[i].prismatic ? T(0) : dot(w.axis[w.at(s, i)], moment);
      T& h = w.terms.h_rot[static_cast<std::size_t>(i - 1)];
      h = i == s ? share : h + share;
    }
  }
}

/// (3.4-28), from the partial velocities.
template <Ring T>
void dalembert_gravity(const DhArm<T>& arm, DAlembertWork<T>& w) {
  mark_stage<T>("c");
  for (int i = 1; i <= arm.n(); ++i) {
    Vec3<T> sum = w.m_partial[w.at(i, i)];
    for (int s = i + 1; s <= arm.n(); ++s) sum += w.m_partial[w.at(s, i)];
    w.terms.c[static_cast<std::size_t>(i - 1)] = -dot(arm.g, sum);
  }
}

}  // namespace detail

/// Fills work.terms: the parts of D, h and c at that position and velocity. Never allocates.
template <Ring T>
void dalembert_terms(const DhArm<T>& arm, const DhPosition<T>& q, Rates<const T> qd, DAlembertWork<T>& work) {
  detail::dalembert_positions(arm, q, work);
  detail::dalembert_axes(arm, q, work);
  detail::dalembert_inertia(arm, work);
  detail::dalembert_velocity_tran(arm, qd, work);
  detail::dalembert_velocity_rot(arm, q, qd, work);
  detail::dalembert_gravity(arm, work);
}

/// D (row-major n x n), h and c (n) of tau = D qdd + h + c; their parts stay in work.terms. Never allocates.
template <Ring T>
void coefficients_dalembert(const DhArm<T>& arm, const DhPosition<T>& q, Rates<const T> qd, DAlembertWork<T>& work,
                            std::span<T> D, Rates<T> h, Rates<T> c) {
  dalembert_terms(arm, q, qd, work);
  mark_stage<T>("assembly");
  for (int i = 1; i <= arm.n(); ++i) {
    const std::size_t k = static_cast<std::size_t>(i - 1);
    for (int j = i; j <= arm.n(); ++j)
      D[work.entry(i, j)] = D[work.entry(j, i)] =
          work.terms.D_tran[work.entry(i, j)] + work.terms.D_rot[work.entry(i, j)];
    h[k] = work.terms.h_tran[k] + work.terms.h_rot[k];
    c[k] = work.terms.c[k];
  }
}

/// tau (n) by (3.4-24). Never allocates.
template <Ring T>
void inverse_dalembert(const DhArm<T>& arm, const DhPosition<T>& q, Rates<const T> qd, Rates<const T> qdd,
                       DAlembertWork<T>& work, Rates<T> tau) {
  dalembert_terms(arm, q, qd, work);
  mark_stage<T>("assembly");
  const DAlembertTerms<T>& t = work.terms;
  for (std::size_t k = 0; k < work.n; ++k) tau[k] = t.h_tran[k] + t.h_rot[k] + t.c[k];
  for (int i = 1; i <= arm.n(); ++i)
    for (int j = i; j <= arm.n(); ++j) {
      const T D = t.D_tran[work.entry(i, j)] + t.D_rot[work.entry(i, j)];
      tau[i - 1] += D * qdd[j - 1];
      if (i != j) tau[j - 1] += D * qdd[i - 1];
    }
}

/// D (row-major n x n) by (3.4-25) alone. Never allocates.
template <Ring T>
void inertia_dalembert(const DhArm<T>& arm, const DhPosition<T>& q, DAlembertWork<T>& work, std::span<T> D) {
  detail::dalembert_positions(arm, q, work);
  detail::dalembert_axes(arm, q, work);
  detail::dalembert_inertia(arm, work);
  mark_stage<T>("assembly");
  for (int i = 1; i <= arm.n(); ++i)
    for (int j = i; j <= arm.n(); ++j)
      D[work.entry(i, j)] = D[work.entry(j, i)] =
          work.terms.D_tran[work.entry(i, j)] + work.terms.D_rot[work.entry(i, j)];
}

/// c (n) by (3.4-28) alone. Never allocates.
template <Ring T>
void gravity_dalembert(const DhArm<T>& arm, const DhPosition<T>& q, DAlembertWork<T>& work, Rates<T> c) {
  detail::dalembert_positions(arm, q, work);
  detail::dalembert_gravity(arm, work);
  for (std::size_t k = 0; k < work.n; ++k) c[k] = work.terms.c[k];
}

}  // namespace torsor
