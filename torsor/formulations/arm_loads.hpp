// The loads of a tree (a moving base in the world, forces on bodies in their frames) as those of its DH arm: the motion
// of frame 0 in its own axes, and the load that the last link carries in frame n.
//
//   w_0 = R w     wd_0 = R wd     vd_0 = R (a + wd x p + w x (w x p)),   p from the base's origin to that of frame 0
#pragma once

#include "torsor/formulations/chain_loads.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/model/dh_matrix.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor {

/// Loads of an arm in standard DH frames at the position of the forms; every force must be on the last link.
template <Ring T>
ChainLoads<T> arm_loads(const RobotForms<T>& forms, const BodyLoads<T>& loads) {
  const DhArm<T>& arm = *forms.standard;
  const Mat3<T> R = forms.model.base.R * arm.X_base_0.R;
  const Vec3<T> p = forms.model.base.R * arm.X_base_0.p;
  ChainLoads<T> out;
  out.base = seen_from(R, p, loads.base);
  if (loads.external.empty()) return out;

  Transform<T> X_base_n = arm.X_base_0;
  for (int i = 1; i <= arm.n(); ++i) X_base_n = X_base_n * dh_matrix(arm, forms.standard_position, i);
  Force<T> on_link;
  std::vector<Transform<T>> X(forms.model.bodies.size());
  for (int b = 0; b < forms.model.size(); ++b) {
    const int parent = forms.model[b].parent;
    X[b] = pose_in_parent(forms.model, forms.configuration, b);
    if (parent >= 0) X[b] = X[parent] * X[b];
    if (loads.on(b)) on_link += (~X_base_n * X[b]) * loads.external[b];
  }
  out.tip = Force<T>{-on_link.n, -on_link.f};
  return out;
}

}  // namespace torsor
