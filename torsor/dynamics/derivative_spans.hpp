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

}  // namespace torsor
