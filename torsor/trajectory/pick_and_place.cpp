#include "torsor/trajectory/pick_and_place.hpp"

#include <array>
#include <numbers>

namespace torsor {
namespace {

std::vector<double> degrees(const std::array<double, 6>& angles) {
  std::vector<double> q;
  for (const double angle : angles) q.push_back(angle * std::numbers::pi / 180);
  return q;
}

}  // namespace

ViaPointMotion pick_and_place_puma560() {
  // where the wrist centre is in the base frame [m]; the wrist's first joint turns only on the way from and to home
  const auto home = degrees({0, 35, -125, 20, -70, 0});                                     // 0.785, -0.150, 0.899
  const auto above_pick = degrees({49.7433, 0.1687, -123.3159, 0, -56.8528, 49.7433});      // 0.62, 0.50, 0.42
  const auto pick = degrees({49.7433, -17.2545, -101.2260, 0, -61.5195, 49.7433});          // 0.62, 0.50, 0.32
  const auto above_place = degrees({-28.0257, 0.1687, -123.3159, 0, -56.8528, -118.0257});  // 0.62, -0.50, 0.42
  const auto place = degrees({-28.0257, -17.2545, -101.2260, 0, -61.5195, -118.0257});      // 0.62, -0.50, 0.32

  const std::array<ViaPoint, 7> points = {{
      {above_pick, 1.5, 0},
      {pick, 0.6, 0.3},  // the gripper closes
      {above_pick, 0.6, 0},
      {above_place, 2.0, 0},
      {place, 0.6, 0.3},  // and opens
      {above_place, 0.6, 0},
      {home, 1.5, 0},
  }};
  return *via_point_motion(home, points, "quintic");
}

}  // namespace torsor
