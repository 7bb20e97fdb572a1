// Downhill to where a mechanism closes, from a guess at which Newton's method stands still: a crank and rod drawn out
// straight, a loop laid flat, two axes of a cross that are parallel. What goes down is
//
//   F = Phi^T Phi / 2,   in the metric of the masses: slope M^-1 J^T Phi, steps -M^-1 J^T (J M^-1 J^T + d)^-1 Phi
//
// with Phi over the units of their rows
// (Levenberg 1944, Marquardt 1963). Where the slope vanishes and equations are left, the guess is a saddle if F curves down
// along some motion that the equations do not feel at first order, J x = 0: it then goes on along the one that curves down
// most, found by Lanczos' method from products with the Hessian (as columns buckle). If none does, it cannot be closed from
// there.
#pragma once

#include "torsor/mechanism/constrained_motion.hpp"

namespace torsor {

class ClosingDescent {
 public:
  ClosingDescent(const Mechanism&, EquationSet);

  /// Moves the bodies down until no equation is off by more than 1e-7, near enough for Newton's method; false: a place was
  /// reached from which it goes down no further.
  bool descend(MechanismState&);

 private:
  using Motions = std::vector<Motion<double>>;

  MechanismEquations equations_;
  ConstrainedMotion motion_;
  double size_;
  std::vector<double> lambda_, none_, per_unit_;
  std::vector<Force<double>> forces_;
  Motions x_;
  MechanismState trial_;

  /// F at a state, and the largest |value|.
  struct Height {
    double sum = 0, worst = 0;
  };
  Height height(const MechanismState&);
  /// Goes there if that is lower; whether it did.
  bool try_step(MechanismState&, Height&, const Motions&, double fraction);
  void damped_step(const MechanismState&, double damping);
  /// Off a saddle; false: it is none.
  bool leave_saddle(MechanismState&, Height&);
  Motions slope(const MechanismState&, const Motions& way, double fraction);
  double product(const Motions&, const Motions&) const;
  /// The motion of length 1 along which F curves down most, of those with J x = 0; empty: it curves down along none.
  Motions falling(const MechanismState&);
};

}  // namespace torsor
