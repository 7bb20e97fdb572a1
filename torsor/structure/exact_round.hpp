// One round of an exact decision: a random prime, the robot modulo it, and a random position that can be drawn again
// coordinate by coordinate. What is asked of it (coefficients, screws, composite inertias) is that of the algorithms.
#pragma once

#include <map>

#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/scalar/modular.hpp"
#include "torsor/structure/exact_model.hpp"
#include "torsor/structure/exact_structure.hpp"

namespace torsor {

/// A robot's angles and numbers modulo the prime of the day, its inertias as the level wants them.
class ModularSource {
 public:
  ModularSource(const ExactRobot& robot, Level level, std::mt19937_64& engine);

  CirclePoint point(const ExactAngle& angle) const;
  TurnOf<Modular> turn(const ExactAngle& angle) const;
  Modular number(double x) const { return x == 0 ? Modular() : modular(x); }
  Modular rotor(double x) { return inertial(x); }
  Inertia<Modular> inertia(const std::vector<Part>& parts, bool is_rotor);

 private:
  Modular inertial(double x);
  Modular moment(double x);

  Level level_;
  std::mt19937_64& engine_;
  std::int64_t parts_per_step_;
  CirclePoint zeta_;
  std::vector<CirclePoint> general_;
  std::map<double, Modular> equal_;
};

class ExactRound {
 public:
  /// Draws everything from the engine; while it lives, Modular numbers of this thread are those of its prime.
  ExactRound(const ExactRobot& robot, Level level, std::mt19937_64& engine);

  /// Another value for coordinate l.
  void draw(int l);

  /// D, c and G where the robot stands, and with them the screws and composite inertias in work().
  void evaluate();
  /// The values of some coefficients, after evaluate().
  void values(const std::vector<Coefficient>& which, std::vector<Modular>& out) const;

  const Model<Modular>& model() const { return model_; }
  const CoefficientsWork<Modular>& work() const { return work_; }
  const Configuration<Modular>& position() const { return configuration_; }
  void restore(const Configuration<Modular>& position) { configuration_ = position; }
  std::uint64_t prime() const { return modulus_.p; }

 private:
  PrimeModulus modulus_;
  ModulusScope scope_;
  const ExactRobot& robot_;
  std::mt19937_64& engine_;
  ModularSource source_;
  Model<Modular> model_;
  Configuration<Modular> configuration_;
  CoefficientsWork<Modular> work_;
  std::vector<CirclePoint> offset_;
  std::vector<Modular> D_, c_, G_;
};

}  // namespace torsor
