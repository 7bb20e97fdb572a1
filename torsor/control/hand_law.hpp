// What the laws around the hand share: the hand itself, and what the joints do where the hand leaves them a choice.
//
// HandAccelerationLaw: a law says which acceleration the hand is to have, and the efforts follow from (7) of Hollerbach
// & Sahar 1983 and inverse dynamics, xdd = J qdd + Jd qd:
//
//   qdd = qdd_0 + J^# (xdd - Jd qd - J qdd_0),   tau = M(q) qdd + C(q, qd) qd + g(q) + f(qd_d)
//   qdd_0 = qdd_d + kv (qd_d - qd) + kp (q_d - q), or -kv qd without a plan of the joints
#pragma once

#include "torsor/control/control_law.hpp"
#include "torsor/control/controlled_hand.hpp"
#include "torsor/control/pose_error.hpp"

namespace torsor {

class HandLaw : public ControlLaw {
 protected:
  explicit HandLaw(const ControlSetup& setup) : ControlLaw(setup), hand_(setup.model, setup.hand) {}

  static std::span<const double> planned_rates(const ControlState& s, const ControlReference& r) {
    return r.qd.empty() ? s.qd : r.qd;
  }

  /// The accelerations qdd_0 (n) of the joints' own plan.
  void own_accelerations(const ControlState& s, const ControlReference& r, std::span<double> qdd) const {
    for (int i = 0; i < n_; ++i)
      qdd[i] = r.q.empty() ? -gains_.kv * s.qd[i]
                           : r.qdd[i] + gains_.kv * (r.qd[i] - s.qd[i]) + gains_.kp * (r.q[i] - s.q[i]);
  }

  ControlledHand hand_;
};

class HandAccelerationLaw : public HandLaw {
 public:
  explicit HandAccelerationLaw(const ControlSetup& setup) : HandLaw(setup), qdd_(static_cast<std::size_t>(n_)) {}

 protected:
  /// The acceleration that the hand is to have; hand_ is set.
  virtual Motion<double> asked(const ControlState& s, const ControlReference& r) = 0;

  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    hand_.set(s.q, s.qd);
    hand_.factor();
    own_accelerations(s, r, qdd_);
    report_.lost = hand_.resolve(asked(s, r) - hand_.drift, qdd_);
    report_.smallest_singular_value = hand_.smallest_singular_value();
    dynamics_.inverse(s.q, s.qd, qdd_, tau);
    dynamics_.add_friction(s.q, planned_rates(s, r), tau);
  }

 private:
  std::vector<double> qdd_;
};

}  // namespace torsor
