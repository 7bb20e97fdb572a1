#include "torsor/fast/placed_tree.hpp"

#include "torsor/spatial/pose_matrix.hpp"

namespace torsor {

PlacedTree::PlacedTree(const Model<double>& model, InstructionSet set)
    : model_(model),
      configuration_(model),
      // scalar code goes on around it: no wider registers
      sine_cosine_(kernels_of<double>(set == InstructionSet::avx512 ? InstructionSet::avx2 : set).sine_cosine),
      X_(model.bodies.size()),
      kernels_(pose_kernels(set)),
      kernel_(nullptr, kernels_.destroy) {
  for (int i = 0; i < model.size(); ++i) {
    const JointKind kind = model[i].kind;
    if (kind == JointKind::revolute || kind == JointKind::helical) {
      turning_.push_back(i);
    } else if (kind != JointKind::fixed) {
      others_.push_back(i);
      if (model[i].nv > 1) wide_.push_back(i);
    }
  }
  angles_.resize(turning_.size());
  sines_ = cosines_ = angles_;
  joint_poses_.resize(wide_.size());
  if (kernels_.create) kernel_.reset(kernels_.create(model));
}

const Configuration<double>& PlacedTree::configuration(std::span<const double> q) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model_.nq));
  const std::size_t n = turning_.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Body<double>& b = model_[turning_[k]];
    angles_[k] = b.ratio * q[b.q] + b.offset;
  }
  sine_cosine_(angles_.data(), static_cast<std::int64_t>(n), sines_.data(), cosines_.data());
  for (std::size_t k = 0; k < n; ++k) {
    JointPosition<double>& joint = configuration_[turning_[k]];
    joint.c = cosines_[k];
    joint.s = sines_[k];
    joint.d = model_[turning_[k]].pitch * angles_[k];
  }
  for (const int i : others_) {
    const Body<double>& b = model_[i];
    const double slide = b.nv == 1 ? b.ratio * q[b.q] + b.offset : 0;
    set_joint_position(b.kind, b.nv == 1 ? &slide : q.data() + b.q, b.pitch, configuration_[i]);
  }
  return configuration_;
}

const Transform<double>* PlacedTree::joint_poses(std::span<const double> q) {
  for (std::size_t k = 0; k < wide_.size(); ++k) {
    const Body<double>& b = model_[wide_[k]];
    set_joint_position(b.kind, q.data() + b.q, b.pitch, configuration_[wide_[k]]);
    joint_poses_[k] = pose_in_parent(model_, configuration_, wide_[k]);
  }
  return joint_poses_.data();
}

void PlacedTree::poses(std::span<const double> q, std::span<Transform<double>> X) {
  TORSOR_EXPECT(X.size() == X_.size());
  if (kernel_) return kernels_.bodies(kernel_.get(), q.data(), joint_poses(q), X.data());
  forward_kinematics<double>(model_, configuration(q), X);
}

void PlacedTree::link_poses(std::span<const double> q, std::span<double> matrices) {
  TORSOR_EXPECT(matrices.size() == 16 * X_.size());
  if (kernel_) return kernels_.links(kernel_.get(), q.data(), joint_poses(q), matrices.data());
  forward_kinematics<double>(model_, configuration(q), std::span(X_));
  for (std::size_t i = 0; i < X_.size(); ++i)
    write_pose_matrix(X_[i] * model_.bodies[i].link, matrices.data() + 16 * i);
}

}  // namespace torsor
