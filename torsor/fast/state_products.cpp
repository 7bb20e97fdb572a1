#include "torsor/fast/state_products.hpp"

#include <algorithm>

namespace torsor {
namespace {

constexpr int most_for_matrices = 8, most_for_matrices_of_accelerations = 20;

}  // namespace

StateProducts::StateProducts(const Model<double>& model, FastDynamics& fast)
    : fast_(fast),
      inverse_by_matrices_(fast.in_limbs() && model.nv <= most_for_matrices),
      forward_by_matrices_(fast.in_limbs() && model.nv <= most_for_matrices_of_accelerations),
      tree_(model),
      by_q_(cells(model.nv, model.nv)),
      by_qd_(by_q_),
      by_last_(by_q_),
      answer_(static_cast<std::size_t>(model.nv)) {
  tree_.dynamics.loads.external.reserve(model.bodies.size());
}

TreeProducts<double>& StateProducts::tree() {
  tree_.dynamics.loads.assign(fast_.loads());
  return tree_;
}

void StateProducts::change(In dq, In dqd, In dlast, Out out) const {
  std::ranges::fill(out, 0.0);
  const std::size_t n = out.size();
  for (const auto& [matrix, along] :
       {std::pair(In(by_q_), dq), std::pair(In(by_qd_), dqd), std::pair(In(by_last_), dlast)})
    for (std::size_t i = 0; !along.empty() && i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i] += matrix[i * n + j] * along[j];
}

void StateProducts::gradient(In w, Out q, Out qd, Out last) const {
  const std::size_t n = w.size();
  for (const auto& [matrix, out] :
       {std::pair(In(by_q_), q), std::pair(In(by_qd_), qd), std::pair(In(by_last_), last)}) {
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[j] += w[i] * matrix[i * n + j];
  }
}

void StateProducts::inverse_jvp(In q, In qd, In qdd, const MotionChange<double>& by, Out dtau) {
  if (!inverse_by_matrices_) return tree().inverse_jvp(q, qd, qdd, by, dtau);
  fast_.inverse(q, qd, qdd, answer_, {by_q_, by_qd_, by_last_});
  change(by.q, by.qd, by.qdd, dtau);
}

void StateProducts::inverse_vjp(In q, In qd, In qdd, In w, const InverseGradient<double>& out) {
  if (!inverse_by_matrices_) return tree().inverse_vjp(q, qd, qdd, w, out);
  fast_.inverse(q, qd, qdd, answer_, {by_q_, by_qd_, by_last_});
  gradient(w, out.q, out.qd, out.qdd);
}

int StateProducts::forward_jvp(In q, In qd, In tau, const DriveChange<double>& by, Out dqdd) {
  if (!forward_by_matrices_) return tree().forward_jvp(q, qd, tau, by, dqdd);
  const int massless = fast_.forward(q, qd, tau, answer_, {by_q_, by_qd_, by_last_});
  if (massless < 0) change(by.q, by.qd, by.tau, dqdd);
  return massless;
}

int StateProducts::forward_vjp(In q, In qd, In tau, In u, const ForwardGradient<double>& out) {
  if (!forward_by_matrices_) return tree().forward_vjp(q, qd, tau, u, out);
  const int massless = fast_.forward(q, qd, tau, answer_, {by_q_, by_qd_, by_last_});
  if (massless < 0) gradient(u, out.q, out.qd, out.tau);
  return massless;
}

}  // namespace torsor
