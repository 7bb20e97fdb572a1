// Where derivatives of dynamics go: row-major nv x nv each, entry (i, j) = d of answer i by coordinate j. Derivatives by q
// are along the velocity coordinates (inverse_derivatives.hpp).
#pragma once

#include <span>

namespace torsor {

/// Of tau = inverse(q, qd, qdd).
template <class T>
struct InverseDerivatives {
  std::span<T> dq, dqd, dqdd;
};

/// Of qdd = forward(q, qd, tau).
template <class T>
struct ForwardDerivatives {
  std::span<T> dq, dqd, dtau;
};

// Products with them need no matrices: nv numbers each. An empty change is none.

/// A change of the motion (q, qd, qdd); of (q, qd, tau).
template <class T>
struct MotionChange {
  std::span<const T> q, qd, qdd;
};
template <class T>
struct DriveChange {
  std::span<const T> q, qd, tau;
};

/// Where the gradient of w . tau by q, qd and qdd goes; of u . qdd by q, qd and tau.
template <class T>
struct InverseGradient {
  std::span<T> q, qd, qdd;
};
template <class T>
struct ForwardGradient {
  std::span<T> q, qd, tau;
};

}  // namespace torsor
