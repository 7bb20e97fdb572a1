// Torques of a URDF for one motion state: load, compute.
#include <cstdio>
#include <torsor/dynamics.hpp>

int main(int argc, char** argv) {
  const torsor::Robot arm = torsor::Robot::load(argc > 1 ? argv[1] : "ur5");  // throws torsor::Error with every fault
  torsor::Dynamics dynamics(arm);                                             // one per thread
  const std::vector<double> q(arm.nq(), 0.5), qd(arm.nv(), 0.1), qdd(arm.nv(), 1.0);
  std::vector<double> tau(arm.nv());
  if (!dynamics.inverse(q, qd, qdd, tau)) return 1;
  for (const double t : tau) std::printf("%10.4f N m\n", t);
}
