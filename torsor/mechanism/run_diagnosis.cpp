#include "torsor/mechanism/run_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/closing_descent.hpp"

namespace torsor {

std::optional<LockAhead> lock_ahead(const Mechanism& m, const MechanismState& state, double moment) {
  if (std::none_of(m.blocks.begin(), m.blocks.end(), [](const ConstraintBlock& block) { return block.drives; }))
    return std::nullopt;
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  MechanismState ahead;
  AssemblyReport report;
  // so far that what is missing is more than what closing leaves open
  for (int doubled = 0; doubled < 20; ++doubled, moment *= 2) {
    MechanismState trial = state;
    trial.t += moment;
    const AssemblyReport tried = assembly.positions(trial);
    if (tried.closed && !tried.singular) break;
    if (!tried.closed) report = tried, ahead = state, ahead.t = trial.t;
    if (tried.share > 1e-5) break;
  }
  if (ahead.bodies.empty()) return std::nullopt;
  ClosingDescent(m, EquationSet::all).descend(ahead);
  MechanismEquations equations(m);
  equations.evaluate(ahead);
  LockAhead lock{std::max(report.block, 0), report.gap};
  double most = 0;
  for (std::size_t b = 0; b < m.blocks.size(); ++b) {
    const ConstraintBlock& block = m.blocks[b];
    if (!counts(block, EquationSet::all)) continue;
    for (int r = 0; r < block.rows; ++r) {
      const auto row = static_cast<std::size_t>(block.first_row + r);
      const double value = std::fabs(equations.value[row]), missed = value / m.row_units[row];
      if (!(missed > 1.1 * most)) continue;  // equal but for rounding: the first
      most = missed;
      lock = {static_cast<int>(b), value};
    }
  }
  return lock;
}

std::string why_locked(const Mechanism& m, const LockAhead& lock) {
  return fmt::format("{} cannot close, {:.2g} m or rad are left a moment later",
                     m.block_name(m.blocks[static_cast<std::size_t>(lock.block)]), lock.gap);
}

double speed_of(const MechanismState& state, double size) {
  double speed = 0;
  for (const BodyState& b : state.bodies) speed = std::max({speed, norm(b.w), norm(b.v) / size});
  return speed;
}

StartVelocity start_velocity(const Mechanism& m, const MechanismState& given, const MechanismState& taken) {
  constexpr double rounded = 1e-3;  // what files write with three digits is meant
  const double size = size_of(m), speed = speed_of(given, size);
  StartVelocity most;
  double largest = rounded * speed;
  for (std::size_t b = 0; b < given.bodies.size(); ++b) {
    const BodyState &was = given.bodies[b], &is = taken.bodies[b];
    // who was given none follows the others
    if (norm(was.w) == 0 && norm(was.v) == 0) continue;
    const double change = std::max(norm(was.w - is.w), norm(was.v - is.v) / size);
    if (!(change > largest)) continue;
    largest = change;
    const int body = static_cast<int>(b);
    most = {body, body_velocity(m, given, body), body_velocity(m, taken, body)};
  }
  return most;
}

}  // namespace torsor
