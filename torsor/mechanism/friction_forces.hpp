// Dry friction in the joints of a mechanism. What slides is pushed back by what its law says; what sticks gets what keeps its rate at
// zero. With the accelerations A that all else causes, W_j those of a unit along measure j (all equations holding), B_i the gradient of
// measure i,
//
//   A + sum_j W_j f_j,   f_i = -mode_i level_i(rate_i, N_i)                    of what slides
//                        B_i . (A + sum_j W_j f_j) + bias_i = 0                of what sticks
//
// The load N_i that a joint bears across its axis is linear in f, and a few rounds find both. Frictions that hold the same freedom
// share it as their levels are: all break away at once.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "torsor/mechanism/equations.hpp"

namespace torsor {

/// What friction does at the rates there, on body j, where the joint bears what the multipliers say; at rest, nothing.
double rubbing_torque(const Mechanism&, const MechanismEquations&, const MechanismFriction&,
                      std::span<const double> lambda);

class FrictionForces {
 public:
  explicit FrictionForces(const Mechanism&);
  bool empty() const { return frictions_.empty(); }

  /// Sets the accelerations and multipliers of forces alone, all equations holding.
  using Respond =
      std::function<void(std::span<const Force<double>> g, std::span<Motion<double>> x, std::span<double> lambda)>;

  /// Adds to accelerations and multipliers that were found without friction; in the modes of the state, or by the signs of the rates,
  /// where at rest there is none. Returns the power.
  double act(const MechanismState&, const MechanismEquations&, std::span<Motion<double>> A, std::span<double> lambda,
             const Respond&);

  /// While modes are tried: of one that presses ever more on what rubs, however much that is, the loads are those without friction.
  void try_modes(bool trying) { trying_ = trying; }

  /// Velocities: the rates of those wanted become zero, all equations holding.
  void stop(MechanismState&, const MechanismEquations&, const std::vector<bool>& wanted, const Respond&);

  /// Of the last act(): what friction does along a measure (on body j); what it can do at most, at rest; the second derivative of
  /// the measure; its rate; whether nothing that friction could do changes that.
  double torque(std::size_t k) const { return f_[k]; }
  double most(std::size_t k) const { return most_[k]; }
  double acceleration(std::size_t k) const { return second_[k]; }
  double rate(std::size_t k) const { return measures_[k].rate; }
  /// What an acceleration of a measure compares with: those that friction could give it.
  double acceleration_scale(std::size_t k) const {
    return S_[k * f_.size() + k] * (most_[k] + (f_[k] < 0 ? -f_[k] : f_[k]));
  }
  bool moves_nothing(std::size_t k) const { return S_[k * f_.size() + k] == 0; }

 private:
  const Mechanism& mechanism_;
  std::span<const MechanismFriction> frictions_;
  std::vector<MeasureValue> measures_;
  std::vector<std::vector<Motion<double>>> W_;
  std::vector<std::vector<double>> lambda_;  // multipliers of a unit along each
  std::vector<Force<double>> g_;
  std::vector<double> S_, f_, free_, most_, second_;
  bool trying_ = false;
  std::vector<Vec3<double>> load_;  // at the joint of each: without friction, then by a unit along each

  void measure(const MechanismEquations&);
  /// W, S and multipliers of the column j.
  void find_column(std::size_t j, const Respond&);
  /// f of those marked, so that B . (...) = -target of each.
  void hold(const std::vector<std::size_t>& stuck, std::span<const double> target);
};

}  // namespace torsor
