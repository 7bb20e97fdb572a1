#include "torsor/mechanism/static_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

std::vector<Motion<double>> displacement(const MechanismState& from, const MechanismState& to) {
  std::vector<Motion<double>> x(from.bodies.size());
  for (std::size_t b = 0; b < x.size(); ++b) {
    const Quaternion<double>& p = from.bodies[b].p;
    const Quaternion<double> turn = to.bodies[b].p * Quaternion<double>{p.e0, -p.e1, -p.e2, -p.e3};
    const Vec3<double> axis = Vec3<double>{turn.e1, turn.e2, turn.e3} * (turn.e0 < 0 ? -1.0 : 1.0);
    const double sine = norm(axis);
    x[b] = {axis * (sine > 0 ? 2 * std::atan2(sine, std::fabs(turn.e0)) / sine : 2), to.bodies[b].r - from.bodies[b].r};
  }
  return x;
}

StaticForces::StaticForces(const Mechanism& m)
    : m_(m),
      equations_(m),
      assembly_(m, EquationSet::all),
      motion_(m, EquationSet::all),
      g_(m.description.bodies.size()),
      x_(m.description.bodies.size()),
      zero_(static_cast<std::size_t>(m.rows)),
      lambda_(zero_.size()),
      size_(size_of(m)),
      parts_(linkages_with_springs(m)),
      linkages_(linkages(m)) {
  look_at(0);
}

void StaticForces::look_at(int part) {
  part_ = part;
  scale_.assign(static_cast<std::size_t>(linkages_.count), 0);
  reach_ = scale_;
}

FreeMotions StaticForces::of_part(FreeMotions all) const {
  std::erase_if(all, [&](const auto& x) { return !looks_at(furthest_body(x, size_)); });
  return all;
}

void StaticForces::expect_redundancy(bool yes) {
  assembly_.expect_redundancy(yes);
  motion_.expect_redundancy(yes);
}

void StaticForces::forces_at(const MechanismState& s) {
  equations_.evaluate(s);
  applied_forces(m_, s, equations_, ActuatorTorques::given, g_);
}

std::vector<double> StaticForces::along(const MechanismState& s, const FreeMotions& N) {
  forces_at(s);
  motion_.factor(equations_);
  for (std::size_t b = 0; b < g_.size(); ++b) x_[b] = motion_.inverse_mass(static_cast<int>(b), g_[b]);
  motion_.constrain(x_, zero_, lambda_);
  std::vector<double> f;
  linkage_of_.clear(), own_.clear();
  for (const auto& x : N) {
    double sum = 0, size = 0;
    for (std::size_t b = 0; b < g_.size(); ++b) {
      const int body = static_cast<int>(b);
      sum += dot(x[b], motion_.mass(body, x_[b]) + motion_.borrowed(body, x_[b]));
      size += norm(x[b].v) * norm(g_[b].f) + norm(x[b].w) * norm(g_[b].n);
    }
    const auto linkage = static_cast<std::size_t>(linkages_.of[furthest_body(x, size_)]);
    scale_[linkage] = std::max(scale_[linkage], size);
    reach_[linkage] = std::max(reach_[linkage], reach_of(x, size_));
    linkage_of_.push_back(linkage), own_.push_back(size);
    f.push_back(sum);
  }
  return f;
}

double StaticForces::share(const std::vector<double>& forces) const {
  double largest = 0;
  for (std::size_t k = 0; k < forces.size(); ++k)
    largest = std::max(largest, std::fabs(forces[k]) / std::max(scale_[linkage_of_[k]], 1e-300));
  return largest;
}

bool StaticForces::certain(const MechanismState& state, const FreeMotions& N) {
  constexpr double balanced = 1e-6, nothing = 1e-14;
  const std::vector<double> f = along(state, N);
  for (std::size_t k = 0; k < f.size(); ++k)
    if (own_[k] > nothing * scale_[linkage_of_[k]] && !(std::fabs(f[k]) <= balanced * own_[k])) return false;
  return solves_equations(m_, state);
}

double StaticForces::stiffness_scale() const {
  double largest = 0;
  for (std::size_t l = 0; l < scale_.size(); ++l) largest = std::max(largest, scale_[l] * reach_[l]);
  return largest;
}

std::vector<double> StaticForces::stiffness(const MechanismState& state, const FreeMotions& N) {
  const int n = static_cast<int>(N.size());
  std::vector<double> K(cells(n, n));
  for (int k = 0; k < n; ++k) {
    const auto& x = N[static_cast<std::size_t>(k)];
    // the third root of rounding: what differences are most exact over
    const double h = 6e-6 / reach_of(x, size_);
    const auto beside = [&](double by) {
      MechanismState s = state;
      displace(s, x, by);
      assembly_.positions(s);
      return along(s, N);
    };
    const std::vector<double> up = beside(h), down = beside(-h);
    for (int i = 0; i < n; ++i)
      K[cell(i, n, k)] = (down[static_cast<std::size_t>(i)] - up[static_cast<std::size_t>(i)]) / (2 * h);
  }
  return K;
}

StaticForces::Work StaticForces::work(const MechanismState& from, const MechanismState& to) {
  const std::vector<Motion<double>> way = displacement(from, to);
  Work work;
  for (const MechanismState* end : {&from, &to}) {
    forces_at(*end);
    for (std::size_t b = 0; b < way.size(); ++b) {
      if (!looks_at(b)) continue;
      work.done += dot(way[b], g_[b]) / 2;
      work.rounding += norm(g_[b].f) * norm(end->bodies[b].r) + norm(g_[b].n);
    }
  }
  work.rounding *= std::numeric_limits<double>::epsilon();
  return work;
}

}  // namespace torsor
