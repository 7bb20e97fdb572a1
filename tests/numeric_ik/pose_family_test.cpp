// Curves and surfaces of solutions are said: how many dimensions, which joints move along them. The witness moves these joints by
// hand, and sees the tool rest.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using Coordinates = std::vector<int>;

struct ArmOfFamilies {
  Robot robot;
  InverseKinematics ik;
  JointChain chain;

  explicit ArmOfFamilies(const Robot& r, const IkTask& task = {})
      : robot(r), ik(robot, task), chain(*joint_chain(robot.model(), robot.tool())) {}

  double off(std::span<const double> q, const Transform<double>& X, bool only_place = false) const {
    const Transform<double> there = chain.tool_pose(q);
    return norm(there.p - X.p) + (only_place ? 0 : norm(there.R.x - X.R.x) + norm(there.R.y - X.R.y));
  }
};

}  // namespace

TEST_CASE("a straight wrist is a curve of solutions, of six joints and of seven at a value of the redundancy or a swivel angle") {
  Random random(51);
  for (const char* name : {"puma560", "iiwa14"}) {
    CAPTURE(std::string(name));
    const ArmOfFamilies arm(Robot::load(name));
    const bool seven = arm.chain.joints() == 7;
    const std::size_t n = seven ? 7 : 6;
    for (int draw = 0; draw < draws(3); ++draw) {
      std::vector<double> q;
      for (std::size_t k = 0; k < n; ++k) q.push_back(random.either_sign(0.3, 1.2));
      q[n - 2] = 0;
      const Transform<double> X = arm.chain.tool_pose(q);
      for (const bool swivel : {false, true}) {
        if (swivel && !seven) continue;
        CAPTURE(swivel);
        IkChoice choice;
        if (swivel) {
          // of the swivel angles the one where a solution is straight
          const auto redundant = arm.ik.redundant()->swivel();
          REQUIRE(redundant);
          SevenAngles at;
          std::copy(q.begin(), q.end(), at.begin());
          choice.swivel = redundant->swivel(at);
        } else if (seven) {
          choice.redundancy = q[static_cast<std::size_t>(arm.ik.redundant()->held())];
        }
        const IkSolutions found = arm.ik.solve(X, choice);
        int curves = 0;
        for (const IkSolution& s : found) {
          CHECK(arm.off(s.q, X) < 1e-11);
          if (s.family_dimension == 0) {
            CHECK(s.moves.empty());
            continue;
          }
          ++curves;
          CHECK(s.status == IkStatus::singular);
          CHECK(s.family_dimension == 1);
          REQUIRE(s.moves == Coordinates{static_cast<int>(n) - 3, static_cast<int>(n) - 1});
          std::vector<double> other = s.q;
          other[n - 3] += 0.7;
          // one way or the other, by the sense of the axes
          std::vector<double> back = other;
          other[n - 1] -= 0.7;
          back[n - 1] += 0.7;
          CHECK(std::min(arm.off(other, X), arm.off(back, X)) < 1e-11);
        }
        CHECK(curves >= 1);
        // at a swivel angle all have the same forearm
        CHECK((curves == static_cast<int>(found.size())) == swivel);
      }
    }
  }
}

TEST_CASE("solutions that meet are no curve, and those that are regular neither") {
  const ArmOfFamilies arm(Robot::load("puma560"));
  // out of reach the arm is stretched towards the place
  const IkSolutions none = arm.ik.solve({rotation_y(0.8), {2, 0.4, 0.9}});
  REQUIRE(none.nearest);
  const IkSolutions found = arm.ik.solve(arm.chain.tool_pose(none.nearest->q));
  CHECK(std::ranges::any_of(found, [](const IkSolution& s) { return s.status == IkStatus::singular; }));
  REQUIRE(!found.empty());
  for (const IkSolution& s : found) CHECK(s.family_dimension == 0);
}

TEST_CASE("a place on the first axis leaves joint 1, one that is the shoulder joints 1 and 2") {
  const std::string text = R"(
name = "equal links"
[[link]]
name = "yaw"
joint = "revolute"
mass = 1
inertia = [0.01, 0.01, 0.01]
[[link]]
name = "upper"
joint = "revolute"
placement = { position = [0, 0, 0.3], rpy_deg = [90, 0, 0] }
mass = 1
inertia = [0.01, 0.01, 0.01]
[[link]]
name = "fore"
joint = "revolute"
placement = { position = [0.4, 0, 0] }
mass = 1
inertia = [0.01, 0.01, 0.01]
[[tool]]
name = "t"
link = "fore"
position = [0.4, 0, 0]
)";
  IkTask task;
  task.weights = TaskWeights::position();
  const ArmOfFamilies arm(Robot::load(text), task);
  const IkSolutions on_axis = arm.ik.solve(Transform<double>::translation({0, 0, 0.8}));
  REQUIRE(!on_axis.empty());
  for (const IkSolution& s : on_axis) {
    CHECK(s.family_dimension == 1);
    CHECK(s.moves == Coordinates{0});
    std::vector<double> other = s.q;
    other[0] += 1;
    CHECK(arm.off(other, Transform<double>::translation({0, 0, 0.8}), true) < 1e-12);
  }
  CHECK(on_axis.size() == 2);  // a curve for each bend of the elbow
  const IkSolutions shoulder = arm.ik.solve(Transform<double>::translation({0, 0, 0.3}));
  REQUIRE(shoulder.size() == 1);
  CHECK(shoulder[0].family_dimension == 2);
  CHECK(shoulder[0].moves == Coordinates{0, 1});
  // beside it four, each alone
  Random random(52);
  for (const double aside : {1e-9, 1e-8, 1e-7, 1e-6, 1e-4})
    for (int draw = 0; draw < draws(5); ++draw) {
      CAPTURE(aside);
      const Vec3<double> p = Vec3<double>{0, 0, 0.3} + random.direction() * aside;
      const IkSolutions found = arm.ik.solve(Transform<double>::translation(p));
      CHECK(found.size() == 4);
      for (const IkSolution& s : found) {
        CHECK(s.family_dimension == 0);
        CHECK(norm(arm.chain.tool_pose(s.q).p - p) < 1e-15);
      }
    }
}
