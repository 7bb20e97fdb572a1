// Torques of many states at once: rows of q, qd, qdd in, rows of tau out, a register full of states at a time.
#include <cmath>
#include <cstdio>
#include <vector>

#include <torsor/dynamics.hpp>

int main() {
  const torsor::Robot arm = torsor::Robot::load("puma560");

  // a swing of all joints, sampled ten thousand times
  const int states = 10000, n = arm.nv();
  std::vector<double> q, qd, qdd, tau(static_cast<std::size_t>(states * n));
  for (int k = 0; k < states; ++k)
    for (int i = 0; i < n; ++i) {
      const double t = 1e-3 * k, w = 1 + 0.3 * i;
      q.push_back(std::sin(w * t));
      qd.push_back(w * std::cos(w * t));
      qdd.push_back(-w * w * std::sin(w * t));
    }

  torsor::Dynamics dynamics(arm, {.threads = 2});
  dynamics.inverse(states, {q.data(), n}, {qd.data(), n}, {qdd.data(), n}, {tau.data(), n});

  std::printf("largest torques of %d states:", states);
  for (int i = 0; i < n; ++i) {
    double peak = 0;
    for (int k = 0; k < states; ++k) peak = std::fmax(peak, std::fabs(tau[static_cast<std::size_t>(k) * n + i]));
    std::printf(" %.1f", peak);
  }
  std::printf(" N m\n");

  // one of them alone, by the call for single states
  std::vector<double> alone(static_cast<std::size_t>(n));
  const std::size_t first = 42 * static_cast<std::size_t>(n);
  dynamics.inverse({&q[first], 6}, {&qd[first], 6}, {&qdd[first], 6}, alone);
  for (int i = 0; i < n; ++i)
    if (std::fabs(alone[static_cast<std::size_t>(i)] - tau[first + i]) > 1e-11) return 1;
}
