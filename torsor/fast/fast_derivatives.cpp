#include "torsor/fast/fast_derivatives.hpp"

namespace torsor {

FastDerivatives::FastDerivatives(const Model<double>& model, InstructionSet set) : tree_(model), limbs_(model, set), judge_(model) {}

void FastDerivatives::inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                              Rates<double> tau, const InverseDerivatives<double>& out) {
  if (!limbs_) {
    tree_.loads = loads;
    return tree_.inverse(q, qd, qdd, tau, out);
  }
  const Model<double>& m = model();
  TORSOR_EXPECT(tau.size() == static_cast<std::size_t>(m.nv) && out.dq.size() == cells(m.nv, m.nv));
  TORSOR_EXPECT(out.dqd.size() == out.dq.size() && out.dqdd.size() == out.dq.size());
  LimbCall call = limbs_.call(q, qd, qdd, loads);
  call.tau = tau.data();
  call.dq = out.dq.data();
  call.dqd = out.dqd.data();
  call.dqdd = out.dqdd.data();
  limbs_.derivatives(call);
  if (m.friction.empty()) return;
  add_joint_friction(m, q, qd, 1.0, tau);
  add_joint_friction_slopes(m, q, qd, out.dq, out.dqd);
}

int FastDerivatives::forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau,
                             Rates<double> qdd, const ForwardDerivatives<double>& out) {
  if (limbs_) {
    [[maybe_unused]] const std::size_t square = cells(model().nv, model().nv);
    TORSOR_EXPECT(out.dq.size() == square && out.dqd.size() == square && out.dtau.size() == square);
    LimbCall call = limbs_.driven_call(q, qd, tau, loads);
    limbs_.add_friction_slopes(q, qd, call);
    call.qdd_out = qdd.data();
    call.dq = out.dq.data();
    call.dqd = out.dqd.data();
    call.dtau = out.dtau.data();
    if (limbs_.forward_derivatives(call)) return -1;
  }
  // the tree tells a coordinate without mass from numbers that are none
  if (!model().coupled())
    if (const int massless = judge_.forward(q, qd, tau, qdd); massless >= 0) return massless;
  tree_.loads = loads;
  return tree_.forward(q, qd, tau, qdd, out);
}

}  // namespace torsor
