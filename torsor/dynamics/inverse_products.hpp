// Products of vectors with the derivatives of inverse dynamics of a tree, without the matrices: with the change of a
// motion (Jacobian-vector), and with weights of the torques (vector-Jacobian, the adjoint recursion). Exact. O(n).
//
// All vectors are in body frames, in which S, the motions that a joint allows, and I are constant. x' is what the parent
// has, in this body's frame; dq is the displacement S dq of everything outward of the joint, as in inverse_derivatives.hpp.
//
//   v = v' + S qd      a = a' + S qdd + v x S qd      F = I a + v x* I v - f_ext + sum over children X F      tau = S . F
//
// Outward and inward once more, differentiated:
//
//   dv = dv' + v' x S dq + S dqd              da = da' + a' x S dq + S dqdd + dv x S qd + v x S dqd
//   dF = I da + dv x* I v + v x* I dv + sum over children X (dF + S dq x* F)              dtau = S . dF
//
// And the transpose: for the power sum w . tau the force F counts by a motion z whose rates are w, outward; by how much
// accelerations and velocities count, alpha and beta, comes inward as forces do:
//
//   z = z' + S w        alpha = I z + sum X alpha        beta = S qd x* alpha - z x* I v - I (v x z) + sum X beta
//   by qdd: S . alpha   by qd: S . (beta - v x* alpha)   by q: -S . (v' x* beta + a' x* alpha + z' x* F)
#pragma once

#include "torsor/dynamics/derivative_spans.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/dynamics/plain_turn.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class T>
struct InverseProductsWork {
  explicit InverseProductsWork(const Tree<T>& model)
      : X(model.bodies.size()),
        v(X.size()),
        a(X.size()),
        z(X.size()),
        da(X.size()),
        F(X.size()),
        alpha(X.size()),
        beta(X.size()) {}

  std::vector<Transform<T>> X;           // pose of each body in its parent
  std::vector<Motion<T>> v, a;           // velocity; acceleration minus gravity
  std::vector<Motion<T>> z, da;          // what forces count by; of a change, dv and da
  std::vector<Force<T>> F, alpha, beta;  // of a change, F and dF
};

namespace detail {

/// The motions S of one joint: sums S r, and products with them.
template <class T>
struct JointColumns {
  static constexpr bool one = false;  // known to have one degree of freedom
  const Motion<T>* S;
  int v, nv;

  Motion<T> sum(Rates<const T> r) const {
    Motion<T> m;
    if (r.empty()) return m;
    for (int k = 0; k < nv; ++k) m += S[k] * r[v + k];
    return m;
  }
  void add(Rates<const T> r, Motion<T>& to) const {
    if (!r.empty())
      for (int k = 0; k < nv; ++k) to += S[k] * r[v + k];
  }
  /// m x S r, added.
  void add_crossed(const Motion<T>& m, Rates<const T> r, Motion<T>& to) const {
    if (!r.empty()) to += cross(m, sum(r));
  }
  /// S r x* f, added.
  void add_crossed(Rates<const T> r, const Force<T>& f, Force<T>& to) const {
    if (!r.empty()) to += cross(sum(r), f);
  }
  /// S . f, added.
  void project(const Force<T>& f, Rates<T> to) const {
    for (int k = 0; k < nv; ++k) to[v + k] += dot(S[k], f);
  }
  /// -S . (m x* f), added.
  void project_crossed(const Motion<T>& m, const Force<T>& f, Rates<T> to) const {
    if (nv > 0) project(-cross(m, f), to);
  }
};

/// The same for S = (z, 0).
template <class T>
struct TurnAboutZ {
  static constexpr bool one = true;
  int v;

