#include "torsor/mechanism/freedoms.hpp"

#include <fmt/format.h>

#include <cmath>

namespace torsor {

std::string too_many_freedoms(const MobilityReport& mobile) {
  constexpr int most = 400;
  if (mobile.too_large) return "its loops connect too many bodies for dense matrices: take a part of it";
  if (mobile.freedoms <= most) return "";
  return fmt::format("it has {} degrees of freedom, and dense matrices are made of up to {}: take a part of it",
                     mobile.freedoms, most);
}

std::vector<std::vector<Motion<double>>> freedoms(const Mechanism& m, const MechanismState& state, EquationSet set) {
  const MobilityReport mobile = mobility(m, state, set);
  MechanismEquations equations(m);
  equations.evaluate(state);
  ConstrainedMotion motion(m, set);
  motion.expect_redundancy(mobile.redundant > 0);
  motion.factor(equations);
  const std::vector<double> zero(static_cast<std::size_t>(m.rows));
  std::vector<double> lambda(zero.size());
  const auto product = [&](const std::vector<Motion<double>>& a, const std::vector<Motion<double>>& b) {
    double sum = 0;
    for (int k = 0; k < m.bodies(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      sum += dot(a[at], motion.mass(k, b[at]) + motion.borrowed(k, b[at]));
    }
    return sum;
  };
  std::vector<std::vector<Motion<double>>> N;
  for (const int coordinate : mobile.independent) {
    std::vector<Motion<double>> x(state.bodies.size());
    Motion<double>& one = x[static_cast<std::size_t>(coordinate / 6)];
    double* const parts[] = {&one.w.x, &one.w.y, &one.w.z, &one.v.x, &one.v.y, &one.v.z};
    *parts[coordinate % 6] = 1;
    motion.constrain(x, zero, lambda);
    // twice: what the first leaves is rounding
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<Motion<double>>& before : N) {
        const double part = product(before, x);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] = x[k] - before[k] * part;
      }
    const double length = std::sqrt(product(x, x));
    for (Motion<double>& v : x) v = v * (1 / length);
    N.push_back(std::move(x));
  }
  return N;
}

}  // namespace torsor
