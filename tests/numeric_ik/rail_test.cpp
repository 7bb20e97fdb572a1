// Slides without limits: whatever place the arm was put, however far along its rails, is found again.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Joints R and P with placements that are nothing special, half a metre or so from one to the next.
Description railed_robot(const std::string& joints, Random& random) {
  Description robot;
  robot.name = joints;
  const auto placement = [&] {
    const Mat3<double> R = random.rotation();
    return Transform<double>{R, random.vector(0.4)};
  };
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    robot.links.push_back({.name = "link" + number,
                           .joint_name = "joint" + number,
                           .kind = joints[k] == 'P' ? JointKind::prismatic : JointKind::revolute,
                           .geometry = JointPlacement{placement(), {0, 0, 1}}});
  }
  robot.tools.push_back({"tool", robot.links.back().name, placement(), {}});
  return robot;
}

}  // namespace

TEST_CASE("rails without limits lead as far as the pose asks") {
  Random random(31);
  int arms = 0;
  for (const std::string joints :
       {"PRRRRRR", "RPRRRRR", "RRRPRRR", "RRRRRRP", "PPRRRRR", "PRPRRRR", "PPRRRRRR", "PPPRRRRRR", "PRRRRR", "RRPRRR"})
    for (const double far : {3.0, 25.0, -300.0, 1e4}) {
      if (++arms % draws(3, 1) != 0) continue;  // every arm and every distance, but not each with each
      CAPTURE(joints);
      CAPTURE(far);
      const auto robot = Robot::try_build(railed_robot(joints, random));
      REQUIRE(robot);
      const InverseKinematics ik(*robot);
      const auto chain = joint_chain(robot->model(), robot->tool());
      REQUIRE(chain);
      for (int draw = 0; draw < draws(1); ++draw) {
        std::vector<double> q;
        bool first = true;
        for (const char joint : joints) {
          q.push_back(joint == 'R' ? random.uniform(-3, 3) : first ? far : far * random.uniform(-1, 1));
          first = first && joint == 'R';
        }
        const Transform<double> X = chain->tool_pose(q);
        const IkSolutions found = ik.solve(X);
        CHECK(found.status == PoseStatus::solved);
        REQUIRE(!found.empty());
        for (const IkSolution& s : found) {
          const Transform<double> there = chain->tool_pose(s.q);
          CHECK(norm(there.p - X.p) < 1e-9 * std::max(1.0, std::abs(far)));
          CHECK(norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y) < 1e-9);
        }
      }
    }
}

TEST_CASE("the values of a rail that a pose leaves possible hold the one it was made of, and no more than the arm reaches") {
  Random random(32);
  for (const std::string joints : {"PRRRRRR", "RPRRRRR", "RRRRRRP", "PPRRRRR"}) {
    CAPTURE(joints);
    const auto robot = Robot::try_build(railed_robot(joints, random));
    REQUIRE(robot);
    const auto chain = joint_chain(robot->model(), robot->tool());
    REQUIRE(chain);
    const auto arm = RedundantArm::of(*chain);
    REQUIRE(arm);
    for (int draw = 0; draw < draws(50); ++draw) {
      std::vector<double> q;
      for (const char joint : joints) q.push_back(joint == 'R' ? random.uniform(-3, 3) : random.either_sign(10, 1000));
      double width = 0;
      bool inside = false;
      for (const auto& [from, to] : arm->ranges(chain->tool_pose(q))) {
        width += to - from;
        inside = inside || (from <= q[static_cast<std::size_t>(arm->held())] && q[static_cast<std::size_t>(arm->held())] <= to);
      }
      CHECK(inside);
      CHECK((width < 30 || joints == "PPRRRRR"));  // oblique rails: by the angle between them
    }
  }
}
