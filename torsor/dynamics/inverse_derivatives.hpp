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
//
// Written over lanes L of T: allowed motions lie side by side in blocks (one each, where L is T), and what asks for no
// order among joints is done block by block.
#pragma once

#include "torsor/dynamics/derivative_slots.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

/// Where derivatives go: row-major nv x nv each, entry (i, j) = d of effort i by coordinate j.
template <class T>
struct InverseDerivatives {
  std::span<T> dq, dqd, dqdd;
};

/// Efforts tau (nv) and their derivatives by q, qd, qdd at a motion, friction apart; external forces stay as they are in
/// their bodies' frames. An empty qd or qdd stands for zero.
template <Ring T, class L>
void inverse_derivatives(const Model<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                         Rates<const T> qdd, const Loads<T>& loads, DerivativeSlots<T, L>& slots, Rates<T> tau,
                         const InverseDerivatives<T>& out) {
  const int n = model.nv;
  TORSOR_EXPECT(out.dq.size() == cells(n, n) && out.dqd.size() == cells(n, n) && out.dqdd.size() == cells(n, n));
  TORSOR_EXPECT(tau.size() == static_cast<std::size_t>(n) && slots.size() == model.size());
  constexpr int lanes = LanesOf<L>::count;
  auto& [blocks, slot, first, path, X, v, a, origin] = slots;

  // where everything is
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const Transform<T> pose = pose_in_parent(model, configuration, i);
    X[i] = b.parent < 0 ? Transform<T>{pose.R, i == 0 ? Vec3<T>{} : pose.p - origin} : X[b.parent] * pose;
    if (i == 0) origin = pose.p;
    for (int k = first[i]; k < first[i + 1]; ++k) put(blocks[k / lanes].X, k % lanes, X[i]);
  }
  for (auto& b : blocks) b.s = b.X * b.S;

  // how it moves
  const Transform<T> to_origin = Transform<T>::translation(origin);
  const Motion<T> v0 = ~to_origin * base_velocity(model, loads.base);
  const Motion<T> a0 = ~to_origin * base_acceleration_against_gravity(model, loads.base);
  for (int i = 0; i < model.size(); ++i) {
    const Motion<T>& v_p = model[i].parent < 0 ? v0 : v[model[i].parent];
    v[i] = v_p;
    if (!qd.empty())
      for (int c = 0; c < model[i].nv; ++c) v[i] += slots.s(first[i] + c) * qd[model[i].v + c];
    for (int k = first[i]; k < first[i + 1]; ++k) {
      put(blocks[k / lanes].v_p, k % lanes, v_p);
      put(blocks[k / lanes].v, k % lanes, v[i]);
    }
  }
  for (auto& b : blocks) {
    b.psid = cross(b.v_p, b.s);
    b.sd = cross(b.v, b.s);
  }
  for (int i = 0; i < model.size(); ++i) {
    const Motion<T>& a_p = model[i].parent < 0 ? a0 : a[model[i].parent];
    a[i] = a_p;
    for (int c = 0; c < model[i].nv; ++c) {
      const int k = first[i] + c;
      if (!qd.empty()) a[i] += take(blocks[k / lanes].sd, k % lanes) * qd[model[i].v + c];
      if (!qdd.empty()) a[i] += slots.s(k) * qdd[model[i].v + c];
    }
    for (int k = first[i]; k < first[i + 1]; ++k) {
      put(blocks[k / lanes].a_p, k % lanes, a_p);
      put(blocks[k / lanes].a, k % lanes, a[i]);
    }
  }

  // what each body needs: forces, momenta, and what they change by
  for (auto& b : blocks) {
    b.psidd = cross(b.a_p, b.s) + cross(b.v_p, b.psid);
    b.both = b.psid + b.sd;
    b.C = b.X * b.I;
    const Force<L> momentum = b.C * b.v;
    b.p = momentum.f;
    b.F = b.C * b.a + cross(b.v, momentum);
    b.N = detail::turning_part(b.C, b.v);
  }
  if (!loads.external.empty())
    for (int i = 0; i < model.size(); ++i) slots.add_force(first[i], -(X[i] * loads.external[i]));

  // subtrees, as one rigid body each
  for (int i = model.size() - 1; i >= 0; --i) {
    for (int k = first[i] + 1; k < first[i + 1]; ++k) slots.copy_sums(first[i], k);
    if (model[i].parent >= 0) slots.add_sums(first[i], first[model[i].parent]);
  }
  for (auto& b : blocks) {
    b.C_s = b.C * b.s;
    b.by_q = b.C * b.psidd + detail::turn(b, b.psid.w) + cross(b.s, b.F);
    b.by_qd = b.C * b.both + detail::turn(b, b.s.w);
    b.B_s = ~b.N * b.s.w + cross(b.p + b.p, b.s.v);
    b.tau = dot(b.s, b.F);
  }

  // rotors turn with their joints
  for (std::size_t e = 0; e < cells(n, n); ++e) out.dq[e] = out.dqd[e] = out.dqdd[e] = T(0);
  for (int k = 0; k < n; ++k) {
    out.dqdd[cell(k, n, k)] = model.rotor[k];
    tau[k] = qdd.empty() ? T(0) : model.rotor[k] * qdd[k];
  }
  for (const auto& [j, k, value] : model.rotor_coupling) {
    out.dqdd[cell(j, n, k)] += value;
    out.dqdd[cell(k, n, j)] += value;
    if (qdd.empty()) continue;
    tau[j] += value * qdd[k];
    tau[k] += value * qdd[j];
  }

  // every pair of joints on one branch
  for (int j = 0; j < slots.count(); ++j) {
    if (slot[j].coordinate < 0) continue;
    const auto& outer = blocks[j / lanes];
    const int l = j % lanes, row = slot[j].coordinate;
    tau[row] += take(outer.tau, l);
    const Force<L> by_q = everywhere<L>(take(outer.by_q, l)), by_qd = everywhere<L>(take(outer.by_qd, l)),
                   C_s = everywhere<L>(take(outer.C_s, l));
    const Vec3<L> B_s = everywhere<L>(take(outer.B_s, l));
    for (int e = slot[j].path; e < slot[j + 1].path; ++e) {
      const auto& b = blocks[path[e].block];
      const L row_dq = dot(b.psidd, C_s) + dot(b.psid.w, B_s), column_dq = dot(b.s, by_q);
      const L row_dqd = dot(b.both, C_s) + dot(b.s.w, B_s), column_dqd = dot(b.s, by_qd);
      const L both_dqdd = dot(b.s, C_s);
      for (int lane = 0; lane < lanes; ++lane) {
        if (!(path[e].on_branch >> lane & 1)) continue;
        const int column = slot[path[e].block * lanes + lane].coordinate;
        out.dq[cell(row, n, column)] += take(row_dq, lane);
        out.dqd[cell(row, n, column)] += take(row_dqd, lane);
        out.dqdd[cell(row, n, column)] += take(both_dqdd, lane);
        if (!(path[e].inward >> lane & 1)) continue;
        out.dq[cell(column, n, row)] += take(column_dq, lane);
        out.dqd[cell(column, n, row)] += take(column_dqd, lane);
        out.dqdd[cell(column, n, row)] += take(both_dqdd, lane);
      }
    }
  }
}

}  // namespace torsor
