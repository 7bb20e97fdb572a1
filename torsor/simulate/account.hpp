// The energy of a robot in motion, for whoever runs it.
#pragma once

#include "torsor/spatial/motion.hpp"

namespace torsor {

/// Where the energy is and where it went, J; momentum about the world's origin, for a base at rest.
struct Account {
  double kinetic = 0, potential = 0;
  Force<double> momentum;
  double torque_work = 0, friction_loss = 0, surroundings_work = 0, stop_work = 0;  // since the start
  double balance_error = 0;  // energy now - energy at the start - work received + loss: the error of the integration
};

}  // namespace torsor
