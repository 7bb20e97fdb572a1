// Positions where a driven mechanism may go on in more than one way, or not at all: there the determinant of its equations
// vanishes. Of equations that depend on one another everywhere a full set of independent ones is watched, chosen where they
// are.
#pragma once

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

class BranchWatch {
 public:
  /// Watches nothing where not all is driven, or where the mechanism is large.
  BranchWatch(const Mechanism&, const MechanismState& assembled);

  /// The determinant over the largest that was seen, with its sign; 1 where nothing is watched.
  double look(const MechanismState&);

  /// Whether the equations lose rank there in truth, and not only the set of them that is watched; if not, another is
  /// taken.
  bool singular(const MechanismState&);

 private:
  const Mechanism& mechanism_;
  MechanismEquations equations_;
  std::vector<bool> taken_;  // rows
  std::vector<double> J_;
  std::vector<int> order_;
  double largest_ = 0;
  bool watches_ = false;

  void choose(const MobilityReport&);
};

/// A position beside the one it stands in, a little along what its joints leave free, drivers not looked at; the same one
/// where they leave nothing, or too much (freedoms.hpp).
MechanismState beside(const Mechanism&, const MechanismState& assembled);

/// Degrees of freedom that a mechanism has beside the position it stands in, a little along what its joints leave free. Fewer
/// than where it stands: the position is singular. Of very many freedoms (freedoms.hpp) those where it stands.
int freedoms_nearby(const Mechanism&, const MechanismState& assembled, EquationSet);

}  // namespace torsor
