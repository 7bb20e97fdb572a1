// Arms with three parallel axes: every pose comes back, on singular sets too, and other arms are refused.
#include "torsor/closed_form_ik/parallel_arm.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/parallel_arms.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/model/dh_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using ParallelWitness = WitnessOf<ParallelArm>;

ParallelWitness parallel(const Description& robot) { return witness_of(robot, parallel_arm(robot)); }

/// Any distance from a singular set, from a milliradian down to rounding.
double aside(Random& random) { return random.either_sign(1, 10) * std::pow(10, random.uniform(-15, -4)); }

void check_arms(std::uint64_t seed, const auto& make, int arms = 100, int poses = 100) {
  Random random(seed);
  RoundTrip trip;
  for (int k = 0; k < draws(arms); ++k) {
    ParallelWitness w = parallel(make(random));
    if (!w.arm.snaps.empty()) continue;  // drawn within the tolerance of something special: another robot than the tree
    for (int i = 0; i < poses; ++i) trip.at(w, random_joints(random, w.arm));
  }
  CHECK(trip.branches > 3 * trip.poses);
  trip.check();
}

}  // namespace

TEST_CASE("the arms that are sold come back from every pose") {
  for (const auto& lengths : sold)
    check_arms(
        1, [&](Random& random) { return universal(random, lengths); }, 1, 10000);
  check_arms(
      2, [](Random&) { return without_limits("ur5"); }, 1, 10000);
}

TEST_CASE("arms with any offsets come back, right-angled and oblique, forwards and backwards") {
  for (const bool is_oblique : {false, true})
    for (const bool backwards : {false, true}) {
      CAPTURE(is_oblique);
      CAPTURE(backwards);
      check_arms(3, [&](Random& random) {
        const auto rows = any_parallel(random, is_oblique);
        return robot_of(random, "RRRRRR", backwards ? turned_round(rows) : rows);
      });
    }
}

TEST_CASE("at and beside the singularities of three parallel axes every answer has its status") {
  Random random(4);
  std::vector<ParallelWitness> arms{parallel(without_limits("ur5")), parallel(universal(random, sold[2])),
                                    parallel(robot_of(random, "RRRRRR", any_parallel(random, false)))};
  constexpr std::size_t one_at_a_time = 6;
  int doubly = 0, missed = 0;
  for (ParallelWitness& w : arms) {
    const auto theta = [&](int i) { return w.arm[i].theta; };
    // joint 2 so that the point of axes 5 and 6 lies in the plane of axes 1 and 2
    const auto over_axis = [&](Joints& q) {
      double low = 0, high = 0;
      const auto across = [&](double x) {
        q[1] = x;
        Transform<double> X;
        for (int i = 1; i <= 5; ++i)
          advance(w.arm, i, std::cos(theta(i) + q[static_cast<std::size_t>(i - 1)]),
                  std::sin(theta(i) + q[static_cast<std::size_t>(i - 1)]), w.arm[i].d, X);
        return std::cos(theta(1) + q[0]) * X.p.x + std::sin(theta(1) + q[0]) * X.p.y;
      };
      // a bracket, then halves; where joint 2 does not lead there, another arm pose is tried
      for (double x = -pi; x < pi; x += 0.1)
        if ((across(x) > 0) != (across(x + 0.1) > 0)) {
          low = x;
          high = x + 0.1;
        }
      if (low == high) return false;
      const bool sign = across(low) > 0;
      for (int i = 0; i < 60; ++i) ((across((low + high) / 2) > 0) == sign ? low : high) = (low + high) / 2;
      q[1] = low;
      return true;
    };
    const std::vector<std::function<void(Joints&, double)>> sets{
        [&](Joints& q, double by) { q[4] = by - theta(5); },
        [&](Joints& q, double by) { q[4] = pi + by - theta(5); },
        [&](Joints& q, double by) { q[2] = by - theta(3); },
        [&](Joints& q, double by) { q[2] = pi + by - theta(3); },
        [&](Joints& q, double by) { q[2] = q[4] = by - theta(5); },
        [&](Joints& q, double by) {
          while (!over_axis(q)) q = random_joints(random, w.arm);
          q[1] += by;
        },
        // two at once: the shoulder, which leaves joint 1 uncertain, with the bars stretched, or with the wrist
        [&](Joints& q, double by) {
          do {
            q = random_joints(random, w.arm);
            q[2] = by - theta(3);
          } while (!over_axis(q));
          q[1] += aside(random);
        },
        [&](Joints& q, double by) {
          do {
            q = random_joints(random, w.arm);
            q[4] = by - theta(5);
          } while (!over_axis(q));
          q[1] += aside(random);
        },
    };
    for (std::size_t set = 0; set < sets.size(); ++set)
      for (int k = -1; k < 26; ++k) {
        const double by = k < 0 ? 0 : (k % 2 ? -1 : 1) * std::pow(10, -3 - k / 2);
        CAPTURE(set);
        CAPTURE(by);
        for (int i = 0; i < draws(20); ++i) {
          Joints q = random_joints(random, w.arm);
          sets[set](q, by);
          const Transform<double> X = w.tool(q);
          const IkAnswer answer = solve_position(w.arm, X);
          const bool two_at_once = set >= one_at_a_time;
          if (!two_at_once) REQUIRE(answer.status == PoseStatus::solved);
          bool told = answer.count == 0, found = false;
          for (const IkBranch& b : answer.branches()) {
            REQUIRE(all_finite(b));
            CHECK(apart(w.tool(b.q), X) < 1e-10);
            told = told || b.status == IkStatus::singular || b.status == IkStatus::near_singular;
            // errors of the pose grow by the inverse of each factor in turn
            const double known = 1e-14 / (b.factor[0] * b.factor[1] * b.factor[2]);
            found = found || b.status == IkStatus::singular || apart_modulo_turns(w.arm, b.q, q) < known;
            for (const IkBranch& other : answer.branches())
              CHECK((&b <= &other || apart_modulo_turns(w.arm, b.q, other.q) > 1e-9));
          }
          CHECK(told);
          if (!two_at_once) CHECK(found);
          doubly += two_at_once ? 1 : 0;
          missed += two_at_once && !found ? 1 : 0;
        }
      }
  }
  // of 324 000 such draws 23 are out of reach by 1e-12 m to 1e-10 m, or have other positions of the pose as answers
  CHECK(missed <= doubly / 5000);
}

