// Independent joints with the weight carried: tau = g(q) + diag(m) (kp (q_d - q) + kv (qd_d - qd)). With the true g
// every position at rest is reached without error (Takegaki & Arimoto 1981).
#pragma once

#include "torsor/control/pd.hpp"

namespace torsor {

class PdGravityLaw final : public PdLaw {
 public:
  using PdLaw::PdLaw;

 private:
  void compute(const ControlState& s, const ControlReference& r, std::span<double> tau) override {
    dynamics_.inverse(s.q, {}, {}, tau);
    add_feedback(s, r, tau);
  }
};

}  // namespace torsor
