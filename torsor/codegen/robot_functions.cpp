#include "torsor/codegen/robot_functions.hpp"

namespace torsor {

template <Ordered T>
void RobotFunctions<T>::derivatives(std::span<const T> q, Rates<const T> qd, Rates<const T> qdd, std::span<T> results) {
  using D = Dual<T>;
  const auto n = static_cast<std::size_t>(model_.nv);
  inertia_composite_body(model_, configuration_, solve_.composite, results.subspan(2 * n * n));

  const Model<D> model = [&] {
    if constexpr (std::is_same_v<T, double>)
      return cast<D>(model_);
    else
      return cast<D>(*source_, [](double x) { return D(T(x)); });
  }();
  Configuration<D> configuration(model);
  NewtonEulerWork<D> work(model);
  std::vector<D> x(q.size()), xd(n), xdd(n), tau(n);
  std::vector<T> direction(n, T(0)), along(q.size(), T(0));
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const bool by_position = k < n;
    for (std::size_t i = 0; i < n; ++i) direction[i] = T(i == k % n ? 1 : 0);
    configuration_rate<T>(model_, q, direction, along);
    for (std::size_t i = 0; i < q.size(); ++i) x[i] = D(q[i], {by_position ? along[i] : T(0)});
    for (std::size_t i = 0; i < n; ++i) {
      xd[i] = D(qd[i], {by_position ? T(0) : direction[i]});
      xdd[i] = D(qdd[i]);
    }
    configuration.set(model, x);
    inverse_newton_euler<D>(model, configuration, xd, xdd, {}, work, tau);
    add_joint_friction<D>(model, x, xd, D(T(1)), tau);
    for (std::size_t i = 0; i < n; ++i) results[(by_position ? 0 : n * n) + i * n + k % n] = tau[i].tangent[0];
  }
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
  functions.take_source(source);
  functions.run(function, arguments, results);
}

}  // namespace torsor
