#include "torsor/trajectory/torque_demand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/scalar/infinity.hpp"

namespace torsor::detail {
namespace {

bool is_simple(const Friction<double>& law) {
  return !(law.stribeck_velocity > 0) && law.table.values.empty() && !law.function;
}

}  // namespace

Demands::Demands(const Model<double>& model, const Trajectory& motion, std::span<const Force<double>> external)
    : model_(model), motion_(motion), configuration_(model), work_(model) {
  loads_.external = external;
  for (const auto& friction : model.friction)
    if (!is_simple(friction.law)) odd_.push_back(&friction);
}

Instant Demands::at(double t) {
  const auto n = static_cast<std::size_t>(model_.nv);
  Instant now{t, std::vector<double>(n), std::vector<Demand>(n)};
  std::vector<double> qd(n), qdd(n), moving(n), still(n);
  motion_.sample(t, now.q, qd, qdd);
  configuration_.set(model_, std::span<const double>(now.q));
  inverse_newton_euler<double>(model_, configuration_, qd, qdd, loads_, work_, moving);
  inverse_newton_euler<double>(model_, configuration_, {}, {}, loads_, work_, still);
  for (std::size_t i = 0; i < n; ++i) now.demands[i] = {qd[i], qdd[i], moving[i] - still[i], 0, still[i]};
  for (const auto& [body, law] : model_.friction) {
    if (!is_simple(law)) continue;
    const Body<double>& b = model_[body];
    Demand& d = now.demands[b.v];
    // a mimic joint rubs at its own speed; its master feels it through the ratio
    const double speed = b.ratio * d.qd, dry = speed > 0 ? law.coulomb_positive : speed < 0 ? -law.coulomb_negative : 0;
    d.V += b.ratio * law.viscous * speed;
    d.C += b.ratio * dry;
  }
  return now;
}

double Demands::effort(const Instant& now, int coordinate, double x) const {
  const Demand& d = now.demands[coordinate];
  double tau = (d.D * x + d.V) * x + d.C;
  for (const auto* friction : odd_) {
    const Body<double>& b = model_[friction->body];
    if (b.v == coordinate)
      tau += b.ratio * friction_torque(friction->law, b.ratio * now.q[b.q] + b.offset, b.ratio * d.qd * x);
  }
  return tau;
}

bool Demands::rubs(int coordinate) const {
  return std::any_of(model_.friction.begin(), model_.friction.end(),
                     [&](const auto& f) { return model_[f.body].v == coordinate; });
}

bool Demands::simple(int coordinate) const {
  return std::none_of(odd_.begin(), odd_.end(), [&](const auto* f) { return model_[f->body].v == coordinate; });
}

std::pair<double, double> Demands::reversal(double a, double b, int coordinate) {
  const auto n = static_cast<std::size_t>(model_.nv);
  std::vector<double> q(n), qd(n), qdd(n);
  const auto positive = [&](double t) {
    motion_.sample(t, q, qd, qdd);
    return qd[static_cast<std::size_t>(coordinate)] > 0;
  };
  const bool at_a = positive(a);
  for (double middle = (a + b) / 2; a < middle && middle < b; middle = (a + b) / 2)
    (positive(middle) == at_a ? a : b) = middle;
  return {a, b};
}

double largest_within(const Demand& d, double limit, double most) {
  if (std::isinf(limit)) return most;
  double side = 0;  // on which side the limit is broken at `most`
  if (std::isinf(most)) {
    if (d.D == 0 && d.V == 0) return std::abs(d.C) <= limit * (1 + rounding) ? most : 0;
    side = (d.D != 0 ? d.D : d.V) > 0 ? 1 : -1;
  } else {
    const double tau = (d.D * most + d.V) * most + d.C;
    const double noise = rounding * (limit + (std::abs(d.D) * most + std::abs(d.V)) * most + std::abs(d.C));
    if (std::abs(tau) <= limit + noise) return most;
    side = tau > 0 ? 1 : -1;
  }
  // going down from `most` the limit is met again at the nearest root of tau = side limit
  const double c = d.C - side * limit;
  double best = 0;
  const auto take = [&](double root) {
    if (root > best && root < most) best = root;
  };
  if (d.D == 0) {
    if (d.V != 0) take(-c / d.V);
    return best;
  }
  const double inside = d.V * d.V - 4 * d.D * c;
  if (inside < 0) return 0;
  const double h = -(d.V + std::copysign(std::sqrt(inside), d.V)) / 2;
  take(h / d.D);
  if (h != 0) take(c / h);
  return best;
}

double largest_within(const Demands& demands, const Instant& now, int coordinate, double limit, double most) {
  const auto holds = [&](double x) { return std::abs(demands.effort(now, coordinate, x)) <= limit * (1 + rounding); };
  if (std::isinf(limit)) return most;
  if (std::isinf(most)) {
    for (most = 1; holds(most); most *= 2)
      if (most > 1e6) return std::numeric_limits<double>::infinity();
  } else if (holds(most)) {
    return most;
  }
  double low = most, high = most;
  for (int k = 255; k > 0 && !holds(low); --k) {
    high = low;
    low = most * k / 256;
  }
  for (int k = 0; k < 30 && !holds(low); ++k) {
    high = low;
    low /= 2;
  }
  if (!holds(low)) return 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace torsor::detail
