#include "torsor/codegen/polynomial_results.hpp"

#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/meant_robot.hpp"

namespace torsor {

std::optional<PolynomialArm> polynomial_arm(const Description& description, int most_joints) {
  // snapped geometry would differ from the robot's own by more than rounding
  const MeantRobot meant = meant_robot(description);
  if (!meant.snaps.empty()) return std::nullopt;
  const auto model = build(description);
  if (!model || model->nv > most_joints) return std::nullopt;
  auto robot = symbolic_robot(description, {.rates = false});
  if (!robot) return std::nullopt;
  auto dynamics = symbolic_dynamics(*robot);
  if (!dynamics) return std::nullopt;
  return PolynomialArm{*std::move(robot), *std::move(dynamics)};
}

std::optional<std::vector<double>> polynomial_results(const PolynomialArm& arm, const Model<double>& model,
                                                      CodeFunction function, const std::vector<double>& arguments) {
  using enum CodeFunction;
  if (function != id && function != bias && function != gravity && function != mass && function != coriolis)
    return std::nullopt;
  const int n = arm.dynamics.n;
  const auto size = static_cast<std::size_t>(n);
  const std::span<const double> all(arguments), q = all.first(size);
  const auto rate = [&](int k) { return function == gravity ? 0 : all[size + static_cast<std::size_t>(k)]; };
  const std::vector<double> values = arm.robot.values(q);
  const auto at = [&](const Poly& p) { return evaluate(p, values); };

  // C_ij = sum over m of c_jm(i) qd_m, and the torques that D, C and G make
  std::vector<double> D, C, tau;
  for (int i = 0; i < n; ++i) {
    double effort = at(arm.dynamics.G[static_cast<std::size_t>(i)]);
    for (int j = 0; j < n; ++j) {
      D.push_back(at(arm.dynamics.d(i, j)));
      double c = 0;
      if (function != gravity && function != mass)
        for (int m = 0; m < n; ++m) c += at(arm.dynamics.christoffel(i, j, m)) * rate(m);
      C.push_back(c);
      if (function == id) effort += D.back() * rate(n + j);
      if (function == id || function == bias) effort += c * rate(j);
    }
    tau.push_back(effort);
  }
  if (function == mass) return D;
  if (function == coriolis) return C;
  if (function != gravity) add_joint_friction<double>(model, q, all.subspan(size, size), 1, tau);
  return tau;
}

}  // namespace torsor