  void add(Rates<const T> r, Motion<T>& to) const {
    if (!r.empty()) to.w.z += r[v];
  }
  void add_crossed(const Motion<T>& m, Rates<const T> r, Motion<T>& to) const {
    if (r.empty()) return;
    to.w.x += m.w.y * r[v];
    to.w.y -= m.w.x * r[v];
    to.v.x += m.v.y * r[v];
    to.v.y -= m.v.x * r[v];
  }
  void take_crossed(const Motion<T>& m, Rates<const T> r, Motion<T>& from) const {
    if (r.empty()) return;
    from.w.x -= m.w.y * r[v];
    from.w.y += m.w.x * r[v];
    from.v.x -= m.v.y * r[v];
    from.v.y += m.v.x * r[v];
  }
  void add_crossed(Rates<const T> r, const Force<T>& f, Force<T>& to) const {
    if (r.empty()) return;
    to.n.x -= f.n.y * r[v];
    to.n.y += f.n.x * r[v];
    to.f.x -= f.f.y * r[v];
    to.f.y += f.f.x * r[v];
  }
  void project(const Force<T>& f, Rates<T> to) const { to[v] += f.n.z; }
  void project_crossed(const Motion<T>& m, const Force<T>& f, Rates<T> to) const {
    to[v] -= m.w.x * f.n.y - m.w.y * f.n.x + m.v.x * f.f.y - m.v.y * f.f.x;
  }
};

/// step(joint) with the motions of body b's joint, in the form that takes least.
template <class T, class Step>
void with_joint(const Tree<T>& model, const Body<T>& b, const Step& step) {
  if (plain_turn(model, b))
    step(TurnAboutZ<T>{b.v});
  else
    step(JointColumns<T>{model.S.data() + b.column, b.v, b.nv});
}

template <class T>
void clear(Rates<T> x) {
  for (T& y : x) y = T(0);
}

/// What rotors add to M times x.
template <class T>
void add_rotor_share(const Tree<T>& model, Rates<const T> x, Rates<T> to) {
  if (x.empty()) return;
  for (int k = 0; k < model.nv; ++k) to[k] += model.rotor[k] * x[k];
  for (const auto& [j, k, value] : model.rotor_coupling) {
    to[j] += value * x[k];
    to[k] += value * x[j];
  }
}

/// Pose of link i in its parent, and velocity and acceleration that it has from the parent, without its own joint's share.
template <Ring T>
[[gnu::always_inline]] inline void carry_motion(const Tree<T>& model, const Configuration<T>& configuration, int i,
                                                const Motion<T>& v0, const Motion<T>& a0,
                                                InverseProductsWork<T>& work) {
  const int parent = model[i].parent;
  work.X[i] = pose_in_parent(model, configuration, i);
  work.v[i] = ~work.X[i] * (parent < 0 ? v0 : work.v[parent]);
  work.a[i] = ~work.X[i] * (parent < 0 ? a0 : work.a[parent]);
}

}  // namespace detail

/// dtau (nv) for a change of the motion, friction apart; external forces stay as they are in their bodies' frames. An empty
/// qd or qdd stands for zero.
template <Ring T>
void inverse_jacobian_vector(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                             Rates<const T> qdd, const BodyLoads<T>& loads, const MotionChange<T>& change,
                             InverseProductsWork<T>& work, Rates<T> dtau) {
  TORSOR_EXPECT(dtau.size() == static_cast<std::size_t>(model.nv) && work.X.size() == model.bodies.size());
  // references, since clang 14 lets no lambda take structured bindings
  std::vector<Transform<T>>& X = work.X;
  std::vector<Motion<T>>&v = work.v, &a = work.a, &dv = work.z, &da = work.da;
  std::vector<Force<T>>&F = work.F, &dF = work.alpha;
  const Motion<T> v0 = base_velocity(model, loads.base), a0 = base_acceleration_against_gravity(model, loads.base);

  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const bool root = b.parent < 0;
    detail::carry_motion(model, configuration, i, v0, a0, work);
    dv[i] = root ? Motion<T>{} : ~X[i] * dv[b.parent];
    da[i] = root ? Motion<T>{} : ~X[i] * da[b.parent];
    detail::with_joint(model, b, [&](const auto& joint) {
      joint.add_crossed(v[i], change.q, dv[i]);
      joint.add_crossed(a[i], change.q, da[i]);
      joint.add(qd, v[i]);
      joint.add(change.qd, dv[i]);
      joint.add(qdd, a[i]);
      joint.add(change.qdd, da[i]);
      joint.add_crossed(v[i], qd, a[i]);
      joint.add_crossed(dv[i], qd, da[i]);
      joint.add_crossed(v[i], change.qd, da[i]);
    });
    const Force<T> momentum = b.inertia * v[i];
    F[i] = b.inertia * a[i] + cross(v[i], momentum);
    dF[i] = b.inertia * da[i] + cross(dv[i], momentum) + cross(v[i], b.inertia * dv[i]);
    if (loads.on(i)) F[i] -= loads.external[i];
  }

  detail::clear(dtau);
  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& b = model[i];
    detail::with_joint(model, b, [&](const auto& joint) {
      joint.project(dF[i], dtau);
      joint.add_crossed(change.q, F[i], dF[i]);
    });
    if (b.parent < 0) continue;
    F[b.parent] += X[i] * F[i];
    dF[b.parent] += X[i] * dF[i];
  }
  detail::add_rotor_share(model, change.qdd, dtau);
}

