// The torques of the plan, which can be computed beforehand, and feedback about it (Liegeois, Fournier & Aldon 1980):
//
//   tau = M(q_d) qdd_d + C(q_d, qd_d) qd_d + g(q_d) + f(qd_d) + diag(m) (kp (q_d - q) + kv (qd_d - qd))
#pragma once

#include "torsor/control/pd.hpp"

namespace torsor {

class FeedForwardLaw final : public PdLaw {
 public:
  using PdLaw::PdLaw;

 private:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    dynamics_.inverse(r.q, r.qd, r.qdd, tau);
    dynamics_.add_friction(r.q, r.qd, tau);
    add_feedback(s, r, tau);
  }
};

}  // namespace torsor
