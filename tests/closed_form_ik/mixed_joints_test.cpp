// Six joints of which some slide: what a pose was made of is among the answers; and arms of fewer joints with slides.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double half_turn = std::numbers::pi;

double off_pose(const SixTurns& arm, const SixAngles& q, const Transform<double>& X) {
  const Transform<double> there = arm.tool_pose(q);
  const Mat3<double> off = there.R - X.R;
  return std::max({norm(there.p - X.p), norm(off.x), norm(off.y), norm(off.z)});
}

Transform<double> drawn_placement(Random& random, bool right_angles) {
  if (right_angles)
    return {rotation_x(random.below(4) * half_turn / 2) * rotation_y(random.below(4) * half_turn / 2),
            {0.3 * random.below(2), 0.2 * random.below(2), 0.1 * random.below(3)}};
  return {rotation_x(random.uniform(-half_turn, half_turn)) * rotation_y(random.uniform(-half_turn, half_turn)),
          {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)}};
}

/// A chain of joints, R or P, from placements.
JointChain chain_of(const std::string& joints, const std::vector<Transform<double>>& B) {
  JointChain chain;
  chain.B = B;
  chain.size = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    chain.slides.push_back(joints[k] == 'P');
    chain.coordinate.push_back(static_cast<int>(k));
    if (k > 0) chain.size += norm(B[k].p);
  }
  chain.limits.assign(joints.size(), {});
  if (!(chain.size > 0)) chain.size = 1;
  return chain;
}

