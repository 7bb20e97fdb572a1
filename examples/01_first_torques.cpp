// Torques of a PUMA 560 for one motion state: load, build, compute.
#include <cstdio>
#include <torsor/dynamics.hpp>
#include <torsor/io.hpp>

int main() {
  const auto description = torsor::load_robot("puma560");
  if (!description) return std::fprintf(stderr, "%s\n", to_string(description.faults().front()).c_str()), 2;
  const auto model = torsor::build(*description);
  if (!model) return std::fprintf(stderr, "%s\n", to_string(model.faults().front()).c_str()), 2;

  const std::vector<double> q{0, 0.8, -0.8, 0, 0.5, 0}, qd{0.5, 0.1, 0, 0, 0.2, 0}, qdd{1, 0, 0, 0, 0, 0};
  std::vector<double> tau(model->nv);
  torsor::TreeDynamics<double> dynamics(*model);
  dynamics.inverse(q, qd, qdd, tau);

  for (int i = 0; i < model->nv; ++i) std::printf("%-8s %10.4f N m\n", model->velocity_names[i].c_str(), tau[i]);
}
