#include "torsor/closed_form_ik/wrist_family.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/closed_form_ik/describe_branch.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

Witness rotary(Limits fourth, Limits sixth) {
  Description robot = without_limits("rotary_hollerbach");
  robot.links[3].limits = fourth;
  robot.links[5].limits = sixth;
  return witness(robot);
}

Limits between(double lower, double upper) {
  Limits limits;
  limits.lower = lower;
  limits.upper = upper;
  return limits;
}

/// The first branch of the pose whose wrist is singular.
IkBranch singular(const WristArm& arm, const Transform<double>& X) {
  for (const IkAnswer answer = solve_position(arm, X); const IkBranch& b : answer.branches())
    if (b.wrist_sign != 0) return b;
  FAIL("no branch has a singular wrist");
  return {};
}

bool inside(const IkBranch& b) {
  return std::ranges::all_of(b.beyond_limits, [](double x) { return x == 0; });
}

}  // namespace

TEST_CASE("of a singular wrist's family a member inside the limits is given, if there is one") {
  const Joints q{0.3, -0.5, 0.4, 0.9, 0, 1.1};
  // the member with q4 = 0 would need q6 = 2
  Witness w = rotary(between(-1.5, 1.5), between(-1.2, 1.2));
  const Transform<double> X = w.tool(q);
  const IkBranch b = singular(w.arm, X);
  CHECK(inside(b));
  CHECK(b.q[3] == doctest::Approx(0.8).epsilon(1e-12));  // the nearest to 0 that will do
  CHECK(b.q[5] == doctest::Approx(1.2).epsilon(1e-12));
  CHECK(apart(w.tool(b.q), X) < 1e-12);
  // cosines and sines, which rates are made of, are those of the member
  CHECK(std::abs(std::remainder(std::atan2(b.s[3], b.c[3]) - w.arm.joint[3].theta - b.q[3], 2 * std::numbers::pi)) <
        1e-12);
  CHECK(describe(w.arm, b).find("inside the limits q4 is between 0.8 and 1.5") != std::string::npos);

  IkBranch near = b;
  const WristFamily family = choose_member(w.arm, 1.3, near);
  CHECK(family.inside);
  CHECK(near.q[3] == doctest::Approx(1.3));
  CHECK(near.q[5] == doctest::Approx(0.7));
  CHECK(apart(w.tool(near.q), X) < 1e-12);
  choose_member(w.arm, 9, near);
  CHECK(near.q[3] == doctest::Approx(1.5));
}

TEST_CASE("a member a whole turn away will do where none is nearer") {
  Witness w = rotary(between(0, 6.2), between(-0.5, 0.5));
  const Transform<double> X = w.tool({0.3, -0.5, 0.4, -0.6, 0, 0});
  IkBranch b = singular(w.arm, X);
  for (const double wanted : {-1.0, 0.2, 7.0}) {
    const WristFamily family = choose_member(w.arm, wanted, b);
    const double from = 2 * std::numbers::pi - 1.1;
    CHECK(family.inside);
    CHECK(family.from == doctest::Approx(from));
    CHECK(b.q[3] == doctest::Approx(wanted > 6 ? from + 1 : from));
    CHECK(apart(w.tool(b.q), X) < 1e-12);
  }
}

TEST_CASE("where no member is inside the limits it is told by how much") {
  Witness w = rotary(between(-0.3, 0.3), between(-1.2, 1.2));
  const Transform<double> X = w.tool({0.3, -0.5, 0.4, 0.9, 0, 1.1});
  const IkBranch b = singular(w.arm, X);
  CHECK(b.q[3] == doctest::Approx(0.3));
  CHECK(b.beyond_limits[5] == doctest::Approx(0.5));
  CHECK(apart(w.tool(b.q), X) < 1e-12);
  CHECK(describe(w.arm, b).find("no member of the family is inside the limits") != std::string::npos);
}

