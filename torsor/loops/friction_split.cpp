#include "torsor/loops/friction_split.hpp"

namespace torsor {
namespace {

bool is_dry(const Friction<double>& law) {
  return law.coulomb_positive != 0 || law.coulomb_negative != 0 || law.breakaway_positive != 0 ||
         law.breakaway_negative != 0;
}

}  // namespace

Result<FrictionSplit> split_friction(const Robot& robot) {
  const Model<double>& tree = robot.tree();
  Model<double> coordinates = robot.coordinates();
  // joints of the tree that are coordinates themselves, not those that follow one
  std::vector<int> coordinate(tree.bodies.size(), -1);
  for (int b = 0; b < coordinates.size(); ++b)
    if (const int at = tree.body_index(coordinates.link_names[b]); at >= 0) coordinate[at] = b;
  bool any = false;
  std::optional<int> dry;
  for (const JointFriction<double>& friction : tree.friction) {
    if (const int at = coordinate[friction.body]; at >= 0) {
      coordinates.friction.push_back({at, friction.law});
      continue;
    }
    any = true;
    if (is_dry(friction.law) && !dry) dry = friction.body;
  }
  Description bare = robot.description(), passive = bare;
  for (LinkDescription& link : bare.links) link.friction.reset();
  for (LinkDescription& link : passive.links) {
    const int b = tree.body_index(link.name);
    if (b >= 0 && coordinate[b] >= 0) link.friction.reset();
  }
  auto rigid = Robot::try_build(std::move(bare));
  if (!rigid) return rigid.faults();
  FrictionSplit out{std::move(coordinates), *std::move(rigid), {}, dry};
  if (!any) return out;
  auto with = Robot::try_build(std::move(passive));
  if (!with) return with.faults();
  out.passive = *std::move(with);
  return out;
}

}  // namespace torsor
