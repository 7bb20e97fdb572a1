// A robot described in code instead of a file: a pendulum on a cart. Its free motion keeps its energy.
#include <cmath>
#include <cstdio>
#include <torsor/dynamics.hpp>

using namespace torsor;

int main() {
  Description cart_pole;
  cart_pole.name = "cart-pole";
  LinkDescription cart, pole;
  cart.name = "cart";
  cart.joint_name = "slide";
  cart.kind = JointKind::prismatic;
  cart.geometry = JointPlacement{{}, {1, 0, 0}};  // slides along x
  cart.parts = {{.mass = 2.0}};
  pole.name = "pole";
  pole.joint_name = "hinge";
  pole.kind = JointKind::revolute;
  pole.geometry = JointPlacement{{}, {0, 1, 0}};  // turns about y
  pole.parts = {{.mass = 0.5, .com = {0, 0, 0.6}, .tensor = {.xx = 0.02, .yy = 0.02}}};
  cart_pole.links = {cart, pole};

  // one second from almost upright, by the midpoint rule
  Dynamics dynamics{Robot(cart_pole)};
  std::vector<double> q{0, 0.1}, qd{0, 0}, qdd(2), q_mid(2), qd_mid(2);
  const std::vector<double> tau{0, 0};
  const auto total = [&] {
    Energy<double> e;
    dynamics.energy(q, qd, e);
    return e.kinetic + e.potential;
  };
  const double before = total(), h = 1e-3;
  for (int step = 0; step < 1000; ++step) {
    dynamics.forward(q, qd, tau, qdd);
    for (int i = 0; i < 2; ++i) {
      q_mid[i] = q[i] + h / 2 * qd[i];
      qd_mid[i] = qd[i] + h / 2 * qdd[i];
    }
    dynamics.forward(q_mid, qd_mid, tau, qdd);
    for (int i = 0; i < 2; ++i) {
      q[i] += h * qd_mid[i];
      qd[i] += h * qdd[i];
    }
  }
  std::printf("pole at %.4f rad, energy drift %.1e J\n", q[1], total() - before);
  return std::abs(total() - before) < 1e-4 ? 0 : 1;
}
