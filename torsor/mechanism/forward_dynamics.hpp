// Accelerations and multipliers of a mechanism under its forces: M A + J^T lambda = g, J A = gamma
// (Sim, Yoo & Lee 1985 (22), (10)),
// drivers acting as the constraints they are.
#pragma once

#include <functional>
#include <memory>

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/constrained_motion.hpp"

namespace torsor {

class FrictionForces;

class MechanismForward {
 public:
  explicit MechanismForward(const Mechanism&);
  MechanismForward(const MechanismForward&) = delete;
  MechanismForward& operator=(const MechanismForward&) = delete;
  ~MechanismForward();
  /// With the factors of another, of all equations.
  MechanismForward(const Mechanism&, ConstrainedMotion& shared);

  /// Sets A (one Motion per body, world components at the mass centres); multipliers and the rest are kept below. Returns
  /// whether accelerations were found: not where a body without inertia is free to move.
  bool accelerations(const MechanismState& state, std::span<Motion<double>> A) { return find(state, A, true); }
  /// The same with the factors there are, where they still serve.
  bool accelerations_near(const MechanismState& state, std::span<Motion<double>> A) { return find(state, A, false); }

  std::span<const double> lambda() const { return lambda_; }
  const MechanismEnergy& energy() const { return account_; }
  /// Power of the equations that depend on time: -lambda . nu.
  double driver_power() const;
  const MechanismEquations& equations() const { return equations_; }
  double gap() const { return gap_; }
  double share_left() const { return share_left_; }
  /// The block of equations where the gap is, and the one with the largest multiplier.
  int worst_block() const { return worst_block_; }
  int most_loaded_block() const;

  /// Numbers it keeps for gradients and factors, fill included.
  std::size_t numbers_kept() const { return equations_.J.size() + motion_.numbers_kept(); }

  /// Multiplications that a factorisation takes.
  std::size_t products_of_factorisation() const { return motion_.products_of_factorisation(); }

  void expect_redundancy(bool yes) { motion_.expect_redundancy(yes); }

  /// Dry friction of the joints, as it was there; and velocities of a state brought to rest along those wanted.
  const FrictionForces& friction() const { return *friction_; }
  /// Whether modes of friction are tried, some of which no loads could answer.
  void try_modes(bool trying);
  void stop_rates(MechanismState&, const std::vector<bool>& wanted);

 private:
  const Mechanism& mechanism_;
  MechanismEquations equations_;
  std::unique_ptr<ConstrainedMotion> own_;
  ConstrainedMotion& motion_;
  std::vector<Force<double>> g_;
  std::vector<Motion<double>> before_;
  std::vector<double> lambda_;
  MechanismEnergy account_;
  double gap_ = 0, share_left_ = 0;
  int worst_block_ = -1;
  std::unique_ptr<FrictionForces> friction_;
  std::vector<double> zero_;

  bool find(const MechanismState&, std::span<Motion<double>> A, bool factor);
  /// What friction asks for: accelerations and multipliers of forces alone, all equations holding.
  std::function<void(std::span<const Force<double>>, std::span<Motion<double>>, std::span<double>)> alone();
  /// Accelerations of forces alone, and how far equations miss what they ask for.
  bool solve(std::span<const Force<double>> g, std::span<const double> target, std::span<Motion<double>> A,
             std::span<double> lambda, double& gap);
};

/// Whether accelerations and forces of the joints are those of the equations there: where masses of a linkage are too
/// far apart (masses_apart in freedoms.hpp) they need not be.
bool solves_equations(const Mechanism&, const MechanismState&);

}  // namespace torsor
