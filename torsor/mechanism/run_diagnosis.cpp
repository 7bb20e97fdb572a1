#include "torsor/mechanism/run_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/closing_descent.hpp"
#include "torsor/mechanism/driver_watch.hpp"
#include "torsor/mechanism/function_check.hpp"
#include "torsor/mechanism/start.hpp"

namespace torsor {

std::optional<LockAhead> lock_ahead(const Mechanism& m, const MechanismState& state, double moment) {
  if (std::none_of(m.blocks.begin(), m.blocks.end(), [](const ConstraintBlock& block) { return block.drives; }))
    return std::nullopt;
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  MechanismState ahead, beyond;
  AssemblyReport report;
  // so far that what is missing is more than what closing leaves open
  for (int doubled = 0; doubled < 20; ++doubled, moment *= 2) {
    MechanismState trial = state;
    trial.t += moment;
    if (!unsound_function(m, trial).empty()) break;
    const AssemblyReport tried = assembly.positions(trial);
    if (tried.closed && !tried.singular) {
      beyond = std::move(trial);
      break;
    }
    if (!tried.closed) report = tried, ahead = state, ahead.t = trial.t;
    if (tried.share > 1e-5) break;
  }
  if (ahead.bodies.empty()) return std::nullopt;
  // upon a singular position Newton's method stands still also where a position next to it is all that is asked for
  const auto closes_from = [&](MechanismState other) {
    constexpr double next_to_it = 0.1;  // rad, or sizes of the mechanism
    other.t = ahead.t;
    const AssemblyReport tried = assembly.positions(other);
    return tried.closed && !tried.singular && apart(other, state, size_of(m)) < next_to_it;
  };
  if (!beyond.bodies.empty() && closes_from(beyond)) return std::nullopt;
  ClosingDescent(m, EquationSet::all).descend(ahead);
  if (closes_from(ahead)) return std::nullopt;
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
  // beside a singular position something may turn over within a moment: that is not looked for
  const bool nearly = lock.gap < 1e-4 * size_of(m);
  return fmt::format("{} cannot close, {:.2g} m or rad are left a moment later{}",
                     m.block_name(m.blocks[static_cast<std::size_t>(lock.block)]), lock.gap,
                     nearly ? " next to where it stands; whether something turns over at once was not looked for" : "");
}

double speed_of(const MechanismState& state, double size) {
  double speed = 0;
  for (const BodyState& b : state.bodies) speed = std::max({speed, norm(b.w), norm(b.v) / size});
  return speed;
}

bool turned_over(const Mechanism& m, const MechanismState& came, const MechanismState& is, double since,
                 double unit_time) {
  constexpr double much = 0.3;  // of the speed: steps drift by far less
  const double size = size_of(m);
  double change = 0;
  for (std::size_t b = 0; b < came.bodies.size(); ++b)
    change =
        std::max({change, norm(is.bodies[b].w - came.bodies[b].w), norm(is.bodies[b].v - came.bodies[b].v) / size});
  if (!(change > much * speed_of(came, size) && change * unit_time > 1e-6) || !stands_singular(m, is)) return false;
  DriverWatch jumping(m, since, unit_time);
  jumping.look(is.t);
  return jumping.jumps().empty();
}

StartVelocity start_velocity(const Mechanism& m, const MechanismState& given, const MechanismState& taken) {
  constexpr double rounded = 1e-3;  // what files write with three digits is meant
  const double size = size_of(m);
  double speed = speed_of(given, size);
  for (const MechanismJoint& j : m.description.joints)
    speed = std::max({speed, std::fabs(j.angle_rate.value_or(0)), std::fabs(j.slide_rate.value_or(0)) / size,
                      std::fabs(j.length_rate.value_or(0)) / size});
  StartVelocity most;
  double largest = rounded * speed;
  MechanismEquations equations(m);
  equations.evaluate(taken);
  for (std::size_t k = 0; k < m.description.joints.size(); ++k) {
    const MechanismJoint& joint = m.description.joints[k];
    const auto look = [&](Measure::What what, const std::optional<double>& wanted) {
      if (!wanted) return;
      const double is = equations.measure({static_cast<int>(k), what}).rate,
                   change = std::fabs(is - *wanted) / (what == Measure::What::angle ? 1 : size);
      if (!(change > largest)) return;
      largest = change;
      most = {-1, {}, {}, {static_cast<int>(k), what}, *wanted, is};
    };
    look(Measure::What::angle, joint.angle_rate);
    look(Measure::What::slide, joint.slide_rate);
    look(Measure::What::length, joint.length_rate);
  }
  for (std::size_t b = 0; b < given.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    const Motion<double> had = body_velocity(m, given, body), has = body_velocity(m, taken, body);
    // what was not given follows the rest
    const double rounding = 1e-12 * (norm(had.w) * size + norm(had.v));
    const bool turn = norm(had.w) * size > rounding || m.description.bodies[b].turn_given,
               way = norm(had.v) > rounding || m.description.bodies[b].way_given;
    const double change = std::max(turn ? norm(had.w - has.w) : 0, way ? norm(had.v - has.v) / size : 0);
    if (!(change > largest)) continue;
    largest = change;
    most = {body, had, has, {}, 0, 0};
  }
  return most;
}

}  // namespace torsor
