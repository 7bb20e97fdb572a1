// Poses that arms stand in are never out of reach, with several factors of det J zero at once, or nearly, and with the lengths
// of an arm as equal and its twists as special or oblique as can be.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/closed_form_ik/parallel_arms.hpp"
#include "tests/closed_form_ik/random_arms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Lengths that are zero or one of two, twists of quarter turns or any: what falls together in arms that are built.
Description special_arm(Random& random, bool is_parallel) {
  const double one = random.uniform(0.1, 0.6), other = random.uniform(0.05, 0.3);
  const auto length = [&] {
    const int k = random.below(6);
    return k < 2 ? 0 : k == 2 ? one : k == 3 ? -one : k == 4 ? other : random.either_sign(0.02, 0.5);
  };
  const auto theta = [&] { return random.chance(0.5) ? 0 : random.chance(0.3) ? quarter : random.uniform(-3, 3); };
  const auto oblique = [&] { return random.either_sign(0.3, 2.8); };
  const auto twist = [&] {
    const int k = random.below(6);
    return k == 0 ? 0 : k == 1 ? pi : k == 2 ? quarter : k == 3 ? -quarter : oblique();
  };
  const auto straight = [&] { return random.chance(0.5) ? 0 : pi; };
  std::array<DhRow, 6> rows;
  for (DhRow& row : rows) row = {theta(), length(), length(), twist()};
  std::string kinds = "RRRRRR";
  if (is_parallel) {
    rows[1].alpha = straight();
    rows[2].alpha = straight();
    rows[1].a = random.chance(0.5) ? one : -other;
    rows[2].a = random.chance(0.5) ? one : other;
    rows[4].a = 0;
    if (random.chance(0.5)) rows[0].alpha = quarter;
    for (const std::size_t i : {0, 3, 4})
      if (std::sin(rows[i].alpha) < 0.1 && std::sin(rows[i].alpha) > -0.1) rows[i].alpha = oblique();
  } else {
    rows[3].a = rows[4].a = rows[4].d = 0;
    rows[3].alpha = random.chance(0.7) ? oblique() : quarter;
    rows[4].alpha = random.chance(0.3) ? -rows[3].alpha : oblique();
    if (random.chance(0.5)) rows[0].alpha = quarter, rows[1].alpha = straight();
    for (std::size_t i = 0; i < 3; ++i)
      if (random.chance(0.15)) kinds[i] = 'P';
  }
  const bool backwards = random.chance(0.3);
  if (!backwards) return robot_of(random, kinds, rows);
  return robot_of(random, std::string(kinds.rbegin(), kinds.rend()), turned_round(rows));
}

/// Angles at quarter turns of the table or of the joint, beside them, or anywhere.
Joints special_joints(Random& random, const SixAxis& arm) {
  Joints q = random_joints(random, arm);
  for (std::size_t k = 0; k < 6; ++k) {
    const SixAxisJoint& joint = arm.joint[arm.backwards ? 5 - k : k];
    const int how = random.below(5);
    if (how == 0 || (joint.prismatic && how < 4)) continue;
    const double at = joint.prismatic ? 0 : quarter * random.below(4);
    q[k] = at - (how % 2 ? (arm.backwards ? -1 : 1) * joint.theta : 0);
    if (how == 4 && random.chance(0.3)) q[k] += random.either_sign(1, 10) * std::pow(10, random.uniform(-15, -3));
  }
  return q;
}

}  // namespace

TEST_CASE("a joint that a folded arm leaves free is where an oblique wrist, singular besides, just reaches") {
  // the only such place: places tried at intervals miss it
  Random random(4);
  const double l = 0.5145242282331617;
  Witness w = witness(robot_of(random, "RRRRRR",
                               {DhRow{0, 0.35682087093300985, -0.06655030024214934, quarter},
                                {0, 0.1340443322112984, l, 0},
                                {0, 0, 0, quarter},
                                {0, l, 0, 0.8819460532422978},
                                {0, 0, 0, -2.4668079411909134},
                                {0, -0.02845786358000285, -0.18318889103393304, -0.9503437901364062}}));
  for (int i = 0; i < 200; ++i) {
    const Joints q{i % 2 ? pi : random.uniform(-3, 3), random.uniform(-3, 3), -quarter,
                   i % 3 ? 0 : random.uniform(-3, 3),  i % 4 < 3 ? 0 : pi,    random.uniform(-3, 3)};
    const Transform<double> X = w.tool(q);
    const IkAnswer answer = solve_position(w.arm, X);
    CAPTURE(answer.short_by);
    REQUIRE(answer.status == PoseStatus::solved);
    for (const IkBranch& b : answer.branches()) CHECK(apart(w.tool(b.q), X) < 1e-11);
  }
}

TEST_CASE("where arms stand they are in reach, whatever falls together") {
  Random random(3);
  for (const bool is_parallel : {false, true}) {
    CAPTURE(is_parallel);
    int arms = 0, poses = 0, unsolved = 0;
    double worst = 0;
    for (int k = 0; k < draws(1000); ++k) {
      const Description robot = special_arm(random, is_parallel);
      const auto solver = arm_solver(robot);
      if (!solver || !solver->snaps().empty()) continue;
      ++arms;
      const SixAxis& arm = std::visit([](const auto& a) -> const SixAxis& { return a; }, solver->arm);
      WitnessOf<ArmSolver> w{built(robot), *solver};
      for (int i = 0; i < 30; ++i) {
        const Joints q = special_joints(random, arm);
        const Transform<double> X = w.tool(q);
        const IkAnswer answer = solver->position(X);
        ++poses;
        for (const IkBranch& b : answer.branches()) worst = std::max(worst, apart(w.tool(b.q), X));
        if (answer.status == PoseStatus::solved) continue;
        ++unsolved;
        std::string rows;
        for (const LinkDescription& l : robot.links) {
          const DhRow& row = std::get<DhRow>(l.geometry);
          rows += fmt::format("{} {{{}, {}, {}, {}}} ",
                              l.kind == JointKind::prismatic ? "P" : "R", row.theta, row.d, row.a, row.alpha);
        }
        MESSAGE(status_name(answer.status), " by ", answer.short_by,
                fmt::format(": q {}, arm {}", fmt::join(q, ", "), rows));
      }
    }
    CHECK(arms > 100);
    CHECK(poses > 10000);
    CHECK(unsolved == 0);
    CHECK(worst < 1e-10);
  }
}
