#include "torsor/check/body_doubts.hpp"

#include <algorithm>

namespace torsor {

double largest_entry(const Sym3<double>& I) {
  double largest = 0;
  for (const double x : {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}) largest = std::max(largest, std::abs(x));
  return largest;
}

Sym3<double> central_tensor(const Part& part) {
  if (part.about == InertiaAbout::mass_centre) return part.tensor;
  return tensor_about_centre({part.mass, part.com * part.mass, part.tensor});
}

BodyDoubts body_doubts(const Part& part, const LinkScale& scale, bool alone, const DoubtLimits& limits) {
  BodyDoubts d;
  d.spread = mass_spread(part.mass, central_tensor(part));
  d.distance = scale.distance(part.com);
  d.extent = scale.extent(part.com);
  d.least_extent = scale.least_extent(part.com);

  const double slack = std::max(limits.rounding * largest_entry(part.tensor), part.mass * limits.point * limits.point);
  d.negative = d.spread.moments[0] < -slack;
  d.triangle = !d.negative && triangle_excess(d.spread) > slack;
  if (!(part.mass > 0)) return d;

  const double k = gyration_radius(d.spread);
  // without any length to go by, only a mass centre hundreds of gyration radii away is told from a pendulum's
  const double near = scale.robot > 0 ? limits.farthest * scale.robot + 20 * k : 200 * k;
  // or a small body far beyond the joints of its link and all that the joints and mass centres of others reach
  const double reach = std::max(scale.robot, scale.others / 2);
  const bool outside = scale.robot > 0 && k > limits.point && d.distance > 12 * k && d.distance > 2 * scale.joints &&
                       d.distance > limits.outside * reach;
  d.far = (near > 0 && d.distance > near) || outside;
  if (!(k > limits.point)) return d;
  d.wide = d.extent > 0 && k > limits.widest * d.extent;
  d.narrow = alone && k < limits.narrowest * d.least_extent;
  if (d.negative || d.triangle) return d;
  if (const auto density = ellipsoid_density(d.spread)) {
    d.least_density = *ellipsoid_density(d.spread, 0.1);
    d.dense = d.least_density > limits.densest;
    d.thin = *density < limits.thinnest;
  }
  return d;
}

}  // namespace torsor
