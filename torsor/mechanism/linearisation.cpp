#include "torsor/mechanism/linearisation.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/mobility.hpp"
#include "torsor/numeric/eigenvalues.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {

Linearisation linearise(const Mechanism& m, const MechanismState& state) {
  constexpr double h = 1e-5;
  Linearisation out;
  const MobilityReport mobile = mobility(m, state, EquationSet::all);
  out.why = too_many_freedoms(mobile);
  if (!out.why.empty()) return out;
  const auto N = freedoms(m, state, EquationSet::all);
  const int n = out.freedoms = static_cast<int>(N.size());
  MechanismForward forward(m);
  Assembly assembly(m, EquationSet::all);
  forward.expect_redundancy(mobile.redundant > 0);
  assembly.expect_redundancy(mobile.redundant > 0);
  // the metric, to read coordinates off motions
  MechanismEquations equations(m);
  equations.evaluate(state);
  ConstrainedMotion motion(m, EquationSet::all);
  motion.factor(equations);

  std::vector<Motion<double>> A(state.bodies.size());
  const auto accelerations = [&](const MechanismState& s) {
    forward.accelerations(s, A);
    std::vector<double> a;
    for (const auto& x : N) {
      double sum = 0;
      for (std::size_t b = 0; b < A.size(); ++b) {
        const int body = static_cast<int>(b);
        sum += dot(x[b], motion.mass(body, A[b]) + motion.borrowed(body, A[b]));
      }
      a.push_back(sum);
    }
    return a;
  };
  for (const double a : accelerations(state)) out.left_over = std::max(out.left_over, std::fabs(a));
  const auto moved = [&](int k, double position, double velocity) {
    MechanismState s = state;
    const auto& x = N[static_cast<std::size_t>(k)];
    displace(s, x, position);
    for (std::size_t b = 0; b < x.size(); ++b) s.bodies[b].v += x[b].v * velocity, s.bodies[b].w += x[b].w * velocity;
    assembly.positions(s);
    assembly.velocities(s);
    return s;
  };
  out.K.resize(cells(n, n)), out.D.resize(cells(n, n));
  for (int k = 0; k < n; ++k) {
    const std::vector<double> up = accelerations(moved(k, h, 0)), down = accelerations(moved(k, -h, 0));
    const std::vector<double> faster = accelerations(moved(k, 0, h)), slower = accelerations(moved(k, 0, -h));
    for (int i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out.K[cell(i, n, k)] = (down[at] - up[at]) / (2 * h);
      out.D[cell(i, n, k)] = (slower[at] - faster[at]) / (2 * h);
    }
  }
  const int size = 2 * n;
  std::vector<double> B(cells(size, size));
  for (int i = 0; i < n; ++i) {
    B[cell(i, size, n + i)] = 1;
    for (int k = 0; k < n; ++k) {
      B[cell(n + i, size, k)] = -out.K[cell(i, n, k)];
      B[cell(n + i, size, n + k)] = -out.D[cell(i, n, k)];
    }
  }
  double largest = 0;
  const std::vector<std::complex<double>> all = eigenvalues(B, size);
  for (const auto& s : all) largest = std::max(largest, std::abs(s));
  for (const auto& s : all) {
    const bool turns = std::fabs(s.imag()) > 1e-7 * largest;
    if (turns && s.imag() < 0) continue;
    const double radius = std::abs(s);
    out.modes.push_back({s, turns ? radius / whole_turn : 0, radius > 0 ? -s.real() / radius : 0});
  }
  return out;
}

}  // namespace torsor
