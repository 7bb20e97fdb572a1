// Quaternions of positions whose squared lengths a number can hold, for kernels that divide by the length as it comes:
// with a length of 1e155 the square is infinite, and the rotation would silently be none.
#pragma once

#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

class TameQuaternions {
 public:
  explicit TameQuaternions(const Tree<double>& model) {
    for (const Body<double>& b : model.bodies)
      if (row(b.kind).nq >= 4) first_.push_back(b.q);
  }

  /// Whether the model has any.
  explicit operator bool() const { return !first_.empty(); }

  /// Whether all of q (nq) can be divided by their lengths as they are.
  template <std::floating_point Real>
  bool tame(const Real* q) const {
    for (const int k : first_)
      if (const Real s = squared_norm(at(q + k)); !(s > least_square<Real> && s < 1 / least_square<Real>)) return false;
    return true;
  }

  /// Brings them to unit length, NaN if they have none.
  template <std::floating_point Real>
  void normalize(Real* q) const {
    for (const int k : first_) {
      const Quaternion<Real> e = normalized(at(q + k));
      q[k] = e.e0, q[k + 1] = e.e1, q[k + 2] = e.e2, q[k + 3] = e.e3;
    }
  }

 private:
  template <class Real>
  static Quaternion<Real> at(const Real* e) {
    return {e[0], e[1], e[2], e[3]};
  }

  std::vector<int> first_;  // their places in q
};

}  // namespace torsor
