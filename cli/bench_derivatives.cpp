// Derivatives beside the peers: those of inverse and of forward dynamics, by the recursion for trees and by Dynamics.
#include "cli/bench_calls.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"

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

}  // namespace

std::span<const BenchRow> derivative_bench_rows() {
  static constexpr BenchRow all[] = {
      {"derivatives", "tree", derivatives_call<InverseDerivativesCall<TreeDerivatives<double>>>},
      {"derivatives", "fast", derivatives_call<InverseDerivativesCall<Dynamics>>},
      {"fd-derivatives", "tree", derivatives_call<ForwardDerivativesCall<TreeDerivatives<double>>>},
      {"fd-derivatives", "fast", derivatives_call<ForwardDerivativesCall<Dynamics>>},
  };
  return all;
}

}  // namespace torsor
