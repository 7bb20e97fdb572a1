#include "torsor/mechanism/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {
namespace {

double along(const MeasureValue& m, std::span<const Motion<double>> x) {
  return (m.body_i == ground ? 0 : dot(x[static_cast<std::size_t>(m.body_i)], m.J_i)) +
         (m.body_j == ground ? 0 : dot(x[static_cast<std::size_t>(m.body_j)], m.J_j));
}

}  // namespace

MechanismInverse::MechanismInverse(const Mechanism& m)
    : mechanism_(m),
      equations_(m),
      motion_(m, EquationSet::without_drivers),
      g_(m.description.bodies.size()),
      x_(m.description.bodies.size()),
      y_(m.description.actuators.size(), std::vector<Motion<double>>(m.description.bodies.size())),
      measures_(m.description.actuators.size()),
      lambda_(static_cast<std::size_t>(m.rows)),
      zero_(static_cast<std::size_t>(m.rows)),
      C_(m.description.actuators.size() * m.description.actuators.size()),
      vectors_(C_.size()),
      b_(m.description.actuators.size()),
      free_lambda_(static_cast<std::size_t>(m.rows)) {}

InverseReport MechanismInverse::efforts(const MechanismState& state, std::span<const Motion<double>> A,
                                        std::span<double> u) {
  const std::vector<MechanismActuator>& actuators = mechanism_.description.actuators;
  const int n = static_cast<int>(actuators.size());
  equations_.evaluate(state);
  motion_.factor(equations_);
  InverseReport report;
  report.energy = applied_forces(mechanism_, state, equations_, ActuatorEfforts::none, g_);

  // what is missing, g - M A, as accelerations, and the part the joints do not hold
  for (std::size_t b = 0; b < x_.size(); ++b) {
    const int body = static_cast<int>(b);
    g_[b] -= motion_.mass(body, A[b]);
    x_[b] = motion_.inverse_mass(body, g_[b]);
  }
  motion_.constrain(x_, zero_, free_lambda_);

  // likewise of a unit effort of each actuator, scaled by its weight
  for (int k = 0; k < n; ++k) {
    const auto index = static_cast<std::size_t>(k);
    const MeasureValue& m = measures_[index] = equations_.measure(actuators[index].measure);
    std::vector<Motion<double>>& y = y_[index];
    std::fill(y.begin(), y.end(), Motion<double>{});
    if (m.body_i != ground) y[static_cast<std::size_t>(m.body_i)] += motion_.inverse_mass(m.body_i, m.J_i);
    if (m.body_j != ground) y[static_cast<std::size_t>(m.body_j)] += motion_.inverse_mass(m.body_j, m.J_j);
    motion_.constrain(y, zero_, free_lambda_);
  }
  const auto scale = [&](int k) { return 1 / std::sqrt(actuators[static_cast<std::size_t>(k)].weight); };
  for (int k = 0; k < n; ++k) {
    const MeasureValue& m = measures_[static_cast<std::size_t>(k)];
    b_[static_cast<std::size_t>(k)] = -scale(k) * along(m, x_);
    for (int l = 0; l < n; ++l) C_[cell(k, n, l)] = scale(k) * scale(l) * along(m, y_[static_cast<std::size_t>(l)]);
  }
  for (int k = 0; k < n; ++k)
    for (int l = 0; l < k; ++l) C_[cell(k, n, l)] = C_[cell(l, n, k)] = (C_[cell(k, n, l)] + C_[cell(l, n, k)]) / 2;
  symmetric_eigen<double>(C_, n, vectors_);
  std::fill(u.begin(), u.end(), 0.0);
  const double largest = n > 0 ? C_[cell(n - 1, n, n - 1)] : 0;
  for (int e = 0; e < n; ++e) {
    if (!(C_[cell(e, n, e)] > 1e-10 * largest)) continue;
    ++report.commanded;
    double part = 0;
    for (int k = 0; k < n; ++k) part += vectors_[cell(k, n, e)] * b_[static_cast<std::size_t>(k)];
    for (int k = 0; k < n; ++k)
      u[static_cast<std::size_t>(k)] += scale(k) * vectors_[cell(k, n, e)] * part / C_[cell(e, n, e)];
  }

  // the joints hold what remains
  for (int k = 0; k < n; ++k) {
    const MeasureValue& m = measures_[static_cast<std::size_t>(k)];
    const double effort = u[static_cast<std::size_t>(k)];
    if (m.body_i != ground) g_[static_cast<std::size_t>(m.body_i)] += m.J_i * effort;
    if (m.body_j != ground) g_[static_cast<std::size_t>(m.body_j)] += m.J_j * effort;
    report.power += effort * m.rate;
  }
  for (std::size_t b = 0; b < x_.size(); ++b) x_[b] = motion_.inverse_mass(static_cast<int>(b), g_[b]);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  motion_.constrain(x_, zero_, lambda_);
  for (const Motion<double>& x : x_) report.unbalanced = std::max({report.unbalanced, norm(x.w), norm(x.v)});
  return report;
}

double MechanismInverse::motor_effort(int actuator, double effort) const {
  const auto k = static_cast<std::size_t>(actuator);
  const MechanismActuator& a = mechanism_.description.actuators[k];
  return effort + a.k * (measures_[k].value - a.rest) + a.c * measures_[k].rate;
}

}  // namespace torsor
