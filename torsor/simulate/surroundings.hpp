// What acts on the bodies from outside, as a function of time and state: a wall, a push, the wind.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "torsor/spatial/motion.hpp"

namespace torsor {

class Surroundings {
 public:
  virtual ~Surroundings() = default;

  /// Adds what is exerted on each body, in the body's frame, to forces (one per body, zero before). Must not allocate.
  virtual void act(double t, std::span<const double> q, std::span<const double> qd,
                   std::span<Force<double>> forces) = 0;

  /// How many quantities there are whose change of sign makes the forces jump or bend, such as the distance to a wall.
  virtual int switches() const { return 0; }
  /// These quantities: steps end where one passes zero.
  virtual void switching(double /*t*/, std::span<const double> /*q*/, std::span<const double> /*qd*/,
                         std::span<double> /*values*/) {}
};

/// The same forces for ever, one per body, in the body's frame: they turn with it.
class ConstantForces final : public Surroundings {
 public:
  explicit ConstantForces(std::vector<Force<double>> forces) : forces_(std::move(forces)) {}
  void act(double, std::span<const double>, std::span<const double>, std::span<Force<double>> forces) override {
    for (std::size_t i = 0; i < forces_.size(); ++i) forces[i] += forces_[i];
  }

 private:
  std::vector<Force<double>> forces_;
};

}  // namespace torsor
