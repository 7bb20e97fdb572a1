// What is identified: the parameters of a tree from its torques; or those of a tree whose loops are closed from the torques of
// the independent joints.
#pragma once

#include "torsor/robot.hpp"

namespace torsor {

/// Whose parameters and whose torques: a tree for both, or a robot with loops. What it refers to outlives it.
struct RegressorSubject {
  RegressorSubject(const Model<double>& model) : tree(model), coordinates(model) {}
  RegressorSubject(const Model<double>&&) = delete;
  RegressorSubject(const Robot& robot) : tree(robot.tree()), coordinates(robot.coordinates()), loops(robot.loops()) {}
  RegressorSubject(const Robot&&) = delete;

  const Model<double>& tree;
  const Model<double>& coordinates;
  std::shared_ptr<const LoopModel> loops = {};
};

}  // namespace torsor
