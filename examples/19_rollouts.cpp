// Many motions at once: the same torques on a thousand arms, none of which carries what the next one does, and how far their tools
// end from each other.
#include <cmath>
#include <cstdio>
#include <random>
#include <torsor/row_dynamics.hpp>
#include <vector>

int main() {
  const torsor::Robot arm = torsor::Robot::load("puma560");
  const torsor::Model<double>& model = arm.model();
  const int arms = 1000, periods = 100, n = arm.nv();

  // up to half a kilogram at the last link, somewhere within two centimetres
  std::mt19937 random(1);
  std::uniform_real_distribution<double> mass(0, 0.5), offset(-0.02, 0.02);
  std::vector<torsor::Inertia<double>> inertias;
  for (int k = 0; k < arms; ++k) {
    for (const torsor::Body<double>& body : model.bodies) inertias.push_back(body.inertia);
    const torsor::Vec3<double> at{offset(random), offset(random), offset(random)};
    inertias.back() += torsor::inertia_about_centre(mass(random), at, {});
  }
  torsor::RowDynamics rows(arm, {.threads = 2});
  if (!rows.set_robots({.count = arms, .inertias = inertias})) return 1;

  // torques that hold the arm without a payload, and swing a little: the same for all, so one row for all
  std::vector<double> q{0.2, -0.5, 0.3, 0.1, 0.4, 0}, rest(q.size(), 0.0), hold(q.size()), tau;
  torsor::Dynamics dynamics(arm);
  dynamics.gravity(q, hold);
  for (int k = 0; k < periods; ++k)
    for (std::size_t i = 0; i < hold.size(); ++i) tau.push_back(hold[i] * (1 + 0.05 * std::sin(0.1 * k)));

  const std::size_t numbers = static_cast<std::size_t>(arms) * periods * static_cast<std::size_t>(n);
  std::vector<double> q_all(numbers), qd_all(numbers);
  const std::ptrdiff_t row = std::ptrdiff_t{periods} * n;
  const torsor::Status status = rows.rollout(
      arms, {.q = {q.data(), 0}, .qd = {rest.data(), 0}, .tau = {tau.data(), 0}, .periods = periods, .step = 5e-3},
      {{q_all.data(), row}, {qd_all.data(), row}});
  if (!status) return 1;

  std::vector<double> J(6 * hold.size());
  double lowest = 1e9, highest = -1e9;
  for (int k = 0; k < arms; ++k) {
    torsor::Transform<double> X;
    const std::size_t end = (static_cast<std::size_t>(k + 1) * periods - 1) * static_cast<std::size_t>(n);
    if (!dynamics.tool({&q_all[end], hold.size()}, X, J)) return 1;
    lowest = std::fmin(lowest, X.p.z), highest = std::fmax(highest, X.p.z);
  }
  std::printf("after %.1f s the tools of %d arms are %.0f mm apart in height\n", periods * 5e-3, arms,
              1e3 * (highest - lowest));
  return highest - lowest > 0.01 ? 0 : 1;
}
