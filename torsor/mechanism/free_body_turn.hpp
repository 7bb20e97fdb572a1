// How a rigid body turns in a time h with no moment on it: angular momentum stays, exactly, and energy swings with h^2 but does
// not drift. With the momentum m along the principal axes
//
//   2 T = m . m / I_1 + m_2^2 (1/I_2 - 1/I_1) + m_3^2 (1/I_3 - 1/I_1)
//
// is three turns that follow one another, each exact: about the momentum, which does not move along the axes and can be made
// last, and about axes 2 and 3, of which one is made in two halves. 1 and 2 are the axes whose moments are most alike: what is
// round turns exactly. R. McLachlan, SIAM J. Sci. Comput. 16 (1995); S. Reich, Fields Inst. Commun. 10 (1996).
#pragma once

#include <array>

#include "torsor/spatial/quaternion.hpp"

namespace torsor {

class FreeBodyTurn {
 public:
  /// Of the tensor about the mass centre, along the axes of the body's frame; positive definite.
  explicit FreeBodyTurn(const Sym3<double>& I);

  /// Moves p on, and w (world components) with it.
  void go(double h, Quaternion<double>& p, Vec3<double>& w) const;

 private:
  Quaternion<double> axes_;        // the principal axes in the frame
  std::array<double, 3> moments_;  // about them
};

}  // namespace torsor
