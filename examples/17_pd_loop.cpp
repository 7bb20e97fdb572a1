// A PD loop with gravity compensation, simulated for two seconds: the arm ends at its target.
#include <cstdio>
#include <torsor/torsor.hpp>

int main() {
  const torsor::Robot arm = torsor::Robot::load("two_link");
  torsor::Dynamics dynamics(arm);
  torsor::TorqueFunction law([&](double, auto q, auto qd, auto tau) {
    dynamics.gravity(q, tau);
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += 100 * (1 - q[k]) - 20 * qd[k];
  });
  torsor::Simulation simulation(arm.model());
  simulation.start(0, std::vector<double>(2, 0.0), std::vector<double>(2, 0.0));
  const torsor::RunEnd end = simulation.run(2, law);
  std::printf("t = %.1f s: q = %.6f, %.6f rad\n", end.t, simulation.q()[0], simulation.q()[1]);
  return simulation.q()[0] > 0.99 && simulation.q()[0] < 1.01 && simulation.q()[1] > 0.99 && simulation.q()[1] < 1.01
             ? 0
             : 1;
}
