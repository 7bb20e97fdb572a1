#include "torsor/numeric_ik/secondary_aim.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

double near_value(const AimView& s) {
  double h = 0;
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const double d = (s.x[k] - s.posture[k]) / s.task.joints()[k].unit;
    h += d * d / 2;
  }
  return h;
}

void near_gradient(const AimView& s, std::span<double> g) {
  for (std::size_t k = 0; k < s.x.size(); ++k) g[k] = (s.x[k] - s.posture[k]) / s.task.joints()[k].unit;
}

/// Distance from the middle of the range in half ranges, and half the range; nothing without two limits.
struct Centred {
  double offset = 0, half = 1;
};
Centred centred(const TaskJoint& joint, double x) {
  const double half = (joint.upper - joint.lower) / 2;
  if (!(half > 0 && std::isfinite(half))) return {};
  return {(x - joint.lower) / half - 1, half};
}

double centre_value(const AimView& s) {
  double h = 0;
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const double offset = centred(s.task.joints()[k], s.x[k]).offset;
    h += offset * offset / 2;
  }
  return h;
}

void centre_gradient(const AimView& s, std::span<double> g) {
  for (std::size_t k = 0; k < s.x.size(); ++k) {
    const Centred c = centred(s.task.joints()[k], s.x[k]);
    g[k] = c.offset / c.half * s.task.joints()[k].unit;
  }
}

// below this a singular value is a rounding error
constexpr double least_sigma = 1e-13;

double manipulability_value(const AimView& s) {
  const int m = s.task.m(), n = s.task.n();
  std::copy(s.task.J().begin(), s.task.J().end(), s.work.B.begin());
  singular_values<double>(s.work.B, m, n, s.work.U, s.work.sigma);
  double h = 0;
  for (int i = 0; i < std::min(m, n); ++i) h -= std::log(std::max(s.work.sigma[i], least_sigma));
  return h;
}

void manipulability_gradient(const AimView& s, std::span<double> g) {
  manipulability_value(s);
  const int m = s.task.m(), n = s.task.n();
  AimWork& w = s.work;
  // G = A^-1 J = sum u_i b_i / sigma_i^2
  std::fill(w.G.begin(), w.G.end(), 0.0);
  for (int i = 0; i < std::min(m, n); ++i) {
    const double sigma = std::max(w.sigma[i], least_sigma);
    for (int r = 0; r < m; ++r)
      for (int k = 0; k < n; ++k) w.G[r * n + k] += w.U[r * m + i] / sigma * (w.B[i * n + k] / sigma);
  }
  for (int k = 0; k < n; ++k) {
    w.unit[k] = 1;
    s.task.jacobian_rate(w.unit, {}, w.rate);
    w.unit[k] = 0;
    g[k] = 0;
    for (int i = 0; i < m * n; ++i) g[k] -= w.G[i] * w.rate[i];
    g[k] *= s.task.joints()[k].unit;
  }
}

constexpr SecondaryAim table[] = {
    {"near", "stay near a posture", near_value, near_gradient},
    {"centre", "stay in the middle of the limits", centre_value, centre_gradient},
    {"manipulability", "stay away from singular positions", manipulability_value, manipulability_gradient},
};

}  // namespace

AimWork::AimWork(const PoseTask& task)
    : B(6 * task.joints().size()), G(B.size()), rate(B.size()), unit(task.joints().size()) {}

std::span<const SecondaryAim> secondary_aims() { return table; }

const SecondaryAim* find_aim(std::string_view name) {
  for (const SecondaryAim& aim : table)
    if (aim.name == name) return &aim;
  return nullptr;
}

}  // namespace torsor
