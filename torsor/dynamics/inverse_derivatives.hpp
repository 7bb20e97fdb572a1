// First derivatives of inverse dynamics of a tree, exact, by one recursion: dtau/dq, dtau/dqd and dtau/dqdd = M.
// O(n d), d the depth. The spatial form of Carpentier & Mansard (2018) and Singh, Russo & Wensing (2022), derived here
// for motions s that are constant in their bodies, so that joints of any kind are sets of columns.
//
// All vectors have the axes of the base, about the point where the first body is at this instant. dq_i is the
// displacement s_i dq_i of everything outward of joint i: the derivative by the coordinate itself for joints of one
// degree of freedom, along the body components of velocity for planar, spherical and free joints (nv of them, not nq).
// With p the parent, v and a of the bodies (a_0 minus gravity), a dot for "as the parent moves",
//
//   psid_i  = v_p x s_i        psidd_i = a_p x s_i + v_p x psid_i        sd_i = v_i x s_i
//   dv_j/dq_i = s_i x v_j + psid_i        da_j/dq_i = s_i x a_j + psid_i x v_j + psidd_i        for j outward of i
//   dv_j/dqd_i = s_i                      da_j/dqd_i = s_i x v_j + psid_i + sd_i
//
// The force f = I a + v x* I v - f_ext (f_ext fixed in its body) turns with s_i but for what the dotted terms add:
//
//   df_j/dq_i = s_i x* f_j + I_j psidd_i + B_j psid_i      df_j/dqd_i = I_j (psid_i + sd_i) + B_j s_i
//   B = v x* I + (I v) xbar* - I v x = [ N 0 ; -2 p x 0 ]
//   N = -w x (tr(I3) 1 - 2 I3) - 2 h x u x        for I = (m, h, I3), v = (w, u), p = m u + w x h the linear momentum
//
// With I, N, p, f summed over the subtree of the outer one of two joints (C, N_C, p_C, F), what turns alike cancels:
//
//   dtau_j/dq_i  = s_j . (C_j psidd_i + B_j psid_i)                   j outward of i, or the same joint
//   dtau_i/dq_j  = s_i . (C_j psidd_j + B_j psid_j + s_j x* F_j)      i strictly inward of j
//   dtau_j/dqd_i = s_j . (C_j (psid_i + sd_i) + B_j s_i),  dtau_i/dqd_j likewise,   M_ij = s_i . C_j s_j
//
// Four vectors for each j, then six products for each pair of joints on one branch; all else is zero.
#pragma once

#include "torsor/dynamics/derivative_spans.hpp"
#include "torsor/dynamics/derivative_terms.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