TEST_CASE("families are chosen among whole turns, one-sided limits, and none at all") {
  Random random(3);
  for (int draw = 0; draw < 200; ++draw) {
    const auto limits = [&]() -> Limits {
      const double from = random.uniform(-7, 5), to = from + random.uniform(0.1, 8);
      const int kind = random.below(4);
      return between(kind == 1 || kind == 3 ? -inf : from, kind == 2 || kind == 3 ? inf : to);
    };
    const Limits fourth = limits(), sixth = limits();
    Witness w = rotary(fourth, sixth);
    const Joints q{0.3, -0.5, 0.4, random.uniform(-3, 3), 0, random.uniform(-3, 3)};
    const Transform<double> X = w.tool(q);
    IkBranch b = singular(w.arm, X);
    const double wanted = random.uniform(-8, 8);
    const WristFamily family = choose_member(w.arm, wanted, b);
    CHECK(apart(w.tool(b.q), X) < 1e-11);
    CHECK(family.inside == inside(b));
    // by trial: the nearest of many members that are inside
    double nearest = inf;
    for (int k = -10000; k <= 10000; ++k) {
      const double a = k * 2e-3;
      if (a < fourth.lower || a > fourth.upper) continue;
      for (int turns = -6; turns <= 6; ++turns) {
        const double c = b.wrist_sign * (b.wrist_sum + 2 * std::numbers::pi * turns - a);
        if (c >= sixth.lower && c <= sixth.upper) nearest = std::min(nearest, std::abs(a - wanted));
      }
    }
    CAPTURE(draw);
    if (std::isfinite(nearest)) {
      CHECK(family.inside);
      CHECK(std::abs(b.q[3] - wanted) <= nearest + 1e-9);
      CHECK(std::abs(b.q[3] - wanted) >= nearest - 2.1e-3);
    }
  }
}

TEST_CASE("behind three parallel axes members of the family are chosen inside the limits, forwards and backwards") {
  Random random(11);
  int narrow = 0;
  for (int draw = 0; draw < 60; ++draw) {
    const bool backwards = draw % 2;
    // senses of the parallel axes, and bars that may be written with a minus
    const double second = random.chance(0.5) ? 0 : pi, third = random.chance(0.5) ? 0 : pi;
    const double a2 = random.either_sign(0.3, 0.5), a3 = random.either_sign(0.3, 0.5);
    std::array<DhRow, 6> rows{DhRow{0.2, 0.1, 0, quarter}, DhRow{-0.4, 0, a2, second},  DhRow{0.3, 0, a3, third},
                              DhRow{0.6, 0.1, 0, quarter}, DhRow{0, 0.09, 0, -quarter}, DhRow{-0.7, 0.08, 0, 0}};
    if (backwards) {
      const std::array<DhRow, 6> forwards = rows;
      for (std::size_t k = 0; k < 6; ++k) {
        rows[k] = {-forwards[5 - k].theta, -forwards[5 - k].d, 0, 0};
        if (k == 5) continue;
        rows[k].a = -forwards[4 - k].a;
        rows[k].alpha = -forwards[4 - k].alpha;
      }
    }
    Description robot = robot_of(random, "RRRRRR", rows);
    Joints q;
    for (std::size_t k = 0; k < 6; ++k) {
      q[k] = random.uniform(-2, 2);
      robot.links[k].limits = between(q[k] - 0.4, q[k] + 0.4);
    }
    q[backwards ? 1 : 4] = draw % 4 < 2 ? 0 : pi;
    robot.links[backwards ? 1 : 4].limits = {};
    auto w = witness_of(robot, parallel_arm(robot));
    REQUIRE(w.arm.backwards == backwards);
    const Transform<double> X = w.tool(q);
    const std::size_t free = free_joint(w.arm);
    double best = inf;
    CAPTURE(draw);
    for (const IkAnswer answer = solve_position(w.arm, X); const IkBranch& given : answer.branches()) {
      if (given.wrist_sign == 0) continue;
      // the sum that is told is the one of the joints that the pose was made of
      const std::array<int, 6> signs = determined_sum(w.arm, given);
      double sum = 0;
      for (std::size_t k = 0; k < 6; ++k) sum += signs[k] * q[k];
      if (std::abs(std::remainder(given.q[backwards ? 5 : 0] - q[backwards ? 5 : 0], 2 * pi)) > 1e-9) continue;
      CHECK(std::abs(std::remainder(sum - given.wrist_sum, 2 * pi)) < 1e-9);
      IkBranch b = given;
      const WristFamily family = choose_member(w.arm, q[free], b);
      CHECK(apart(w.tool(b.q), X) < 1e-10);
      if (!family.inside) continue;
      CHECK(inside(given));
      CHECK(inside(b));
      CHECK(family.from <= b.q[free]);
      CHECK(family.to >= b.q[free]);
      double off = 0;
      for (std::size_t k = 0; k < 6; ++k) off = std::max(off, std::abs(std::remainder(b.q[k] - q[k], 2 * pi)));
      best = std::min(best, off);
      // both ends are members, and a little farther there is none
      for (const double end : {family.from, family.to}) {
        IkBranch last = b;
        choose_member(w.arm, end, last);
        CHECK(last.q[free] == doctest::Approx(end).epsilon(1e-9));
        CHECK(apart(w.tool(last.q), X) < 1e-10);
      }
      IkBranch beyond = b;
      choose_member(w.arm, family.to + 1e-3, beyond);
      narrow += std::abs(beyond.q[free] - family.to) < 1e-9;
    }
    CHECK(best < 1e-6);
  }
  CHECK(narrow > 50);
}