TEST_CASE("oblique wrists at any distance from singular let stretched and folded bars reach") {
  // theta_5 is the root of what W says of it there, and moves psi: less than half of the digits are left
  Random random(12);
  int poses = 0, missed = 0;
  for (int k = 0; k < draws(100); ++k) {
    ParallelWitness w = parallel(robot_of(random, "RRRRRR", any_parallel(random, true)));
    if (!w.arm.snaps.empty()) continue;
    for (int i = 0; i < 30; ++i) {
      Joints q = random_joints(random, w.arm);
      q[2] = (i % 2 ? pi : 0) - w.arm[3].theta;
      q[4] = (i % 4 < 2 ? pi : 0) - w.arm[5].theta + random.either_sign(1, 1) * std::pow(10, -random.uniform(3, 13));
      const Transform<double> X = w.tool(q);
      const IkAnswer answer = solve_position(w.arm, X);
      // the shoulder singular besides is another matter
      if ((answer.count > 0 ? answer.branch[0] : answer.nearest).factor[0] < 1e-3) continue;
      bool found = false;
      for (const IkBranch& b : answer.branches()) {
        CHECK(apart(w.tool(b.q), X) < 1e-10);
        // within 1e-12 of singular theta_5 is off by the root of that, and the elbow by the root again
        found = found || apart_modulo_turns(w.arm, b.q, q) < (b.singular[2] ? 0.1 : 1e-2);
        for (const IkBranch& other : answer.branches())
          CHECK((&b <= &other || apart_modulo_turns(w.arm, b.q, other.q) > 1e-9));
      }
      ++poses;
      missed += found ? 0 : 1;
    }
  }
  CHECK(poses > 1000);
  CHECK(missed <= poses / 5000);
}

TEST_CASE("with axis 6 along axes 2 to 4 the whole family is told") {
  ParallelWitness w = parallel(without_limits("ur5"));
  Random random(5);
  for (int i = 0; i < draws(100); ++i) {
    Joints q = random_joints(random, w.arm);
    q[4] = i % 2 ? 0 : pi;
    const Transform<double> X = w.tool(q);
    for (const IkAnswer answer = solve_position(w.arm, X); const IkBranch& b : answer.branches()) {
      if (!b.singular[2]) continue;
      CHECK(b.free == std::array<bool, 6>{false, false, false, false, false, true});
      const double sum = b.q[1] + b.q[2] + b.q[3] + b.wrist_sign * b.q[5];
      CHECK(std::remainder(sum - b.wrist_sum, 2 * pi) == doctest::Approx(0).epsilon(1e-12));
      // the drawn position belongs to the family of its own shoulder
      if (std::abs(std::remainder(b.q[0] - q[0], 2 * pi)) > 1e-6) continue;
      CHECK(std::abs(std::remainder(q[1] + q[2] + q[3] + b.wrist_sign * q[5] - b.wrist_sum, 2 * pi)) < 1e-12);
    }
  }
}

