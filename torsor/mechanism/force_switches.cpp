#include "torsor/mechanism/force_switches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/friction_forces.hpp"
#include "torsor/numeric/settle_friction.hpp"

namespace torsor {
namespace {

bool at_lower(StopMode mode) { return mode == StopMode::lower_pushes || mode == StopMode::lower_slack; }
bool pushes(StopMode mode) { return mode == StopMode::lower_pushes || mode == StopMode::upper_pushes; }

/// What spring and damper of the end that is touched would give inwards; below zero they would have to pull.
double push_of(const MechanismSpring& s, const MeasureValue& at, StopMode mode) {
  const double along = -s.k * spring_stretch(s, at.value, mode) - s.c * at.rate;
  return at_lower(mode) ? along : -along;
}

double depth_of(const MechanismSpring& s, const MeasureValue& at, StopMode mode) {
  return at_lower(mode) ? s.play->lower - at.value : at.value - s.play->upper;
}

}  // namespace

ForceSwitches::ForceSwitches(const Mechanism& m, const OwnUnits& units)
    : mechanism_(m),
      frictions_(m.description.frictions),
      still_(frictions_.size()),
      equations_(m),
      A_(m.description.bodies.size()) {
  for (std::size_t k = 0; k < m.description.springs.size(); ++k)
    if (m.description.springs[k].play) stops_.push_back(k);
  for (const MechanismLaw& law : m.description.laws) bends_ += static_cast<std::size_t>(law.bend_count);
  constexpr double rounding = 1e-11;
  for (const MechanismFriction& each : frictions_)
    slow_.push_back(rounding * (each.measure.what == Measure::What::angle ? 1 : units.length) / units.time);
}

bool ForceSwitches::any_stuck(const MechanismState& state) const {
  return std::ranges::find(state.modes.friction, 0) != state.modes.friction.end();
}

void ForceSwitches::begin(MechanismState& state, MechanismForward& forward, std::vector<MechanismEvent>& events) {
  const std::vector<MechanismSpring>& springs = mechanism_.description.springs;
  state.modes.stops.assign(springs.size(), StopMode::inside);
  equations_.evaluate(state);
  for (const std::size_t k : stops_) {
    const MeasureValue at = equations_.measure(springs[k].measure);
    state.modes.stops[k] = stop_mode(springs[k], at.value, at.rate);
  }
  state.modes.friction.clear();
  for (std::size_t k = 0; k < frictions_.size(); ++k) {
    const double rate = equations_.measure(frictions_[k].measure).rate;
    state.modes.friction.push_back(std::fabs(rate) <= slow_[k] ? 0 : rate > 0 ? 1 : -1);
  }
  const std::size_t told = events.size();
  settle(state, forward, events);
  events.resize(told);
}

void ForceSwitches::look(const MechanismState& state, MechanismForward& forward, std::span<double> g) {
  // what sticking friction must hold is known with the accelerations alone
  if (any_stuck(state)) forward.accelerations_near(state, A_);
  equations_.evaluate(state);
  std::size_t i = 0;
  for (const std::size_t k : stops_) {
    const MechanismSpring& s = mechanism_.description.springs[k];
    const MeasureValue at = equations_.measure(s.measure);
    const StopMode mode = state.modes.stops[k];
    g[i++] = mode != StopMode::inside       ? depth_of(s, at, mode)
             : std::isfinite(s.play->lower) ? at.value - s.play->lower
                                            : 1;
    if (mode != StopMode::inside)
      g[i++] = (pushes(mode) ? 1 : -1) * push_of(s, at, mode);
    else
      g[i++] = std::isfinite(s.play->upper) ? s.play->upper - at.value : 1;
  }
  for (std::size_t k = 0; k < frictions_.size(); ++k, i += 2) {
    const int mode = state.modes.friction[k];
    g[i] = g[i + 1] = 1;
    if (mode == 0) {
      const double most = forward.friction().most(k), rounding = 2e-12 * most, f = forward.friction().torque(k);
      g[i] = most + f + rounding, g[i + 1] = most - f + rounding;
    } else {
      // what only begins to move, or is held by others, has rates of rounding either way
      g[i] = mode * equations_.measure(frictions_[k].measure).rate + (still_[k] ? slow_[k] : 0);
    }
  }
  for (const MechanismLaw& law : mechanism_.description.laws) {
    if (law.bend_count == 0) continue;
    signals_of(mechanism_, state, equations_, law, x_);
    law.bends(x_, g.subspan(i, static_cast<std::size_t>(law.bend_count)));
    i += static_cast<std::size_t>(law.bend_count);
  }
}

void ForceSwitches::happen(int which, MechanismState& state, MechanismForward& forward,
                           std::vector<MechanismEvent>& events) {
  if (which >= static_cast<int>(one_sided())) return;  // the law goes on beyond its corner
  const auto k = static_cast<std::size_t>(which) / 2;
  const bool second = which % 2 != 0;
  if (k < stops_.size()) {
    const MechanismSpring& s = mechanism_.description.springs[stops_[k]];
    StopMode& mode = state.modes.stops[stops_[k]];
    const auto tell = [&](MechanismEventKind kind) {
      events.push_back({state.t, kind, fmt::format("stop \"{}\"", s.name)});
    };
    equations_.evaluate(state);
    const MeasureValue at = equations_.measure(s.measure);
    if (mode == StopMode::inside) {
      mode = second ? StopMode::upper_pushes : StopMode::lower_pushes;
      if (push_of(s, at, mode) < 0) mode = second ? StopMode::upper_slack : StopMode::lower_slack;
      tell(second ? MechanismEventKind::touches_upper : MechanismEventKind::touches_lower);
    } else if (second) {
      const bool pushed = pushes(mode);
      mode = at_lower(mode) ? (pushed ? StopMode::lower_slack : StopMode::lower_pushes)
             : pushed       ? StopMode::upper_slack
                            : StopMode::upper_pushes;
    } else {
      mode = StopMode::inside;
      tell(MechanismEventKind::leaves);
    }
  } else if (state.modes.friction[k - stops_.size()] != 0) {
    // its rate is zero here, whatever rounding says, and where nothing that friction could do would make it so
    std::vector<bool> wanted(frictions_.size());
    wanted[k - stops_.size()] = true;
    for (std::size_t other = 0; other < frictions_.size(); ++other)
      if (state.modes.friction[other] == 0) wanted[other] = true;
    forward.stop_rates(state, wanted);
    return settle(state, forward, events, static_cast<int>(k - stops_.size()));
  }
  settle(state, forward, events);
}

void ForceSwitches::settle(MechanismState& state, MechanismForward& forward, std::vector<MechanismEvent>& events,
                           int at_zero) {
  if (frictions_.empty()) return;
  const std::vector<int> before = state.modes.friction;
  std::vector<bool> at_rest(frictions_.size());
  equations_.evaluate(state);
  for (std::size_t k = 0; k < frictions_.size(); ++k) {
    at_rest[k] = before[k] == 0 || static_cast<int>(k) == at_zero ||
                 std::fabs(equations_.measure(frictions_[k].measure).rate) <= slow_[k];
    still_[k] = false;
  }
  forward.stop_rates(state, at_rest);
  forward.try_modes(true);
  double fastest = 0;
  const auto nothing = [&](std::size_t k) {
    return std::fabs(forward.friction().acceleration(k)) <=
           1e-9 * forward.friction().acceleration_scale(k) + 1e-12 * fastest;
  };
  settle_friction(
      static_cast<int>(frictions_.size()),
      [&](int k) -> int& { return state.modes.friction[static_cast<std::size_t>(k)]; },
      [&] {
        forward.accelerations_near(state, A_);
        fastest = 0;
        for (const Motion<double>& a : A_) fastest = std::max({fastest, norm(a.w), norm(a.v)});
      },
      [&](int i) {
        const auto k = static_cast<std::size_t>(i);
        const FrictionForces& friction = forward.friction();
        // friction acts against what it holds
        return FrictionAtRest{at_rest[k],
                              -friction.torque(k),
                              {friction.most(k), friction.most(k)},
                              nothing(k) ? 0 : friction.acceleration(k),
                              friction.moves_nothing(k) && !nothing(k)};
      });
  forward.try_modes(false);
  for (std::size_t k = 0; k < frictions_.size(); ++k) {
    const int mode = state.modes.friction[k];
    still_[k] = mode != 0 && at_rest[k] && nothing(k);
    // where others hold it, nothing begins to move
    if (mode == before[k] || (still_[k] && forward.friction().moves_nothing(k))) continue;
    events.push_back({state.t,
                      mode == 0  ? MechanismEventKind::sticks
                      : mode > 0 ? MechanismEventKind::slides_forwards
                                 : MechanismEventKind::slides_backwards,
                      fmt::format("friction \"{}\"", frictions_[k].name)});
  }
}

void ForceSwitches::hold(MechanismState& state, MechanismForward& forward) const {
  if (!any_stuck(state)) return;
  std::vector<bool> stuck;
  for (const int mode : state.modes.friction) stuck.push_back(mode == 0);
  forward.stop_rates(state, stuck);
}

}  // namespace torsor
