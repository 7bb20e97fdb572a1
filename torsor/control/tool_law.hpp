// What the laws around the tool share: the tool itself, and what the joints do where the tool leaves them a choice.
//
// ToolAccelerationLaw: a law says which acceleration the tool is to have, and the torques follow from (7) of Hollerbach
// & Sahar 1983 and inverse dynamics, xdd = J qdd + Jd qd:
//
//   qdd = qdd_0 + J^# (xdd - Jd qd - J qdd_0),   tau = M(q) qdd + C(q, qd) qd + g(q) + f(qd_d)
//   qdd_0 = qdd_d + kv (qd_d - qd) + kp (q_d - q), or -kv qd without a plan of the joints
#pragma once

#include "torsor/control/control_law.hpp"
#include "torsor/control/controlled_tool.hpp"
#include "torsor/control/pose_error.hpp"

namespace torsor {

class ToolLaw : public ControlLaw {
 protected:
  explicit ToolLaw(const ControlSetup& setup) : ControlLaw(setup), tool_(setup.model, setup.tool) {}

  static std::span<const double> planned_rates(const ControlState& s, const ControlReference& r) {
    return r.qd.empty() ? s.qd : r.qd;
  }

  /// The accelerations qdd_0 (n) of the joints' own plan.
  void own_accelerations(const ControlState& s, const ControlReference& r, std::span<double> qdd) const {
    for (int i = 0; i < n_; ++i)
      qdd[i] = r.q.empty() ? -gains_.kv * s.qd[i]
                           : r.qdd[i] + gains_.kv * (r.qd[i] - s.qd[i]) + gains_.kp * (r.q[i] - s.q[i]);
  }

  ControlledTool tool_;
};

class ToolAccelerationLaw : public ToolLaw {
 public:
  explicit ToolAccelerationLaw(const ControlSetup& setup) : ToolLaw(setup), qdd_(static_cast<std::size_t>(n_)) {}

 protected:
  /// The acceleration that the tool is to have; tool_ is set.
  virtual Motion<double> asked(const ControlState& s, const ControlReference& r) = 0;

  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    tool_.set(s.q, s.qd);
    tool_.factor();
    own_accelerations(s, r, qdd_);
    report_.lost = tool_.resolve(asked(s, r) - tool_.drift, qdd_);
    report_.smallest_singular_value = tool_.smallest_singular_value();
    dynamics_.inverse(s.q, s.qd, qdd_, tau);
    dynamics_.add_friction(s.q, planned_rates(s, r), tau);
  }

 private:
  std::vector<double> qdd_;
};

}  // namespace torsor
