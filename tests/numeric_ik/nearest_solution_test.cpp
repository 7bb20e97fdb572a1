#include "torsor/numeric_ik/nearest_solution.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/shipped_robot.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("of seven joints the nearest solution is some whole turns away, where the limits let it be") {
  constexpr double turn = 2 * std::numbers::pi;
  const Robot arm = Robot::load("gen3");
  const Model<double>& m = arm.model();
  const InverseKinematics ik(arm);
  const RedundantArm& seven = *ik.redundant();
  const auto held = static_cast<std::size_t>(seven.chain().coordinate[static_cast<std::size_t>(seven.held())]);
  const std::vector<double> q{0.3, 0.9, -0.4, 1.2, 0.7, -1.1, 0.2};
  Configuration<double> at(m);
  at.set(m, q);
  std::vector<Transform<double>> X(m.bodies.size());
  forward_kinematics(m, at, std::span(X));
  IkChoice choice;
  choice.redundancy = q[held];
  const Transform<double> pose = frame_pose(ik.tool(), std::span<const Transform<double>>(X));
  int turned = 0;
  for (std::size_t k = 0; k < 7; ++k) {
    if (k == held || std::isfinite(m.limits[k].upper)) continue;
    for (const double turns : {-2.0, 1.0}) {
      std::vector<double> near = q;
      near[k] += turns * turn + 0.01;
      choice.near = near;
      const IkSolutions found = ik.solve(pose, choice);
      REQUIRE(found.size() == 1);
      for (std::size_t i = 0; i < 7; ++i)
        CHECK(found[0].q[i] == doctest::Approx(q[i] + (i == k ? turns * turn : 0)).epsilon(1e-7));
      ++turned;
    }
  }
  CHECK(turned >= 4);

  // no farther than the limits of a joint
  IkSolution one;
  one.q = {0.1, -0.2};
  const JointChain chain{{}, {false, false}, {0, 1}, {{-1, 7}, {-1, 1}}, 1};
  const auto next = nearest_solution(chain, std::span(&one, 1), std::vector{13.0, 6.0});
  REQUIRE(next);
  CHECK(next->q == std::vector{0.1 + turn, -0.2});
  CHECK_FALSE(nearest_solution(chain, {}, std::vector{0.0, 0.0}));
}
