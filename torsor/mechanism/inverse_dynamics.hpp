// Torques of the actuators that make a mechanism move as it does, and all multipliers of its joints: given A,
//
//   J_K^T lambda - J_A^T u = g - M A                       (Sim, Yoo & Lee 1985 (27) to (36), drivers and actuators apart)
//
// Drivers say how it moves; actuators, a list of their own, are asked for u. What the joints alone can hold is taken away
// first: with P the projection onto J_K x = 0 in the metric of the masses,
//
//   C u = -b,   C_kl = J_k . P M^-1 J_l^T,   b_k = J_k . P M^-1 (g - M A)
//
// a small system that does not see whether joints depend on one another. Its rank is the number of degrees of freedom the
// actuators command: what they must give. Where they are more than that, torques in the null space of C do nothing but load
// the joints or one another: they could be given, but the sum of weight u^2 is least instead, and which torques that
// concerns is told.
//
// Without actuators the drivers themselves are asked: as equations among the others (EquationSet::all), their multipliers are
// what they have to give (Sim, Yoo & Lee 1985, section 4, driving constraints).
#pragma once

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/constrained_motion.hpp"

namespace torsor {

struct InverseReport {
  int commanded = 0;  // degrees of freedom the actuators command
  double unbalanced =
      0;  // largest acceleration (rad/s^2, m/s^2) that no actuator could have caused; 0 but for rounding if all can
  double unbalanced_share = 0;  // the same, ways in sizes of the mechanism, over the largest that all had to cause
  MechanismEnergy energy;
  double power = 0;    // W: of the torques, sum of u times rate
  double carried =
      0;  // W: of the equations that depend on time, carriers and (if these are asked) drivers: -lambda . nu
};

class MechanismInverse {
 public:
  explicit MechanismInverse(const Mechanism&, EquationSet = EquationSet::without_drivers);

  /// Torques for the accelerations A at a state. `u` (one per actuator) are net along the measure; a motor beside a
  /// spring and damper supplies motor_torque().
  InverseReport torques(const MechanismState&, std::span<const Motion<double>> A, std::span<double> u);

  /// T = torque + k (measure - rest) + c rate, of the last state.
  double motor_torque(int actuator, double effort) const;

  /// Whether joints or other actuators could bear this one's torque instead, at the last state: it is then not unique.
  bool is_shared(int actuator) const { return shared_[static_cast<std::size_t>(actuator)]; }

  std::span<const double> lambda() const { return lambda_; }
  const MechanismEquations& equations() const { return equations_; }
  const ConstrainedMotion& motion() const { return motion_; }

  void expect_redundancy(bool yes) { motion_.expect_redundancy(yes); }

 private:
  const Mechanism& mechanism_;
  MechanismEquations equations_;
  ConstrainedMotion motion_;
  std::vector<Force<double>> g_;
  std::vector<Motion<double>> x_;
  std::vector<std::vector<Motion<double>>> y_;
  std::vector<MeasureValue> measures_;
  std::vector<double> lambda_, zero_, C_, vectors_, b_, unit_, free_lambda_;
  std::vector<bool> shared_;

  /// Torques and multipliers with what rubs by the multipliers there are.
  InverseReport balance(const MechanismState&, std::span<const Motion<double>> A, std::span<double> u);
  void find_commands();
  int solve(std::span<double> u);
  void share(int rank, std::span<double> u);
};

}  // namespace torsor
