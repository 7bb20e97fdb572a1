// Kinematic analysis (001, step 3): positions that satisfy all equations at an instant, by Newton's method from where the
// bodies are; then velocities and accelerations, which are linear. Every correction is the smallest in the metric of the
// masses, so that what is not determined stays put, and equations that depend on one another do no harm. A first position may
// have to be looked for from a guess at which Newton's method stands still (closing_descent.hpp).
#pragma once

#include "torsor/mechanism/constrained_motion.hpp"

namespace torsor {

/// How an assembly ended. Gaps are in the units of the equations: metres, or sines of angles; which is the largest, and small
/// enough, is decided by what they are over the units of their rows (Mechanism::row_units).
struct AssemblyReport {
  bool closed = false;
  bool singular = false;  // closed as far as can be where equations lose rank: to 1e-9 instead of rounding
  double gap = 0;         // largest |value| left
  double share = 0;       // the same over the unit of its row
  int block = -1;         // where it is
  int rounds = 0;
  double before = 0;  // the gap it began with
};

/// Workspace of position, velocity and acceleration analysis of one mechanism; one per thread.
class Assembly {
 public:
  static constexpr double usual_tolerance = 1e-12;

  Assembly(const Mechanism&, EquationSet);

  /// Moves the bodies until all equations of the set hold (at most `tolerance` units of their rows missing); stays at the best
  /// place found.
  AssemblyReport positions(MechanismState&, double tolerance = usual_tolerance);

  /// The same from a rough guess, which need not be near: where Newton's method stands still it goes downhill, off saddles,
  /// and at last from guesses beside the given one, of which the nearest place is taken that closes.
  AssemblyReport from_guess(MechanismState&);

  /// The largest gap there, as it is.
  double gap(const MechanismState& state) {
    equations_.evaluate(state);
    return gap_of_values().gap;
  }

  /// Changes velocities to the nearest that satisfy J V = nu; the gap left is that of equations that contradict each other.
  AssemblyReport velocities(MechanismState&);

  /// Both, one after the other; dearer parts of the first serve the second.
  struct Projected {
    AssemblyReport positions, velocities;
  };
  Projected project(MechanismState&);
  /// What it solves with: after project() factored at the state, or next to it.
  ConstrainedMotion& motion() { return motion_; }

  /// Accelerations with J A = gamma, the smallest in the metric of the masses; unique where all is driven.
  AssemblyReport accelerations(const MechanismState&, std::span<Motion<double>> A);

  /// Equations of the set known to depend on one another.
  void expect_redundancy(bool yes) { motion_.expect_redundancy(yes); }

 private:
  const Mechanism& mechanism_;
  EquationSet set_;
  MechanismEquations equations_;
  ConstrainedMotion motion_;
  std::vector<Motion<double>> x_;
  std::vector<double> target_, lambda_;
  MechanismState trial_;

  /// positions(); `may_follow`: with factors that are there, if they serve.
  AssemblyReport close(MechanismState&, double tolerance, bool may_follow);
  AssemblyReport velocities_here(MechanismState&);
  AssemblyReport gap_of_values() const;
  AssemblyReport gap_left(double gap) const;
};

/// Moves every body by a small motion: mass centre by v, orientation by the rotation vector w.
void displace(MechanismState&, std::span<const Motion<double>>, double fraction = 1);

/// How far two states are apart: the largest way of a mass centre over the size of the mechanism, and angle of a body.
double apart(const MechanismState&, const MechanismState&, double size);

}  // namespace torsor
