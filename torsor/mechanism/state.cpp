#include <algorithm>
#include <cmath>

#include "torsor/mechanism/equations.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {

MechanismState described_state(const Mechanism& m, double t) {
  MechanismState state;
  state.t = t;
  for (const MechanismBody& b : m.description.bodies) {
    const Vec3<double> s = b.X_world_body.R * b.com;
    state.bodies.push_back(
        {b.X_world_body.p + s, quaternion(b.X_world_body.R), b.velocity.v + cross(b.velocity.w, s), b.velocity.w});
  }
  state.angles.assign(m.description.joints.size(), 0);

  // a driven angle is counted from the turn in which its driver wants it
  MechanismEquations equations(m);
  equations.evaluate(state);
  for (std::size_t k = 0; k < state.angles.size(); ++k) state.angles[k] = equations.angle(static_cast<int>(k));
  for (const MechanismDriver& driver : m.description.drivers) {
    if (driver.terms.size() != 1 || driver.terms[0].measure.what != Measure::What::angle || driver.terms[0].profile)
      continue;
    double& angle = state.angles[static_cast<std::size_t>(driver.terms[0].measure.joint)];
    const double wanted = driver.function(t).f / driver.terms[0].factor;
    if (std::isfinite(wanted)) angle += whole_turn * std::nearbyint((wanted - angle) / whole_turn);
  }
  return state;
}

double size_of(const Mechanism& m) {
  double size = 0;
  for (const std::vector<PlacedSide>* sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& side : *sides)
      if (side.body != ground) size = std::max(size, norm(side.s));
  if (size > 0) return size;
  for (const std::vector<PlacedSide>* sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& side : *sides) size = std::max(size, norm(side.s));
  for (const JointSizes& joint : m.sizes)
    size = std::max({size, joint.length, std::fabs(joint.offset), std::fabs(joint.pitch), joint.radius});
  for (const MechanismBody& body : m.description.bodies) size = std::max(size, norm(body.X_world_body.p));
  return size > 0 ? size : 1;
}

OwnUnits own_units(const Mechanism& m, double interval) {
  constexpr double on_earth = 9.81;  // m/s^2
  OwnUnits units;
  units.length = 2 * size_of(m);
  const double g = norm(m.description.gravity);
  units.time = g > 0 ? std::sqrt(units.length * on_earth / g) : 100 * interval;
  double mass = 0;
  for (const MechanismBody& body : m.description.bodies) mass += body.m;
  const double energy = mass * (units.length / units.time) * (units.length / units.time);
  if (energy > 0 && std::isfinite(energy)) units.energy = energy;
  return units;
}

void set_row_units(Mechanism& m) {
  m.row_units.assign(static_cast<std::size_t>(m.rows), 1);
  const double length = 2 * size_of(m);
  MechanismEquations equations(m);
  equations.evaluate(described_state(m));
  for (const ConstraintBlock& block : m.blocks)
    for (int r = 0; r < block.rows; ++r) {
      double unit = 0;
      if (block.origin == ConstraintBlock::Origin::joint) {
        // rows of angles have no part of force, wherever the bodies stand
        for (std::size_t slot = 0; slot < block.bodies.size(); ++slot)
          if (norm(equations.gradient(block, slot, r).f) > 0) unit = length;
      } else {
        const auto k = static_cast<std::size_t>(block.index);
        const auto& terms = block.origin == ConstraintBlock::Origin::coupling ? m.description.couplings[k].terms
                                                                              : m.description.drivers[k].terms;
        for (const MechanismCoupling::Term& term : terms)
          if (!term.profile)
            unit = std::max(unit, std::fabs(term.factor) * (term.measure.what == Measure::What::angle ? 1 : length));
      }
      if (unit > 0) m.row_units[static_cast<std::size_t>(block.first_row + r)] = unit;
    }
}

void set_phases(Mechanism& m) {
  MechanismState state = described_state(m);
  MechanismEquations equations(m);
  equations.evaluate(state);
  for (std::size_t k = 0; k < m.description.joints.size(); ++k) {
    if (m.description.joints[k].kind != MechanismJointKind::screw) continue;
    const int joint = static_cast<int>(k);
    m.sizes[k].phase =
        equations.measure({joint, Measure::What::slide}).value - m.sizes[k].pitch * equations.angle(joint);
  }
  for (std::size_t k = 0; k < m.offsets.size(); ++k) {
    const MechanismCoupling& c = m.description.couplings[k];
    if (c.offset) {
      m.offsets[k] = *c.offset;
      continue;
    }
    for (const MechanismCoupling::Term& term : c.terms) {
      const double x = equations.measure(term.measure).value;
      m.offsets[k] += term.factor * (term.profile ? term.profile(x).f : x);
    }
  }
}

Transform<double> body_pose(const Mechanism& m, const MechanismState& state, int body) {
  const BodyState& b = state.bodies[static_cast<std::size_t>(body)];
  const Mat3<double> R = rotation(b.p);
  return {R, b.r - R * m.description.bodies[static_cast<std::size_t>(body)].com};
}

Motion<double> body_velocity(const Mechanism& m, const MechanismState& state, int body) {
  const BodyState& b = state.bodies[static_cast<std::size_t>(body)];
  const Vec3<double> s = rotation(b.p) * -m.description.bodies[static_cast<std::size_t>(body)].com;
  return {b.w, b.v + cross(b.w, s)};
}

Motion<double> body_acceleration(const Mechanism& m, const MechanismState& state, const Motion<double>& A, int body) {
  const BodyState& b = state.bodies[static_cast<std::size_t>(body)];
  const Vec3<double> s = rotation(b.p) * -m.description.bodies[static_cast<std::size_t>(body)].com;
  return {A.w, A.v + cross(A.w, s) + cross(b.w, cross(b.w, s))};
}

PointMotion point_motion(const Mechanism& m, const MechanismState& state, std::span<const Motion<double>> A,
                         const MechanismPoint& point) {
  const auto body = static_cast<std::size_t>(point.body);
  const BodyState& b = state.bodies[body];
  const Vec3<double> s = rotation(b.p) * (point.point - m.description.bodies[body].com), ws = cross(b.w, s);
  return {b.r + s, b.v + ws, A[body].v + cross(A[body].w, s) + cross(b.w, ws)};
}

}  // namespace torsor
