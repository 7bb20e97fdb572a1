// Forces on a mechanism at rest along its freedoms, how they change with these, and what they do on the way from one state to
// another: what the search for a place of rest (equilibrium.hpp) goes by.
#pragma once

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/assembly.hpp"

namespace torsor {

/// Columns of N (freedoms.hpp).
using FreeMotions = std::vector<std::vector<Motion<double>>>;

class StaticForces {
 public:
  explicit StaticForces(const Mechanism&);

  void expect_redundancy(bool yes);
  /// Brings a state onto the equations; false: it cannot be.
  bool close(MechanismState& state) { return assembly_.positions(state).closed; }

  /// Forces along motions that are free there, or free at a state beside it: what the joints hold is taken away.
  std::vector<double> along(const MechanismState&, const FreeMotions&);
  /// -df/dz, row-major, by central differences on the equations.
  std::vector<double> stiffness(const MechanismState&, const FreeMotions&);

  /// Of all forces that act on the bodies, by the mean of both ends: the error is of the third order in the way. `rounding`:
  /// what it may be wrong by.
  struct Work {
    double done = 0, rounding = 0;
  };
  Work work(const MechanismState& from, const MechanismState& to);

  /// The largest force along a free motion there would be if nothing cancelled, since the start; and how far such a motion
  /// reaches at most.
  double scale() const { return scale_; }
  double reach() const { return reach_; }
  /// m: what ways compare with.
  double size() const { return size_; }

 private:
  const Mechanism& m_;
  MechanismEquations equations_;
  Assembly assembly_;
  ConstrainedMotion motion_;
  std::vector<Force<double>> g_;
  std::vector<Motion<double>> x_;
  std::vector<double> zero_, lambda_;
  double size_ = 1, scale_ = 0, reach_ = 0;

  void forces_at(const MechanismState&);
};

/// The motions that bring the bodies of one state to another.
std::vector<Motion<double>> displacement(const MechanismState& from, const MechanismState& to);

}  // namespace torsor
