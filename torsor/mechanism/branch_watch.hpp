// Branches of a driven mechanism. At every instant its equations have several solutions, which meet only in singular positions:
// a slider-crank drawn out straight, a parallelogram laid flat. Two positions J and J' next to each other are on one branch if
// no real eigenvalue of
//
//   G = J^-1 J'        J, J': the gradients of a full set of independent equations in both
//
// has come to zero between them. Beyond a singular position one is negative (two where two loops are singular at a time, so
// that the sign of a determinant would tell nothing); steps after which all eigenvalues of 1 - G are well below 1 have passed
// none. Of equations that depend on one another everywhere a set is taken that is independent where it stands, and another
// one where that has ceased to be so.
#pragma once

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

class BranchWatch {
 public:
  /// Watches nothing where not all is driven, or where the mechanism is large.
  BranchWatch(const Mechanism&, const MechanismState& assembled);

  bool watches() const { return watches_; }

  /// Takes a position as the one that others are compared with.
  void stand(const MechanismState&);

  /// How far it stands from a singular position, 1 where it was farthest; 1 where nothing is watched.
  double clearance() const { return largest_ > 0 ? clearance_ / largest_ : 1; }

  /// Whether a position is on the branch of the one it stands in, and near enough to be sure.
  bool goes_on(const MechanismState&);

  /// Moves a position nearer to where the equations hold by Newton's method: next to a singular position more exactly than by
  /// normal equations, which square what is small. Returns the largest gap left, over the unit of its row.
  double close(MechanismState&);

  /// Velocities and accelerations where it stands, likewise; false: there are none.
  bool rates(MechanismState&, std::span<Motion<double>> A);

  /// The determinant of the equations there over the one where it stands, with its sign.
  double determinant(const MechanismState&);

 private:
  const Mechanism& mechanism_;
  MechanismEquations equations_;
  double size_;
  MechanismState stands_;
  std::vector<bool> taken_;                 // rows
  std::vector<double> J_, J_there_, scale_;  // factored where it stands; there; of each row taken
  std::vector<int> order_, order_there_;
  std::vector<double> any_, start_, x_, y_, z_;
  std::vector<Motion<double>> way_;
  double clearance_ = 0, largest_ = 0;
  bool watches_ = false, renewed_ = false, factored_ = false;

  bool choose(const MobilityReport&);
  bool renew();
  void factor();
  bool fill(const MechanismState&, std::vector<double>& J);
  bool factor_there(const MechanismState&);
  double turned(const MechanismState&);
  /// The motions for which the equations taken have these values, which are given for all of them.
  bool solve(std::span<const double> LU, std::span<const int> order, std::span<const double> target,
             std::vector<Motion<double>>&);
  double gap() const;
};

/// A position beside the one it stands in, a little along what its joints leave free, drivers not looked at; the same one
/// where they leave nothing, or too much (freedoms.hpp).
MechanismState beside(const Mechanism&, const MechanismState& assembled);

/// Degrees of freedom that a mechanism has beside the position it stands in, a little along what its joints leave free. Fewer
/// than where it stands: the position is singular. Of very many freedoms (freedoms.hpp) those where it stands.
int freedoms_nearby(const Mechanism&, const MechanismState& assembled, EquationSet);

}  // namespace torsor
