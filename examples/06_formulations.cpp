// One robot, every formulation of its inverse dynamics: the same torques, at very different cost.
#include <cmath>
#include <cstdio>
#include <string>

#include <torsor/torsor.hpp>

int main() {
  auto forms =
      *torsor::robot_forms(torsor::Robot::load("puma560").description());  // as a tree, and in both DH conventions
  const std::vector<double> q{0.1, 0.8, -0.7, 0.4, 0.5, -0.2}, qd{0.5, -1, 0.3, 1, 0.2, 2}, qdd{1, 2, -1, 0, 3, 1};
  forms.set(q);

  const auto census = torsor::operation_census(forms);
  std::vector<double> first, tau(6);
  double worst = 0;
  std::printf("%-24s %12s %6s %6s\n", "formulation", "tau2 [N m]", "mul", "add");
  const auto rows = torsor::inverse_formulations<double>();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string name(rows[k].name);
    if (const std::string reason = torsor::refusal(rows[k], forms); !reason.empty()) {
      std::printf("%-24s %s\n", name.c_str(), reason.c_str());
      continue;
    }
    rows[k].prepare(forms)(forms, qd, qdd, tau);
    const torsor::OperationCount& cost = census[k].structured.all;
    std::printf("%-24s %12.9f %6d %6d\n", name.c_str(), tau[1], cost.multiplications, cost.additions);
    if (first.empty()) first = tau;
    for (std::size_t i = 0; i < 6; ++i) worst = std::max(worst, std::abs(tau[i] - first[i]));
  }
  std::printf("\nlargest difference %.1e N m\n", worst);
  return worst < 1e-11 ? 0 : 1;
}
