#include "torsor/mechanism/equations.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

/// The angle that differs from this one by whole turns and is next to another.
double counted_on(double angle, double near) {
  return angle + whole_turn * std::nearbyint((near - angle) / whole_turn);
}

/// The angle of x_j from x_i about z_i, within half a turn.
double angle_between(const JointPlace<double>& i, const JointPlace<double>& j) {
  return std::atan2(dot(i.R.y, j.R.x), dot(i.R.x, j.R.x));
}

}  // namespace

MechanismEquations::MechanismEquations(const Mechanism& mechanism) : mechanism_(mechanism) {
  const auto rows = static_cast<std::size_t>(mechanism.rows);
  value.resize(rows), nu.resize(rows), gamma.resize(rows);
  std::size_t gradients = 0;
  for (const ConstraintBlock& block : mechanism.blocks)
    gradients =
        std::max(gradients, block.first_gradient + block.bodies.size() * static_cast<std::size_t>(block.rows) * 6);
  J.resize(gradients);
  R_.resize(mechanism.description.bodies.size());
  r_.resize(mechanism.description.bodies.size());
  V_.resize(mechanism.description.bodies.size());
  places_.resize(2 * mechanism.description.joints.size());
  near_.resize(mechanism.description.joints.size());
  const std::size_t carriers = mechanism.description.carriers.size();
  carrier_V_.resize(carriers), carrier_A_.resize(carriers), carrier_P_.resize(carriers), carrier_R_.resize(carriers);
}

void MechanismEquations::evaluate(const MechanismState& state) {
  const MechanismDescription& d = mechanism_.description;
  for (std::size_t b = 0; b < d.bodies.size(); ++b) {
    R_[b] = rotation(state.bodies[b].p);
    r_[b] = state.bodies[b].r;
    V_[b] = {state.bodies[b].w, state.bodies[b].v};
  }
  for (std::size_t c = 0; c < d.carriers.size(); ++c) {
    const CarrierMotion m = carrier_motion(d.carriers[c], state.t);
    carrier_P_[c] = m.P, carrier_R_[c] = m.R, carrier_V_[c] = m.V, carrier_A_[c] = m.A;
  }
  place_joints(state);
  for (const ConstraintBlock& block : mechanism_.blocks) {
    const auto index = static_cast<std::size_t>(block.index);
    switch (block.origin) {
      case ConstraintBlock::Origin::joint: fill_joint(block); break;
      case ConstraintBlock::Origin::coupling:
        fill_sum(block, d.couplings[index].terms, {mechanism_.offsets[index], 0, 0});
        break;
      case ConstraintBlock::Origin::driver:
        fill_sum(block, d.drivers[index].terms, d.drivers[index].function(state.t));
        break;
    }
  }
}

void MechanismEquations::place_joints(const MechanismState& state) {
  const auto place = [&](const PlacedSide& side) -> JointPlace<double> {
    if (side.carrier >= 0) {
      const auto c = static_cast<std::size_t>(side.carrier);
      const Vec3<double> s = carrier_R_[c] * side.s, w = carrier_V_[c].w, ws = cross(w, s);
      return {carrier_P_[c] + s, s, carrier_R_[c] * side.R, w, carrier_V_[c].v + ws, cross(w, ws)};
    }
    if (side.body == ground) return {side.s, side.s, side.R, {}, {}, {}};
    const auto b = static_cast<std::size_t>(side.body);
    const Vec3<double> s = R_[b] * side.s, w = V_[b].w, ws = cross(w, s);
    return {state.bodies[b].r + s, s, R_[b] * side.R, w, V_[b].v + ws, cross(w, ws)};
  };
  for (std::size_t k = 0; k < near_.size(); ++k) {
    places_[2 * k] = place(mechanism_.side_i[k]);
    places_[2 * k + 1] = place(mechanism_.side_j[k]);
    near_[k] = state.angles[k];
  }
}

double MechanismEquations::angle(int joint) const {
  const auto k = static_cast<std::size_t>(joint);
  if (!row(mechanism_.description.joints[k].kind).angle) return 0;
  return counted_on(angle_between(places_[2 * k], places_[2 * k + 1]), near_[k]);
}

