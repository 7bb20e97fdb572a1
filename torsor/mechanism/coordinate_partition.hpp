// Forward dynamics in as many coordinates as there are degrees of freedom, by partitioning: of the velocities V = (u, v) the
// independent v are those that determine the rest, found where the mechanism stands,
//
//   J_u u + J_v v = nu,    u = J_u^-1 (nu - J_v v),    V = a + B v,   B = (-J_u^-1 J_v, 1)
//   (B^T M B) v' = B^T (g - M a'),                     a' = (J_u^-1 gamma, 0)
//
// Only v is integrated; positions and velocities that depend on it follow from the equations at every instant, so that nothing
// drifts and no multipliers are needed. Dense: cubic in the number of bodies, meant for small mechanisms and to be compared
// with. Where J_u becomes singular other coordinates are chosen.
//
// R. A. Wehage & E. J. Haug, Generalized coordinate partitioning for dimension reduction in analysis of constrained dynamic
// systems, J. Mechanical Design 104 (1982) 247-255.
#pragma once

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/assembly.hpp"

namespace torsor {

class CoordinatePartition {
 public:
  /// Chosen at a state whose positions are assembled.
  CoordinatePartition(const Mechanism&, const MechanismState&);

  /// Chooses coordinates anew where those there are determine the rest badly; false: none do.
  bool refresh(const MechanismState&);

  /// Moves the dependent coordinates until all equations hold, then their velocities; the independent ones stay.
  AssemblyReport positions(MechanismState&);
  bool velocities(MechanismState&);

  /// Accelerations of a state whose positions and velocities satisfy the equations.
  bool accelerations(const MechanismState&, std::span<Motion<double>> A);

  const MechanismEnergy& energy() const { return account_; }
  /// Power of the equations that depend on time.
  double driver_power() const { return driver_power_; }

  std::span<const int> independent() const { return v_; }

 private:
  const Mechanism& mechanism_;
  MechanismEquations equations_;
  double size_;
  std::vector<int> u_, v_, rows_;  // coordinates 6 b + 0..5 (w, v); rows of the mechanism
  std::vector<double> J_u_, J_v_, J_;
  std::vector<int> order_;
  double condition_ = 0, condition_when_chosen_ = 0;
  std::vector<Force<double>> g_;
  MechanismEnergy account_;
  double driver_power_ = 0;

  void choose(const MechanismState&);
  bool factor(const MechanismState&);
  double gap() const;  // over the units of the rows
  /// Of a coordinate: 1 of a turn, the size of the mechanism of a way.
  double own_unit(int coordinate) const { return coordinate % 6 < 3 ? 1 : size_; }
  /// u for right sides J_u u = b, by rows of this partition.
  std::vector<double> solve(std::span<const double> b) const;
};

}  // namespace torsor
