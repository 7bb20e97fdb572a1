#include "torsor/codegen/robot_functions.hpp"

#include <fmt/format.h>

#include "torsor/codegen/record_function.hpp"

namespace torsor {

std::vector<CodeArgument> code_arguments(CodeFunction function, int nq, int nv) {
  std::vector<CodeArgument> out;
  const CodeFunctionRow& asked = row(function);
  for (const auto* names : {&asked.arguments, &asked.results})
    for (const std::string_view name : *names) {
      if (name.empty()) continue;
      CodeArgument argument{name, nv, 1, names == &asked.results};
      if (name == "q") argument.rows = nq;
      if (name == "M" || name == "C" || name == "tau_q" || name == "tau_qd") argument.columns = nv;
      if (name == "J") argument = {name, 6, nv, true};
      if (name == "R") argument = {name, 3, 3, true};
      if (name == "p") argument = {name, 3, 1, true};
      out.push_back(argument);
    }
  return out;
}

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

template class RobotFunctions<double>;

Tape record_function(const Model<double>& model, const Frame<double>& tool, CodeFunction function) {
  Tape tape;
  const Recording recording(tape);
  const auto trace = [](double x) { return Trace(x); };
  const Model<Trace> traced = cast<Trace>(model, trace);
  const Frame<Trace> frame{tool.name, tool.body, cast<Trace>(tool.X_body_frame, trace)};
  RobotFunctions<Trace> functions(traced, frame);
  functions.take_source(model);

  std::vector<Trace> arguments, results;
  std::vector<std::string> names;
  for (const CodeArgument& argument : code_arguments(function, model.nq, model.nv))
    for (int k = 0; k < argument.size(); ++k) {
      std::string name = fmt::format("{}[{}]", argument.name, k);
      if (argument.is_result)
        names.push_back(std::move(name));
      else
        arguments.push_back(tape.input(std::move(name)));
    }
  results.resize(names.size());
  functions.run(function, arguments, results);
  for (std::size_t k = 0; k < names.size(); ++k) tape.output(results[k], names[k]);
  return tape;
}

}  // namespace torsor
