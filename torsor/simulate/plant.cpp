#include "torsor/simulate/plant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/expect.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/settle_friction.hpp"

namespace torsor {
namespace {

Model<double> without_friction(Model<double> model) {
  model.friction.clear();
  return model;
}

Dynamics dynamics_of(const Model<double>& model, const SimulatedRobot* robot) {
  return robot && robot->closed ? Dynamics(*robot->closed) : Dynamics(without_friction(model));
}

/// Of the level that friction holds at rest, what is taken for rounding.
constexpr double slack = 1e-12;

}  // namespace

Plant::Plant(const Model<double>& model, const SimulatedRobot* robot, const SimulationRules& rules)
    : dry(model, rules.stick),
      stops(model, rules.stops != Stops::none),
      model_(model),
      rules_(rules),
      nq_(static_cast<std::size_t>(model.nq)),
      nv_(static_cast<std::size_t>(model.nv)),
      momenta_(find_integrator(rules.integrator)->symplectic && dry.coordinates().empty()),
      dynamics_(dynamics_of(model, robot)),
      loops_(robot && robot->closed),
      configuration_(model),
      energy_(model),
      external_(model.bodies.size()),
      q_(nq_),
      M_(cells(model.nv, model.nv)),
      L_(M_.size()) {
  if (momenta_) C_.resize(M_.size());
  if (loops_ && robot->passive) passive_.emplace(*robot->passive);
  for (auto* v : {&qd_, &qdd_, &tau_, &held_, &friction_, &stop_, &driving_, &bias_, &lossy_, &hold_}) v->resize(nv_);
}

Energy<double> Plant::energy_now() {
  if (!loops_) return energy<double>(model_, configuration_, qd_, energy_);
  Energy<double> e;
  dynamics_.energy(q_, qd_, e);
  return e;
}

void Plant::start(std::span<const double> q, std::span<const double> qd, std::span<double> y) {
  std::fill(y.begin(), y.end(), 0.0);
  std::copy(q.begin(), q.end(), y.begin());
  std::copy(qd.begin(), qd.end(), y.begin() + static_cast<std::ptrdiff_t>(nq_));
  normalise(y);
  dynamics_.mass(y.first(nq_), M_);
  if (momenta_)
    for (std::size_t i = 0; i < nv_; ++i) {
      double p = 0;
      for (std::size_t k = 0; k < nv_; ++k) p += M_[i * nv_ + k] * qd[k];
      y[nq_ + i] = p;
    }
  const double w = 2 * std::numbers::pi * rules_.stop_frequency;
  for (JointStop& s : stops.all()) {
    const double inertia = M_[cell(s.v, model_.nv, s.v)];
    s.stiffness = inertia * w * w;
    s.damping = 2 * rules_.stop_damping * inertia * w;
    s.side = 0;
  }
  for (int i = 0; i < static_cast<int>(dry.coordinates().size()); ++i) {
    const double v = qd[static_cast<std::size_t>(dry.coordinates()[static_cast<std::size_t>(i)])];
    dry.mode(i) = static_cast<int>((v > 0) - (v < 0));
  }
  std::copy_n(y.begin(), nq_, q_.begin());
  configure();
  std::ranges::copy(qd, qd_.begin());
  const Energy<double> e = energy_now();
  start_energy_ = e.kinetic + e.potential;
}

void Plant::use(TorqueInput* input, Surroundings* surroundings) {
  input_ = input;
  surroundings_ = surroundings;
  TORSOR_EXPECT(!loops_ || !surroundings);
  if (!surroundings && !loops_) dynamics_.set_loads({});
}

void Plant::hold(std::span<const double> tau) { std::copy(tau.begin(), tau.end(), held_.begin()); }

void Plant::note(EndKind kind, int coordinate, double t) {
  if (fault_.kind == EndKind::reached || t < fault_.t) fault_ = {kind, coordinate, t};
}

void Plant::configure() { configuration_.set(model_, q_); }

void Plant::place(std::span<const double> y) {
  std::copy_n(y.begin(), nq_, q_.begin());
  const auto u = y.subspan(nq_, nv_);
  std::copy(u.begin(), u.end(), qd_.begin());
  if (momenta_) {
    dynamics_.mass(q_, M_);
    L_ = M_;
    ldlt_factor<double>(L_, model_.nv);
    ldlt_solve<double>(L_, model_.nv, qd_);
  }
}

/// Velocities, and all that drives but dry friction of what is stuck.
void Plant::forces(double t, std::span<const double> y) {
  place(y);
  if (input_)
    input_->effort(std::min(t, latest_), q_, qd_, tau_);
  else
    std::copy(held_.begin(), held_.end(), tau_.begin());
  for (int k = 0; k < model_.nv; ++k) {
    if (!std::isfinite(tau_[k])) note(EndKind::torque_not_finite, k, t);
    if (rules_.saturate) tau_[k] = std::clamp(tau_[k], -model_.limits[k].effort, model_.limits[k].effort);
  }

  dry.effort(q_, qd_, friction_);
  if (passive_) {
    // what the friction of passive joints adds
    passive_->bias(q_, qd_, lossy_);
    dynamics_.bias(q_, qd_, bias_);
    for (std::size_t k = 0; k < nv_; ++k) friction_[k] += lossy_[k] - bias_[k];
  }
  stops.effort(q_, qd_, stop_);
  for (std::size_t k = 0; k < nv_; ++k) driving_[k] = tau_[k] - friction_[k] + stop_[k];

  surroundings_power_ = 0;
  if (!surroundings_) return;
  std::fill(external_.begin(), external_.end(), Force<double>{});
  surroundings_->act(t, q_, qd_, external_);
  dynamics_.set_loads({{}, external_});
  configure();
  energy<double>(model_, configuration_, qd_, energy_);  // for the velocities of the bodies
  for (std::size_t i = 0; i < external_.size(); ++i) surroundings_power_ += dot(energy_.v[i], external_[i]);
  if (!std::isfinite(surroundings_power_)) note(EndKind::force_not_finite, -1, t);
}

/// qdd, and what dry friction must hold of the coordinates that are stuck.
void Plant::accelerate() {
  int bad = -1;
  const bool stuck = dry.any_stuck();
  EndKind why = EndKind::singular;
  const auto closes = [&](const Status& status) {
    if (status.kind == Status::not_closed || status.kind == Status::dead_centre) {
      why = status.kind == Status::not_closed ? EndKind::not_closed : EndKind::dead_centre;
      bad = std::max(status.coordinate, 0);
    }
    return bad < 0;
  };
  if (!stuck) {
    const Status status = dynamics_.forward(q_, qd_, driving_, qdd_);
    if (closes(status)) bad = massless(status);
  } else if (closes(dynamics_.mass(q_, M_))) {
    dynamics_.bias(q_, qd_, bias_);
    L_ = M_;
    for (int i = 0; i < model_.nv; ++i) {
      qdd_[i] = dry.stuck(i) ? 0 : driving_[i] - bias_[i];
      for (int k = 0; k < model_.nv; ++k)
        if (dry.stuck(i) || dry.stuck(k)) L_[cell(i, model_.nv, k)] = i == k ? 1 : 0;
    }
    ldlt_factor<double>(L_, model_.nv);
    bad = ldlt_first_bad_pivot<double>(L_, model_.nv);
    ldlt_solve<double>(L_, model_.nv, qdd_);
    for (int i = 0; i < model_.nv; ++i) {
      hold_[i] = 0;
      if (!dry.stuck(i)) continue;
      hold_[i] = driving_[i] - bias_[i];
      for (int k = 0; k < model_.nv; ++k) hold_[i] -= M_[cell(i, model_.nv, k)] * qdd_[k];
      friction_[i] += hold_[i];
    }
  }
  if (bad < 0) return;
  // a pivot that is not a number is the fault of the state, not of the masses
  if (all_finite(q_) && all_finite(qd_)) note(why, bad, latest_);
  std::fill(qdd_.begin(), qdd_.end(), std::numeric_limits<double>::quiet_NaN());
}

void Plant::positions(std::span<const double> y, std::span<double> dy) const {
  configuration_rate<double>(model_, y.first(nq_), y.subspan(nq_, nv_), dy.first(nq_));
}

void Plant::operator()(double t, std::span<const double> y, std::span<double> dy) {
  forces(t, y);
  configuration_rate<double>(model_, q_, qd_, dy.first(nq_));
  const auto ud = dy.subspan(nq_, nv_);
  if (momenta_) {
    dynamics_.coriolis_matrix(q_, qd_, C_);
    dynamics_.bias(q_, {}, bias_);
    for (std::size_t i = 0; i < nv_; ++i) {
      ud[i] = driving_[i] - bias_[i];
      for (std::size_t k = 0; k < nv_; ++k) ud[i] += C_[k * nv_ + i] * qd_[k];
    }
  } else {
    accelerate();
    std::copy(qdd_.begin(), qdd_.end(), ud.begin());
  }
  double effort = 0, loss = 0, stopping = 0;
  for (std::size_t k = 0; k < nv_; ++k) {
    effort += tau_[k] * qd_[k];
    loss += friction_[k] * qd_[k];
    stopping += stop_[k] * qd_[k];
  }
  const auto rest = dy.subspan(nq_ + nv_);
  rest[0] = effort;
  rest[1] = loss;
  rest[2] = surroundings_power_;
  rest[3] = stopping;
  for (std::size_t i = 0; i < dry.coordinates().size(); ++i) rest[4 + i] = friction_[dry.coordinates()[i]];
}

void Plant::evaluate(double t, std::span<const double> y) {
  forces(t, y);
  accelerate();
}

Account Plant::account(std::span<const double> y) {
  configure();
  const Energy<double> e = energy_now();
  const auto W = y.subspan(nq_ + nv_);
  Account a{e.kinetic, e.potential, e.momentum, W[0], W[1], W[2], W[3]};
  a.balance_error = e.kinetic + e.potential - start_energy_ - (W[0] - W[1] + W[2] + W[3]);
  return a;
}

void Plant::switching(double t, std::span<const double> y, std::span<double> values) {
  std::size_t i = 0;
  const auto coordinates = dry.coordinates();
  if (dry.any_stuck()) evaluate(t, y);
  for (std::size_t c = 0; c < coordinates.size(); ++c, i += 2) {
    const int k = coordinates[c], n = static_cast<int>(c);
    const double most = dry.holds(n, 1), least = dry.holds(n, -1), rounding = slack * (most + least);
    const bool stuck = dry.mode(n) == 0;
    values[i] = stuck ? most - hold_[k] + rounding : dry.mode(n) * y[nq_ + static_cast<std::size_t>(k)];
    values[i + 1] = stuck ? least + hold_[k] + rounding : 1;
  }
  if (momenta_ && !stops.all().empty()) place(y);
  const std::span<const double> speeds = momenta_ ? std::span<const double>(qd_) : y.subspan(nq_, nv_);
  for (const JointStop& s : stops.all()) {
    const double q = y[static_cast<std::size_t>(s.q)];
    values[i++] = s.side != 0 ? JointStops::depth(s, q) : std::isfinite(s.lower) ? q - s.lower : 1;
    if (s.side != 0)
      values[i++] = (s.pushes ? 1 : -1) * JointStops::push(s, q, speeds[static_cast<std::size_t>(s.v)]);
    else
      values[i++] = std::isfinite(s.upper) ? s.upper - q : 1;
  }
  if (surroundings_ && surroundings_->switches() > 0) {
    forces(t, y);
    surroundings_->switching(t, q_, qd_, values.subspan(i));
  }
}

void Plant::touch(JointStop& stop, int side, std::span<const double> y) {
  place(y);
  stop.side = side;
  stop.pushes = JointStops::push(stop, q_[stop.q], qd_[stop.v]) >= 0;
}

void Plant::normalise(std::span<double> y) const {
  for (const Body<double>& b : model_.bodies) {
    if (row(b.kind).nq < 4) continue;
    double square = 0;
    for (int k = 0; k < 4; ++k) square += y[b.q + k] * y[b.q + k];
    const double by = 1 / std::sqrt(square);
    for (int k = 0; k < 4; ++k) y[b.q + k] *= by;
  }
}

void Plant::settle(double t, std::span<const double> y) {
  const auto coordinates = dry.coordinates();
  settle_friction(
      static_cast<int>(coordinates.size()), [&](int i) -> int& { return dry.mode(i); }, [&] { evaluate(t, y); },
      [&](int i) {
        const int k = coordinates[i];
        return FrictionAtRest{
            y[nq_ + static_cast<std::size_t>(k)] == 0, hold_[k], {dry.holds(i, 1), dry.holds(i, -1)}, qdd_[k]};
      });
}

}  // namespace torsor
