#include "torsor/simulate/rules.hpp"

#include <fmt/format.h>

#include <cmath>

#include "torsor/model/joint.hpp"

namespace torsor {

Faults check(const Model<double>& model, const SimulationRules& rules) {
  Faults errors;
  const auto fault = [&errors](std::string offender, std::string what, std::string remedy) {
    errors.push_back({{}, std::move(offender), "simulation-rules", std::move(what), std::move(remedy)});
  };
  const IntegratorRow* row = find_integrator(rules.integrator);
  if (!row) {
    std::string names;
    for (const IntegratorRow& each : integrators()) names += fmt::format("{}{}", names.empty() ? "" : ", ", each.name);
    fault(fmt::format("integrator \"{}\"", rules.integrator), "there is none of that name", "use " + names);
  }
  if (row && row->symplectic)
    for (int i = 0; i < model.size(); ++i)
      if (model[i].nv > 1)
        fault(
            fmt::format("joint \"{}\"", model.joint_names[i]),
            fmt::format("a symplectic method needs coordinates whose rates are the velocities, and a {} joint has none",
                        torsor::row(model[i].kind).name),
            "use dormand-prince");
  const auto number = [&](const char* name, double x, bool may_be_zero) {
    if (!std::isfinite(x) || x < 0 || (x == 0 && !may_be_zero))
      fault(name, fmt::format("is {}", x), may_be_zero ? "give a number from zero up" : "give a positive number");
  };
  number("step", rules.steps.step, false);
  number("relative tolerance", rules.steps.relative, true);
  number("absolute tolerance", rules.steps.absolute, true);
  if (rules.steps.relative == 0 && rules.steps.absolute == 0)
    fault("tolerance", "relative and absolute are both zero", "give a positive number");
  number("longest step", rules.steps.longest, true);
  number("sampling period", rules.sampling.period, true);
  number("delay", rules.sampling.delay, true);
  if (rules.sampling.delay > 0 && rules.sampling.period == 0)
    fault("delay", "there is no sampling it could delay", "give a sampling rate, too");
  if (rules.sampling.period > 0 && rules.sampling.delay > 1e6 * rules.sampling.period)
    fault("delay", "is more than a million sampling periods", "give a shorter one");
  number("stop frequency", rules.stop_frequency, false);
  number("stop damping", rules.stop_damping, true);
  number("interval of output", rules.every, true);
  number("shortest step", rules.shortest, false);
  return errors;
}

std::string describe(const RunEnd& end, const Model<double>& model) {
  std::string at = fmt::format("stopped at {:.9g} s: ", end.t);
  const std::string name =
      end.coordinate >= 0 ? fmt::format("\"{}\"", model.velocity_names[end.coordinate]) : std::string();
  switch (end.kind) {
    case EndKind::reached: return fmt::format("reached {:.9g} s", end.t);
    case EndKind::at_limit: return at + name + " is at its limit";
    case EndKind::torque_not_finite: return at + "the torque of " + name + " is not a number";
    case EndKind::force_not_finite: return at + "a force of the surroundings is not a number";
    case EndKind::singular: return at + "the mass matrix is singular: " + name + " can move without moving any mass";
    case EndKind::not_closed: return at + "the loops can no longer be closed";
    case EndKind::dead_centre: return at + "the loops are at a dead centre, where " + name + " cannot move on";
    case EndKind::not_finite: return at + "the motion has outgrown all numbers";
    case EndKind::made_up:
      return at + "the steps are too long for this motion: the energy has diverged to several times what it ever was";
    case EndKind::step_too_small: return at + "no step is short enough for the tolerance; take a looser one or radau";
    case EndKind::no_convergence: return at + "the implicit method finds no solution at steps of this length";
    case EndKind::lost: return at + "the tool is farther from its plan than its whole way is long";
    case EndKind::too_many_steps: return at + "the number of steps has reached its bound";
  }
  return at;
}

}  // namespace torsor
