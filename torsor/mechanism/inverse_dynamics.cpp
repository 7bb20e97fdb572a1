#include "torsor/mechanism/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/friction_forces.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
MechanismInverse::MechanismInverse(const Mechanism& m, EquationSet set)
    : mechanism_(m),
      equations_(m),
      motion_(m, set),
      g_(m.description.bodies.size()),
      x_(m.description.bodies.size()),
      y_(m.description.actuators.size(), std::vector<Motion<double>>(m.description.bodies.size())),
      measures_(m.description.actuators.size()),
      lambda_(static_cast<std::size_t>(m.rows)),
      zero_(static_cast<std::size_t>(m.rows)),
      C_(m.description.actuators.size() * m.description.actuators.size()),
      vectors_(C_.size()),
      b_(m.description.actuators.size()),
      unit_(m.description.actuators.size()),
      free_lambda_(static_cast<std::size_t>(m.rows)),
      shared_(m.description.actuators.size()) {}

InverseReport MechanismInverse::torques(const MechanismState& state, std::span<const Motion<double>> A,
                                        std::span<double> u) {
  equations_.evaluate(state);
  motion_.factor(equations_);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  const auto& frictions = mechanism_.description.frictions;
  const bool by_load = std::ranges::any_of(frictions, &MechanismFriction::by_load);
  // what rubs by what a joint bears changes that in turn
  constexpr int most_rounds = 100;
  InverseReport report = balance(state, A, u);
  for (int round = 0; by_load && round < most_rounds; ++round) {
    const std::vector<double> before = lambda_;
    report = balance(state, A, u);
    double change = 0, size = 0;
    for (std::size_t r = 0; r < lambda_.size(); ++r) {
      change = std::max(change, std::fabs(lambda_[r] - before[r])), size = std::max(size, std::fabs(lambda_[r]));
    }
    if (!(change > 1e-14 * size)) break;
  }
  return report;
}

InverseReport MechanismInverse::balance(const MechanismState& state, std::span<const Motion<double>> A,
                                        std::span<double> u) {
  InverseReport report;
  report.energy = applied_forces(mechanism_, state, equations_, ActuatorTorques::none, g_);
  for (const MechanismFriction& each : mechanism_.description.frictions) {
    const MeasureValue m = equations_.measure(each.measure);
    const double torque = rubbing_torque(mechanism_, equations_, each, lambda_);
    if (m.body_i != ground) g_[static_cast<std::size_t>(m.body_i)] += m.J_i * torque;
    if (m.body_j != ground) g_[static_cast<std::size_t>(m.body_j)] += m.J_j * torque;
    report.energy.power += torque * m.rate;
  }

  // what is missing, g - M A, as accelerations, and the part the joints do not hold
  for (std::size_t b = 0; b < x_.size(); ++b) {
    const int body = static_cast<int>(b);
    g_[b] -= motion_.mass(body, A[b]);
    x_[b] = motion_.inverse_mass(body, g_[b]);
  }
  const double all = reach_of(x_, size_of(mechanism_));
  motion_.constrain(x_, zero_, free_lambda_);
  find_commands();
  report.commanded = solve(u);

  // the joints hold what remains
  for (std::size_t k = 0; k < measures_.size(); ++k) {
    const MeasureValue& m = measures_[k];
    if (m.body_i != ground) g_[static_cast<std::size_t>(m.body_i)] += m.J_i * u[k];
    if (m.body_j != ground) g_[static_cast<std::size_t>(m.body_j)] += m.J_j * u[k];
    report.power += u[k] * m.rate;
  }
  for (std::size_t b = 0; b < x_.size(); ++b) x_[b] = motion_.inverse_mass(static_cast<int>(b), g_[b]);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  motion_.constrain(x_, zero_, lambda_);
  for (const Motion<double>& x : x_) report.unbalanced = std::max({report.unbalanced, norm(x.w), norm(x.v)});
  if (all > 0) report.unbalanced_share = reach_of(x_, size_of(mechanism_)) / all;
  for (std::size_t r = 0; r < lambda_.size(); ++r) report.carried -= lambda_[r] * equations_.nu[r];
  return report;
}

