#include "torsor/fast/limb_dynamics.hpp"

#include <algorithm>

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/fast/prepared_chain.hpp"

namespace torsor {
namespace {

const double* data_or_null(std::span<const double> x) { return x.empty() ? nullptr : x.data(); }

}  // namespace

LimbDynamics::LimbDynamics(const Model<double>& model, InstructionSet set)
    : model_(model),
      quaternions_(model),
      kernels_(limb_kernels(set)),
      tree_(nullptr, kernels_.destroy) {
  if (!kernels_.create) return;
  plan_ = limb_plan(model);
  if (!plan_) return;
  tree_.reset(kernels_.create(*plan_));
  weigh_base();
  plain_rates_ = std::ranges::all_of(plan_->limbs, [](const Limb& limb) { return limb.kind == LimbKind::chain; });
  against_gravity_ = base_acceleration_against_gravity(model, BaseMotion<double>{}).v;
  external_.resize(plan_->tree.bodies.size());
  driving_.resize(static_cast<std::size_t>(model.nv));
  if (quaternions_) q_.resize(static_cast<std::size_t>(model.nq));
  friction_q_ = friction_qd_ = driving_;
}

void LimbDynamics::refill() {
  if (!plan_) return;
  torsor::refill(model_, *plan_);
  weigh_base();
  kernels_.refill(tree_.get());
  against_gravity_ = base_acceleration_against_gravity(model_, BaseMotion<double>{}).v;
}

void LimbDynamics::weigh_base() {
  on_base_ = {};
  for (int i = 0; i < model_.size(); ++i)
    if (plan_->body_of[i] < 0) on_base_ += plan_->X_body[i] * model_[i].inertia;
}

LimbCall LimbDynamics::call(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                            const BodyLoads<double>& loads) {
  TORSOR_EXPECT(q.size() == static_cast<std::size_t>(model_.nq));
  LimbCall out;
  out.q = tamed(q);
  out.qd = data_or_null(qd);
  out.qdd = data_or_null(qdd);
  out.a = against_gravity_;
  if (!rests(loads.base)) {
    const Motion<double> acceleration = base_acceleration_against_gravity(model_, loads.base);
    out.w = base_velocity(model_, loads.base).w;
    out.wd = acceleration.w;
    out.a = acceleration.v;
  }
  if (loads.external.empty()) return out;
  if (external_.size() == plan_->body_of.size() && loads.external.size() == external_.size()) {
    out.external = loads.external.data();
    return out;
  }
  for (Force<double>& f : external_) f = {};
  for (std::size_t i = 0; i < loads.external.size(); ++i)
    if (const int body = plan_->body_of[i]; body >= 0) external_[body] += plan_->X_body[i] * loads.external[i];
  out.external = external_.data();
  return out;
}

bool LimbDynamics::set_tool(const Frame<double>& tool) {
  const int body = plan_->body_of[tool.body];
  if (body < 0) return false;
  int last = plan_->count() - 1;
  while (plan_->limbs[last].body > body) --last;
  for (int k = last; k >= 0; k = plan_->limbs[k].parent) path_.insert(path_.begin(), k);
  tool_ = {path_.data(), static_cast<int>(path_.size()), body - plan_->limbs[last].body,
           plan_->X_body[tool.body] * tool.X_body_frame, model_.base};
  return true;
}

LimbCall LimbDynamics::driven_call(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
                                   const BodyLoads<double>& loads) {
  LimbCall out = call(q, qd, {}, loads);
  out.driving = tau.data();
  if (model_.friction.empty()) return out;
  driving_.assign(tau.begin(), tau.end());  // never grows
  add_joint_friction<double>(model_, q, qd, -1.0, driving_);
  out.driving = driving_.data();
  return out;
}

void LimbDynamics::add_friction_slopes(std::span<const double> q, std::span<const double> qd, LimbCall& call) {
  if (model_.friction.empty()) return;
  for (double& x : friction_q_) x = 0;
  for (double& x : friction_qd_) x = 0;
  for (const auto& [body, law] : model_.friction) {
    const int v = model_[body].v;
    const auto [by_q, by_qd] = friction_slopes(law, q[model_[body].q], qd.empty() ? 0.0 : qd[v]);
    friction_q_[v] += by_q;
    friction_qd_[v] += by_qd;
  }
  call.friction_q = friction_q_.data();
  call.friction_qd = friction_qd_.data();
}

}  // namespace torsor
