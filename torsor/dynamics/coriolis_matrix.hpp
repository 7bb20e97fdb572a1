// Coriolis matrix C(q, qd) with C qd the centrifugal and Coriolis torques and dM/dt - 2C skew: the one made of
// Christoffel coefficients for joints of one degree of freedom (Echeandia & Wensing 2021; here with all vectors in the
// world frame, which leaves two plain loops). O(n d).
//
//   C = sum over bodies J^T (I Jd + B J),   B(I, v) = 1/2 [ v x* I + (I v) xbar* - I v x ],   (f xbar*) m = m x* f
//
// With composite sums over the subtree of j and s, sd the allowed motions and their rates:
//   C_ij = s_i^T (I_j sd_j + B_j s_j) and C_ji = s_j^T (I_j sd_i + B_j s_i), i any ancestor of j.
#pragma once

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

namespace detail {

/// A 6x6 matrix from motions to forces in 3x3 blocks.
template <class T>
struct Mat6 {
  Mat3<T> nw, nv, fw, fv;

  Mat6& operator+=(const Mat6& b) {
    nw += b.nw;
    nv += b.nv;
    fw += b.fw;
    fv += b.fv;
    return *this;
  }
};

template <class T>
Force<T> operator*(const Mat6<T>& B, const Motion<T>& m) {
  return {B.nw * m.w + B.nv * m.v, B.fw * m.w + B.fv * m.v};
}

/// B(I, v) applied to each unit motion: 1/2 [ v x* I e + e x* I v - I (v x e) ].
template <Field T>
Mat6<T> coriolis_factor(const Inertia<T>& I, const Motion<T>& v) {
  const T half = T(1) / T(2);
  const Force<T> Iv = I * v;
  const auto column = [&](const Motion<T>& e) { return (cross(v, I * e) + cross(e, Iv) - I * cross(v, e)) * half; };
  const Mat3<T> unit = Mat3<T>::identity();
  const Force<T> wx = column({unit.x, {}}), wy = column({unit.y, {}}), wz = column({unit.z, {}});
  const Force<T> vx = column({{}, unit.x}), vy = column({{}, unit.y}), vz = column({{}, unit.z});
  return {{wx.n, wy.n, wz.n}, {vx.n, vy.n, vz.n}, {wx.f, wy.f, wz.f}, {vx.f, vy.f, vz.f}};
}

}  // namespace detail

template <class T>
struct CoriolisWork {
  explicit CoriolisWork(const Model<T>& model)
      : X(model.bodies.size()), v(X.size()), s(model.S.size()), sd(model.S.size()), I(X.size()), B(X.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v, s, sd;
  std::vector<Inertia<T>> I;
  std::vector<detail::Mat6<T>> B;
};

/// Coriolis matrix, row-major nv x nv. Quasi-velocities of ball and free joints are the body components of angular and
/// linear velocity.
template <Field T>
void coriolis_matrix(const Model<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                     CoriolisWork<T>& work, std::span<T> C) {
  const int n = model.nv;
  TORSOR_EXPECT(C.size() == cells(n, n) && qd.size() == static_cast<std::size_t>(n));
  auto& [X, v, s, sd, I, B] = work;

  // everything in the world frame
  forward_kinematics(model, configuration, std::span(X));
  for (int i = 0; i < model.size(); ++i) {
    const Body<T>& b = model[i];
    v[i] = b.parent < 0 ? Motion<T>{} : v[b.parent];
    for (int c = 0; c < b.nv; ++c) {
      s[b.column + c] = X[i] * model.S[b.column + c];
      v[i] += s[b.column + c] * qd[b.v + c];
    }
    for (int c = 0; c < b.nv; ++c) sd[b.column + c] = cross(v[i], s[b.column + c]);
    I[i] = X[i] * model[i].inertia;
    B[i] = detail::coriolis_factor(I[i], v[i]);
  }

  for (T& entry : C) entry = T(0);
  for (int j = model.size() - 1; j >= 0; --j) {
    const Body<T>& bj = model[j];
    for (int c = 0; c < bj.nv; ++c) {
      const Motion<T>&s_j = s[bj.column + c], &sd_j = sd[bj.column + c];
      const Force<T> f = I[j] * sd_j + B[j] * s_j;
      for (int i = j; i >= 0; i = model[i].parent)
        for (int l = 0; l < model[i].nv; ++l) {
          const Motion<T>&s_i = s[model[i].column + l], &sd_i = sd[model[i].column + l];
          C[(model[i].v + l) * n + bj.v + c] += dot(s_i, f);
          if (i != j) C[(bj.v + c) * n + model[i].v + l] += dot(s_j, I[j] * sd_i + B[j] * s_i);
        }
    }
    if (bj.parent >= 0) {
      I[bj.parent] += I[j];
      B[bj.parent] += B[j];
    }
  }
}

}  // namespace torsor