TEST_CASE("points out of reach are told with the distance, and nothing is not a number") {
  Random random(6);
  std::vector<ParallelWitness> arms{parallel(without_limits("ur5")), parallel(universal(random, sold[3])),
                                    parallel(robot_of(random, "RRRRRR", any_parallel(random, false))),
                                    parallel(robot_of(random, "RRRRRR", any_parallel(random, true)))};
  int beyond = 0;
  for (ParallelWitness& w : arms)
    for (int i = 0; i < draws(800, 40'000); ++i) {
      Transform<double> X = random.transform(1);
      X.p = X.p * std::pow(10, random.uniform(-20, 5));
      const IkAnswer answer = solve_position(w.arm, X);
      for (const IkBranch& b : answer.branches()) {
        REQUIRE(all_finite(b));
        CHECK(apart(w.tool(b.q), X) < 1e-10);
      }
      if (answer.status == PoseStatus::solved) continue;
      REQUIRE(all_finite(answer.nearest));
      CHECK(answer.count == 0);
      CHECK(answer.short_by > 0);
      if (answer.status != PoseStatus::unreachable || answer.nearest.angle_residual > 1e-9) continue;
      ++beyond;
      CHECK(norm(w.tool(answer.nearest.q).p - X.p) == doctest::Approx(answer.short_by).epsilon(1e-6));
    }
  CHECK(beyond > 100);
  Transform<double> X;
  X.p.x = std::numeric_limits<double>::quiet_NaN();
  CHECK(solve_position(arms[0].arm, X).status == PoseStatus::not_a_pose);
}

TEST_CASE("limits hold for arms with parallel axes, too") {
  Description robot = shipped_robot("ur5");
  for (LinkDescription& l : robot.links) l.limits = {.lower = 0.5, .upper = 0.5 + 2 * pi};
  robot.links[2].limits = {.lower = 0, .upper = 3};
  ParallelWitness w = parallel(robot);
  Random random(7);
  int outside = 0;
  for (int i = 0; i < 100; ++i) {
    Joints q = random_joints(random, w.arm);
    for (const IkAnswer answer = solve_position(w.arm, w.tool(q)); const IkBranch& b : answer.branches())
      for (std::size_t k = 0; k < 6; ++k) {
        const Limits& limits = w.model.limits[k];
        const double beyond = std::min(0.0, b.q[k] - limits.lower) + std::max(0.0, b.q[k] - limits.upper);
        CHECK(b.beyond_limits[k] == doctest::Approx(beyond));
        outside += beyond != 0;
        CHECK((beyond == 0 || k == 2));
        CHECK((beyond == 0 || b.status == IkStatus::outside_limits || b.status == IkStatus::singular));
      }
  }
  CHECK(outside > 0);
}

TEST_CASE("other arms are refused with the reason, and tilted axes as the tolerance says") {
  CHECK(contains(first_fault(parallel_arm(shipped_robot("puma560"))), "axes 3 and 4 are 1.57 rad from parallel"));
  CHECK(contains(first_fault(parallel_arm(shipped_robot("stanford"))), "joint 3 is prismatic"));
  CHECK(contains(first_fault(parallel_arm(shipped_robot("iiwa14"))), "it has 7 joints"));
  Description robot = without_limits("ur5");
  dh_row(robot, 4).a = 0.01;
  CHECK(contains(first_fault(parallel_arm(robot)), "axes 5 and 6 pass at 0.01 m"));
  dh_row(robot, 4).a = 0;
  dh_row(robot, 1).a = 0;
  CHECK(contains(first_fault(parallel_arm(robot)), "axes 2 and 3 fall together"));

  for (const double tilt : {1e-3, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15}) {
    CAPTURE(tilt);
    Description tilted = without_limits("ur5");
    dh_row(tilted, 2).alpha += tilt;
    if (tilt > 1e-5) {
      CHECK(contains(first_fault(parallel_arm(tilted)), "axes 3 and 4 are 0.00"));
      continue;
    }
    ParallelWitness w = parallel(tilted);
    CHECK(w.arm.snaps.size() == (tilt < 1e-14 ? 0u : 1u));
    Random random(8);
    for (int i = 0; i < 100; ++i) {
      const Joints q = random_joints(random, w.arm);
      CHECK(apart(tool_pose(w.arm, q), w.tool(q)) < 3 * tilt + 1e-14);
    }
  }
}

TEST_CASE("the same arm by placements is solved like the table") {
  const Description table = without_limits("ur5");
  const auto placed = to_placements(table);
  REQUIRE(placed);
  ParallelWitness a = parallel(table), b = parallel(*placed);
  Random random(9);
  for (int i = 0; i < 200; ++i) {
    const Transform<double> X = a.tool(random_joints(random, a.arm));
    const IkAnswer one = solve_position(a.arm, X), other = solve_position(b.arm, X);
    REQUIRE(one.count == other.count);
    for (const IkBranch& x : one.branches())
      CHECK(std::ranges::any_of(other.branches(),
                                [&](const IkBranch& y) { return apart_modulo_turns(a.arm, x.q, y.q) < 1e-9; }));
  }
}
