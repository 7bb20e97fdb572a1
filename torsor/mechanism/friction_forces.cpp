#include "torsor/mechanism/friction_forces.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// While it slides at that rate, and at rest.
double sliding_level(const MechanismFriction& law, double rate, double load) {
  const double kinetic = law.coulomb + law.coefficient * law.radius * load;
  if (!(law.stribeck > 0)) return kinetic;
  const double rest = law.breakaway + law.static_coefficient * law.radius * load, u = rate / law.stribeck;
  return kinetic + (rest - kinetic) * std::exp(-u * u);
}

double rest_level(const MechanismFriction& law, double load) {
  return law.breakaway + law.static_coefficient * law.radius * load;
}

/// What a joint bears across its axis by these multipliers.
Vec3<double> load_across(const Mechanism& m, const MechanismEquations& equations, const MechanismFriction& law,
                         std::span<const double> lambda) {
  const auto joint = static_cast<std::size_t>(law.measure.joint);
  const Vec3<double> force = joint_reaction(m, equations, m.blocks[joint], lambda).on_j.f;
  const Vec3<double> axis = equations.place_i(law.measure.joint).R.z;
  return force - axis * dot(axis, force);
}

constexpr double no_rate = 1e-12;  // rad/s or m/s: rounding of what rests

}  // namespace

double rubbing_torque(const Mechanism& m, const MechanismEquations& equations, const MechanismFriction& law,
                      std::span<const double> lambda) {
  const double rate = equations.measure(law.measure).rate;
  if (std::fabs(rate) <= no_rate) return 0;
  return -std::copysign(sliding_level(law, rate, law.by_load() ? norm(load_across(m, equations, law, lambda)) : 0),
                        rate);
}

FrictionForces::FrictionForces(const Mechanism& m)
    : mechanism_(m),
      frictions_(m.description.frictions),
      measures_(frictions_.size()),
      W_(frictions_.size(), std::vector<Motion<double>>(m.description.bodies.size())),
      lambda_(frictions_.size(), std::vector<double>(static_cast<std::size_t>(m.rows))),
      g_(m.description.bodies.size()),
      S_(frictions_.size() * frictions_.size()),
      f_(frictions_.size()),
      free_(frictions_.size()),
      most_(frictions_.size()),
      second_(frictions_.size()),
      load_(frictions_.size() * (frictions_.size() + 1)) {}

void FrictionForces::measure(const MechanismEquations& equations) {
  for (std::size_t k = 0; k < frictions_.size(); ++k) measures_[k] = equations.measure(frictions_[k].measure);
}

void FrictionForces::find_column(std::size_t j, const Respond& respond) {
  const std::size_t n = frictions_.size();
  const MeasureValue& m = measures_[j];
  std::fill(g_.begin(), g_.end(), Force<double>{});
  if (m.body_i != ground) g_[static_cast<std::size_t>(m.body_i)] += m.J_i;
  if (m.body_j != ground) g_[static_cast<std::size_t>(m.body_j)] += m.J_j;
  respond(g_, W_[j], lambda_[j]);
  for (std::size_t i = 0; i < n; ++i) S_[i * n + j] = along(measures_[i], W_[j]);
  // what the equations hold all of keeps nothing but rounding
  double whole = 0;
  for (const auto& [body, J] : {std::pair(m.body_i, m.J_i), std::pair(m.body_j, m.J_j)})
    if (body != ground) {
      const MechanismBody& b = mechanism_.description.bodies[static_cast<std::size_t>(body)];
      whole += dot(J.f, J.f) / b.m + dot(J.n, J.n) / std::max({b.I.xx, b.I.yy, b.I.zz, 1e-300});
    }
  constexpr double rounding = 1e-11;
  if (!(S_[j * n + j] > rounding * whole))
    for (std::size_t i = 0; i < n; ++i) S_[i * n + j] = 0;
}

void FrictionForces::hold(const std::vector<std::size_t>& stuck, std::span<const double> target) {
  const int n = static_cast<int>(stuck.size());
  const std::size_t all = frictions_.size();
  if (n == 0) return;
  // in shares of their levels, of which the least are taken
  std::vector<double> A(cells(n, n)), L, x(stuck.size()), sum(stuck.size(), 0.0), d(stuck.size());
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t k = stuck[static_cast<std::size_t>(i)];
    d[static_cast<std::size_t>(i)] = std::sqrt(std::max(most_[k], 1e-12));
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::size_t p = stuck[static_cast<std::size_t>(i)], q = stuck[static_cast<std::size_t>(j)];
      A[cell(i, n, j)] =
          (S_[p * all + q] + S_[q * all + p]) / 2 * d[static_cast<std::size_t>(i)] * d[static_cast<std::size_t>(j)];
      largest = std::max(largest, std::fabs(A[cell(i, n, j)]));
    }
  if (largest == 0) {
    for (const std::size_t k : stuck) f_[k] = 0;
    return;
  }
  constexpr double little =
      1e-10;  // added to the diagonal, as several may hold one freedom, and taken back by refinement
  L = A;
  for (int i = 0; i < n; ++i) L[cell(i, n, i)] += little * largest;
  ldlt_factor<double>(L, n);
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < n; ++i) {
      double& left = x[static_cast<std::size_t>(i)];
      left = -target[stuck[static_cast<std::size_t>(i)]] * d[static_cast<std::size_t>(i)];
      for (int j = 0; j < n; ++j) left -= A[cell(i, n, j)] * sum[static_cast<std::size_t>(j)];
      if (S_[stuck[static_cast<std::size_t>(i)] * all + stuck[static_cast<std::size_t>(i)]] == 0) left = 0;
    }
    ldlt_solve<double>(L, n, x);
    for (std::size_t i = 0; i < stuck.size(); ++i) sum[i] += x[i];
  }
  for (std::size_t i = 0; i < stuck.size(); ++i) f_[stuck[i]] = sum[i] * d[i];
}

