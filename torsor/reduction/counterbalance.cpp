#include "torsor/reduction/counterbalance.hpp"

#include <array>
#include <cmath>

namespace torsor {
namespace {

/// Decimals that a length in a robot file may have; beyond, doubles carry only rounding.
double to_decimals(double x) { return std::round(x * 1e13) / 1e13 + 0.0; }

double divisor_of_decimals(double x) {
  constexpr std::array<double, 7> digits{1, 1.25, 2, 2.5, 4, 5, 8};
  double best = 0;
  const int decade = static_cast<int>(std::floor(std::log10(x)));
  for (int k = decade - 1; k <= decade + 1; ++k)
    for (const double digit : digits) {
      // one rounding, so that 1.25e-2 is the double of that text
      const double candidate = k < 0 ? digit / std::pow(10.0, -k) : digit * std::pow(10.0, k);
      if (best == 0 || abs(std::log(candidate / x)) < abs(std::log(best / x))) best = candidate;
    }
  return best;
}

/// Mass and the constant part of its first moment beyond every joint, in body frames.
struct Moments {
  std::vector<double> m;
  std::vector<Vec3<double>> h;
};

Moments mean_moments(const Model<double>& model) {
  Moments out;
  for (const Body<double>& b : model.bodies) {
    out.m.push_back(b.inertia.m);
    out.h.push_back(b.inertia.h);
  }
  for (std::size_t i = out.m.size(); i-- > 0;) {
    const Body<double>& b = model.bodies[i];
    if (b.parent < 0) continue;
    Vec3<double> h = out.h[i];
    if (b.kind == JointKind::revolute || b.kind == JointKind::helical) h = {0, 0, h.z};
    if (b.kind == JointKind::prismatic) {
      const Limits& limits = model.limits[static_cast<std::size_t>(b.v)];
      if (std::isfinite(limits.lower) && std::isfinite(limits.upper))
        h.z += out.m[i] * (b.ratio * (limits.lower + limits.upper) / 2 + b.offset);
    }
    const std::size_t parent = static_cast<std::size_t>(b.parent);
    out.m[parent] += out.m[i];
    out.h[parent] += b.placement.R * h + b.placement.p * out.m[i];
  }
  return out;
}

}  // namespace

std::optional<Counterweight> counterweight(const Model<double>& model, int body, double z) {
  const Body<double>& b = model[body];
  if (b.kind != JointKind::revolute) return std::nullopt;
  const Moments all = mean_moments(model);
  const double m = all.m[static_cast<std::size_t>(body)];
  const Vec3<double> h = all.h[static_cast<std::size_t>(body)];
  const double moment = std::hypot(h.x, h.y);
  if (!(m > 0) || moment <= 1e-12 * m) return std::nullopt;
  double arm = moment / m;
  for (const Body<double>& child : model.bodies)
    if (child.parent == body) arm = std::max(arm, std::hypot(child.placement.p.x, child.placement.p.y));
  const double mass = divisor_of_decimals(moment / arm);
  const Vec3<double> com = ~b.link * (Vec3<double>{-h.x / mass, -h.y / mass, z});
  return Counterweight{mass, {to_decimals(com.x), to_decimals(com.y), to_decimals(com.z)}, moment};
}

}  // namespace torsor
