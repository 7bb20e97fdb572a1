#include "torsor/codegen/record_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "torsor/codegen/code_passes.hpp"
#include "torsor/codegen/record_chain.hpp"
#include "torsor/codegen/closed_functions.hpp"
#include "torsor/codegen/robot_functions.hpp"
#include "torsor/loops/random_closed_position.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/reduction/reduced_model.hpp"

namespace torsor {
namespace {

bool is_dynamics(CodeFunction function) {
  return function != CodeFunction::fk && function != CodeFunction::jacobian && function != CodeFunction::ik;
}

/// The functions of a reduced model, with the robot's friction.
template <class T>
void run_reduced(const ReducedModel& reduced, const Model<T>& model, CodeFunction function,
                 std::span<const T> arguments, std::span<T> results) {
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

/// The robot with the part of its position limits in which states are drawn: two turns, or twenty lengths of the robot, as near
/// to zero as they allow. In the last digit of a wide limit every error would be lost.
Model<double> drawn_near(Model<double> model) {
  double length = 1;
  for (const Body<double>& b : model.bodies) length += norm(b.placement.p);
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  for (const Body<double>& b : model.bodies) {
    if (row(b.kind).nv != 1) continue;
    Limits& l = model.limits[static_cast<std::size_t>(b.v)];
    const double half =
        kinds[static_cast<std::size_t>(b.q)] == CoordinateKind::angle ? 2 * std::numbers::pi : 10 * length;
    if (std::isinf(l.lower) || std::isinf(l.upper) || l.upper / 2 - l.lower / 2 <= half) continue;
    const double middle = std::clamp(0.0, l.lower + half, l.upper - half);
    l.lower = middle - half, l.upper = middle + half;
  }
  return model;
}

/// A position in which the loops close; where none is found one that will be told not to.
std::vector<double> closed_position(const Robot& robot, Dynamics& dynamics, std::mt19937_64& engine) {
  const auto found = random_closed_position(robot, dynamics, engine);
  return found ? *found : random_position(robot.coordinates(), engine);
}

using TracedArguments = std::span<const Trace>;
using TracedResults = std::span<Trace>;

/// The function on tape, computed by `way`, which says whether it can.
template <class Way>
std::optional<Tape> recorded(const CodeSubject& subject, CodeFunction function, const Way& way) {
  const Model<double>& model = *subject.model;
  Tape tape;
  const Recording recording(tape);
  std::vector<Trace> arguments, results;
  std::vector<std::string> names;
  for (const CodeArgument& argument : code_arguments(function, model.nq, model.nv, subject.ik))
    for (int k = 0; k < argument.size(); ++k) {
      std::string name = fmt::format("{}[{}]", argument.name, k);
      if (argument.is_result)
        names.push_back(std::move(name));
      else
        arguments.push_back(tape.input(std::move(name)));
    }
  results.resize(names.size());
  if (!way(TracedArguments(arguments), TracedResults(results))) return std::nullopt;
  for (std::size_t k = 0; k < names.size(); ++k) tape.output(results[k], names[k]);
  return tape;
}

}  // namespace

Faults refusals(const CodeSubject& subject, CodeFunction function) {
  if (function == CodeFunction::ik && !subject.closed) return refuse_ik(subject);
  Faults errors;
  if (subject.closed) errors = refuse_closed(*subject.closed, function);
  const Model<double>& model = subject.closed ? subject.closed->tree() : *subject.model;
  for (const auto& [body, law] : model.friction)
    if (law.function && is_dynamics(function))
      errors.push_back({{},
                        fmt::format("joint \"{}\"", model.joint_names[static_cast<std::size_t>(body)]),
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
  const auto tidied = [&](const auto& way) {
    const std::optional<Tape> tape = recorded(subject, function, way);
    return tape ? std::optional(tidy_for_code(*tape)) : std::nullopt;
  };
  if (subject.closed || function == CodeFunction::ik || (subject.reduced && is_dynamics(function)))
    return tidy_for_code(record_library(subject, function));

  // the tree, or the canonical chain of a serial arm, or duals, whichever takes fewer instructions; duals of many joints
  // would take long, and loops have their own
  Tape tree = tidy_for_code(record_library(subject, function));
  std::optional<Tape> other;
  if (function == CodeFunction::derivatives && model.nv <= 10)
    other = tidied([&](TracedArguments a, TracedResults r) { return record_dual_derivatives(model, a, r), true; });
  else if (const auto chain = canonical_chain(model))
    other = tidied(
        [&](TracedArguments a, TracedResults r) { return record_chain(*chain, model, subject.tool, function, a, r); });
  return other && count_instructions(*other) < count_instructions(tree) ? *std::move(other) : std::move(tree);
}

Tape record_library(const CodeSubject& subject, CodeFunction function) {
  const Model<double>& model = *subject.model;
  return *recorded(subject, function, [&](TracedArguments a, TracedResults r) {
    if (subject.closed)
      run_closed(*subject.closed, subject.tool, function, a, r);
    else if (function == CodeFunction::ik)
      record_ik(subject, a, r);
    else if (subject.reduced && is_dynamics(function))
      run_reduced<Trace>(*subject.reduced, cast<Trace>(model), function, a, r);
    else
      run_robot(model, subject.tool, function, a, r);
    return true;
  });
}

std::vector<CodeCase> code_cases(const CodeSubject& subject, CodeFunction function, const CReal& real, int count,
                                 std::uint64_t seed) {
  const Model<double> model = drawn_near(*subject.model);
  CodeSubject near = subject;
  near.model = &model;
  std::vector<CodeCase> cases;
  std::mt19937_64 engine(seed);
  std::optional<Dynamics> closed;
  if (subject.closed) closed.emplace(*subject.closed);
  for (int k = 0; k < count; ++k) {
    if (function == CodeFunction::ik) {
      cases.push_back(ik_case(near, real, engine()));
      continue;
    }
    CodeCase& one = cases.emplace_back();
    std::size_t results = 0;
    for (const CodeArgument& a : code_arguments(function, model.nq, model.nv, subject.ik)) {
      if (a.is_result) {
        results += static_cast<std::size_t>(a.size());
      } else if (a.name == "q") {
        one.arguments = closed ? closed_position(*subject.closed, *closed, engine) : random_position(model, engine);
      } else {
        for (int i = 0; i < a.size(); ++i) one.arguments.push_back(4 * uniform(engine) - 2);
      }
    }
    if (real.is_float())
      for (double& x : one.arguments) x = static_cast<double>(static_cast<float>(x));
    one.results.resize(results);
    if (closed)
      run_closed(*subject.closed, subject.tool, function, std::span<const double>(one.arguments), std::span(one.results));
    else if (subject.reduced && is_dynamics(function))
      run_reduced<double>(*subject.reduced, model, function, one.arguments, one.results);
    else
      run_robot(model, subject.tool, function, std::span<const double>(one.arguments), std::span(one.results));
  }
  return cases;
}

}  // namespace torsor