double FrictionForces::act(const MechanismState& state, const MechanismEquations& equations,
                           std::span<Motion<double>> A, std::span<double> lambda, const Respond& respond) {
  const std::size_t n = frictions_.size();
  measure(equations);
  std::vector<int> mode(n);
  std::vector<std::size_t> stuck;
  bool loads = false;
  for (std::size_t k = 0; k < n; ++k) {
    const double rate = measures_[k].rate;
    mode[k] = state.modes.friction.empty() ? (rate > no_rate) - (rate < -no_rate) : state.modes.friction[k];
    if (!state.modes.friction.empty() && mode[k] == 0) stuck.push_back(k);
    loads = loads || frictions_[k].by_load();
    free_[k] = along(measures_[k], A) + measures_[k].bias;
    f_[k] = 0;
  }
  for (std::size_t j = 0; j < n; ++j) find_column(j, respond);
  for (std::size_t k = 0; k < n; ++k) {
    if (!frictions_[k].by_load()) continue;
    load_[k * (n + 1)] = load_across(mechanism_, equations, frictions_[k], lambda);
    for (std::size_t j = 0; j < n; ++j)
      load_[k * (n + 1) + 1 + j] = load_across(mechanism_, equations, frictions_[k], lambda_[j]);
  }
  const auto load_now = [&](std::size_t k) {
    if (!frictions_[k].by_load()) return 0.0;
    Vec3<double> sum = load_[k * (n + 1)];
    for (std::size_t j = 0; j < n; ++j) sum += load_[k * (n + 1) + 1 + j] * f_[j];
    return norm(sum);
  };
  constexpr int most_rounds = 100;
  bool as_loaded = true;
  double first = 0;  // what changes at first
  for (int round = 0; round < most_rounds; ++round) {
    double change = 0, size = 0;
    std::vector<double> target = free_;
    for (std::size_t k = 0; k < n; ++k) {
      const double N = as_loaded ? load_now(k) : norm(load_[k * (n + 1)]), before = f_[k];
      most_[k] = rest_level(frictions_[k], N);
      if (mode[k] != 0) f_[k] = -mode[k] * sliding_level(frictions_[k], measures_[k].rate, N);
      change = std::max(change, std::fabs(f_[k] - before)), size = std::max(size, std::fabs(f_[k]));
    }
    for (const std::size_t k : stuck)
      for (std::size_t j = 0; j < n; ++j)
        if (mode[j] != 0) target[k] += S_[k * n + j] * f_[j];
    std::vector<double> before = f_;
    hold(stuck, target);
    for (const std::size_t k : stuck)
      change = std::max(change, std::fabs(f_[k] - before[k])), size = std::max(size, std::fabs(f_[k]));
    if (!loads || !as_loaded || !(change > 1e-15 * size)) break;
    if (round == 0) first = change;
    if (trying_ && !(change <= 10 * first)) as_loaded = false;
  }
  double power = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t b = 0; b < A.size(); ++b) A[b] += W_[j][b] * f_[j];
    for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] += lambda_[j][r] * f_[j];
  }
  for (std::size_t k = 0; k < n; ++k) {
    second_[k] = along(measures_[k], A) + measures_[k].bias;
    const auto rate_of = [&](int body, const Force<double>& J) {
      if (body == ground) return 0.0;
      const BodyState& s = state.bodies[static_cast<std::size_t>(body)];
      return dot(Motion<double>{s.w, s.v}, J);
    };
    power += f_[k] * (rate_of(measures_[k].body_i, measures_[k].J_i) + rate_of(measures_[k].body_j, measures_[k].J_j));
  }
  return power;
}

void FrictionForces::stop(MechanismState& state, const MechanismEquations& equations, const std::vector<bool>& wanted,
                          const Respond& respond) {
  measure(equations);
  std::vector<std::size_t> stuck;
  std::vector<double> target(frictions_.size());
  for (std::size_t j = 0; j < frictions_.size(); ++j) {
    if (!wanted[j]) continue;
    find_column(j, respond);
    stuck.push_back(j);
    target[j] = measures_[j].rate;
  }
  hold(stuck, target);
  for (const std::size_t j : stuck)
    for (std::size_t b = 0; b < state.bodies.size(); ++b) {
      const Motion<double> by = W_[j][b] * f_[j];
      state.bodies[b].w += by.w, state.bodies[b].v += by.v;
    }
}

}  // namespace torsor
