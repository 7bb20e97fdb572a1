// Poses of random arms with joints at right angles, half turns and beside them: where solutions meet or are curves the position
// that the pose is made of is found, or one where the arm is singular; what is found has the pose.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double right_angle = std::numbers::pi / 2;

/// Three neighbouring axes parallel, half of the others at right angles to their neighbours.
Description parallel_arm(Random& random) {
  const int first = random.below(4);
  Description robot;
  robot.name = "random";
  Transform<double> X;
  for (int k = 0; k < 6; ++k) {
    const std::string number = std::to_string(k + 1);
    robot.links.push_back({.name = "link" + number, .joint_name = "joint" + number, .kind = JointKind::revolute,
                           .geometry = JointPlacement{X, {0, 0, 1}}});
    const double twist = k == first || k == first + 1 ? 0
                         : random.below(2) == 0       ? right_angle * (random.below(4) - 1)
                                                      : random.uniform(-3, 3);
    // drawn one after the other: compilers evaluate the sides of a product in an order of their own
    const double along = random.uniform(-0.5, 0.5), across = random.uniform(-0.5, 0.5);
    X = Transform<double>{rotation_x(twist), {across, 0, 0}} * Transform<double>::translation({0, 0, along});
  }
  robot.tools.push_back({"tool", "link6", X, {}});
  return robot;
}

}  // namespace

TEST_CASE("where solutions meet one is found, and it has the pose") {
  Random random(12);
  int poses = 0, at_singular = 0;
  for (int arm = 0; arm < draws(12); ++arm) {
    const auto robot = Robot::try_build(parallel_arm(random));
    REQUIRE(robot);
    const InverseKinematics ik(*robot);
    if (!ik.closed()) continue;  // four parallel axes: no pose determines the joints
    const auto chain = joint_chain(robot->model(), robot->tool());
    REQUIRE(chain);
    for (int pose = 0; pose < 20; ++pose) {
      std::vector<double> q(6);
      for (double& x : q) {
        x = random.uniform(-3.1, 3.1);
        const int kind = random.below(6);
        if (kind < 2) x = right_angle * (random.below(4) - 1);
        if (kind == 1) x += std::pow(10.0, random.uniform(-15, -3));
      }
      const Transform<double> X = chain->tool_pose(q);
      const IkSolutions found = ik.solve_all(X);
      ++poses;
      CAPTURE(arm);
      CAPTURE(pose);
      REQUIRE(!found.empty());
      double nearest = 9;
      bool singular = false;
      for (const IkSolution& s : found) {
        double apart = 0;
        for (std::size_t k = 0; k < 6; ++k) apart = std::max(apart, std::abs(std::remainder(s.q[k] - q[k], 4 * right_angle)));
        nearest = std::min(nearest, apart);
        singular = singular || s.branch.factor[0] < 1e-3;
        const Transform<double> there = chain->tool_pose(s.q);
        CHECK(norm(there.p - X.p) + norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y) < 1e-10);
      }
      at_singular += singular;
      CHECK((nearest < 1e-6 || singular));
    }
  }
  CHECK(poses > 100);
  CHECK(at_singular > 0);
}