/// The gradient of w . tau for weights w (nv) of the torques; the rest as inverse_jacobian_vector. `out` may not be `w`.
template <Ring T>
void inverse_vector_jacobian(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                             Rates<const T> qdd, const BodyLoads<T>& loads, Rates<const T> w,
                             InverseProductsWork<T>& work, const InverseGradient<T>& out) {
  TORSOR_EXPECT(w.size() == static_cast<std::size_t>(model.nv) && work.X.size() == model.bodies.size());
  std::vector<Transform<T>>& X = work.X;
  std::vector<Motion<T>>&v = work.v, &a = work.a, &z = work.z;
  std::vector<Force<T>>&F = work.F, &alpha = work.alpha, &beta = work.beta;
  const Motion<T> v0 = base_velocity(model, loads.base), a0 = base_acceleration_against_gravity(model, loads.base);

  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    const bool root = b.parent < 0;
    detail::carry_motion(model, configuration, i, v0, a0, work);
    z[i] = root ? Motion<T>{} : ~X[i] * z[b.parent];
    detail::with_joint(model, b, [&](const auto& joint) {
      joint.add(qd, v[i]);
      joint.add(qdd, a[i]);
      joint.add_crossed(v[i], qd, a[i]);
      joint.add(w, z[i]);
    });
    const Force<T> momentum = b.inertia * v[i];
    F[i] = b.inertia * a[i] + cross(v[i], momentum);
    if (loads.on(i)) F[i] -= loads.external[i];
    alpha[i] = b.inertia * z[i];
    beta[i] = -(cross(z[i], momentum) + b.inertia * cross(v[i], z[i]));
  }

  detail::clear(out.q);
  detail::clear(out.qd);
  detail::clear(out.qdd);
  for (int i = model.size() - 1; i >= 0; --i) {
    const Body<T>& b = model[i];
    const bool root = b.parent < 0;
    detail::with_joint(model, b, [&]<class Joint>(const Joint& joint) {
      joint.add_crossed(qd, alpha[i], beta[i]);
      joint.project(alpha[i], out.qdd);
      joint.project(beta[i], out.qd);
      joint.project_crossed(v[i], alpha[i], out.qd);
      if constexpr (Joint::one) {
        // S . (S x* f) = 0: v' and z' may have the joint's own share in them, and a' all but v x S qd
        Motion<T> without = a[i];
        joint.take_crossed(v[i], qd, without);
        joint.project_crossed(v[i], beta[i], out.q);
        joint.project_crossed(without, alpha[i], out.q);
        joint.project_crossed(z[i], F[i], out.q);
      } else {
        joint.project_crossed(~X[i] * (root ? v0 : v[b.parent]), beta[i], out.q);
        joint.project_crossed(~X[i] * (root ? a0 : a[b.parent]), alpha[i], out.q);
        if (!root) joint.project_crossed(~X[i] * z[b.parent], F[i], out.q);
      }
    });
    if (root) continue;
    F[b.parent] += X[i] * F[i];
    alpha[b.parent] += X[i] * alpha[i];
    beta[b.parent] += X[i] * beta[i];
  }
  detail::add_rotor_share(model, w, out.qdd);
}

// over double they are compiled once, for speed (tree_recursions.cpp)
extern template void inverse_jacobian_vector(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                             Rates<const double>, const BodyLoads<double>&, const MotionChange<double>&,
                                             InverseProductsWork<double>&, Rates<double>);
extern template void inverse_vector_jacobian(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                             Rates<const double>, const BodyLoads<double>&, Rates<const double>,
                                             InverseProductsWork<double>&, const InverseGradient<double>&);

}  // namespace torsor
