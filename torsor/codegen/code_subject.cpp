#include "torsor/codegen/code_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/codegen/record_chain.hpp"
#include "torsor/codegen/robot_functions.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

namespace torsor {
namespace {

bool is_dynamics(CodeFunction function) {
  return function != CodeFunction::fk && function != CodeFunction::jacobian && function != CodeFunction::ik;
}

/// The functions of a reduced model, with the robot's friction.
template <class T>
void run_reduced(const ReducedModel& reduced, const Model<T>& model, CodeFunction function, std::span<const T> arguments,
                 std::span<T> results) {
  const auto n = static_cast<std::size_t>(model.nv);
  const std::span<const T> q = arguments.first(n), none;
  const auto rates = [&](std::size_t k) { return arguments.subspan((k + 1) * n, n); };
  ReducedDynamics<T> dynamics(reduced);
  switch (function) {
    case CodeFunction::gravity: return dynamics.inverse(q, none, none, results);
    case CodeFunction::mass: return dynamics.mass(q, results);
    case CodeFunction::bias:
    case CodeFunction::id:
      dynamics.inverse(q, rates(0), function == CodeFunction::id ? rates(1) : none, results);
      return add_joint_friction(model, q, rates(0), T(1), results);
    default: break;
  }
  // fd
  std::vector<T> M(n * n), bias(n);
  dynamics.mass(q, M);
  dynamics.bias(q, rates(0), bias);
  add_joint_friction<T>(model, q, rates(0), T(1), bias);
  for (std::size_t i = 0; i < n; ++i) results[i] = rates(1)[i] - bias[i];
  ldlt_factor<T>(M, model.nv);
  ldlt_solve<T>(M, model.nv, results);
}

template <class T>
double accuracy(const Tape& tape, const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases) {
  std::vector<double> results;
  TapeRun<T> run(tape);
  for (const CodeCase& one : cases) {
    std::vector<T> inputs;
    for (const double x : one.arguments) inputs.push_back(static_cast<T>(x));
    run.run(inputs);
    for (std::size_t k = 0; k < one.results.size(); ++k) results.push_back(static_cast<double>(run.output(k)));
  }
  return 16 * largest_difference(arguments, cases, results) + 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
}

}  // namespace

Errors refusals(const CodeSubject& subject, CodeFunction function) {
  if (function == CodeFunction::ik) return refuse_ik(subject);
  Errors errors;
  for (const auto& [body, law] : subject.model->friction)
    if (law.function && is_dynamics(function))
      errors.push_back({{},
                        fmt::format("joint \"{}\"", subject.model->joint_names[static_cast<std::size_t>(body)]),
                        "codegen-friction",
                        "its friction is a function set in code, which has no text",
                        "give friction by levels or a table"});
  if (subject.reduced && (function == CodeFunction::coriolis || function == CodeFunction::derivatives))
    errors.push_back({{},
                      fmt::format("function \"{}\"", row(function).name),
                      "codegen-reduced",
                      "a reduced model has none",
                      "ask for id, bias, gravity, mass or fd, or leave --reduced out"});
  return errors;
}

Tape record_function(const CodeSubject& subject, CodeFunction function) {
  const Model<double>& model = *subject.model;
  // one way of computing it, which says whether it can
  const auto recorded = [&](const auto& way) {
    Tape tape;
    const Recording recording(tape);
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
    if (!way(std::span<const Trace>(arguments), std::span(results))) return std::optional<Tape>();
    for (std::size_t k = 0; k < names.size(); ++k) tape.output(results[k], names[k]);
    return std::optional<Tape>(tidy_for_code(tape));
  };
  using Arguments = std::span<const Trace>;
  using Results = std::span<Trace>;
  if (function == CodeFunction::ik)
    return *recorded([&](Arguments a, Results r) { return record_ik(subject, a, r), true; });
  if (subject.reduced && is_dynamics(function))
    return *recorded([&](Arguments a, Results r) {
      return run_reduced<Trace>(*subject.reduced, cast<Trace>(model), function, a, r), true;
    });

  // the tree, or the canonical chain of a serial arm, or duals, whichever takes fewer instructions; duals of many joints
  // would take long, and loops have their own
  Tape tree = *recorded([&](Arguments a, Results r) { return run_robot(model, subject.tool, function, a, r), true; });
  std::optional<Tape> other;
  if (function == CodeFunction::derivatives && model.nv <= 10)
    other = recorded([&](Arguments a, Results r) { return record_dual_derivatives(model, a, r), true; });
  else if (const auto chain = canonical_chain(model))
    other = recorded([&](Arguments a, Results r) { return record_chain(*chain, model, subject.tool, function, a, r); });
  return other && count_instructions(*other) < count_instructions(tree) ? *std::move(other) : std::move(tree);
}

std::vector<CodeCase> code_cases(const CodeSubject& subject, CodeFunction function, const CReal& real, int count,
                                 std::uint64_t seed) {
  const Model<double>& model = *subject.model;
  std::vector<CodeCase> cases;
  std::mt19937_64 engine(seed);
  for (int k = 0; k < count; ++k) {
    if (function == CodeFunction::ik) {
      cases.push_back(ik_case(subject, real, engine()));
      continue;
    }
    CodeCase& one = cases.emplace_back();
    std::size_t results = 0;
    for (const CodeArgument& a : code_arguments(function, model.nq, model.nv)) {
      if (a.is_result) {
        results += static_cast<std::size_t>(a.size());
      } else if (a.name == "q") {
        one.arguments = random_position(model, engine);
      } else {
        for (int i = 0; i < a.size(); ++i) one.arguments.push_back(4 * uniform(engine) - 2);
      }
    }
    if (real.is_float())
      for (double& x : one.arguments) x = static_cast<double>(static_cast<float>(x));
    one.results.resize(results);
    if (subject.reduced && is_dynamics(function))
      run_reduced<double>(*subject.reduced, model, function, one.arguments, one.results);
    else
      run_robot(model, subject.tool, function, std::span<const double>(one.arguments), std::span(one.results));
  }
  return cases;
}

double code_tolerance(const Tape& tape, const std::vector<CodeArgument>& arguments, const std::vector<CodeCase>& cases,
                      const CReal& real) {
  return real.is_float() ? accuracy<float>(tape, arguments, cases) : accuracy<double>(tape, arguments, cases);
}

}  // namespace torsor