bool is_same(const JointChain& chain, std::span<const double> a, std::span<const double> b, double near) {
  for (std::size_t k = 0; k < chain.slides.size(); ++k) {
    const double by = a[k] - b[k];
    if (std::abs(chain.slides[k] ? by : std::remainder(by, 2 * half_turn)) > near) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("one prismatic joint among six, anywhere: what a pose was made of is found, by elimination") {
  Random random(91);
  for (const bool right_angles : {false, true})
    for (std::size_t slide = 0; slide < 6; ++slide) {
      CAPTURE(right_angles);
      CAPTURE(slide);
      int tried = 0, searched = 0, regular = 0;
      for (int draw = 0; draw < draws(2); ++draw) {
        std::array<Transform<double>, 7> B;
        for (Transform<double>& b : B) b = drawn_placement(random, right_angles);
        std::array<bool, 6> slides{};
        slides[slide] = true;
        const SixTurns arm(B, slides);
        REQUIRE((right_angles || arm.cuts().size() > 3));
        if (!arm.serves()) continue;
        for (int k = 0; k < 20; ++k) {
          SixAngles q;
          for (std::size_t i = 0; i < 6; ++i)
            q[i] = slides[i] ? random.uniform(-1, 1) : random.uniform(-half_turn, half_turn);
          const Transform<double> X = arm.tool_pose(q);
          const double sigma = measured(arm.loop(X), arm.to_loop(q)).sigma;
          if (sigma < 1e-5) continue;
          TurningSolutions found;
          arm.solve(X, found);
          ++tried;
          searched += found.searched;
          bool is_regular = true;
          for (const TurningSolution& s : found.all()) {
            CHECK(off_pose(arm, s.q, X) < 1e-11);
            is_regular = is_regular && s.measure.sigma > 1e-4;
          }
          CHECK(std::ranges::count_if(found.all(), [&](const TurningSolution& s) { return apart(s.q, q) < 1e-7; }) ==
                1);
          regular += is_regular;
          CHECK((!is_regular || found.count % 2 == 0));  // complex solutions come in pairs
        }
      }
      if (!right_angles) {
        CHECK(tried > 30);
        CHECK(regular > 20);
        CHECK(searched < tried / 4);
      }
    }
}

TEST_CASE("two and three prismatic joints among six: what a pose was made of is found") {
  Random random(92);
  int tried = 0;
  for (int mask = 0; mask < 64; ++mask) {
    std::array<bool, 6> slides{};
    int count = 0;
    for (std::size_t k = 0; k < 6; ++k) count += slides[k] = (mask >> k & 1) != 0;
    if (count != 2 && count != 3) continue;
    if (mask % 3 != 0 && draws(1) == 1) continue;
    CAPTURE(mask);
    std::array<Transform<double>, 7> B;
    for (Transform<double>& b : B) b = drawn_placement(random, false);
    const SixTurns arm(B, slides);
    REQUIRE(arm.serves());
    for (int k = 0; k < 3; ++k) {
      SixAngles q;
      for (std::size_t i = 0; i < 6; ++i)
        q[i] = slides[i] ? random.uniform(-1, 1) : random.uniform(-half_turn, half_turn);
      const Transform<double> X = arm.tool_pose(q);
      if (measured(arm.loop(X), arm.to_loop(q)).sigma < 1e-4) continue;
      TurningSolutions found;
      arm.solve(X, found);
      ++tried;
      CHECK(std::ranges::count_if(found.all(), [&](const TurningSolution& s) { return apart(s.q, q) < 1e-7; }) == 1);
      CHECK(found.count <= (count == 3 ? 2 : 8));
    }
  }
  CHECK(tried > 20);
  // three directions in a plane move no tool up
  std::array<Transform<double>, 7> B;
  for (std::size_t k = 0; k < 3; ++k)
    B[k] = Transform<double>::rotation(k == 0 ? rotation_x(0.0) : rotation_x(half_turn / 2));
  for (std::size_t k = 3; k < 7; ++k) B[k] = drawn_placement(random, false);
  B[2] = {};
  CHECK(!SixTurns(B, {true, true, true, false, false, false}).serves());
}

TEST_CASE("a SCARA has two solutions of a pose, limits or not; slides in space have one") {
  // yaw, yaw, slide, yaw: all along z
  const JointChain scara = chain_of("RRPR", {{},
                                             Transform<double>::translation({0.4, 0, 0}),
                                             Transform<double>::translation({0.3, 0, 0.1}),
                                             {},
                                             Transform<double>::translation({0.05, 0, 0})});
  const auto arm = ShortArm::of(scara, ShortTask::pose);
  REQUIRE(arm);
  Random random(93);
  for (int k = 0; k < 20; ++k) {
    const std::array<double, 4> q{random.uniform(-3, 3), random.uniform(0.2, 2.8), random.uniform(-0.3, 0.3),
                                  random.uniform(-3, 3)};
    ShortSolutions found;
    arm->solve(scara.tool_pose(q), found);
    REQUIRE(found.count == 2);
    CHECK(std::ranges::count_if(found.all(), [&](const ShortSolution& s) { return is_same(scara, s.q, q, 1e-9); }) ==
          1);
    // the other: elbow to the other side
    CHECK(std::ranges::count_if(found.all(), [&](const ShortSolution& s) {
            return std::abs(std::remainder(s.q[1] + q[1], 2 * half_turn)) < 1e-9;
          }) == 1);
    for (const ShortSolution& s : found.all()) CHECK(s.position_residual < 1e-12);
  }
  // a tilted tool is out of its reach
  ShortSolutions none;
  arm->solve({rotation_x(0.3), {0.5, 0.1, 0}}, none);
  CHECK(none.count == 0);

  const JointChain gantry = chain_of("PPP", {Transform<double>::rotation(rotation_y(half_turn / 2)),
                                             Transform<double>::rotation(rotation_x(-half_turn / 2)),
                                             Transform<double>::rotation(rotation_y(-half_turn / 2)),
                                             {}});
  const auto three = ShortArm::of(gantry, ShortTask::place);
  REQUIRE(three);
  ShortSolutions one;
  const std::array<double, 3> d{0.4, -0.2, 0.7};
  three->solve(gantry.tool_pose(d), one);
  REQUIRE(one.count == 1);
  CHECK(is_same(gantry, one.solution[0].q, d, 1e-12));
}

TEST_CASE(
    "cylinders and spheres of reach: arms of three joints with a slide have their two or four solutions of a place") {
  Random random(94);
  for (const std::string joints : {"RPR", "RRP", "PRR", "RPP", "PRP"}) {
    CAPTURE(joints);
    std::vector<Transform<double>> B;
    for (int k = 0; k < 4; ++k) B.push_back(drawn_placement(random, false));
    const JointChain chain = chain_of(joints, B);
    const auto arm = ShortArm::of(chain, ShortTask::place);
    REQUIRE(arm);
    for (int k = 0; k < 10; ++k) {
      std::array<double, 3> q;
      for (std::size_t i = 0; i < 3; ++i)
        q[i] = chain.slides[i] ? random.uniform(-1, 1) : random.uniform(-half_turn, half_turn);
      ShortSolutions found;
      arm->solve(chain.tool_pose(q), found);
      CHECK(std::ranges::count_if(found.all(), [&](const ShortSolution& s) { return is_same(chain, s.q, q, 1e-7); }) ==
            1);
      CHECK(found.count % 2 == 0);
    }
  }
}

TEST_CASE("of seven joints with two slides another than the first may be held") {
  Random random(95);
  std::vector<Transform<double>> B;
  for (int k = 0; k < 8; ++k) B.push_back(drawn_placement(random, false));
  const JointChain chain = chain_of("PRRPRRR", B);
  const SevenAngles q{0.2, 0.5, -0.4, 0.3, 1.3, 0.8, -0.6};
  for (const int held : {0, 3, 6}) {
    CAPTURE(held);
    const auto arm = RedundantArm::of(chain, held);
    REQUIRE(arm);
    SevenSolutions found;
    arm->solve(chain.tool_pose(q), q[static_cast<std::size_t>(held)], found);
    CHECK(std::ranges::count_if(found.all(), [&](const SevenSolution& s) { return is_same(chain, s.q, q, 1e-8); }) ==
          1);
  }
}
