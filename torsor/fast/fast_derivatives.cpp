#include "torsor/fast/fast_derivatives.hpp"

#include <algorithm>

namespace torsor {

#ifdef TORSOR_X86
DerivativeKernels derivative_kernels_avx2();  // machine_avx2_derivatives.cpp
#endif

namespace {

bool is_plain_chain(const Tree<double>& tree) {
  if (tree.size() != tree.nv || std::ssize(tree.S) != tree.nv || tree.nv == 0) return false;
  for (int i = 0; i < tree.size(); ++i)
    if (tree[i].nv != 1 || tree[i].parent != i - 1 || tree[i].v != i) return false;
  return true;
}

bool is_zero(const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

DerivativeKernels derivative_kernels(InstructionSet set) {
#ifdef TORSOR_X86
  if (set != InstructionSet::baseline) return derivative_kernels_avx2();
#else
  static_cast<void>(set);
#endif
  return {};
}

}  // namespace

FastDerivatives::FastDerivatives(const Model<double>& model, InstructionSet set)
    : tree_(model),
      work_(model.nv),
      kernels_(derivative_kernels(set)),
      chain_(nullptr, kernels_.destroy),
      against_gravity_(base_acceleration_against_gravity(model, BaseMotion<double>{}).v),
      rotors_(!model.rotor_coupling.empty() || std::ranges::any_of(model.rotor, [](double r) { return r != 0; })) {
  if (kernels_.create && is_plain_chain(model)) chain_.reset(kernels_.create(model));
}

void FastDerivatives::inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                              Rates<double> tau, const InverseDerivatives<double>& out) {
  if (!chain_) {
    tree_.loads = loads;
    return tree_.inverse(q, qd, qdd, tau, out);
  }
  const Model<double>& m = model();
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(m.nq) && tau.size() == static_cast<std::size_t>(m.nv));
  TORSOR_EXPECT(out.dq.size() == cells(m.nv, m.nv) && out.dqd.size() == out.dq.size() && out.dqdd.size() == out.dq.size());
  DerivativeCall call{.q = q.data(),
                      .qd = qd.empty() ? nullptr : qd.data(),
                      .qdd = qdd.empty() ? nullptr : qdd.data(),
                      .w = {},
                      .wd = {},
                      .a = against_gravity_,
                      .external = loads.external.empty() ? nullptr : loads.external.data(),
                      .tau = tau.data(),
                      .dq = out.dq.data(),
                      .dqd = out.dqd.data(),
                      .dqdd = out.dqdd.data()};
  if (const auto& [w, wd, a] = loads.base; !is_zero(w) || !is_zero(wd) || !is_zero(a)) {
    const Motion<double> acceleration = base_acceleration_against_gravity(m, loads.base);
    call.w = base_velocity(m, loads.base).w;
    call.wd = acceleration.w;
    call.a = acceleration.v;
  }
  kernels_.run(chain_.get(), call);
  if (rotors_) detail::add_rotors(m, qdd, tau, out.dqdd);
  if (m.friction.empty()) return;
  add_joint_friction(m, q, qd, 1.0, tau);
  add_joint_friction_slopes(m, q, qd, out.dq, out.dqd);
}

int FastDerivatives::forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau,
                             Rates<double> qdd, const ForwardDerivatives<double>& out) {
  return work_.run(
      [&](Rates<const double> at, Rates<double> efforts, const InverseDerivatives<double>& derivatives) {
        inverse(q, qd, at, efforts, derivatives);
      },
      tau, qdd, out);
}

}  // namespace torsor
