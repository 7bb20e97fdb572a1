// Forces on a mechanism at rest along its freedoms, how they change with these, and what they do on the way from one state to
// another: what the search for a place of rest (equilibrium.hpp) goes by.
#pragma once

#include <algorithm>

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/linkages.hpp"

namespace torsor {

/// Columns of N (freedoms.hpp).
using FreeMotions = std::vector<std::vector<Motion<double>>>;

class StaticForces {
 public:
  explicit StaticForces(const Mechanism&);

  /// Looks at one part (linkages_with_springs) by itself from here on: the others stay where they are.
  void look_at(int part);
  int parts() const { return parts_.count; }
  bool looks_at(std::size_t body) const { return parts_.of[body] == part_; }
  /// The motions of this part.
  FreeMotions of_part(FreeMotions all) const;

  void expect_redundancy(bool yes);
  /// Brings a state onto the equations; false: it cannot be.
  bool close(MechanismState& state) { return assembly_.positions(state).closed; }

  /// Forces along motions that are free there, or free at a state beside it: what the joints hold is taken away.
  std::vector<double> along(const MechanismState&, const FreeMotions&);
  /// -df/dz, row-major, by central differences on the equations.
  std::vector<double> stiffness(const MechanismState&, const FreeMotions&);

  /// Of all forces that act on the part's bodies, by the mean of both ends: the error is of the third order in the
  /// way. `rounding`: what it may be wrong by.
  struct Work {
    double done = 0, rounding = 0;
  };
  Work work(const MechanismState& from, const MechanismState& to);

  /// The largest of the forces that along() gave last, over the largest along a free motion of the same linkage there
  /// would be if nothing cancelled, since the part is looked at: what springs join may differ in mass as well.
  double share(const std::vector<double>& forces) const;
  /// Whether forces along each of the motions are small beside those on its own bodies, and the joints' forces are
  /// those of the equations: where masses of a linkage are too far apart, neither need be so.
  bool certain(const MechanismState&, const FreeMotions&);
  /// Such a force over a turn of 1 rad, of the linkage where that is largest; and how far a free motion reaches at
  /// most.
  double stiffness_scale() const;
  double reach() const { return *std::max_element(reach_.begin(), reach_.end()); }
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
  double size_ = 1;
  Parts parts_, linkages_;
  int part_ = 0;
  std::vector<double> scale_, reach_;    // of each linkage
  std::vector<std::size_t> linkage_of_;  // of each motion of the last along()
  std::vector<double> own_;              // of each of these: the force along it if nothing cancelled

  void forces_at(const MechanismState&);
};

/// The motions that bring the bodies of one state to another.
std::vector<Motion<double>> displacement(const MechanismState& from, const MechanismState& to);

}  // namespace torsor
