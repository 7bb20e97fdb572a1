// Poses of all bodies in the world: X_world_i = X_world_parent X_parent_i. O(n).
#pragma once

#include "torsor/model/configuration.hpp"

namespace torsor {

/// Pose of every body frame in the world (model.size() of them). The author's link frame i is X[i] * model[i].link.
template <Ring T>
void forward_kinematics(const Tree<T>& model, const Configuration<T>& configuration, std::span<Transform<T>> X) {
  TORSOR_EXPECT(X.size() == model.bodies.size());
  for (int i = 0; i < model.size(); ++i)
    X[i] = (model[i].parent < 0 ? model.base : X[model[i].parent]) * pose_in_parent(model, configuration, i);
}

// compiled in kinematics/tree_poses.cpp
extern template void forward_kinematics(const Tree<double>&, const Configuration<double>&,
                                        std::span<Transform<double>>);

/// Pose in the world of a named frame, from the poses of the bodies.
template <Ring T>
Transform<T> frame_pose(const Frame<T>& frame, std::span<const Transform<T>> X) {
  return X[frame.body] * frame.X_body_frame;
}

}  // namespace torsor
