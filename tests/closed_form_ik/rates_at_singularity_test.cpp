// On the singular sets and from 1e-3 to 1e-15 beside them: what can be followed is, by the least rates, and what cannot
// is told.
#include <doctest/doctest.h>

#include "tests/closed_form_ik/beside_singular.hpp"
#include "tests/closed_form_ik/moving_tool.hpp"
#include "tests/closed_form_ik/random_arms.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Length of joint rates, slides per arm length.
double length_of(const WristArm& arm, const Joints& x) {
  double square = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double rate = arm.joint[arm.backwards ? 5 - i : i].prismatic ? x[i] / arm.size : x[i];
    square += rate * rate;
  }
  return std::sqrt(square);
}

int rank_at(MovingTool& tool, const Joints& q, double tolerance) {
  std::array<double, 36> J = tool.jacobian_at(q), U{};
  std::array<double, 6> S{};
  singular_values<double>(J, 6, 6, U, S);
  return rank_of<double>(S, tolerance);
}

/// The wrist point in the axes of the tool.
Vec3<double> wrist_in_tool(const Witness& w, const Transform<double>& X) {
  return w.arm.backwards ? ~X * inverse(w.arm.X_flange_tool).p : inverse(w.arm.X_flange_tool).p;
}

void check_singular(Random& random, Witness& w, MovingTool& tool, const IkBranch& b) {
  const auto followed = [&](const JointRates& rates, const Vec3<double>& point) {
    return tool.at(b.q, rates.qd, rates.qdd, point);
  };
  const Vec3<double> point = random.vector(0.3);

  // any motion: what the joints do and what is missed make up what was asked
  ToolMotion asked{{random.vector(1), random.vector(1)}, {random.vector(1), random.vector(1)}, point};
  JointRates rates = solve_rates(w.arm, b, asked);
  CHECK(rates.status == RateStatus::singular);
  CHECK(rates.factor == 0);
  ToolMotion done = followed(rates, point);
  CHECK(apart(done.twist + rates.missed_twist, asked.twist) < 1e-6 * (1 + largest(rates.qd)));
  CHECK(apart(done.acceleration + rates.missed_acceleration, asked.acceleration) <
        1e-6 * (1 + largest(rates.qdd) + largest(rates.qd) * largest(rates.qd)));

  // the parts that are only near their singular sets magnify rounding
  double kept = 1;
  for (std::size_t i = 0; i < 3; ++i)
    if (!b.singular[i]) kept = std::min(kept, b.factor[i]);
  const double digits = 1e-5 + 1e-14 / kept;

  // velocities and accelerations from rest that some joint rates make are followed, by rates that are no greater
  const Joints qd = random_rates(random, 1), qdd = random_rates(random, 1);
  rates = solve_rates(w.arm, b, tool.at(b.q, qd, {}, point));
  CHECK(apart(rates.missed_twist, {}) < 1e-5);
  CHECK(length_of(w.arm, rates.qd) <= length_of(w.arm, qd) + digits);
  rates = solve_rates(w.arm, b, tool.at(b.q, {}, qdd, point));
  CHECK(apart(rates.missed_acceleration, {}) < 1e-5);
  CHECK(length_of(w.arm, rates.qdd) <= length_of(w.arm, qdd) + digits);

  // as many motions are lost as the rank of J says; asked for, they are missed and no joint moves
  const LostMotions lost = lost_motions(w.arm, b);
  CHECK(lost.count >= 6 - rank_at(tool, b.q, 1e-13));
  CHECK(lost.count <= 6 - rank_at(tool, b.q, 1e-5));
  const Vec3<double> wrist = wrist_in_tool(w, w.tool(b.q));
  for (std::size_t k = 0; k < static_cast<std::size_t>(lost.count); ++k) {
    rates = solve_rates(w.arm, b, {lost.lost[k], {}, wrist});
    CHECK(std::abs(norm(lost.lost[k].w) + norm(lost.lost[k].v) - 1) < 1e-14);
    CHECK(largest(rates.qd) < 1e-9);
    CHECK(apart(rates.missed_twist, lost.lost[k]) < 1e-9);
    // the idle motion leaves the tool where it is
    const ToolMotion still = tool.at(b.q, lost.idle[k], {});
    CHECK(apart(still.twist, {}) < 1e-5);
    CHECK(largest(lost.idle[k]) == 1);
    for (std::size_t i = 0; i < 6; ++i) CHECK((lost.involved[i] || std::abs(lost.idle[k][i]) < 1e-9));
  }
}

struct Met {
  int singular = 0, regular = 0;
};

/// Every branch of a pose: singular ones as above, regular ones however near.
void check_pose(Random& random, Witness& w, MovingTool& tool, const Transform<double>& X, Met& met) {
  const IkAnswer answer = solve_position(w.arm, X);
  for (const IkBranch& b : answer.branches()) {
    if (b.status == IkStatus::singular) {
      ++met.singular;
      check_singular(random, w, tool, b);
      continue;
    }
    ++met.regular;
    const Joints qd = random_rates(random, 1), qdd = random_rates(random, 1);
    const JointRates rates = solve_rates(w.arm, b, tool.at(b.q, qd, {}));
    const double condition = tool.condition(b.q);
    CHECK(difference(rates.qd, qd) < 1e-9 * condition);
    CHECK(difference(solve_rates(w.arm, b, tool.at(b.q, {}, qdd)).qdd, qdd) < 1e-9 * condition);
    CHECK(std::isfinite(largest(rates.qdd)));
    CHECK(rates.status == (rates.factor < near_singular_factor ? RateStatus::near_singular : RateStatus::ok));
    CHECK(lost_motions(w.arm, b).count == 0);
  }
}

