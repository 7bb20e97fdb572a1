#include "torsor/trajectory/pick_and_place.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "torsor/trajectory/motion.hpp"

using namespace torsor;

namespace {

using Joints = std::array<double, 6>;
constexpr double pi = std::numbers::pi;

struct Tool {
  std::array<double, 3> position{}, approach{}, across{};
};

// the product of the six standard DH matrices, written out here so that the poses are checked by themselves
Tool tool_of(const Joints& q) {
  const Joints alpha = {pi / 2, 0, -pi / 2, pi / 2, -pi / 2, 0}, a = {0, .4318, .0203, 0, 0, 0},
               d = {.67183, 0, .15005, .4318, 0, 0};
  std::array<std::array<double, 4>, 3> T = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  for (std::size_t i = 0; i < 6; ++i) {
    const double c = std::cos(q[i]), s = std::sin(q[i]), ca = std::cos(alpha[i]), sa = std::sin(alpha[i]);
    for (auto& row : T) {
      const auto [x, y, z, p] = row;
      row = {x * c + y * s, -x * s * ca + y * c * ca + z * sa, x * s * sa - y * c * sa + z * ca,
             x * a[i] * c + y * a[i] * s + z * d[i] + p};
    }
  }
  Tool tool;
  for (std::size_t r = 0; r < 3; ++r) {
    tool.position[r] = T[r][3];
    tool.approach[r] = T[r][2];
    tool.across[r] = T[r][0];
  }
  return tool;
}

Joints position_at(double t) {
  static const ViaPointMotion motion = pick_and_place_puma560();
  Joints q{}, qd{}, qdd{};
  motion.sample(t, q, qd, qdd);
  return q;
}

void check_tool(double t, double x, double y, double z) {
  CAPTURE(t);
  const Tool tool = tool_of(position_at(t));
  CHECK(tool.position[0] == doctest::Approx(x).epsilon(1e-5));
  CHECK(tool.position[1] == doctest::Approx(y).epsilon(1e-5));
  CHECK(tool.position[2] == doctest::Approx(z).epsilon(1e-5));
  CHECK(tool.approach[2] == doctest::Approx(-1).epsilon(1e-9));
}

}  // namespace

TEST_CASE("the hand points down over pick and place, and goes straight below by a tenth of a metre") {
  check_tool(1.5, 0.62, 0.50, 0.42);
  check_tool(2.1, 0.62, 0.50, 0.32);
  check_tool(2.4, 0.62, 0.50, 0.32);
  check_tool(3.0, 0.62, 0.50, 0.42);
  check_tool(5.0, 0.62, -0.50, 0.42);
  check_tool(5.6, 0.62, -0.50, 0.32);
  check_tool(6.5, 0.62, -0.50, 0.42);
  CHECK(position_at(0) == position_at(8));
}

TEST_CASE("what is carried is turned by a quarter") {
  const Tool pick = tool_of(position_at(2.1)), place = tool_of(position_at(5.6));
  const double cosine = pick.across[0] * place.across[0] + pick.across[1] * place.across[1];
  CHECK(std::abs(cosine) < 1e-5);
}

TEST_CASE("the motion takes eight seconds, keeps clear of the joint limits and moves every joint") {
  const ViaPointMotion motion = pick_and_place_puma560();
  CHECK(motion.duration() == doctest::Approx(8));
  // the narrower of the two sets of limits in use for this arm [deg]
  const Joints low = {-160, -45, -135, -110, -100, -266}, high = {160, 110, 45, 170, 100, 266};
  Joints least{}, most{};
  least.fill(1e9);
  most.fill(-1e9);
  sample_motion(motion, 0.01, [&](const MotionRow& row) {
    for (std::size_t i = 0; i < 6; ++i) {
      least[i] = std::min(least[i], row.q[i] * 180 / pi);
      most[i] = std::max(most[i], row.q[i] * 180 / pi);
    }
  });
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(least[i] > low[i] + 8);
    CHECK(most[i] < high[i] - 8);
    CHECK(most[i] - least[i] > 10);
  }
}
