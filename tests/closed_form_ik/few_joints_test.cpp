// The closed form of up to three joints beside the six joints that they are made into: the same solutions at random positions,
// at right angles and half turns and beside them, and of places in and out of reach.
#include "torsor/closed_form_ik/few_joints.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
#include "torsor/robot.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double right_angle = std::numbers::pi / 2;

struct TextbookTask {
  const char* robot;
  ShortTask task;
};

double apart_by_turns(const JointChain& chain, std::span<const double> a, std::span<const double> b) {
  double by = 0;
  for (std::size_t k = 0; k < chain.slides.size(); ++k)
    by = std::max(by, std::abs(chain.slides[k] ? a[k] - b[k] : std::remainder(a[k] - b[k], 4 * right_angle)));
  return by;
}

}  // namespace

TEST_CASE("textbook arms of two to four joints are solved in closed form, with the solutions of the general form") {
  for (const TextbookTask& each : {TextbookTask{"two_link", ShortTask::pose},
                                   {"two_link", ShortTask::place},
                                   {"two_link", ShortTask::place_and_axis},
                                   {"scara", ShortTask::pose},
                                   {"articulated3", ShortTask::pose},
                                   {"articulated3", ShortTask::place},
                                   {"spherical3", ShortTask::place}}) {
    const char* const name = each.robot;
    const ShortTask task = each.task;
    CAPTURE(std::string(name));
    CAPTURE(static_cast<int>(task));
    const Robot robot = Robot::load(name);
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    const auto arm = ShortArm::of(*chain, task);
    REQUIRE(arm);
    REQUIRE(arm->is_closed_form());
    Random random(31);
    int regular = 0, none = 0;
    for (int k = 0; k < draws(60); ++k) {
      std::vector<double> q;
      for (const bool slides : chain->slides) {
        double x = random.uniform(-3.1, 3.1);
        const int kind = k % 3 == 1 && !slides ? random.below(4) : 3;
        if (kind < 2) x = right_angle * (random.below(4) - 1);
        if (kind == 1) x += std::pow(10.0, random.uniform(-15, -3));
        q.push_back(slides ? x * chain->size / 3 : x);
      }
      Transform<double> X = chain->tool_pose(q);
      const bool drawn_place = k % 3 == 2;
      if (drawn_place) X.p = random.vector(1.2 * chain->size);
      CAPTURE(k);
      ShortSolutions found, general;
      arm->solve(X, found);
      arm->solve_general(X, general);
      double sigma = 1;
      for (const ShortSolution& s : found.all()) {
        sigma = std::min(sigma, s.sigma);
        CHECK(s.position_residual < 1e-11 * chain->size);
        CHECK(s.angle_residual < 1e-11);
      }
      none += found.count == 0;
      // of a curve of solutions one stands for all, of which the six joints have several
      const auto is_one_of_curve = [&](const ShortSolution& s) {
        return std::ranges::any_of(found.all(), [&](const ShortSolution& other) {
          std::vector<double> middle;
          for (std::size_t i = 0; i < q.size(); ++i)
            middle.push_back(s.q[i] + 0.5 * (chain->slides[i] ? other.q[i] - s.q[i]
                                                              : std::remainder(other.q[i] - s.q[i], 4 * right_angle)));
          return s.sigma < 1e-6 && other.sigma < 1e-6 && norm(chain->tool_pose(middle).p - X.p) < 1e-6 * chain->size;
        });
      };
      for (const ShortSolution& s : general.all())
        CHECK((is_one_of_curve(s) || std::ranges::any_of(found.all(), [&](const ShortSolution& other) {
                 return apart_by_turns(*chain, s.q, other.q) < std::max(1e-7, 1e-12 / s.sigma);
               })));
      if (sigma < 1e-4) continue;  // of curves of solutions each has members of its own
      ++regular;
      CHECK(found.count == general.count);
      for (const ShortSolution& s : general.all())
        CHECK(std::ranges::count_if(found.all(), [&](const ShortSolution& other) {
                return apart_by_turns(*chain, s.q, other.q) < 1e-7;
              }) == 1);
      if (!drawn_place)
        CHECK(std::ranges::any_of(found.all(),
                                  [&](const ShortSolution& s) { return apart_by_turns(*chain, s.q, q) < 1e-7; }));
    }
    CHECK(regular > 30);
    CHECK((task == ShortTask::pose || none > 3 || std::string(name) == "spherical3"));
  }
}

TEST_CASE("a stretched arm reaches the place that it is stretched to") {
  const Robot robot = Robot::load("two_link");
  const auto chain = joint_chain(robot.model(), robot.tool());
  REQUIRE(chain);
  const auto arm = ShortArm::of(*chain, ShortTask::place);
  REQUIRE(arm);
  Random random(32);
  for (int k = 0; k < 40; ++k) {
    const double q1 = random.uniform(-3, 3);
    ShortSolutions found;
    arm->solve(chain->tool_pose(std::vector<double>{q1, 0}), found);
    REQUIRE(found.count == 1);
    CHECK(std::abs(std::remainder(found.solution[0].q[0] - q1, 4 * right_angle)) < 1e-6);
  }
}

TEST_CASE("arms whose equations do not part are left to the general form") {
  // an offset along axis 2 and a twist: neither height nor length is free of joint 2
  const std::array<Transform<double>, 4> B{Transform<double>{},
                                           {rotation_x(1.0), {0.3, 0.1, 0.2}},
                                           {rotation_x(0.7), {0.4, 0, 0.1}},
                                           {rotation_x(0.2), {0.3, 0.1, 0}}};
  const std::array<bool, 3> slides{};
  CHECK(!FewJoints::of(B, slides));
  CHECK(FewJoints::of(std::span(B).first(3), std::span<const bool>(slides).first(2)));
}
