#include "torsor/closed_form_ik/representatives.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double turn = 2 * std::numbers::pi;

Description limited(Random& random, Description robot) {
  for (LinkDescription& l : robot.links) {
    const double middle = random.uniform(-4, 4);
    l.limits.lower = middle - random.uniform(0, 12);
    l.limits.upper = middle + random.uniform(0, 12);
  }
  return robot;
}

}  // namespace

TEST_CASE("every whole turn inside the limits is visited, and none twice") {
  Random random(1);
  int some = 0, none = 0;
  for (const ArmKind& kind : {arm_kinds[1], arm_kinds[3], arm_kinds[5]})
    for (int k = 0; k < draws(20); ++k) {
      const Description robot = limited(random, random_arm(random, kind));
      Witness w = witness(robot);
      const IkAnswer answer = solve_position(w.arm, w.tool(random_joints(random, w.arm)));
      for (const IkBranch& b : answer.branches()) {
        // by trial: five turns either way
        double expected = 1;
        for (std::size_t i = 0; i < 6; ++i) {
          const Limits& limits = robot.links[i].limits;
          int inside = 0;
          for (int n = -5; n <= 5; ++n) {
            const double q = b.q[i] + turn * n;
            const bool slides = robot.links[i].kind == JointKind::prismatic;
            if (limits.lower <= q && q <= limits.upper && (!slides || n == 0)) ++inside;
          }
          expected *= inside;
        }
        CHECK(count_representatives(w.arm, b) == expected);
        std::set<Joints> seen;
        for_each_representative(w.arm, b, [&](const Joints& q) {
          CHECK(apart_modulo_turns(w.arm, q, b.q) < 1e-13);
          for (std::size_t i = 0; i < 6; ++i)
            CHECK((robot.links[i].limits.lower <= q[i] && q[i] <= robot.links[i].limits.upper));
          seen.insert(q);
          return true;
        });
        CHECK(static_cast<double>(seen.size()) == expected);
        (expected > 0 ? some : none) += 1;
        // a branch that is outside its limits has no representative inside, and the other way round
        bool outside = false;
        for (const double by : b.beyond_limits) outside = outside || by != 0;
        CHECK(outside == (expected == 0));
      }
    }
  CHECK(some > 0);
  CHECK(none > 0);
}

TEST_CASE("limits of whole turns count at both ends, and a joint without limits once") {
  Description robot = without_limits("rotary_hollerbach");
  robot.links[3].limits.lower = -turn;
  robot.links[3].limits.upper = turn;
  robot.links[5].limits.lower = -turn / 2;
  robot.links[5].limits.upper = turn / 2;
  Witness w = witness(robot);
  IkBranch b = solve_position(w.arm, w.tool({0.1, 0.2, 0.3, 0.4, 0.5, 0.6})).branch[0];
  b.q = {0.1, 0.2, 0.3, 0, 0.5, turn / 2};
  CHECK(count_representatives(w.arm, b) == 3 * 2);
  int visited = 0;
  for_each_representative(w.arm, b, [&](const Joints&) { return ++visited < 4; });
  CHECK(visited == 4);
}
