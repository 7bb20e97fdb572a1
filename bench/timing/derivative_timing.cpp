#include "bench/timing/derivative_timing.hpp"

#include <algorithm>
#include <functional>
#include <random>

#include "bench/timing/clock.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/dynamics/discrete_step.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

using ManyTangents = Dual<double, 8>;

/// dtau/d(q, qd, qdd) by as many runs of inverse dynamics over duals of eight tangents as it takes.
class DerivativesByDuals {
 public:
  explicit DerivativesByDuals(const Model<double>& model)
      : given_(model),
        model_(without_functions(model)),
        dynamics_(model_, Questions::all_but_forward),
        unit_(static_cast<std::size_t>(model.nv)),
        along_(static_cast<std::size_t>(model.nq)) {}

  void run(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
           const InverseDerivatives<double>& out) {
    const int n = given_.nv;
    for (int start = 0; start < 3 * n; start += 8) {
      q_.assign(q.begin(), q.end());
      qd_.assign(qd.begin(), qd.end());
      qdd_.assign(qdd.begin(), qdd.end());
      tau_.resize(unit_.size());
      const int count = std::min(8, 3 * n - start);
      for (int k = 0; k < count; ++k) {
        const int which = (start + k) / n, coordinate = (start + k) % n;
        const auto tangent = static_cast<std::size_t>(k);
        if (which == 1) qd_[coordinate].tangent[tangent] = 1;
        if (which == 2) qdd_[coordinate].tangent[tangent] = 1;
        if (which != 0) continue;
        std::fill(unit_.begin(), unit_.end(), 0.0);
        unit_[coordinate] = 1;
        configuration_rate<double>(given_, q, unit_, along_);
        for (std::size_t i = 0; i < along_.size(); ++i) q_[i].tangent[tangent] = along_[i];
      }
      dynamics_.inverse(q_, qd_, qdd_, tau_);
      for (int k = 0; k < count; ++k) {
        const int which = (start + k) / n, coordinate = (start + k) % n;
        const std::span<double> to = which == 0 ? out.dq : which == 1 ? out.dqd : out.dqdd;
        for (int i = 0; i < n; ++i) to[cell(i, n, coordinate)] = tau_[i].tangent[static_cast<std::size_t>(k)];
      }
    }
  }

 private:
  // a friction function of doubles is none of duals
  static Model<ManyTangents> without_functions(Model<double> model) {
    for (auto& friction : model.friction) friction.law.function = {};
    return cast<ManyTangents>(model);
  }

  const Model<double>& given_;
  Model<ManyTangents> model_;
  TreeDynamics<ManyTangents> dynamics_;
  std::vector<double> unit_, along_;
  std::vector<ManyTangents> q_, qd_, qdd_, tau_;
};

}  // namespace

std::vector<DerivativeTime> time_derivatives(const Model<double>& model, double seconds_each) {
  const auto n = static_cast<std::size_t>(model.nv), square = cells(model.nv, model.nv);
  std::mt19937_64 engine(1);
  const std::vector<double> q = random_position(model, engine);
  std::vector<double> qd(n), qdd(n), tau(n), result(n), q_next(q.size()), qd_next(n), A(4 * square), B(2 * square);
  for (double& x : qd) x = 2 * uniform(engine) - 1;
  for (double& x : qdd) x = 2 * uniform(engine) - 1;
  std::vector<double> a(square), b(square), c(square);
  const InverseDerivatives<double> inverse{a, b, c};
  const StepResult<double> ended{q_next, qd_next, A, B};

  Dynamics dynamics(model);
  TreeDerivatives<double> tree(model);
  DerivativesByDuals duals(model);
  DiscreteStep<double, Dynamics> euler(model, StepMethod::semi_implicit);
  DiscreteStep<double, Dynamics> runge_kutta(model, StepMethod::runge_kutta_4);
  dynamics.inverse(q, qd, qdd, tau);

  struct Way {
    const char* name;
    std::function<void()> run;
  };
  std::vector<Way> ways{
      {"tau", [&] { dynamics.inverse(q, qd, qdd, result); }},
      {"dtau/d(q, qd, qdd)", [&] { dynamics.inverse(q, qd, qdd, result, inverse); }},
      {"the same, as of any tree", [&] { tree.inverse(q, qd, qdd, result, inverse); }},
      {"the same, by dual numbers", [&] { duals.run(q, qd, qdd, inverse); }},
      {"dqdd/d(q, qd, tau)", [&] { dynamics.forward(q, qd, tau, result, {a, b, c}); }},
      {"step with A and B, semi-implicit", [&] { euler.run(q, qd, tau, 1e-3, ended); }},
      {"step with A and B, rk4", [&] { runge_kutta.run(q, qd, tau, 1e-3, ended); }},
  };
  std::vector<DerivativeTime> out;
  for (const Way& way : ways) out.push_back({way.name, 1e9});
  constexpr int batches = 50;
  for (int batch = 0; batch < batches; ++batch)
    for (std::size_t k = 0; k < ways.size(); ++k) {
            const double goal = seconds_each / batches;
      long calls = 1;
      for (;;) {
        const Clock::time_point start = Clock::now();
        for (long call = 0; call < calls; ++call) ways[k].run();
        const double spent = std::chrono::duration<double>(Clock::now() - start).count();
        out[k].seconds = std::min(out[k].seconds, spent / static_cast<double>(calls));
        if (spent >= goal / 2) break;
        calls *= 2;
      }
    }
  return out;
}

}  // namespace torsor
