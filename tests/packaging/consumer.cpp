// A stranger's first program, seeing only what was installed: load robots by name, compute torques.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <torsor/torsor.hpp>
#include <vector>

int main() {
  // every robot that travels inside the library is found without a file
  for (const std::string& name : torsor::Robot::names())
    std::cout << name << ": " << torsor::Robot::load(name).nv() << " degrees of freedom\n";

  // two slender rods held out level: each joint carries the weight of the rods beyond it, times its lever
  std::vector<double> q{0, 0}, tau(2);
  torsor::Dynamics dynamics(torsor::Robot::load("two_link"));
  dynamics.gravity(q, tau);
  const double g = 9.8062, l = 0.85, m1 = 3.7, m2 = 2.3;
  std::cout << "two_link held level: " << tau[0] << ' ' << tau[1] << " N m\n";
  const bool right = std::abs(tau[0] - g * l * (m1 + 3 * m2) / 2) < 1e-12 * tau[0] &&
                     std::abs(tau[1] - g * l * m2 / 2) < 1e-12 * tau[0];
  return right ? 0 : 1;
}
