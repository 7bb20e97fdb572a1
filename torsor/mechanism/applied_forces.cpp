#include "torsor/mechanism/applied_forces.hpp"

#include <algorithm>

namespace torsor {
namespace {

Vec3<double> vector_at(const std::array<TimeFunction, 3>& f, double t) {
  return {f[0] ? f[0](t).f : 0, f[1] ? f[1](t).f : 0, f[2] ? f[2](t).f : 0};
}

/// Adds an torque along a measure to the bodies at its two ends.
void add_torque(const MeasureValue& m, double effort, std::span<Force<double>> g) {
  if (m.body_i != ground) g[static_cast<std::size_t>(m.body_i)] += m.J_i * effort;
  if (m.body_j != ground) g[static_cast<std::size_t>(m.body_j)] += m.J_j * effort;
}

}  // namespace

double given_torque(const MechanismActuator& a, double t) {
  const double effort = a.effort ? a.effort(t).f : 0;
  return a.effort_limit ? std::clamp(effort, -*a.effort_limit, *a.effort_limit) : effort;
}

StopMode stop_mode(const MechanismSpring& s, double measure, double rate) {
  using enum StopMode;
  if (!s.play || (measure >= s.play->lower && measure <= s.play->upper)) return inside;
  const bool lower = measure < s.play->lower;
  const double push = -s.k * (measure - (lower ? s.play->lower : s.play->upper)) - s.c * rate;
  return lower ? (push >= 0 ? lower_pushes : lower_slack) : push <= 0 ? upper_pushes : upper_slack;
}

double spring_stretch(const MechanismSpring& s, double measure, StopMode mode) {
  using enum StopMode;
  if (!s.play) return measure - s.rest;
  return mode == inside ? 0 : measure - (mode == lower_pushes || mode == lower_slack ? s.play->lower : s.play->upper);
}

double spring_torque(const MechanismSpring& s, const MeasureValue& at, double t) {
  return spring_torque(s, at, t, stop_mode(s, at.value, at.rate));
}

double spring_torque(const MechanismSpring& s, const MeasureValue& at, double t, StopMode mode) {
  using enum StopMode;
  if (s.measure.what == Measure::What::length && at.value == 0) return 0;
  const double given = s.effort ? s.effort(t).f : 0;
  const bool pushes = !s.play || mode == lower_pushes || mode == upper_pushes;
  return pushes ? given - s.k * spring_stretch(s, at.value, mode) - s.c * at.rate : given;
}

void signals_of(const Mechanism& m, const MechanismState& state, const MechanismEquations& evaluated,
                const MechanismLaw& law, std::vector<double>& x) {
  x.clear();
  const auto component = [](const Vec3<double>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; };
  for (const StateSignal& each : law.signals) {
    if (each.kind == StateSignal::Kind::measure || each.kind == StateSignal::Kind::rate) {
      const MeasureValue at = evaluated.measure(each.measure);
      x.push_back(each.kind == StateSignal::Kind::measure ? at.value : at.rate);
      continue;
    }
    const MechanismPoint& point = m.description.points[static_cast<std::size_t>(each.point)];
    const auto b = static_cast<std::size_t>(point.body);
    const Vec3<double> arm = evaluated.orientation(point.body) * (point.point - m.description.bodies[b].com);
    x.push_back(each.kind == StateSignal::Kind::place
                    ? component(state.bodies[b].r + arm, each.axis)
                    : component(state.bodies[b].v + cross(state.bodies[b].w, arm), each.axis));
  }
}

double law_torque(const Mechanism& m, const MechanismState& state, const MechanismEquations& evaluated,
                  const MechanismLaw& law) {
  std::vector<double> x;
  signals_of(m, state, evaluated, law, x);
  return law.f(x);
}

MechanismEnergy applied_forces(const Mechanism& m, const MechanismState& state, const MechanismEquations& evaluated,
                             ActuatorTorques torques, std::span<Force<double>> g) {
  const MechanismDescription& d = m.description;
  MechanismEnergy account;
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    const MechanismBody& body = d.bodies[b];
    const BodyState& s = state.bodies[b];
    const Vec3<double> momentum = rotate(evaluated.orientation(static_cast<int>(b)), body.I) * s.w;
    g[b] = {-cross(s.w, momentum), d.gravity * body.m};
    account.kinetic += (body.m * dot(s.v, s.v) + dot(s.w, momentum)) / 2;
    account.potential -= body.m * dot(d.gravity, s.r);
  }
  // a spring k, and what else there is along the measure
  const auto along = [&](const Measure& what, const MeasureValue& measure, double k, double stretch, double rest_of_it) {
    account.potential += k * stretch * stretch / 2;
    // between points that meet it has no direction to pull in
    if (what.what == Measure::What::length && measure.value == 0) return;
    add_torque(measure, rest_of_it - k * stretch, g);
    // what a carrier does at the other end of a spring is work from outside, too
    double own_rate = 0;
    if (measure.body_i != ground) {
      const BodyState& s = state.bodies[static_cast<std::size_t>(measure.body_i)];
      own_rate += dot(Motion<double>{s.w, s.v}, measure.J_i);
    }
    if (measure.body_j != ground) {
      const BodyState& s = state.bodies[static_cast<std::size_t>(measure.body_j)];
      own_rate += dot(Motion<double>{s.w, s.v}, measure.J_j);
    }
    account.power += rest_of_it * own_rate + k * stretch * (measure.rate - own_rate);
  };
  const std::vector<StopMode>& modes = state.modes.stops;
  for (std::size_t k = 0; k < d.springs.size(); ++k) {
    const MechanismSpring& s = d.springs[k];
    const MeasureValue measure = evaluated.measure(s.measure);
    const StopMode mode = modes.empty() ? stop_mode(s, measure.value, measure.rate) : modes[k];
    const double stretch = spring_stretch(s, measure.value, mode);
    along(s.measure, measure, s.k, stretch, spring_torque(s, measure, state.t, mode) + s.k * stretch);
  }
  for (const MechanismLaw& law : d.laws)
    along(law.measure, evaluated.measure(law.measure), 0, 0, law_torque(m, state, evaluated, law));
  if (torques == ActuatorTorques::given)
    for (const MechanismActuator& a : d.actuators) {
      const MeasureValue measure = evaluated.measure(a.measure);
      along(a.measure, measure, a.k, measure.value - a.rest, given_torque(a, state.t) - a.c * measure.rate);
    }
  for (const MechanismForce& force : d.forces) {
    const auto b = static_cast<std::size_t>(force.body);
    const Mat3<double>& R = evaluated.orientation(force.body);
    Vec3<double> f = vector_at(force.force, state.t), n = vector_at(force.moment, state.t);
    if (force.along_body_axes) f = R * f, n = R * n;
    n += cross(R * (force.point - d.bodies[b].com), f);
    g[b] += Force<double>{n, f};
    account.power += dot(Motion<double>{state.bodies[b].w, state.bodies[b].v}, Force<double>{n, f});
  }
  return account;
}

}  // namespace torsor
