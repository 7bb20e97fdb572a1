#include "torsor/simulate/simulated_robot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/loops/loop_model.hpp"

namespace torsor {
namespace {

bool is_dry(const Friction<double>& law) {
  return law.coulomb_positive != 0 || law.coulomb_negative != 0 || law.breakaway_positive != 0 ||
         law.breakaway_negative != 0;
}

}  // namespace

Result<SimulatedRobot> simulated_robot(const Robot& robot) {
  if (!robot.loops()) return SimulatedRobot{robot.model(), {}, {}, robot};
  SimulatedRobot out{robot.coordinates(), {}, {}, robot};
  const Model<double>&tree = robot.tree(), &own = out.model;
  Description bare = robot.description(), passive = bare;
  // joints of the tree that are coordinates themselves, not those that follow one
  std::vector<int> coordinate(tree.bodies.size(), -1);
  for (int b = 0; b < own.size(); ++b)
    if (const int at = tree.body_index(own.link_names[b]); at >= 0) coordinate[at] = b;
  bool any = false;
  for (const JointFriction<double>& friction : tree.friction) {
    const int at = coordinate[friction.body];
    if (at >= 0) {
      out.model.friction.push_back({at, friction.law});
      continue;
    }
    any = true;
    if (is_dry(friction.law))
      return Fault{{},
                   fmt::format("joint \"{}\"", tree.joint_names[friction.body]),
                   "robot-loops",
                   "it has dry friction and is passive in a loop: this is not simulated",
                   "leave it out, or make it viscous"};
  }
  for (LinkDescription& link : bare.links) link.friction.reset();
  for (LinkDescription& link : passive.links) {
    const int b = tree.body_index(link.name);
    if (b >= 0 && coordinate[b] >= 0) link.friction.reset();
  }
  auto closed = Robot::try_build(std::move(bare));
  if (!closed) return closed.faults();
  out.closed = *std::move(closed);
  if (!any) return out;
  auto with = Robot::try_build(std::move(passive));
  if (!with) return with.faults();
  out.passive = *std::move(with);
  return out;
}

}  // namespace torsor