MeasureValue MechanismEquations::measure(const Measure& what) const {
  const auto k = static_cast<std::size_t>(what.joint);
  const JointPlace<double>&i = places_[2 * k], &j = places_[2 * k + 1];
  const ConstraintRow<double> row = what.what == Measure::What::angle   ? angle_row(i, j)
                                    : what.what == Measure::What::slide ? in_line_row(i.R.z, i, j)
                                                                        : length_row(i, j);
  MeasureValue m{row.value, 0, row.bias, mechanism_.side_i[k].body, mechanism_.side_j[k].body, row.J_i, row.J_j};
  if (what.what == Measure::What::angle) m.value = counted_on(row.value, near_[k]);
  const auto side = [&](const PlacedSide& s, int& body, const Force<double>& gradient) {
    const TimeValue carrier = carried(s, gradient);
    m.rate += carrier.fd;
    m.bias += carrier.fdd;
    if (s.carrier >= 0) body = ground;
    if (body != ground) m.rate += dot(V_[static_cast<std::size_t>(body)], gradient);
  };
  side(mechanism_.side_i[k], m.body_i, m.J_i);
  side(mechanism_.side_j[k], m.body_j, m.J_j);
  return m;
}

TimeValue MechanismEquations::carried(const PlacedSide& side, const Force<double>& gradient) const {
  if (side.carrier < 0) return {};
  const auto c = static_cast<std::size_t>(side.carrier);
  return {0, dot(carrier_V_[c], gradient), dot(carrier_A_[c], gradient)};
}

void MechanismEquations::add_gradient(const ConstraintBlock& block, int body, const Force<double>& J_body,
                                      double factor) {
  if (body == ground) return;
  const auto slot =
      static_cast<std::size_t>(std::find(block.bodies.begin(), block.bodies.end(), body) - block.bodies.begin());
  double* const g = J.data() + block.first_gradient + slot * 6;
  g[0] += factor * J_body.n.x, g[1] += factor * J_body.n.y, g[2] += factor * J_body.n.z;
  g[3] += factor * J_body.f.x, g[4] += factor * J_body.f.y, g[5] += factor * J_body.f.z;
}

void MechanismEquations::fill_joint(const ConstraintBlock& block) {
  const auto k = static_cast<std::size_t>(block.index);
  const PlacedSide &side_i = mechanism_.side_i[k], &side_j = mechanism_.side_j[k];
  const JointPlace<double>&i = places_[2 * k], &j = places_[2 * k + 1];
  const MechanismJointKind kind = mechanism_.description.joints[k].kind;
  JointSizes size = mechanism_.sizes[k];
  if (kind == MechanismJointKind::screw) size.phase += size.pitch * (angle(block.index) - angle_between(i, j));
  const JointEquations<double> rows = joint_equations(kind, size, i, j);
  const bool on_carrier = side_i.carrier >= 0 || side_j.carrier >= 0;
  for (int a = 0; a < block.rows; ++a) {
    const ConstraintRow<double>& row = rows.rows[static_cast<std::size_t>(a)];
    const auto place = static_cast<std::size_t>(block.first_row + a);
    value[place] = a < block.rows - block.velocity_only ? row.value : 0;
    nu[place] = 0;
    gamma[place] = -row.bias;
    if (on_carrier) {
      const TimeValue on_i = carried(side_i, row.J_i), on_j = carried(side_j, row.J_j);
      nu[place] = -(on_i.fd + on_j.fd);
      gamma[place] -= on_i.fdd + on_j.fdd;
    }
    // the bodies of a joint are those of its sides, in this order
    double* g = J.data() + block.first_gradient + static_cast<std::size_t>(a);
    if (side_i.body != ground) write_gradient(row.J_i, g, block.rows), g += static_cast<std::ptrdiff_t>(block.rows) * 6;
    if (side_j.body != ground) write_gradient(row.J_j, g, block.rows);
  }
}

void MechanismEquations::fill_sum(const ConstraintBlock& block, std::span<const MechanismCoupling::Term> terms,
                                  const TimeValue& target) {
  // terms may share bodies: gradients are summed
  std::fill_n(J.begin() + static_cast<std::ptrdiff_t>(block.first_gradient), 6 * block.bodies.size(), 0.0);
  const auto place = static_cast<std::size_t>(block.first_row);
  double sum = -target.f, carried_rate = -target.fd, bias = -target.fdd;
  for (const MechanismCoupling::Term& term : terms) {
    const MeasureValue m = measure(term.measure);
    // a profile p of the measure: p' m' and p' m'' + p'' m'^2
    const TimeValue p = term.profile ? term.profile(m.value) : TimeValue{m.value, 1, 0};
    const double slope = term.factor * p.fd;
    sum += term.factor * p.f;
    bias += slope * m.bias + term.factor * p.fdd * m.rate * m.rate;
    double own_rate = 0;
    for (const auto& [body, gradient] : {std::pair{m.body_i, m.J_i}, std::pair{m.body_j, m.J_j}}) {
      add_gradient(block, body, gradient, slope);
      if (body != ground) own_rate += dot(V_[static_cast<std::size_t>(body)], gradient);
    }
    carried_rate += slope * (m.rate - own_rate);
  }
  value[place] = sum;
  nu[place] = -carried_rate;
  gamma[place] = -bias;
}

}  // namespace torsor
