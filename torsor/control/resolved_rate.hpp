// Resolved motion rate control (Whitney 1969, 1972): the wanted motion of the tool as rates of the joints, and a rate
// servo in each; Hollerbach & Sahar 1983, (1) and (2).
//
//   qd_c = J^-1 (xd_d + l (x_d - x)),   tau = g(q) + f(qd_d) + diag(m) kv (qd_c - qd),   l = kp / kv
#pragma once

#include "torsor/control/tool_law.hpp"

namespace torsor {

class ResolvedRateLaw : public ToolLaw {
 public:
  explicit ResolvedRateLaw(const ControlSetup& setup)
      : ToolLaw(setup), rate_(static_cast<std::size_t>(n_)), inertia_(free_inertias(setup.dynamics, setup.start)) {}

 protected:
  /// qd_c into rate_, for a tool motion asked for.
  virtual void resolve(const ControlState& s, const ControlReference& r, const Motion<double>& asked) {
    const double l = gains_.kp / gains_.kv;
    for (int i = 0; i < n_; ++i) rate_[i] = r.q.empty() ? 0 : r.qd[i] + l * (r.q[i] - s.q[i]);
    tool_.factor();
    report_.lost = tool_.resolve(asked, rate_);
    report_.smallest_singular_value = tool_.smallest_singular_value();
  }

  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    tool_.set(s.q, s.qd);
    resolve(s, r, r.tool.twist + pose_error(r.tool.X, tool_.X) * (gains_.kp / gains_.kv));
    dynamics_.inverse(s.q, {}, {}, tau);
    dynamics_.add_friction(s.q, planned_rates(s, r), tau);
    for (int i = 0; i < n_; ++i) tau[i] += inertia_[i] * gains_.kv * (rate_[i] - s.qd[i]);
  }

  std::vector<double> rate_;

 private:
  std::vector<double> inertia_;
};

}  // namespace torsor
