// ArticulatedInertia: a general symmetric 6x6 spatial inertia [I H; H^T M], what a subtree of a mechanism feels like at
// one of its bodies (Featherstone, Rigid Body Dynamics Algorithms, ch. 7).
#pragma once

#include "torsor/spatial/inertia.hpp"

namespace torsor {

template <class T>
struct ArticulatedInertia {
  Sym3<T> I;
  Mat3<T> H;
  Sym3<T> M;

  ArticulatedInertia() = default;
  ArticulatedInertia(const Sym3<T>& rotational, const Mat3<T>& coupling, const Sym3<T>& translational)
      : I(rotational), H(coupling), M(translational) {}
  explicit ArticulatedInertia(const Inertia<T>& J) : I(J.I), H(skew(J.h)), M{J.m, J.m, J.m, T(0), T(0), T(0)} {}

  ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
    I += b.I;
    H += b.H;
    M += b.M;
    return *this;
  }

  /// Subtracts the rank-one inertia u u^T / d.
  void remove(const Force<T>& u, const Force<T>& u_over_d) {
    I = I - symmetric(outer(u.n, u_over_d.n));
    H = H - outer(u.n, u_over_d.f);
    M = M - symmetric(outer(u.f, u_over_d.f));
  }
};

template <class T>
Force<T> operator*(const ArticulatedInertia<T>& A, const Motion<T>& a) {
  return {A.I * a.w + A.H * a.v, ~A.H * a.w + A.M * a.v};
}

/// The same inertia seen from A.
template <class T>
ArticulatedInertia<T> operator*(const Transform<T>& X, const ArticulatedInertia<T>& A) {
  const Mat3<T> P = skew(X.p), H1 = X.R * A.H * ~X.R;
  const Sym3<T> M = rotate(X.R, A.M);
  const Mat3<T> H = H1 + P * full(M);
  return {rotate(X.R, A.I) + symmetric(P * ~H - H1 * P), H, M};
}

}  // namespace torsor
