// Where the bodies of a tree are at a position: its configuration, the sines of all joints side by side; and poses, in
// registers of 32 bytes where the machine has them. One object per thread; nothing is allocated after set-up.
#pragma once

#include <memory>

#include "torsor/fast/kernel_tables.hpp"
#include "torsor/fast/term_call.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {

class PlacedTree {
 public:
  /// The model must outlive it; only its geometry is looked at.
  PlacedTree(const Model<double>& model, InstructionSet set);
  PlacedTree(const Model<double>&&, InstructionSet) = delete;

  const Configuration<double>& configuration(std::span<const double> q);
  /// Poses of all bodies in the world.
  void poses(std::span<const double> q, std::span<Transform<double>> X);
  /// Of the links' own frames, a row-major matrix of 4 x 4 each.
  void link_poses(std::span<const double> q, std::span<double> matrices);

 private:
  const Transform<double>* joint_poses(std::span<const double> q);

  const Model<double>& model_;
  Configuration<double> configuration_;
  std::vector<int> turning_, others_, wide_;  // bodies that turn about an axis, others, those of several coordinates
  std::vector<double> angles_, sines_, cosines_;
  void (*sine_cosine_)(const double*, std::int64_t, double*, double*);
  std::vector<Transform<double>> X_, joint_poses_;
  PoseKernels kernels_;
  std::unique_ptr<void, void (*)(void*)> kernel_;
};

}  // namespace torsor
