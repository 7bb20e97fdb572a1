// Coriolis matrix C(q, qd) with C qd the centrifugal and Coriolis torques and dM/dt - 2C skew: the one made of
// Christoffel coefficients for joints of one degree of freedom (Echeandia & Wensing 2021; here with all vectors in the
// world frame, which leaves two plain loops). O(n d).
//
//   C = sum over bodies J^T (I Jd + B J),   B(I, v) = 1/2 [ v x* I + (I v) xbar* - I v x ],   (f xbar*) m = m x* f
//
// B is half of what derivatives of torques are made of (derivative_terms.hpp): it takes angular parts alone, 12 numbers. With sums
// over the subtree of j and s, sd the allowed motions and their rates, i any ancestor of j:
//   C_ij = s_i . (I_j sd_j + B_j s_j)        C_ji = sd_i . I_j s_j + s_i . B_j^T s_j
#pragma once

#include "torsor/dynamics/derivative_terms.hpp"
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

/// I with N and p of 2 B = [ N 0 ; -2 p x 0 ], of a body and then of its subtree.
template <class T>
struct CoriolisTerms {
  Inertia<T> I;
  Mat3<T> N;
  Vec3<T> p;

  CoriolisTerms() = default;
  CoriolisTerms(const Inertia<T>& inertia, const Motion<T>& v) : I(inertia) {
    BodyTerms<T> terms;
    terms.C = inertia;
    terms.set(v, {});
    N = terms.turning;
    p = terms.p;
  }
  CoriolisTerms& operator+=(const CoriolisTerms& b) {
    I += b.I;
    N += b.N;
    p += b.p;
    return *this;
  }
};

/// B(I, v) as a whole, for loops of generated code.
template <Field T>
Mat6<T> coriolis_factor(const Inertia<T>& I, const Motion<T>& v) {
  const T half = T(1) / T(2), zero(0);
  const CoriolisTerms<T> terms(I, v);
  const Vec3<T>& p = terms.p;
  return {{terms.N.x * half, terms.N.y * half, terms.N.z * half},
          {},
          {{zero, -p.z, p.y}, {p.z, zero, -p.x}, {-p.y, p.x, zero}},
          {}};
}

}  // namespace detail

template <class T>
struct CoriolisWork {
  explicit CoriolisWork(const Tree<T>& model)
      : X(model.bodies.size()), v(X.size()), s(model.S.size()), sd(model.S.size()), body(X.size()) {}

  std::vector<Transform<T>> X;
  std::vector<Motion<T>> v, s, sd;
  std::vector<detail::CoriolisTerms<T>> body;
};

/// Coriolis matrix, row-major nv x nv. Quasi-velocities of ball and free joints are the body components of angular and
/// linear velocity.
template <Field T>
void coriolis_matrix(const Tree<T>& model, const Configuration<T>& configuration, Rates<const T> qd,
                     CoriolisWork<T>& work, std::span<T> C) {
  const int n = model.nv;
  TORSOR_EXPECT(C.size() == cells(n, n) && qd.size() == static_cast<std::size_t>(n));
  auto& [X, v, s, sd, body] = work;
  const T half = T(1) / T(2);

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
    body[i] = {X[i] * model[i].inertia, v[i]};
  }

  for (T& entry : C) entry = T(0);
  for (int j = model.size() - 1; j >= 0; --j) {
    const Body<T>& bj = model[j];
    for (int c = 0; c < bj.nv; ++c) {
      const Motion<T>&s_j = s[bj.column + c], &sd_j = sd[bj.column + c];
      const auto& [I, N, p] = body[j];
      const Force<T> f = I * sd_j + Force<T>{N * s_j.w * half, cross(s_j.w, p)}, I_s = I * s_j;
      const Vec3<T> B_s = ~N * s_j.w * half + cross(p, s_j.v);
      for (int i = j; i >= 0; i = model[i].parent)
        for (int l = 0; l < model[i].nv; ++l) {
          const Motion<T>&s_i = s[model[i].column + l], &sd_i = sd[model[i].column + l];
          C[(model[i].v + l) * n + bj.v + c] += dot(s_i, f);
          if (i != j) C[(bj.v + c) * n + model[i].v + l] += dot(sd_i, I_s) + dot(s_i.w, B_s);
        }
    }
    if (bj.parent >= 0) body[bj.parent] += body[j];
  }
}

// over double it is compiled once, for speed (tree_recursions.cpp)
extern template void coriolis_matrix(const Tree<double>&, const Configuration<double>&, Rates<const double>,
                                     CoriolisWork<double>&, std::span<double>);

}  // namespace torsor
