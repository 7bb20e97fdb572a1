// Where the hand is to be and how it is to move, on the command line: --pose, --velocity, --acceleration.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "torsor/model/model.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/trajectory/cartesian.hpp"

namespace torsor {

struct HandArguments {
  std::optional<std::string> pose, velocity, acceleration;
  bool degrees = false;

  void add_to(Options& options);
};

/// The hand in the world, SI units and radians; velocities and accelerations are zero where none are given. Or every
/// fault of every list.
Result<CartesianState> read_hand(const HandArguments& arguments);

}  // namespace torsor
