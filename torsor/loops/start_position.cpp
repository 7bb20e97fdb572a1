#include "torsor/loops/start_position.hpp"

#include "torsor/loops/loop_model.hpp"
#include "torsor/model/configuration.hpp"

namespace torsor {

std::vector<double> start_position(const Robot& robot) {
  if (!robot.loops()) return neutral_position(robot.model());
  std::vector<double> q;
  for (const int k : robot.loops()->q) q.push_back(robot.loops()->reference[static_cast<std::size_t>(k)]);
  return q;
}

}  // namespace torsor
