#include "torsor/reduction/motion_effect.hpp"

#include <algorithm>

#include "torsor/dynamics.hpp"

namespace torsor {

MotionEffect motion_effect(const Model<double>& model, const Course& course) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  MotionEffect out;
  out.peak.assign(n, 0.0);
  Dynamics dynamics(model, {.questions = Questions::all_but_forward});
  std::vector<double> q(n), qd(n), qdd(n), tau(n), M(n * n);
  double sum = 0;
  std::size_t count = 0;
  const auto torques = [&](double t, std::span<double> sizes) {
    course.sample(t, q, qd, qdd);
    dynamics.inverse(q, qd, qdd, sizes);
    for (double& size : sizes) size = abs(size);
  };
  const std::vector<double> times = peak_times(course, n, torques);
  for (std::size_t i = 0; i < n; ++i) {
    torques(times[i], tau);
    out.peak[i] = tau[i];
  }
  double power_before = 0;
  for (std::size_t instant = 0; instant < course.times.size(); ++instant) {
    const double t = course.times[instant];
    course.sample(t, q, qd, qdd);
    dynamics.inverse(q, qd, qdd, tau);
    double power = 0;
    for (std::size_t i = 0; i < n; ++i) power += abs(tau[i] * qd[i]);
    if (instant > 0) out.energy += (power_before + power) / 2 * (t - course.times[instant - 1]);
    power_before = power;
    dynamics.mass(q, M);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const double product = M[i * n + i] * M[j * n + j];
        if (!(product > 0)) continue;
        const double k = abs(M[i * n + j]) / sqrt(product);
        out.coupling_largest = std::max(out.coupling_largest, k);
        sum += k;
        ++count;
      }
  }
  out.coupling_mean = count > 0 ? sum / static_cast<double>(count) : 0;
  return out;
}

}  // namespace torsor
