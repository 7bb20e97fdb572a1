// A PUMA 560 that only ever does one pick-and-place: its equations of motion without what hardly matters there.
#include <cstdio>
#include <torsor/torsor.hpp>

using namespace torsor;

int main() {
  const Robot robot = Robot::load("puma560");
  std::vector<JointState> motion;
  sample_motion(pick_and_place_puma560(), 0.02, [&](const MotionRow& row) {
    motion.push_back({row.q, row.qd, row.qdd});
  });

  const auto reduction = reduce(robot.description(), motion, {.tolerance = 0.01});
  if (!reduction) return 2;
  const int reduced = reduction->cost.count.multiplications, full = reduction->full.front().count.multiplications;
  std::printf("%zu of %zu terms, %d multiplications instead of %d (%s)\n", reduction->model.terms.size(),
              reduction->terms, reduced, full, reduction->full.front().path.c_str());
  const ReductionStatement& said = reduction->model.statement;
  for (std::size_t i = 0; i < said.scale.size(); ++i)
    std::printf("  joint %zu: peak %8.4f N m, error on the motion %.2f %%, over its ranges %.2f %%\n", i + 1,
                said.scale[i], 100 * said.on_motion[i], 100 * said.on_ranges[i]);

  // it gives torques, and accelerations as well where its mass matrix stays positive definite
  ReducedDynamics<double> dynamics(reduction->model);
  const JointState& s = motion[60];
  std::vector<double> tau(6), qdd(6);
  dynamics.inverse(s.q, s.qd, s.qdd, tau);
  const bool solved = dynamics.forward(s.q, s.qd, tau, qdd) < 0;
  std::printf("at %.2f s: tau2 %.4f N m, qdd2 %.4f rad/s^2\n", 0.02 * 60, tau[1], qdd[1]);
  return said.definite && solved && reduced < full ? 0 : 1;
}
