// The rotary arm of Hollerbach & Sahar: positions, velocities and accelerations of every branch against forty digits.
#include "torsor/closed_form_ik/rotary_acceleration.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/closed_form_ik/golden_branch.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

EndEffectorMotion<double> motion(const Json& pose) {
  return {matrix(pose.at("W6")), vector(pose.at("p7")),  vector(pose.at("w6")),
          vector(pose.at("v7")), vector(pose.at("al6")), vector(pose.at("a7"))};
}

/// Largest differences of theta, qd and qdd from a golden branch.
struct Apart {
  double theta = 0, qd = 0, qdd = 0;

  Apart(const EndEffectorMotion<double>& tool, const Json& branch) {
    const auto position =
        rotary_position(golden_rotary_arm, tool, {branch.at("shoulder"), branch.at("elbow"), branch.at("wrist")});
    const auto velocity = rotary_velocity(golden_rotary_arm, tool, position);
    const auto acceleration = rotary_acceleration(golden_rotary_arm, tool, position, velocity);
    double size_qd = 1, size_qdd = 1;
    for (std::size_t i = 0; i < 6; ++i) {
      const double off = position.theta[i] - double(branch.at("q")[i]);
      theta = std::max(theta, std::abs(std::remainder(off, 2 * std::numbers::pi)));
      qd = std::max(qd, std::abs(velocity.qd[i] - double(branch.at("qd")[i])));
      qdd = std::max(qdd, std::abs(acceleration.qdd[i] - double(branch.at("qdd")[i])));
      size_qd = std::max(size_qd, std::abs(double(branch.at("qd")[i])));
      size_qdd = std::max(size_qdd, std::abs(double(branch.at("qdd")[i])));
    }
    qd /= size_qd;
    qdd /= size_qdd;
  }
};

}  // namespace

TEST_CASE("positions, velocities and accelerations of all branches of every golden pose") {
  const Json file = golden("wrist_ik_200");
  Apart worst(motion(file.at("poses")[0]), file.at("poses")[0].at("branches")[0]);
  int branches = 0;
  for (const Json& pose : file.at("poses"))
    for (const Json& b : pose.at("branches")) {
      const Apart apart(motion(pose), b);
      const double cond = b.at("cond_J");
      worst.theta = std::max(worst.theta, apart.theta / cond);
      worst.qd = std::max(worst.qd, apart.qd / cond);
      worst.qdd = std::max(worst.qdd, apart.qdd / cond);
      ++branches;
    }
  CHECK(branches == 640);
  CHECK(worst.theta < 1e-14);
  CHECK(worst.qd < 1e-13);
  CHECK(worst.qdd < 1e-12);
}

TEST_CASE("near a singularity, and where (29) as printed divides by zero, rates keep the digits that are there") {
  const Json file = golden("wrist_special_cases");
  int branches = 0;
  for (const Json& c : file.at("cases")) {
    const int id = c.at("id");
    if (id != 3 && id != 4 && id != 9 && id != 10 && id != 21 && id != 22 && id != 27) continue;
    CAPTURE(id);
    for (const Json& b : c.at("expect").at("branches")) {
      const Apart apart(motion(c.at("input")), b);
      const double cond = b.at("cond_J");
      // angles are off by cond, rates by cond^2 and accelerations by cond^3: those of case 22 have no digits left
      CHECK(apart.theta < 1e-16 * cond);
      CHECK(apart.qd < 1e-17 * cond * cond + 1e-14);
      CHECK(apart.qdd < 1e-18 * cond * cond * cond + 1e-13);
      ++branches;
    }
  }
  CHECK(branches == 56);
}
