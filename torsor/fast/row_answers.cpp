#include "torsor/fast/row_answers.hpp"

namespace torsor {

template <class Real>
RowAnswers<Real>::RowAnswers(const Model<double>& model, InstructionSet set)
    : model_(model),
      kernels_(answer_kernels<Real>(set)),
      tree_(kernels_.create(model), kernels_.destroy),
      positions_(model, piece_states) {
  SplitFriction<Real> split = split_friction<Real>(model);
  friction_ = std::move(split.in_lanes);
  other_friction_ = std::move(split.others);
  if (!other_friction_.empty()) slopes_.resize(static_cast<std::size_t>(2 * piece_states * model.nv));
}

template <class Real>
void RowAnswers<Real>::run(AnswerKernel<Real> kernel, AnswerCall<Real>& call) {
  TORSOR_EXPECT(call.states <= piece_states);
  const bool own_friction = call.differences && call.differences->friction;
  call.friction = friction_.data();
  call.frictions = own_friction ? 0 : static_cast<int>(friction_.size());
  positions_.tame(0, call);
  kernel(tree_.get(), call);
}

/// take(row, body, law, position, speed) of every law that lanes do not know.
template <class Real>
template <class Take>
void RowAnswers<Real>::for_other_friction(const AnswerCall<Real>& call, const Take& take) const {
  if (call.differences && call.differences->friction) return;
  for (const int k : other_friction_) {
    const auto& [body, law] = model_.friction[static_cast<std::size_t>(k)];
    const Body<double>& b = model_[body];
    for (std::int64_t s = 0; s < call.states; ++s)
      take(s, b, law, b.ratio * static_cast<double>(call.q[s * call.q_stride + b.q]) + b.offset,
           call.qd ? b.ratio * static_cast<double>(call.qd[s * call.qd_stride + b.v]) : 0.0);
  }
}

template <class Real>
void RowAnswers<Real>::take_slopes(AnswerCall<Real>& call) {
  if (other_friction_.empty()) return;
  const std::ptrdiff_t n = model_.nv;
  std::ranges::fill(slopes_, Real(0));
  Real *const by_q = slopes_.data(), *const by_qd = by_q + piece_states * n;
  for_other_friction(call,
                     [&](std::int64_t s, const Body<double>& b, const Friction<double>& law, double q, double qd) {
                       const auto [q_slope, qd_slope] = friction_slopes(law, q, qd);
                       by_q[s * n + b.v] += static_cast<Real>(b.ratio * b.ratio * q_slope);
                       by_qd[s * n + b.v] += static_cast<Real>(b.ratio * b.ratio * qd_slope);
                     });
  call.by_q = {by_q, n};
  call.by_qd = {by_qd, n};
}

template <class Real>
void RowAnswers<Real>::add_other_friction(const AnswerCall<Real>& call, std::size_t part) const {
  const StateRows<Real>& to = call.part[part];
  if (!call.qd || !to.data) return;
  for_other_friction(call,
                     [&](std::int64_t s, const Body<double>& b, const Friction<double>& law, double q, double qd) {
                       to.row(s)[b.v] += static_cast<Real>(b.ratio * friction_torque(law, q, qd));
                     });
}

template <class Real>
void RowAnswers<Real>::inverse_derivatives(AnswerCall<Real> call) {
  take_slopes(call);
  run(kernels_.inverse_derivatives, call);
  add_other_friction(call, 0);
}

template <class Real>
void RowAnswers<Real>::forward_derivatives(AnswerCall<Real> call) {
  take_slopes(call);
  run(kernels_.forward_derivatives, call);
}

template <class Real>
void RowAnswers<Real>::momentum(AnswerCall<Real> call) {
  run(kernels_.momentum, call);
}

template <class Real>
void RowAnswers<Real>::motion(const Frame<double>& frame, AnswerCall<Real> call) {
  call.tool_body = frame.body;
  call.X_body_tool = cast<Real>(frame.X_body_frame, [](double x) { return static_cast<Real>(x); });
  run(kernels_.motion, call);
}

template <class Real>
void RowAnswers<Real>::reactions(AnswerCall<Real> call) {
  run(kernels_.reactions, call);
  add_other_friction(call, 0);
}

template <class Real>
void RowAnswers<Real>::terms(AnswerCall<Real> call) {
  run(kernels_.terms, call);
  for (const std::size_t part : {3u, 5u, 6u}) add_other_friction(call, part);
}

template <class Real>
void RowAnswers<Real>::christoffel(AnswerCall<Real> call) {
  run(kernels_.christoffel, call);
}

template class RowAnswers<double>;
template class RowAnswers<float>;

}  // namespace torsor
