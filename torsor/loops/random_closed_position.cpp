#include "torsor/loops/random_closed_position.hpp"

#include "torsor/model/random_position.hpp"

namespace torsor {

Result<std::vector<double>> random_closed_position(const Robot& robot, Dynamics& dynamics, std::mt19937_64& engine) {
  std::vector<double> all(static_cast<std::size_t>(robot.tree().nq));
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> q = random_position(robot.coordinates(), engine);
    dynamics.return_to_start();
    if (!robot.loops() || dynamics.positions(q, all)) return q;
  }
  return Fault{{}, robot.name(), "loop-open", "none of 1000 positions inside the limits closes the loops",
               "give limits to the independent joints, or a position"};
}

}  // namespace torsor
