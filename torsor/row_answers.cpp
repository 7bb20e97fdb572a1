// RowDynamics: answers in several parts. Sizes are looked at here; rows are answered piece by piece by RowAnswers.
#include "torsor/fast/row_parts.hpp"
#include "torsor/row_dynamics.hpp"

namespace torsor {
namespace {

using rows::from;

template <class Real, class Thread>
auto& answers_of(Thread& thread, const Model<double>& model, RowOptions options) {
  auto& own = [&]() -> auto& {
    if constexpr (std::is_same_v<Real, double>)
      return thread.doubles;
    else
      return thread.floats;
  }
  ();
  if (!own) own.emplace(model, options);
  return *own;
}

bool given(const LoadsOfRows& loads) {
  return loads.gravity.data || loads.base.data || loads.wrench.data || loads.external.data;
}

}  // namespace

/// ask(own, call, first, count) for every piece, `own` the answers of its thread and `call` with its states, the parts
/// of the answer (each with the numbers of a row) and what acts there.
template <class Real>
template <class Ask>
Status AnswersOfRows<Real>::answer(std::int64_t states, ConstRows q,
                                   std::initializer_list<std::pair<Rows, std::int64_t>> parts, const LoadsOfRows& loads,
                                   const Ask& ask) {
  RowDynamics::Parts& p = *static_cast<RowDynamics&>(*this).parts_;
  if (!p.fit(states, loads) || !rows::are_given(q, states, cells(p.model.nq, 1))) return rows::wrong;
  for (const auto& [part, numbers] : parts)
    if (part.data && !rows::are_apart(part, states, numbers)) return rows::wrong;
  if (std::is_same_v<Real, float> && (p.robots || given(loads))) return {Status::not_prepared, -1};
  p.share(states, loads, [&](auto& thread, std::int64_t first, std::int64_t count) {
    auto& own = answers_of<Real>(thread, p.model, p.options);
    AnswerCall<Real> call;
    call.states = count;
    if constexpr (std::is_same_v<Real, double>) {
      call.differences = thread.differed ? &thread.differences : nullptr;
      call.row = thread.row;
      call.loaded = given(loads);
    }
    std::size_t k = 0;
    for (const auto& [part, numbers] : parts) call.part[k++] = from(part, first);
    ask(thread, own, call, first);
  });
  return {};
}

template <class Real>
Status AnswersOfRows<Real>::inverse_derivatives(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd,
                                                const InverseDerivativesOfRows<Real>& out, const LoadsOfRows& loads) {
  const std::int64_t n = static_cast<RowDynamics&>(*this).model().nv;
  return answer(states, q, {{out.tau, n}, {out.dq, n * n}, {out.dqd, n * n}, {out.dqdd, n * n}}, loads,
                [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
                  call.at(from(q, first), from(qd, first), from(qdd, first));
                  own.rows.inverse_derivatives(call);
                });
}

template <class Real>
Status AnswersOfRows<Real>::forward_derivatives(std::int64_t states, ConstRows q, ConstRows qd, ConstRows tau,
                                                const ForwardDerivativesOfRows<Real>& out, const LoadsOfRows& loads) {
  const RowDynamics::Parts& p = *static_cast<RowDynamics&>(*this).parts_;
  const std::int64_t n = p.model.nv;
  return answer(states, q, {{out.qdd, n}, {out.dq, n * n}, {out.dqd, n * n}, {out.dtau, n * n}}, loads,
                [&](auto& thread, auto& own, AnswerCall<Real>& call, std::int64_t first) {
                  own.qdd.resize(static_cast<std::size_t>(piece_states * n));
                  const Rows qdd = out.qdd.data ? call.part[0] : Rows{own.qdd.data(), static_cast<std::ptrdiff_t>(n)};
                  call.part[0] = {};
                  const auto accelerate = [&](auto& dynamics) {
                    dynamics.forward(call.states, from(q, first), from(qd, first), from(tau, first), qdd);
                  };
                  if constexpr (std::is_same_v<Real, double>) {
                    accelerate(thread.dynamics);
                  } else {
                    if (!own.own_dynamics)
                      own.own_dynamics.emplace(p.model, BatchOptions{1, p.options.instruction_set});
                    accelerate(*own.own_dynamics);
                  }
                  call.at(from(q, first), from(qd, first), {qdd.data, qdd.stride});
                  own.rows.forward_derivatives(call);
                });
}

template <class Real>
Status AnswersOfRows<Real>::momentum(std::int64_t states, ConstRows q, ConstRows qd, const MomentumOfRows<Real>& out) {
  const std::int64_t n = static_cast<RowDynamics&>(*this).model().nv;
  return answer(states, q,
                {{out.kinetic, 1},
                 {out.potential, 1},
                 {out.mass_centre, 3},
                 {out.about_origin, 6},
                 {out.about_centre, 6},
                 {out.matrix, 6 * n}},
                {}, [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
                  call.at(from(q, first), from(qd, first), {});
                  own.rows.momentum(call);
                });
}

template <class Real>
Status AnswersOfRows<Real>::frame_motion(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd,
                                         const Frame<double>& frame, const FrameMotionOfRows<Real>& out,
                                         StateRows<const double> own_frames) {
  const Model<double>& model = static_cast<RowDynamics&>(*this).model();
  const std::int64_t n = model.nv;
  if (frame.body < 0 || frame.body >= model.size()) return rows::wrong;
  if (std::is_same_v<Real, float> && own_frames.data) return {Status::not_prepared, -1};
  return answer(
      states, q,
      {{out.pose, 12}, {out.twist, 6}, {out.acceleration, 6}, {out.jacobian, 6 * n}, {out.jacobian_rate, 6 * n}}, {},
      [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
        call.at(from(q, first), from(qd, first), from(qdd, first));
        if constexpr (std::is_same_v<Real, double>) call.frames = own_frames;
        own.rows.motion(frame, call);
      });
}

template <class Real>
Status AnswersOfRows<Real>::reactions(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd, Rows tau,
                                      Rows forces, const LoadsOfRows& loads) {
  const Model<double>& model = static_cast<RowDynamics&>(*this).model();
  return answer(states, q, {{tau, model.nv}, {forces, 6 * model.size()}}, loads,
                [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
                  call.at(from(q, first), from(qd, first), from(qdd, first));
                  own.rows.reactions(call);
                });
}

template <class Real>
Status AnswersOfRows<Real>::terms(std::int64_t states, ConstRows q, ConstRows qd, ConstRows qdd,
                                  const TermsOfRows<Real>& out, const LoadsOfRows& loads) {
  const Model<double>& model = static_cast<RowDynamics&>(*this).model();
  const std::int64_t n = model.nv;
  return answer(states, q,
                {{out.M, n * n},
                 {out.C, n * n},
                 {out.gravity, n},
                 {out.friction, n},
                 {out.load, n},
                 {out.bias, n},
                 {out.tau, n},
                 {out.reactions, 6 * model.size()},
                 {out.kinetic, 1},
                 {out.potential, 1},
                 {out.mass_centre, 3},
                 {out.momentum, 6}},
                loads, [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
                  call.at(from(q, first), from(qd, first), from(qdd, first));
                  own.rows.terms(call);
                });
}

template <class Real>
Status AnswersOfRows<Real>::christoffel(std::int64_t states, ConstRows q, Rows h) {
  const Model<double>& model = static_cast<RowDynamics&>(*this).model();
  for (const Body<double>& b : model.bodies)
    if (b.nv > 1) return {Status::not_prepared, b.v};
  const std::int64_t n = model.nv;
  if (states > 0 && !h.data) return rows::wrong;
  return answer(states, q, {{h, n * n * n}}, {}, [&](auto&, auto& own, AnswerCall<Real>& call, std::int64_t first) {
    call.at(from(q, first), {}, {});
    own.rows.christoffel(call);
  });
}

template class AnswersOfRows<double>;
template class AnswersOfRows<float>;

}  // namespace torsor
