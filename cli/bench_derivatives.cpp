// Derivatives beside the peers: those of inverse and of forward dynamics, by the recursion for trees and by Dynamics;
// and of rows, by RowDynamics.
#include <algorithm>

#include "cli/bench_calls.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/row_dynamics.hpp"

namespace torsor {
namespace {

template <class Derivatives>
struct DerivativesWork {
  explicit DerivativesWork(const Model<double>& model)
      : derivatives(model),
        out(2 * cells(model.nv, model.nv)),
        third(cells(model.nv, model.nv)),
        torques(static_cast<std::size_t>(model.nv)) {}

  std::span<double> by_q() { return std::span(out).first(third.size()); }
  std::span<double> by_qd() { return std::span(out).last(third.size()); }

  Derivatives derivatives;
  std::vector<double> out, third, torques;
};

template <class Derivatives>
struct InverseDerivativesCall : DerivativesWork<Derivatives> {
  using DerivativesWork<Derivatives>::DerivativesWork;
  void run(const BenchState& x) {
    this->derivatives.inverse(x.q, x.qd, x.qdd, this->torques, {this->by_q(), this->by_qd(), this->third});
  }
};

template <class Derivatives>
struct ForwardDerivativesCall : DerivativesWork<Derivatives> {
  using DerivativesWork<Derivatives>::DerivativesWork;
  void run(const BenchState& x) {
    this->derivatives.forward(x.q, x.qd, x.tau, this->torques, {this->by_q(), this->by_qd(), this->third});
  }
};

template <class Work>
std::optional<BenchCall> derivatives_call(const BenchRobot& robot) {
  return single_call(robot, std::make_shared<Work>(robot.model));
}

/// A batch: as many states as take 1 MB with their answers, all three matrices of each.
struct DerivativesBatch {
  DerivativesBatch(const BenchRobot& the_robot, InstructionSet set)
      : robot(the_robot),
        one(robot.model, {.instruction_set = set}),
        several(robot.model, {.threads = bench_threads, .instruction_set = set}),
        size(cells(robot.model.nv, robot.model.nv)) {
    states = std::clamp((std::size_t{1} << 20U) / (sizeof(double) * 3 * size), robot.states.count, robot.batch.count);
    out.resize(2 * size * states);
    third.resize(size * states);
  }
  StateRows<const double> rows(const std::vector<double>& of, int columns) const { return {of.data(), columns}; }
  StateRows<double> answer(std::size_t part) {
    const auto wide = static_cast<std::ptrdiff_t>(size);
    return part == 2 ? StateRows<double>{third.data(), wide} : StateRows<double>{out.data() + part * size, 2 * wide};
  }

  const BenchRobot& robot;
  RowDynamics one, several;
  std::size_t size, states = 0;
  std::vector<double> out, third;
};

void ask_inverse(DerivativesBatch& w, RowDynamics& rows) {
  const BenchStates& x = w.robot.batch;
  const int nq = w.robot.model.nq, nv = w.robot.model.nv;
  rows.inverse_derivatives(static_cast<std::int64_t>(w.states), w.rows(x.q, nq), w.rows(x.qd, nv), w.rows(x.qdd, nv),
                           {.dq = w.answer(0), .dqd = w.answer(1), .dqdd = w.answer(2)});
}

void ask_forward(DerivativesBatch& w, RowDynamics& rows) {
  const BenchStates& x = w.robot.batch;
  const int nq = w.robot.model.nq, nv = w.robot.model.nv;
  rows.forward_derivatives(static_cast<std::int64_t>(w.states), w.rows(x.q, nq), w.rows(x.qd, nv), w.rows(x.tau, nv),
                           {.dq = w.answer(0), .dqd = w.answer(1), .dtau = w.answer(2)});
}

using DerivativesQuestion = void (*)(DerivativesBatch&, RowDynamics&);

/// Single calls are those of Dynamics, which takes no wider registers for them.
template <class Work, DerivativesQuestion ask>
std::optional<BenchCall> with_batch(const BenchRobot& robot, InstructionSet set) {
  std::optional<BenchCall> call = derivatives_call<Work>(robot);
  auto batch = std::make_shared<DerivativesBatch>(robot, set);
  call->batch_states = batch->states;
  call->batch = [batch](int threads) { ask(*batch, threads == 1 ? batch->one : batch->several); };
  call->batch_result = [batch](int state) {
    const auto first = batch->out.begin() + state * static_cast<std::ptrdiff_t>(2 * batch->size);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(2 * batch->size));
  };
  return call;
}

template <class Work, DerivativesQuestion ask>
std::optional<BenchCall> widest(const BenchRobot& robot) {
  return with_batch<Work, ask>(robot, widest_instruction_set());
}

/// Where it is not the widest anyway.
template <class Work, DerivativesQuestion ask>
std::optional<BenchCall> of_avx2(const BenchRobot& robot) {
  if (widest_instruction_set() != InstructionSet::avx512) return std::nullopt;
  return with_batch<Work, ask>(robot, InstructionSet::avx2);
}

using Inverse = InverseDerivativesCall<Dynamics>;
using Forward = ForwardDerivativesCall<Dynamics>;

}  // namespace

std::span<const BenchRow> derivative_bench_rows() {
  static constexpr BenchRow all[] = {
      {"derivatives", "tree", derivatives_call<InverseDerivativesCall<TreeDerivatives<double>>>},
      {"derivatives", "fast", widest<Inverse, ask_inverse>},
      {"derivatives", "fast, AVX2", of_avx2<Inverse, ask_inverse>},
      {"fd-derivatives", "tree", derivatives_call<ForwardDerivativesCall<TreeDerivatives<double>>>},
      {"fd-derivatives", "fast", widest<Forward, ask_forward>},
      {"fd-derivatives", "fast, AVX2", of_avx2<Forward, ask_forward>},
  };
  return all;
}

}  // namespace torsor
