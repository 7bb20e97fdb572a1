// Configuration<T>: the joint positions in polynomial form (cosines and sines, displacements, unit quaternions), so
// that what follows needs only a ring. Fill it from q where T has sines; set the entries directly where it has not, or
// where they are known already.
#pragma once

#include <span>

#include "torsor/model/model.hpp"

namespace torsor {

template <class T>
using Rates = std::span<T>;

template <class T>
class Configuration {
 public:
  explicit Configuration(const Tree<T>& model) : joints_(model.bodies.size()) {}
  explicit Configuration(std::vector<JointPosition<T>> joints) : joints_(std::move(joints)) {}

  /// Takes q (model.nq numbers, radians and metres); quaternions are normalised. Never allocates.
  void set(const Tree<T>& model, std::span<const T> q) requires Analytic<T> {
    TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model.nq) && joints_.size() == model.bodies.size());
    for (int i = 0; i < model.size(); ++i) {
      const Body<T>& b = model[i];
      if (b.nv == 1) {
        const T position = b.ratio * q[b.q] + b.offset;
        set_joint_position(b.kind, &position, b.pitch, joints_[i]);
      } else {
        set_joint_position(b.kind, q.data() + b.q, b.pitch, joints_[i]);
      }
    }
  }

  JointPosition<T>& operator[](int body) { return joints_[body]; }
  const JointPosition<T>& operator[](int body) const { return joints_[body]; }
  std::size_t size() const { return joints_.size(); }

 private:
  std::vector<JointPosition<T>> joints_;
};

/// The same configuration over another scalar; `convert` maps each number.
template <class U, class T, class Convert>
Configuration<U> cast(const Configuration<T>& from, const Convert& convert) {
  std::vector<JointPosition<U>> joints;
  for (std::size_t i = 0; i < from.size(); ++i) joints.push_back(cast<U>(from[static_cast<int>(i)], convert));
  return Configuration<U>(std::move(joints));
}

/// Pose of body i in its parent (base for a root).
template <class T>
Transform<T> pose_in_parent(const Tree<T>& model, const Configuration<T>& configuration, int i) {
  return joint_transform(model[i].kind, model[i].placement, configuration[i]);
}

/// The position with every joint at zero and every quaternion at (1, 0, 0, 0).
template <class T>
std::vector<T> neutral_position(const Tree<T>& model) {
  std::vector<T> q(static_cast<std::size_t>(model.nq), T(0));
  for (const Body<T>& b : model.bodies) set_neutral(b.kind, q.data() + b.q);
  return q;
}

}  // namespace torsor
