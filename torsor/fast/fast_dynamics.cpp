#include "torsor/fast/fast_dynamics.hpp"

#include <cmath>

#include "torsor/kinematics/jacobian.hpp"

namespace torsor {
namespace {

/// Longest chain whose mass matrix and accelerations come cheaper joint by joint than in limbs, where there are any.
constexpr int longest_chain_by_joints = 7;

}  // namespace

FastDynamics::FastDynamics(const Model<double>& model, InstructionSet set, Questions questions)
    : tree_(model, questions),
      limbs_(model, set),
      configuration_(model),
      X_(model.bodies.size()),
      newton_euler_(model) {
  tree_.loads.external.reserve(model.bodies.size());
  if (questions == Questions::all) tree_derivatives();
  if (limbs_)
    tool_in_limbs_ =
        limbs_.set_tool(model.frames.empty() ? Frame<double>{{}, model.size() - 1, {}} : model.frames.back());
  auto chain = canonical_chain(model);
  if (!chain) {
    why_not_ = chain.faults();
    return;
  }
  chain_ = std::move(*chain);
  on_chain_ = true;
  mass_on_chain_ = !limbs_ || chain_->n() <= longest_chain_by_joints;
  solved_on_chain_ = chain_->n() <= (limbs_ ? longest_chain_by_joints : longest_solved_chain);
  prepared_.emplace(model, *chain_);
  kernels_ = kernels_of<double>(set).chain_of_one;
  other_friction_ = split_friction<double>(model).others;
  driving_.resize(static_cast<std::size_t>(model.nv));
  work_ = aligned_room(chain_work_bytes(chain_->n()));
  take_chain();
}

TreeDerivatives<double>& FastDynamics::tree_derivatives() {
  if (!tree_derivatives_) tree_derivatives_.emplace(model()).loads.external.reserve(model().bodies.size());
  return *tree_derivatives_;
}

void FastDynamics::take_chain() {
  const ChainEnds<double>* const ends = call_.ends;
  call_ = prepared_->call();
  call_.work = work_.get();
  weightless_ = without_weight(call_);
  call_.ends = ends;
}

void FastDynamics::refill() {
  limbs_.refill();
  if (!chain_) return;
  torsor::refill(model(), *chain_);
  prepared_->refill(model(), *chain_);
  take_chain();
  if (call_.ends) ends_ = *chain_ends(model(), *chain_, tree_.loads);
}

void FastDynamics::set_loads(const BodyLoads<double>& loads) {
  tree_.loads.assign(loads);
  call_.ends = nullptr;
  on_chain_ = chain_.has_value();
  if (!on_chain_ || nothing_acts(loads)) return;
  const auto found = chain_ends(model(), *chain_, loads);
  on_chain_ = found.has_value();
  if (!found) return;
  ends_ = *found;
  call_.ends = &ends_;
}

void FastDynamics::add_other_friction(std::span<const double> q, Rates<const double> qd, double sign,
                                      Rates<double> effort) const {
  if (qd.empty()) return;
  for (const int k : other_friction_) {
    const auto& [body, law] = model().friction[k];
    const int v = model()[body].v;
    effort[v] += sign * friction_torque(law, q[v], qd[v]);
  }
}

void FastDynamics::inverse_off_chain(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                                     Rates<double> tau) {
  if (!limbs_) return tree_.inverse(q, qd, qdd, tau);
  LimbCall call = limbs_.call(q, qd, qdd, tree_.loads);
  call.tau = tau.data();
  limbs_.inverse(call);
  add_joint_friction<double>(model(), q, qd, 1.0, tau);
}

void FastDynamics::coriolis(std::span<const double> q, Rates<const double> qd, Rates<double> tau) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model().nq) && tau.size() == static_cast<std::size_t>(model().nv));
  if (chain_) {
    weightless_.q = q.data();
    weightless_.qd = qd.empty() ? nullptr : qd.data();
    weightless_.out = tau.data();
    return kernels_.inverse(weightless_);
  }
  // a base that falls freely feels no gravity
  const BodyLoads<double> falling{{{}, {}, model().gravity}, {}};
  if (limbs_) {
    LimbCall call = limbs_.call(q, qd, {}, falling);
    call.tau = tau.data();
    return limbs_.inverse(call);
  }
  configuration_.set(model(), q);
  inverse_newton_euler<double>(model(), configuration_, qd, {}, falling, newton_euler_, tau);
}

bool FastDynamics::mass_and_coriolis(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                                     Rates<double> tau, std::span<double> M, std::span<double> C) {
  if (!limbs_.has_coriolis()) return false;
  LimbCall call = limbs_.call(q, qd, qdd, {});
  call.tau = tau.data();
  call.dqd = C.data();
  call.dqdd = M.data();
  limbs_.coriolis(call, nullptr);
  return true;
}