/// C and b, each row and column divided by its `unit_`, so that C has ones on its diagonal; rows of actuators that command
/// nothing are zero, and so are their units.
void MechanismInverse::find_commands() {
  const int n = static_cast<int>(measures_.size());
  for (int k = 0; k < n; ++k) {
    const auto index = static_cast<std::size_t>(k);
    const MeasureValue& m = measures_[index] =
        equations_.measure(mechanism_.description.actuators[index].measure);
    std::vector<Motion<double>>& y = y_[index];
    std::fill(y.begin(), y.end(), Motion<double>{});
    if (m.body_i != ground) y[static_cast<std::size_t>(m.body_i)] += motion_.inverse_mass(m.body_i, m.J_i);
    if (m.body_j != ground) y[static_cast<std::size_t>(m.body_j)] += motion_.inverse_mass(m.body_j, m.J_j);
    const double before = along(m, y);
    motion_.constrain(y, zero_, free_lambda_);
    // in the metric of the masses: what rounding leaves of a motion that the joints hold all of counts with its square
    double left = 0;
    for (std::size_t b = 0; b < y.size(); ++b) {
      const int body = static_cast<int>(b);
      left += dot(y[b], motion_.mass(body, y[b]) + motion_.borrowed(body, y[b]));
    }
    constexpr double nothing = 1e-16;
    unit_[index] = left > nothing * before ? 1 / std::sqrt(left) : 0;
  }
  for (int k = 0; k < n; ++k) {
    const auto index = static_cast<std::size_t>(k);
    b_[index] = -unit_[index] * along(measures_[index], x_);
    for (int l = 0; l < n; ++l) {
      const auto other = static_cast<std::size_t>(l);
      C_[cell(k, n, l)] = unit_[index] * unit_[other] * along(measures_[index], y_[other]);
    }
  }
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < k; ++l) C_[cell(k, n, l)] = C_[cell(l, n, k)] = (C_[cell(k, n, l)] + C_[cell(l, n, k)]) / 2;
}

/// Sets u, and who shares; returns the rank of C.
int MechanismInverse::solve(std::span<double> u) {
  const int n = static_cast<int>(measures_.size());
  std::fill(u.begin(), u.end(), 0.0);
  std::fill(shared_.begin(), shared_.end(), false);
  if (n == 0) return 0;
  symmetric_eigen<double>(C_, n, vectors_);
  int rank = 0;
  for (int e = n - 1; e >= 0 && C_[cell(e, n, e)] > 1e-10; --e, ++rank) {
    double part = 0;
    for (int k = 0; k < n; ++k) part += vectors_[cell(k, n, e)] * b_[static_cast<std::size_t>(k)];
    for (int k = 0; k < n; ++k)
      u[static_cast<std::size_t>(k)] +=
          unit_[static_cast<std::size_t>(k)] * vectors_[cell(k, n, e)] * part / C_[cell(e, n, e)];
  }
  if (rank < n) share(rank, u);
  return rank;
}

/// Where torques Z a change nothing, a is chosen so that the sum of weight (u + Z a)^2 is least.
void MechanismInverse::share(int rank, std::span<double> u) {
  const int n = static_cast<int>(measures_.size());
  const auto unit = [&](int k) { return unit_[static_cast<std::size_t>(k)]; };
  // an actuator that commands nothing is in no other's null space: its torque stays zero
  int active = 0;
  for (int k = 0; k < n; ++k) {
    if (unit(k) == 0) shared_[static_cast<std::size_t>(k)] = true;
    active += unit(k) != 0;
  }
  if (active == rank) return;
  std::vector<int> kept;
  for (int e = 0; e < n - rank; ++e) {
    double in_active = 0;
    for (int k = 0; k < n; ++k)
      if (unit(k) != 0) in_active += vectors_[cell(k, n, e)] * vectors_[cell(k, n, e)];
    if (in_active > 0.5) kept.push_back(e);
  }
  // active - rank of them, where all are numbers
  const int spare = static_cast<int>(kept.size());
  if (spare == 0) return;
  std::vector<double> Z, least(static_cast<std::size_t>(n)), R(cells(spare, spare)), a(kept.size());
  for (int k = 0; k < n; ++k) {
    const auto index = static_cast<std::size_t>(k);
    const double root = std::sqrt(mechanism_.description.actuators[index].weight);
    double part = 0;
    for (const int e : kept) {
      part += vectors_[cell(k, n, e)] * vectors_[cell(k, n, e)];
      Z.push_back(root * unit(k) * vectors_[cell(k, n, e)]);
    }
    if (part > 1e-12) shared_[index] = true;
    least[index] = root * u[index];
  }
  // least |least - Z a|
  qr_factor<double>(Z, n, spare, R);
  qr_solve<double>(Z, R, n, spare, least, a);
  for (int k = 0; k < n; ++k) {
    const auto index = static_cast<std::size_t>(k);
    u[index] = least[index] / std::sqrt(mechanism_.description.actuators[index].weight);
  }
}

double MechanismInverse::motor_torque(int actuator, double effort) const {
  const auto k = static_cast<std::size_t>(actuator);
  const MechanismActuator& a = mechanism_.description.actuators[k];
  return effort + a.k * (measures_[k].value - a.rest) + a.c * measures_[k].rate;
}

}  // namespace torsor
