#include "torsor/mechanism/run_diagnosis.hpp"

#include <algorithm>

namespace torsor {

std::optional<LockAhead> lock_ahead(const Mechanism& m, const MechanismState& state, double moment) {
  if (std::none_of(m.blocks.begin(), m.blocks.end(), [](const ConstraintBlock& block) { return block.drives; }))
    return std::nullopt;
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  MechanismState ahead = state;
  ahead.t += moment;
  const AssemblyReport report = assembly.positions(ahead);
  if (report.closed) return std::nullopt;
  return LockAhead{std::max(report.block, 0), report.gap};
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