template <class T>
struct InverseDerivativesWork {
  explicit InverseDerivativesWork(const Tree<T>& model)
      : X(model.bodies.size()), v(X.size()), a(X.size()), body(X.size()), column(model.S.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v, a;
  std::vector<BodyTerms<T>> body;
  std::vector<ColumnTerms<T>> column;
};

namespace detail {

/// The motion of the base with the axes of the base, about a point of it.
template <class T>
Motion<T> about(const Vec3<T>& point, const Motion<T>& m) {
  return {m.w, m.v + cross(m.w, point)};
}

/// Rotors turn with their joints, whatever moved the links.
template <Ring T>
void add_rotors(const Tree<T>& model, Rates<const T> qdd, Rates<T> tau, std::span<T> M) {
  const int n = model.nv;
  for (int k = 0; k < n; ++k) {
    M[cell(k, n, k)] += model.rotor[k];
    if (!qdd.empty()) tau[k] += model.rotor[k] * qdd[k];
  }
  for (const auto& [j, k, value] : model.rotor_coupling) {
    M[cell(j, n, k)] += value;
    M[cell(k, n, j)] += value;
    if (qdd.empty()) continue;
    tau[j] += value * qdd[k];
    tau[k] += value * qdd[j];
  }
}

}  // namespace detail

/// Torques tau (nv) and their derivatives by q, qd, qdd at a motion, friction apart; external forces stay as they are in
/// their bodies' frames. An empty qd or qdd stands for zero.
template <Ring T>
void inverse_derivatives(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                         Rates<const T> qdd, const BodyLoads<T>& loads, InverseDerivativesWork<T>& work, Rates<T> tau,
                         const InverseDerivatives<T>& out) {
  const int n = model.nv;
  TORSOR_EXPECT(out.dq.size() == cells(n, n) && out.dqd.size() == cells(n, n) && out.dqdd.size() == cells(n, n));
  TORSOR_EXPECT(tau.size() == static_cast<std::size_t>(n) && work.X.size() == model.bodies.size());
  auto& [X, v, a, body, column] = work;
  Vec3<T> origin;
  Motion<T> v0, a0;

  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const Transform<T> pose = pose_in_parent(model, configuration, i);
    if (i == 0) {
      origin = pose.p;
      v0 = detail::about(origin, base_velocity(model, loads.base));
      a0 = detail::about(origin, base_acceleration_against_gravity(model, loads.base));
    }
    const bool root = b.parent < 0;
    X[i] = root ? Transform<T>{pose.R, pose.p - origin} : X[b.parent] * pose;
    const Motion<T>&v_p = root ? v0 : v[b.parent], &a_p = root ? a0 : a[b.parent];

    // the joint's own motion
    v[i] = v_p;
    a[i] = a_p;
    for (int k = 0; k < b.nv; ++k) {
      ColumnTerms<T>& c = column[b.column + k];
      c.s = X[i] * model.S[b.column + k];
      if (!qd.empty()) v[i] += c.s * qd[b.v + k];
      if (!qdd.empty()) a[i] += c.s * qdd[b.v + k];
    }
    for (int k = 0; k < b.nv; ++k) {
      ColumnTerms<T>& c = column[b.column + k];
      const Motion<T> sd = cross(v[i], c.s);
      c.psid = cross(v_p, c.s);
      c.psidd = cross(a_p, c.s) + cross(v_p, c.psid);
      c.psid_sd = c.psid + sd;
      if (!qd.empty()) a[i] += sd * qd[b.v + k];
    }
    body[i].C = X[i] * b.inertia;
    body[i].set(v[i], a[i]);
    if (loads.on(i)) body[i].F -= X[i] * loads.external[i];
  }

  for (std::size_t e = 0; e < cells(n, n); ++e) out.dq[e] = out.dqd[e] = out.dqdd[e] = T(0);
  for (int k = 0; k < n; ++k) tau[k] = T(0);
  for (int j = model.size() - 1; j >= 0; --j) {
    const Body<T>& outer = model[j];
    for (int k = 0; k < outer.nv; ++k) {
      ColumnTerms<T>& c = column[outer.column + k];
      c.multiply(body[j]);
      tau[outer.v + k] += dot(c.s, body[j].F);

      // with every joint inward, and with its own; a joint that shares the coordinate meets itself there
      for (int i = j; i >= 0; i = model[i].parent)
        for (int l = 0; l < model[i].nv; ++l) {
          const PairTerms<T> pair(column[model[i].column + l], c.C_s, c.by_q, c.by_qd, c.B_s);
          const std::size_t row = cell(outer.v + k, n, model[i].v + l), across = cell(model[i].v + l, n, outer.v + k);
          out.dq[row] += pair.row_dq;
          out.dqd[row] += pair.row_dqd;
          out.dqdd[row] += pair.dqdd;
          if (i == j) continue;
          out.dq[across] += pair.column_dq;
          out.dqd[across] += pair.column_dqd;
          out.dqdd[across] += pair.dqdd;
        }
    }
    if (outer.parent >= 0) body[outer.parent] += body[j];
  }
  detail::add_rotors(model, qdd, tau, out.dqdd);
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void inverse_derivatives(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                         Rates<const double>, const BodyLoads<double>&, InverseDerivativesWork<double>&,
                                         Rates<double>, const InverseDerivatives<double>&);

}  // namespace torsor
