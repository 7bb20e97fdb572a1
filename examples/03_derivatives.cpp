// The same recursion over dual numbers: how the torques of a PUMA 560 change with its second joint.
#include <cstdio>
#include <torsor/dynamics/tree_dynamics.hpp>
#include <torsor/robot.hpp>
#include <torsor/scalar/dual.hpp>

using namespace torsor;

int main() {
  const Robot robot = Robot::load("puma560");
  using Number = Dual<double>;
  const Model<Number> model = cast<Number>(robot.model());
  std::vector<Number> q(6, Number(0.3)), qd(6, Number(0.5)), qdd(6, Number(1.0)), tau(6);
  q[1] = Number::variable(0.3);
  TreeDynamics<Number> dynamics(model);
  dynamics.inverse(q, qd, qdd, tau);

  for (const Number& t : tau) std::printf("tau %10.5f   dtau/dq2 %10.5f\n", t.value, t.tangent[0]);
}
