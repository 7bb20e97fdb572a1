// Operational space (Khatib 1987): forces at the tool through the inertia that the tool itself has there, and the
// posture of a redundant arm by torques that do not accelerate the tool.
//
//   L = (J M^-1 J^T)^-1,   F = L (xdd - Jd qd) + Jbar^T (C qd + g) + f_push,   Jbar = M^-1 J^T L
//   tau = J^T F + (1 - J^T Jbar^T) tau_0,   tau_0 = M qdd_0 + C qd + g
//       = tau_0 + J^T L (xdd - Jd qd - J qdd_0) + J^T f_push
//
// with xdd as in resolved acceleration and qdd_0 from the joints' own plan. With M = l d l^T and W = J l^-T d^-1/2
// there is no matrix to invert twice: J^T L y = l d^1/2 W^+ y. Near a singular position y is first cut to what J J^#
// leaves of it. Where the tool determines all joints this is resolved acceleration; elsewhere the joints divide the
// work by their inertia.
#pragma once

#include <cmath>

#include "torsor/control/tool_law.hpp"
#include "torsor/numeric/ldlt.hpp"

namespace torsor {

class OperationalSpaceLaw : public ToolLaw {
 public:
  explicit OperationalSpaceLaw(const ControlSetup& setup)
      : ToolLaw(setup),
        M_(cells(n_, n_)),
        W_(cells(tool_.rows(), n_)),
        qdd_(static_cast<std::size_t>(n_)),
        step_(qdd_.size()),
        inverse_(tool_.rows(), n_, rounding) {}

 protected:
  /// tau_0 + J^T L (xdd - Jd qd - J qdd_0) + f(qd_d) for a wanted acceleration of the tool; tool_ is set.
  void accelerate(const ControlState& s, const ControlReference& r, const Motion<double>& xdd, std::span<double> tau) {
    dynamics_.mass(s.q, M_);
    ldlt_factor<double>(M_, n_);
    set_inverse();
    own_accelerations(s, r, qdd_);
    std::array<double, 6> rest{};
    tool_.remainder(xdd - tool_.drift, qdd_, rest);
    const auto counted = std::span(rest).first(static_cast<std::size_t>(tool_.rows()));
    tool_.factor();
    report_.lost = tool_.attainable(counted);
    report_.smallest_singular_value = tool_.smallest_singular_value();
    inverse_.solve(counted, step_);

    dynamics_.inverse(s.q, s.qd, qdd_, tau);
    dynamics_.add_friction(s.q, planned_rates(s, r), tau);
    for (int k = 0; k < n_; ++k) {
      const double root = std::sqrt(M_[cell(k, n_, k)]) * step_[k];
      tau[k] += root;
      for (int i = k + 1; i < n_; ++i) tau[i] += M_[cell(i, n_, k)] * root;
    }
  }

  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    tool_.set(s.q, s.qd);
    const Motion<double> error = pose_error(r.tool.X, tool_.X);
    accelerate(s, r, r.tool.acceleration + (r.tool.twist - tool_.twist) * gains_.kv + error * gains_.kp, tau);
    tool_.add_transposed(r.push, tau);
  }

 private:
  /// W, row by row: l y = J_i, then y d^-1/2.
  void set_inverse() {
    const int first = 6 - tool_.rows();
    for (int i = 0; i < tool_.rows(); ++i) {
      for (int k = 0; k < n_; ++k) {
        double y = tool_.J()[cell(first + i, n_, k)] * tool_.row_unit(i);
        for (int j = 0; j < k; ++j) y -= M_[cell(k, n_, j)] * W_[cell(i, n_, j)];
        W_[cell(i, n_, k)] = y;
      }
      for (int k = 0; k < n_; ++k) W_[cell(i, n_, k)] /= std::sqrt(M_[cell(k, n_, k)]);
    }
    inverse_.set(W_);
  }

  static constexpr double rounding = 1e-9;  // W is as uneven as the inertias of the joints: only rounding is damped

  std::vector<double> M_, W_, qdd_, step_;
  DampedInverse inverse_;
};

}  // namespace torsor
