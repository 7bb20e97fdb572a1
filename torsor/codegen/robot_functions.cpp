#include "torsor/codegen/robot_functions.hpp"

#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor {

template <Ordered T>
void RobotFunctions<T>::derivatives(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, std::span<T> results) {
  const auto n = static_cast<std::size_t>(model_.nv);
  std::vector<T> tau(n);
  TreeDerivatives<T>(model_).inverse(
      q, qd, qdd, tau, {results.first(n * n), results.subspan(n * n, n * n), results.subspan(2 * n * n, n * n)});
}

void run_robot(const Model<double>& model, const Frame<double>& tool, CodeFunction function,
               std::span<const double> arguments, std::span<double> results) {
  RobotFunctions<double>(model, tool).run(function, arguments, results);
}

void run_robot(const Model<double>& model, const Frame<double>& tool, CodeFunction function,
               std::span<const Trace> arguments, std::span<Trace> results) {
  const auto trace = [](double x) { return Trace(x); };
  Model<double> source = model;
  if (function == CodeFunction::fk || function == CodeFunction::jacobian) source.friction.clear();
  const Model<Trace> traced = cast<Trace>(source, trace);
  const Frame<Trace> frame{tool.name, tool.body, cast<Trace>(tool.X_body_frame, trace)};
  RobotFunctions<Trace> functions(traced, frame);
  functions.run(function, arguments, results);
}

void record_dual_derivatives(const Model<double>& source, std::span<const Trace> arguments, std::span<Trace> results) {
  using D = Dual<Trace>;
  const auto nq = static_cast<std::size_t>(source.nq), n = static_cast<std::size_t>(source.nv);
  const std::span<const Trace> q = arguments.first(nq), qd = arguments.subspan(nq, n),
                               qdd = arguments.subspan(nq + n, n);
  const Model<Trace> plain = cast<Trace>(source, [](double x) { return Trace(x); });
  Configuration<Trace> position(plain);
  position.set(plain, q);
  CompositeBodyWork<Trace> composite(plain);
  inertia_composite_body<Trace>(plain, position, composite, results.subspan(2 * n * n));

  const Model<D> model = cast<D>(source, [](double x) { return D(Trace(x)); });
  Configuration<D> configuration(model);
  NewtonEulerWork<D> work(model);
  std::vector<D> x(nq), xd(n), xdd(n), tau(n);
  std::vector<Trace> direction(n), along(nq);
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const bool by_position = k < n;
    for (std::size_t i = 0; i < n; ++i) direction[i] = Trace(i == k % n ? 1 : 0);
    configuration_rate<Trace>(plain, q, direction, along);
    for (std::size_t i = 0; i < nq; ++i) x[i] = D(q[i], {by_position ? along[i] : Trace(0)});
    for (std::size_t i = 0; i < n; ++i) {
      xd[i] = D(qd[i], {by_position ? Trace(0) : direction[i]});
      xdd[i] = D(qdd[i]);
    }
    configuration.set(model, x);
    inverse_newton_euler<D>(model, configuration, xd, xdd, {}, work, tau);
    add_joint_friction<D>(model, x, xd, D(Trace(1)), tau);
    for (std::size_t i = 0; i < n; ++i) results[(by_position ? 0 : n * n) + i * n + k % n] = tau[i].tangent[0];
  }
}

}  // namespace torsor