template <class Place>
Met check_rates_beside(std::uint64_t seed, Witness& w, const Place& place) {
  Random random(seed);
  MovingTool tool(w.model);
  Met met;
  visit_beside(random, w.arm, 5, place, [&](const Joints& q) { check_pose(random, w, tool, w.tool(q), met); });
  CHECK(met.singular > 0);
  CHECK(met.regular > 0);
  return met;
}

}  // namespace

TEST_CASE("at and beside the singularities of the rotary arm all that can be followed is") {
  Witness w = witness(without_limits("rotary_hollerbach"));
  check_rates_beside(1, w, [](Joints& q, double by) { q[4] = by; });
  check_rates_beside(2, w, [](Joints& q, double by) { q[4] = pi + by; });
  check_rates_beside(3, w, [](Joints& q, double by) { q[2] = quarter + by; });
  check_rates_beside(4, w, [](Joints& q, double by) { q[2] = -quarter + by; });
  // the wrist over the waist: a2 c2 = s4 s23
  check_rates_beside(5, w, [](Joints& q, double by) {
    q[2] = std::remainder(q[2], 1.2);
    q[1] = std::atan2(0.43 - 0.47 * std::sin(q[2]), 0.47 * std::cos(q[2])) + by;
  });
  // all of them at once
  check_rates_beside(6, w, [](Joints& q, double by) {
    q[1] = quarter + by;
    q[2] = -quarter - by;
    q[4] = by;
  });
}

TEST_CASE("at and beside the singularities of the PUMA all that can be followed is") {
  Witness w = witness(without_limits("puma560"));
  const double stretched = std::atan2(0.0203, 0.4318);
  check_rates_beside(7, w, [](Joints& q, double by) { q[4] = by; });
  check_rates_beside(8, w, [&](Joints& q, double by) { q[2] = -quarter + stretched + by; });
  check_rates_beside(9, w, [](Joints& q, double by) {
    q[2] = std::remainder(q[2], 1.2);
    const double c = 0.4318 + 0.0203 * std::cos(q[2]) - 0.4318 * std::sin(q[2]);
    const double s = 0.0203 * std::sin(q[2]) + 0.4318 * std::cos(q[2]);
    q[1] = std::atan2(c, s) + by;
  });
}

TEST_CASE("at and beside the singularities of the Stanford arm all that can be followed is") {
  Witness w = witness(without_limits("stanford"));
  check_rates_beside(11, w, [](Joints& q, double by) { q[4] = by; });
  // the wrist point on axis 2, the boom upright
  check_rates_beside(12, w, [](Joints& q, double by) { q[2] = -0.6 + by; });
  check_rates_beside(13, w, [](Joints& q, double by) { q[1] = by; });
}

TEST_CASE("with its wrist singular every kind of arm follows what it can") {
  for (const ArmKind& kind : arm_kinds) {
    CAPTURE(kind.what);
    Random random(14);
    for (int k = 0; k < 4; ++k) {
      Witness w = witness(random_arm(random, kind));
      const std::size_t five = w.arm.backwards ? 1 : 4;
      const double zero = (w.arm.backwards ? 1 : -1) * w.arm.joint[4].theta;
      check_rates_beside(15, w, [&](Joints& q, double by) { q[five] = zero + (k % 2) * pi + by; });
    }
  }
}

TEST_CASE("the golden singular cases are followed as their files say") {
  Witness w = witness(without_limits("rotary_hollerbach"));
  const Json file = golden("wrist_special_cases");
  for (const Json& c : file.at("cases")) {
    const int id = c.at("id");
    const Json& input = c.at("input");
    if (id != 1 && id != 25 && id != 28) continue;
    CAPTURE(id);
    const IkAnswer answer = solve_position(w.arm, {matrix(input.at("W6")), vector(input.at("p7"))});
    const ToolMotion motion{
        {vector(input.at("w6")), vector(input.at("v7"))}, {vector(input.at("al6")), vector(input.at("a7"))}, {}};
    int met = 0;
    for (IkBranch b : answer.branches()) {
      if (b.status != IkStatus::singular) continue;
      ++met;
      CHECK(solve_rates(w.arm, b, motion).status == RateStatus::singular);
      // the motion is that of one member of the family; there the outer joints of the wrist share the turn
      if (id == 25 && b.label == BranchLabel{1, 1, 0, 0}) {
        for (std::size_t i = 3; i < 6; ++i) {
          b.q[i] = c.at("expect").at("source_q")[i];
          b.c[i] = std::cos(b.q[i]);
          b.s[i] = std::sin(b.q[i]);
        }
        const JointRates rates = solve_rates(w.arm, b, motion);
        CHECK(rates.qd[4] == doctest::Approx(-0.3).epsilon(1e-12));
        CHECK(rates.qd[3] == doctest::Approx(0.45).epsilon(1e-12));
        CHECK(rates.qd[5] == doctest::Approx(0.45).epsilon(1e-12));
        CHECK(apart(rates.missed_twist, {}) < 1e-14);
      }
      // the tool turned about the vertical by three joints in line
      if (id == 28) {
        const JointRates turn = solve_rates(w.arm, b, {{{0, 0, 0.9}, {}}, {}, {}});
        for (const std::size_t i : {0, 3, 5}) CHECK(turn.qd[i] == doctest::Approx(0.3).epsilon(1e-12));
      }
    }
    CHECK(met > 0);
  }
}
