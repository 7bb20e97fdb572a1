#include "torsor/symbolic/symbolic_dynamics.hpp"

#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/scalar/poly.hpp"

namespace torsor {

std::vector<Poly> christoffel_of(std::span<const Poly> D, std::span<const SymbolicJoint> joints) {
  const std::size_t n = joints.size();
  TORSOR_EXPECT(D.size() == n * n);
  std::vector<Poly> slope(n * n * n), c(n * n * n);  // slope[(k n + i) n + j] = d d_ij / dq_k
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j)
        slope[(k * n + i) * n + j] = slope[(k * n + j) * n + i] = derivative(D[i * n + j], joints[k]);
  const Poly half(Fraction{1, 2});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t m = j; m < n; ++m)
        c[(i * n + j) * n + m] = c[(i * n + m) * n + j] =
            half * (slope[(m * n + i) * n + j] + slope[(j * n + i) * n + m] - slope[(i * n + j) * n + m]);
  return c;
}

std::vector<Poly> velocity_torques(const SymbolicDynamics& dynamics, std::span<const Poly> qd) {
  std::vector<Poly> h(qd.size());
  for (int i = 0; i < dynamics.n; ++i)
    for (int j = 0; j < dynamics.n; ++j)
      for (int m = 0; m < dynamics.n; ++m)
        h[static_cast<std::size_t>(i)] +=
            dynamics.christoffel(i, j, m) * (qd[static_cast<std::size_t>(j)] * qd[static_cast<std::size_t>(m)]);
  return h;
}

Result<SymbolicDynamics> symbolic_dynamics(const SymbolicRobot& robot, SymbolicParts parts) {
  const Model<Poly>& model = robot.forms.model;
  const auto n = static_cast<std::size_t>(model.nv);
  SymbolicDynamics out{model.nv, {}, {}, {}};
  try {
    if (parts.D || parts.c) {
      out.D.resize(n * n);
      CompositeBodyWork<Poly> work(model);
      inertia_composite_body<Poly>(model, robot.forms.configuration, work, out.D);
    }
    if (parts.c) out.c = christoffel_of(out.D, robot.joints);
    if (!parts.D) out.D.clear();
    if (parts.G) {
      out.G.resize(n);
      NewtonEulerWork<Poly> work(model);
      inverse_newton_euler<Poly>(model, robot.forms.configuration, {}, {}, {}, work, out.G);
    }
  } catch (const PolyOverflow& overflow) {
    return Faults{{robot.where,
                   "robot \"" + robot.name + "\"",
                   "too-large",
                   overflow.what(),
                   "ask for fewer coefficients, or for the structure, which needs no expansion"}};
  }
  return out;
}

}  // namespace torsor
