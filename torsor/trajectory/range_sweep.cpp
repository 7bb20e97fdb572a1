#include "torsor/trajectory/range_sweep.hpp"

#include <array>

#include "torsor/model/random_position.hpp"

namespace torsor {

ViaPointMotion range_sweep(const Model<double>& model) {
  TORSOR_EXPECT(model.nq == model.nv);
  const std::vector<Limits> bounds = position_bounds(model);
  const std::vector<CoordinateKind> kinds = position_kinds(model);
  constexpr double quintic_peak = 1.875;  // of speed, over the mean
  std::vector<double> near, far;
  double time = 0.1;
  for (std::size_t l = 0; l < bounds.size(); ++l) {
    const double range = bounds[l].upper - bounds[l].lower;
    near.push_back(bounds[l].lower + range / 4);
    far.push_back(bounds[l].upper - range / 4);
    const double limit = model.limits[l].velocity;
    const double speed = std::isfinite(limit) && limit > 0 ? 0.8 * limit : kinds[l] == CoordinateKind::angle ? 2 : 1;
    time = std::max(time, quintic_peak * range / 2 / speed);
  }
  const std::array<ViaPoint, 2> points{{{far, time, 0}, {near, time, 0}}};
  return *via_point_motion(near, points, "quintic");
}

}  // namespace torsor
