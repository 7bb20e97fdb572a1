// Arms with axes 2, 3 and 4 parallel: those that are sold, and any.
#pragma once

#include "tests/closed_form_ik/round_trip.hpp"

namespace torsor::testing {

/// d_1, a_2, a_3, d_4, d_5, d_6 (m) in the twists of Universal Robots.
inline Description universal(Random& random, const std::array<double, 6>& l) {
  return robot_of(random, "RRRRRR",
                  {DhRow{0, l[0], 0, quarter},
                   {0, 0, l[1], 0},
                   {0, 0, l[2], 0},
                   {0, l[3], 0, quarter},
                   {0, l[4], 0, -quarter},
                   {0, l[5], 0, 0}});
}

/// The printed tables of the arms that are sold.
inline constexpr std::array<std::array<double, 6>, 4> sold{
    std::array<double, 6>{0.1519, -0.24365, -0.21325, 0.11235, 0.08535, 0.0819},  // UR3
    {0.089159, -0.425, -0.39225, 0.10915, 0.09465, 0.0823},                       // UR5
    {0.1273, -0.612, -0.5723, 0.163941, 0.1157, 0.0922},                          // UR10
    {0.1807, -0.6127, -0.57155, 0.17415, 0.11985, 0.11655}};                      // UR10e

/// Any arm of the family: offsets free, axes 5 and 6 meeting.
inline std::array<DhRow, 6> any_parallel(Random& random, bool is_oblique) {
  const auto length = [&] { return random.either_sign(0.1, 0.5); };
  const auto angle = [&] { return random.uniform(-3, 3); };
  const auto straight = [&] { return random.chance(0.5) ? 0 : 2 * quarter; };
  const auto oblique = [&] { return random.either_sign(0.4, 2.6); };
  const auto twist = [&] { return is_oblique ? oblique() : random.chance(0.5) ? quarter : -quarter; };
  return {DhRow{angle(), length(), length(), twist()},    DhRow{angle(), length(), length(), straight()},
          DhRow{angle(), length(), length(), straight()}, DhRow{angle(), length(), length(), twist()},
          DhRow{angle(), length(), 0, twist()},           DhRow{angle(), length(), length(), oblique()}};
}

/// The same chain from the tool to the base.
inline std::array<DhRow, 6> turned_round(const std::array<DhRow, 6>& rows) {
  std::array<DhRow, 6> out;
  for (std::size_t k = 0; k < 6; ++k) {
    out[k] = {-rows[5 - k].theta, -rows[5 - k].d, 0, 0};
    if (k == 5) continue;
    out[k].a = -rows[4 - k].a;
    out[k].alpha = -rows[4 - k].alpha;
  }
  return out;
}

}  // namespace torsor::testing
