#include "torsor/mechanism/freedoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/mechanism/linkages.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"

namespace torsor {

std::string too_many_freedoms(const MobilityReport& mobile) {
  constexpr int most = 400;
  if (mobile.too_large) return "its loops connect too many bodies for dense matrices: take a part of it";
  if (mobile.freedoms <= most) return "";
  return fmt::format("it has {} degrees of freedom, and dense matrices are made of up to {}", mobile.freedoms, most);
}

namespace {

using Motions = std::vector<Motion<double>>;

struct FoundFreedoms {
  std::vector<Motions> N, idle;  // those with inertia, and those without
};

FoundFreedoms find_freedoms(const Mechanism& m, const MechanismState& state, EquationSet set) {
  const MobilityReport mobile = mobility(m, state, set);
  MechanismEquations equations(m);
  equations.evaluate(state);
  ConstrainedMotion motion(m, set);
  motion.expect_redundancy(mobile.redundant > 0);
  motion.factor(equations);
  const std::vector<double> zero(static_cast<std::size_t>(m.rows));
  std::vector<double> lambda(zero.size());
  const auto product = [&](const Motions& a, const Motions& b, bool borrowed) {
    double sum = 0;
    for (int k = 0; k < m.bodies(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      sum += dot(a[at], motion.mass(k, b[at]));
      if (borrowed) sum += dot(a[at], motion.borrowed(k, b[at]));
    }
    return sum;
  };
  FoundFreedoms found;
  for (const int coordinate : mobile.independent) {
    Motions x(state.bodies.size());
    Motion<double>& one = x[static_cast<std::size_t>(coordinate / 6)];
    double* const parts[] = {&one.w.x, &one.w.y, &one.w.z, &one.v.x, &one.v.y, &one.v.z};
    *parts[coordinate % 6] = 1;
    motion.constrain(x, zero, lambda);
    // twice: what the first leaves is rounding
    for (int pass = 0; pass < 2; ++pass)
      for (const Motions& before : found.N) {
        const double part = product(before, x, true);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = x[k] - before[k] * part;
      }
    const double length = std::sqrt(product(x, x, true));
    for (Motion<double>& v : x) v = v * (1 / length);
    found.N.push_back(std::move(x));
  }
  if (!motion.borrows() || found.N.empty()) return found;

  // in the metric with what was borrowed all have length 1; without it those that have nothing else have length 0
  const int n = static_cast<int>(found.N.size());
  std::vector<double> G(cells(n, n)), V(cells(n, n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      G[cell(i, n, k)] = G[cell(k, n, i)] =
          product(found.N[static_cast<std::size_t>(i)], found.N[static_cast<std::size_t>(k)], false);
  symmetric_eigen<double>(G, n, V);
  if (G[0] > 1e-6) return found;
  const std::vector<Motions> N = std::exchange(found.N, {});
  for (int e = 0; e < n; ++e) {
    Motions x(state.bodies.size());
    for (int i = 0; i < n; ++i)
      for (std::size_t b = 0; b < x.size(); ++b) x[b] += N[static_cast<std::size_t>(i)][b] * V[cell(i, n, e)];
    (G[cell(e, n, e)] > 1e-6 ? found.N : found.idle).push_back(std::move(x));
  }
  return found;
}

}  // namespace

std::vector<std::vector<Motion<double>>> freedoms(const Mechanism& m, const MechanismState& state, EquationSet set) {
  return find_freedoms(m, state, set).N;
}

double reach_of(std::span<const Motion<double>> x, double size) {
  double reach = 0;
  for (const Motion<double>& b : x) reach = std::max({reach, norm(b.w), norm(b.v) / size});
  return reach;
}

std::size_t furthest_body(std::span<const Motion<double>> x, double size) {
  std::size_t furthest = 0;
  double most = 0;
  for (std::size_t b = 0; b < x.size(); ++b)
    if (const double reach = reach_of(x.subspan(b, 1), size); reach > most) furthest = b, most = reach;
  return furthest;
}

std::string masses_apart(const Mechanism& m) {
  constexpr double much = 1e5;  // a stiffness is the difference of two forces, exact to a few digits of the largest
  const std::vector<MechanismBody>& bodies = m.description.bodies;
  const Parts parts = linkages_with_springs(m);
  const MechanismBody *least = nullptr, *most = nullptr;
  for (int part = 0; part < parts.count; ++part) {
    const MechanismBody *light = nullptr, *heavy = nullptr;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      if (parts.of[b] != part) continue;
      if (!light || bodies[b].m < light->m) light = &bodies[b];
      if (!heavy || bodies[b].m > heavy->m) heavy = &bodies[b];
    }
    if (!least || heavy->m / light->m > most->m / least->m) least = light, most = heavy;
  }
  if (!least || !(most->m > much * least->m)) return "";
  const double ratio = most->m / least->m;
  return fmt::format(
      "the mass of body \"{}\" is {} times that of body \"{}\", and so is the condition of the mass matrix at least: "
      "in "
      "double precision what moves or holds the light one is lost beside what the heavy one weighs",
      most->name, std::isfinite(ratio) ? fmt::format("{:.2g}", ratio) : "more than 1e308", least->name);
}

Result<Mechanism> with_equal_masses(const Mechanism& m) {
  MechanismDescription equal = m.description;
  for (MechanismBody& body : equal.bodies)
    if (body.m > 0) body.I = body.I * (1 / body.m), body.m = 1;
  return build(equal);
}

std::vector<int> spinning_bodies(const Mechanism& m, const MechanismState& state, EquationSet set) {
  std::vector<int> bodies;
  if (!too_many_freedoms(mobility(m, state, set)).empty()) return bodies;
  const std::vector<Motions> idle = find_freedoms(m, state, set).idle;
  for (int b = 0; b < m.bodies(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    const auto turns = [&](const Motions& x) {
      double largest = 0;
      for (const Motion<double>& each : x) largest = std::max(largest, norm(each.w));
      return norm(x[at].w) > 0.1 * largest;
    };
    if (std::any_of(idle.begin(), idle.end(), turns)) bodies.push_back(b);
  }
  return bodies;
}

}  // namespace torsor
