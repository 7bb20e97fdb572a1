// The tool as the laws see it: where it is, how it moves, and which joint motions move it as asked.
//
//   twist = J qd,   acceleration = J qdd + drift,   drift = Jd qd
//   x = x0 + J^# (y - J x0)        x0: what the joints do where the tool leaves them a choice
//
// J^# is damped near singular positions (damped_inverse.hpp), where x0 then takes over what the tool gives up. Arms of
// fewer than six joints place the tool's origin only. Shifts count per tool length L, half the length of the chain, and
// slides in L.
#pragma once

#include "torsor/control/damped_inverse.hpp"
#include "torsor/numeric_ik/pose_task.hpp"
#include "torsor/kinematics/frame_motion.hpp"

namespace torsor {

class ControlledTool {
 public:
  ControlledTool(const Model<double>& model, const Frame<double>& tool)
      : model_(model),
        tool_(tool),
        motions_(model),
        rows_(model.nv < 6 ? 3 : 6),
        J_(cells(6, model.nv)),
        scaled_(cells(rows_, model.nv)),
        step_(static_cast<std::size_t>(model.nv)),
        unit_(step_.size(), 1.0),
        inverse_(rows_, model.nv) {
    const PoseTask task(model, tool);
    length_ = task.length();
    for (const TaskJoint& joint : task.joints()) unit_[joint.v] = joint.unit;
  }

  /// Pose, twist, drift and J at a state (n each).
  void set(std::span<const double> q, std::span<const double> qd) {
    motions_.set(model_, q, qd, {});
    const FrameMotion m = motions_.of(tool_);
    X = m.X;
    twist = {m.w, m.v};
    drift = {m.wd, m.a};
    jacobian<double>(model_, motions_.poses(), tool_.body, X.p, J_);
  }

  /// Makes resolve() and attainable() ready for the state that was set.
  void factor() {
    const int n = model_.nv, first = 6 - rows_;
    for (int i = 0; i < rows_; ++i)
      for (int k = 0; k < n; ++k) scaled_[cell(i, n, k)] = J_[cell(first + i, n, k)] * row_unit(i) * unit_[k];
    inverse_.set(scaled_);
  }

  /// x (n) comes as x0 and leaves as x0 + J^# (y - J x0); returns what is lost of y, rad and shifts per L.
  double resolve(const Motion<double>& y, std::span<double> x) {
    std::array<double, 6> rest{};
    remainder(y, x, rest);
    const double lost = inverse_.solve(std::span(rest).first(static_cast<std::size_t>(rows_)), step_);
    for (int k = 0; k < model_.nv; ++k) x[k] += unit_[k] * step_[k];
    return lost;
  }

  /// Of the counted rows of y, scaled, what the joints are to give: J J^# y; returns what is lost.
  double attainable(std::span<double> y) {
    const double lost = inverse_.solve(y, step_);
    const int n = model_.nv;
    for (int i = 0; i < rows_; ++i) {
      y[i] = 0;
      for (int k = 0; k < n; ++k) y[i] += scaled_[cell(i, n, k)] * step_[k];
    }
    return lost;
  }

  /// The counted rows of y - J x, scaled.
  void remainder(const Motion<double>& y, std::span<const double> x, std::span<double> out) const {
    const std::array<double, 6> asked{y.w.x, y.w.y, y.w.z, y.v.x, y.v.y, y.v.z};
    const int n = model_.nv, first = 6 - rows_;
    for (int i = 0; i < rows_; ++i) {
      double sum = asked[first + i];
      for (int k = 0; k < n; ++k) sum -= J_[cell(first + i, n, k)] * x[k];
      out[i] = sum * row_unit(i);
    }
  }

  /// tau (n) += J^T F, of the counted rows.
  void add_transposed(const Force<double>& F, std::span<double> tau) const {
    const std::array<double, 6> force{F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z};
    const int n = model_.nv;
    for (int i = 6 - rows_; i < 6; ++i)
      for (int k = 0; k < n; ++k) tau[k] += J_[cell(i, n, k)] * force[i];
  }

  std::span<const double> J() const { return J_; }  // 6 x n, angular rows first, world
  int rows() const { return rows_; }                // that count, the last of J
  double row_unit(int i) const { return rows_ == 6 && i < 3 ? 1 : 1 / length_; }
  double smallest_singular_value() const { return inverse_.smallest(); }

  Transform<double> X;
  Motion<double> twist, drift;

 private:
  const Model<double>& model_;
  Frame<double> tool_;
  FrameMotions motions_;
  int rows_;
  std::vector<double> J_, scaled_, step_, unit_;
  double length_ = 1;
  DampedInverse inverse_;
};

}  // namespace torsor
