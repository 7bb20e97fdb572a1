#include "torsor/control/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/control/control_law.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/integrator.hpp"

namespace torsor {
namespace {

constexpr double longest = 1000;  // s, of a task
constexpr double vastly = 1e9;    // N/m, and other numbers that no one means

std::array<double, 3> entries(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

bool is_unit(const Vec3<double>& v) { return std::abs(norm(v) - 1) < 1e-9; }

/// Faults of the numbers of one rule.
struct Check {
  std::string_view rule;
  Faults errors = {};

  void fault(std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), std::string(rule), std::move(what), std::move(remedy)});
  }
  void range(std::string offender, double value, double low, double high, std::string_view unit = "") {
    if (!(value >= low && value <= high))
      fault(std::move(offender), fmt::format("is {}", value),
            fmt::format("give {} to {}{}{}", low, high, unit.empty() ? "" : " ", unit));
  }
};

}  // namespace

Faults check_task(const ControlTask& task) {
  Check check{"task"};
  if (!all_finite(task.start)) check.fault("task: start", "is not finite", "give joint positions");
  check.range("task: duration", task.duration, 1e-3, longest, "s");
  check.range("task: rest", task.rest, 0, longest, "s");
  const auto finite = [&](const char* name, const Vec3<double>& v) {
    for (const double x : entries(v))
      if (!(std::abs(x) <= vastly))
        return check.fault(fmt::format("task: {}", name), "is not finite", "give metres or radians");
  };
  finite("way", task.way);
  finite("turn", task.turn);
  if (task.kind == TaskKind::arc) {
    finite("centre", task.centre);
    if (!is_unit(task.axis)) check.fault("task: axis", "is no unit vector", "give a direction of length 1");
    check.range("task: angle", task.angle, 1e-6, 100, "rad");
  } else if (!(norm(task.way) > 0)) {
    check.fault("task: way", "has no length", "give the way from the start to the end");
  }
  if (task.kind == TaskKind::contact) {
    finite("wall", task.wall.point);
    if (!is_unit(task.wall.normal))
      check.fault("task: wall", "its normal is no unit vector", "give a direction of length 1");
    check.range("task: wall", task.wall.stiffness, 0, vastly, "N/m");
    check.range("task: wall", task.wall.damping, 0, vastly, "N s/m");
  }
  if (task.kind == TaskKind::payload) {
    check.range("task: payload", task.payload, 0, 1e6, "kg");
    check.range("task: payload_time", task.payload_time, 0, task.duration + task.rest, "s");
  }
  return std::move(check.errors);
}

Faults check_experiment(const ControlExperiment& e) {
  Check check{"experiment", check_task(e.task)};
  if (e.laws.empty()) check.fault("laws", "there are none", "name some");
  std::string names;
  for (const ControlLawRow& row : control_laws()) names += (names.empty() ? "" : ", ") + std::string(row.name);
  for (auto name = e.laws.begin(); name != e.laws.end(); ++name) {
    if (!find_control_law(*name))
      check.fault("laws", fmt::format("there is no law \"{}\"", *name), "the laws are " + names);
    if (std::find(e.laws.begin(), name, *name) != name)
      check.fault("laws", fmt::format("\"{}\" is named twice", *name), "name it once");
  }
  if (e.speeds.size() > 100) check.fault("speeds", fmt::format("there are {}", e.speeds.size()), "give 100 at most");
  for (const double factor : e.speeds) check.range("speeds", factor, 1e-3, 1e3);
  if (e.rate != 0) check.range("rate", e.rate, 1, 1e6, "Hz, or 0 for a law inside the integrator");
  check.range("delay", e.delay, 0, 1, "s");
  if (e.rate == 0 && e.delay > 0)
    check.fault("delay", "has no meaning for a law inside the integrator", "give a rate, or no delay");
  check.range("error", e.model_error, 0, 0.9);
  if (!find_integrator(e.integrator)) {
    std::string methods;
    for (const IntegratorRow& row : integrators()) methods += (methods.empty() ? "" : ", ") + std::string(row.name);
    check.fault("integrator", fmt::format("there is no method \"{}\"", e.integrator), "the methods are " + methods);
  }
  check.range("step", e.step, 1e-7, 1, "s");
  check.range("reduced_tolerance", e.reduced_tolerance, 1e-9, 0.5);
  check.range("bandwidth", e.impedance_bandwidth, 1e-3, 1e3);
  check.range("knots", e.knots, 1, 10000);
  check.range("kp", e.gains.kp, -vastly, vastly, "1/s^2");
  check.range("kv", e.gains.kv, -vastly, vastly, "1/s");
  const auto& [mass, damping, stiffness] = e.impedance;
  for (const double x : damping) check.range("damping", x, -vastly, vastly);
  for (const double x : stiffness) check.range("stiffness", x, -vastly, vastly);
  // six masses, or none
  if (mass != std::array<double, 6>{})
    for (const double x : mass) check.range("mass", x, 1e-9, vastly);
  return std::move(check.errors);
}

ControlExperiment usual_experiment(TaskKind kind) {
  ControlExperiment e;
  for (const ControlLawRow& row : control_laws()) e.laws.emplace_back(row.name);
  e.model_error = 0.1;
  if (kind == TaskKind::contact) e.impedance_bandwidth = 0.25;
  return e;
}

ControlTask in_duration(ControlTask task, double duration) {
  task.payload_time *= duration / task.duration;
  task.duration = duration;
  return task;
}

}  // namespace torsor