bool FastDynamics::terms(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                         const TermSpans& out) {
  if (!limbs_.has_coriolis()) return false;
  LimbCall call = limbs_.call(q, qd, qdd, {});
  call.tau = out.tau.data();
  call.dqd = out.C.data();
  call.dqdd = out.M.data();
  LimbTerms terms;
  terms.gravity = out.gravity.data();
  if (limbs_.has_reactions()) terms.reactions = out.reactions.data();
  limbs_.coriolis(call, &terms);

  // seen from the world
  const Transform<double>& base = model().base;
  Energy<double>& e = out.energy;
  e.mass = terms.mass;
  e.first_moment = base.R * terms.first + base.p * terms.mass;
  e.momentum = base * terms.momentum;
  e.potential = -dot(model().gravity, e.first_moment);
  double twice = 0;
  const std::size_t n = qd.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += out.M[i * n + j] * qd[j];
    twice += sum * qd[i];
  }
  e.kinetic = twice / 2;
  return true;
}

void FastDynamics::mass_off_chain(std::span<const double> q, std::span<double> M) {
  if (!limbs_) return tree_.mass(q, M);
  TORSOR_EXPECT(M.size() == cells(model().nv, model().nv));
  LimbCall call = limbs_.call(q, {}, {}, {});
  call.dqdd = M.data();
  limbs_.mass(call);
}

/// On a chain with laws of friction that kernels do not know, and off it.
int FastDynamics::forward_otherwise(std::span<const double> q, Rates<const double> qd, Rates<const double> tau,
                                    Rates<double> qdd) {
  if (on_chain_ && solved_on_chain_) {
    driving_.assign(tau.begin(), tau.end());  // never grows
    add_other_friction(q, qd, -1, driving_);
    call_.q = q.data();
    call_.qd = qd.empty() ? nullptr : qd.data();
    call_.a = driving_.data();
    call_.out = qdd.data();
    kernels_.forward(call_);
    if (!std::isnan(qdd[0])) return -1;
  } else if (limbs_) {
    LimbCall call = limbs_.driven_call(q, qd, tau, tree_.loads);
    call.qdd_out = qdd.data();
    if (limbs_.forward(call)) return -1;
  }
  // the tree tells a coordinate without mass from numbers that are none
  return tree_.forward(q, qd, tau, qdd);
}

Transform<double> FastDynamics::tool_pose_and_jacobian(std::span<const double> q, std::span<double> J) {
  if (chain_) {
    double pose[12];
    call_.q = q.data();
    call_.qd = call_.a = nullptr;
    call_.out = pose;
    call_.jacobian = J.data();
    kernels_.kinematics(call_);
    return {{{pose[0], pose[3], pose[6]}, {pose[1], pose[4], pose[7]}, {pose[2], pose[5], pose[8]}},
            {pose[9], pose[10], pose[11]}};
  }
  if (tool_in_limbs_) return limbs_.tool_pose_and_jacobian(q, J);
  const Model<double>& m = model();
  configuration_.set(m, q);
  forward_kinematics(m, configuration_, std::span(X_));
  const int body = m.frames.empty() ? m.size() - 1 : m.frames.back().body;
  const Transform<double> tool =
      m.frames.empty() ? X_[body] : frame_pose(m.frames.back(), std::span<const Transform<double>>(X_));
  jacobian(m, std::span<const Transform<double>>(X_), body, tool.p, J);
  return tool;
}

void FastDynamics::inverse(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                           Rates<double> tau, const InverseDerivatives<double>& out) {
  if (!limbs_) {
    tree_derivatives().loads.assign(tree_.loads);
    return tree_derivatives_->inverse(q, qd, qdd, tau, out);
  }
  LimbCall call = limbs_.call(q, qd, qdd, tree_.loads);
  call.tau = tau.data();
  call.dq = out.dq.data();
  call.dqd = out.dqd.data();
  call.dqdd = out.dqdd.data();
  limbs_.derivatives(call);
  if (model().friction.empty()) return;
  add_joint_friction<double>(model(), q, qd, 1.0, tau);
  add_joint_friction_slopes<double>(model(), q, qd, out.dq, out.dqd);
}

int FastDynamics::forward(std::span<const double> q, Rates<const double> qd, Rates<const double> tau, Rates<double> qdd,
                          const ForwardDerivatives<double>& out) {
  if (limbs_) {
    LimbCall call = limbs_.driven_call(q, qd, tau, tree_.loads);
    limbs_.add_friction_slopes(q, qd, call);
    call.qdd_out = qdd.data();
    call.dq = out.dq.data();
    call.dqd = out.dqd.data();
    call.dtau = out.dtau.data();
    if (limbs_.forward_derivatives(call)) return -1;
  }
  // the tree tells a coordinate without mass from numbers that are none
  if (!model().coupled())
    if (const int massless = tree_.forward(q, qd, tau, qdd); massless >= 0) return massless;
  tree_derivatives().loads.assign(tree_.loads);
  return tree_derivatives_->forward(q, qd, tau, qdd, out);
}

}  // namespace torsor
