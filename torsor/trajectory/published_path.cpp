#include "torsor/trajectory/published_path.hpp"

#include <numbers>

#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor {
namespace {

constexpr double one_degree = std::numbers::pi / 180;

/// x = 1.33 m, y = s(t), z = 1.80 m in 1 s, the tool turned as at the start. Its length and law are not printed: 1 m
/// and a polynomial at rest at both ends. The angles of table 3 lead to z = 1.80 m if the fourth reads 93.6 degrees,
/// and then the tool is turned by 90 - (68.5 - 135 + 93.6) degrees about y.
PathMotion angeles_line(std::string_view law) {
  const double tilt = 90 - (68.5 - 135 + 93.6);
  TurnPath steady;
  steady.from = rotation_y(tilt * one_degree);
  return {LinePath{{1.33, 0, 1.80}, {1.33, 1, 1.80}}, steady, *pace(law, 1)};
}

/// Table 2: a straight line at 1.27 m/s between ramps of 0.25 s, Euler angles z-x-z proportional to the way. How speed
/// grows in the ramps is not printed; any symmetric way gives the same duration.
PathMotion sim_line(std::string_view law) {
  const LinePath line{{2.03, 0, 1.02}, {0, 1.52, 2.54}};
  const EulerPath angles{{90 * one_degree, 90 * one_degree, 0}, {180 * one_degree, 90 * one_degree, 90 * one_degree}};
  return {line, angles, *cruising_pace(law, 1.27 / line.length(), 0.25)};
}

constexpr std::string_view angeles = "Angeles, Ma & Rojas 1989, example 2, figures 6 to 8",
                           sim = "Sim, Yoo & Lee 1985, section 6, table 2, figures 6 and 7";

// table 3, its fourth angle mended as above; and the elbow up, the tool ahead, from the pose of table 2
constexpr std::array<double, 6> angeles_start{0, 68.5, -135, 93.6, 90, 90}, sim_start{0, 22, -79, 57, 90, 180};

constexpr PublishedPath paths[] = {
    {"sixr_angeles", "quintic", angeles, [] { return angeles_line("quintic"); }, angeles_start},
    {"sixr_angeles", "septic", angeles, [] { return angeles_line("septic"); }, angeles_start},
    {"sixr_sim", "smooth ramps", sim, [] { return sim_line("smooth-trapezoid"); }, sim_start},
    {"sixr_sim", "constant acceleration", sim, [] { return sim_line("trapezoid"); }, sim_start},
};

}  // namespace

std::span<const PublishedPath> published_paths() { return paths; }

const PublishedPath* published_path(std::string_view robot, std::string_view variant) {
  for (const PublishedPath& path : paths)
    if (path.robot == robot && (variant.empty() || path.variant == variant)) return &path;
  return nullptr;
}

}  // namespace torsor
