#include "torsor/trajectory/published_motion.hpp"

#include <numbers>

namespace torsor {
namespace {

constexpr double pi = std::numbers::pi;

/// theta_i = theta_i(0) + A_i [t - sin(B t) / B], b_3 likewise, B = 2 pi / 10, from 0 to 10 s: the cycloidal law over a way of
/// 10 A_i.
PointToPoint stanford_example() {
  constexpr double T = 10;
  const std::vector<double> start{0, pi / 2, 0, 0, 0, 0}, A{pi / 30, -pi / 60, 0.01, pi / 30, pi / 30, pi / 30};
  std::vector<double> end = start;
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += A[i] * T;
  return *point_to_point(start, end, T, "cycloidal");
}

constexpr PublishedMotion motions[] = {
    {"stanford", "Angeles, Ma & Rojas 1989, example 1, figures 4 and 5", stanford_example},
};

}  // namespace

std::span<const PublishedMotion> published_motions() { return motions; }

const PublishedMotion* published_motion(std::string_view robot) {
  for (const PublishedMotion& motion : motions)
    if (motion.robot == robot) return &motion;
  return nullptr;
}

}  // namespace torsor
