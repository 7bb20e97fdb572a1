// What acts on the bodies from outside, as a function of time and state: a wall, a push, the wind.
#pragma once

#include <span>

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

}  // namespace torsor
