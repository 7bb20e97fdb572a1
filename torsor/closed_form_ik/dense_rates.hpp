// Joint rates and accelerations from the motion of the tool without any partition: the 6 x 6 Jacobian of the tip and
// Gauss elimination, equations (2) and (7) of Hollerbach & Sahar (1983).
//
//   J qd = (pd7, w6)        J qdd = (pdd7, wd6) - Jd qd
//
// Jd qd is the acceleration of the tool while the joints keep their rates. O(n^3).
#pragma once

#include <array>

#include "torsor/closed_form_ik/end_effector_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/numeric/gauss.hpp"
#include "torsor/scalar/stage.hpp"

namespace torsor {

template <class T>
struct DenseRatesWork {
  /// A model of six joints whose default tool has its origin at the tip. The motion of the tool is given in axes in which
  /// those of the model's base are R.
  explicit DenseRatesWork(const Model<T>& robot, const Mat3<T>& R = Mat3<T>::identity())
      : model(robot), X(model.bodies.size()), motions(model) {
    model.base = Transform<T>::rotation(R);
  }

  Model<T> model;
  std::vector<Transform<T>> X;
  BodyMotions<T> motions;
  std::array<T, 36> J, used;  // linear rows first
};

namespace detail {

/// The Jacobian of the tip, linear rows first.
template <Ring T>
void tool_jacobian(const Configuration<T>& configuration, DenseRatesWork<T>& work) {
  mark_stage<T>("Jacobian");
  const Frame<T>& tool = work.model.frames.back();
  forward_kinematics<T>(work.model, configuration, work.X);
  const Vec3<T> tip = work.X[tool.body] * tool.X_body_frame.p;
  jacobian<T>(work.model, work.X, tool.body, tip, work.used);
  for (std::size_t k = 0; k < 36; ++k) work.J[k] = work.used[(k + 18) % 36];
}

/// (pdd7, wd6) - Jd qd.
template <Ring T>
std::array<T, 6> without_rates(const Configuration<T>& configuration, const EndEffectorMotion<T>& end,
                               Rates<const T> qd, DenseRatesWork<T>& work) {
  mark_stage<T>("Jd qd");
  const Frame<T>& tool = work.model.frames.back();
  body_motions<T>(work.model, configuration, qd, {}, {}, {}, work.motions);
  const Motion<T>&v = work.motions.v[tool.body], &a = work.motions.a[tool.body];
  const Mat3<T>& R = work.X[tool.body].R;
  const Vec3<T> linear = end.pdd7 - R * point_acceleration(v, a, tool.X_body_frame.p);
  const Vec3<T> angular = end.wd6 - R * a.w;
  return {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
}

}  // namespace detail

/// Rates qd and accelerations qdd (6 each) of the joints at a configuration that puts the tool where it is.
template <Field T>
void dense_rates(const Configuration<T>& configuration, const EndEffectorMotion<T>& end, DenseRatesWork<T>& work,
                 std::array<T, 6>& qd, std::array<T, 6>& qdd) {
  detail::tool_jacobian(configuration, work);
  mark_stage<T>("elimination");
  qd = {end.pd7.x, end.pd7.y, end.pd7.z, end.w6.x, end.w6.y, end.w6.z};
  work.used = work.J;
  gauss_solve<T>(work.used, qd, 6);

  qdd = detail::without_rates<T>(configuration, end, qd, work);
  mark_stage<T>("elimination");
  work.used = work.J;
  gauss_solve<T>(work.used, qdd, 6);
}

}  // namespace torsor
