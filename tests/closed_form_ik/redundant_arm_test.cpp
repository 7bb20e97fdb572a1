#include "torsor/closed_form_ik/redundant_arm.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/closed_form_ik/golden_chain.hpp"
#include "tests/support/random.hpp"
#include "torsor/robot.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

void check_intervals(const std::vector<FeasibleInterval>& found, const Json& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(std::abs(found[k].from - expected.at(k).at(0).get<double>()) < 1e-8);
    CHECK(std::abs(found[k].to - expected.at(k).at(1).get<double>()) < 1e-8);
  }
}

}  // namespace

TEST_CASE("the values of the redundancy that have solutions are those of the reference, limits or not") {
  for (const auto& [name, json] : golden("ik_more_and_fewer").at("intervals").items()) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const JointChain chain = golden_chain(json);
    for (const Json& pose : json.at("poses")) {
      const auto arm = RedundantArm::of(chain, pose.at("joint").get<int>());
      REQUIRE(arm);
      const Transform<double> X = golden_placement(pose.at("T"));
      check_intervals(arm->feasible(X, false), pose.at("feasible"));
      check_intervals(arm->feasible(X, true), pose.at("inside"));
    }
  }
}

TEST_CASE("the best solution is inside the limits and no other value has a better one") {
  const Json& json = golden("ik_more_and_fewer").at("intervals").at("franka_panda");
  const auto arm = RedundantArm::of(golden_chain(json));
  REQUIRE(arm);
  CHECK(arm->held() == 6);
  const Transform<double> X = golden_placement(json.at("poses").at(0).at("T"));
  const auto cost = [](const SevenAngles& q) { return std::abs(q[1] - 0.2) + 0.3 * std::abs(q[4]); };
  const auto best = arm->best(X, cost);
  REQUIRE(best);
  CHECK(best->inside_limits);
  CHECK(norm(arm->chain().tool_pose(best->q).p - X.p) < 1e-12);
  int inside = 0;
  for (int k = 0; k < 97; ++k) {
    SevenSolutions found;
    arm->solve(X, -3.1 + 6.2 * k / 97, found);
    for (const SevenSolution& s : found.all()) {
      if (!s.inside_limits) continue;
      ++inside;
      CHECK(cost(s.q) > cost(best->q) - 1e-6);
    }
  }
  CHECK(inside > 10);
}

TEST_CASE("six joints on a rail are an arm of seven with the rail held") {
  JointChain chain = golden_chain(golden("ik_more_and_fewer").at("intervals").at("rizon4"));
  chain.slides[0] = true;
  chain.limits[0] = {-0.5, 0.5};
  const auto arm = RedundantArm::of(chain);
  REQUIRE(arm);
  CHECK(arm->held() == 0);
  const SevenAngles q{0.2, 0.5, -0.4, 1.1, 0.3, 0.8, -0.6};
  const Transform<double> X = chain.tool_pose(q);
  SevenSolutions found;
  arm->solve(X, 0.2, found);
  CHECK(std::ranges::any_of(found.all(), [&](const SevenSolution& s) { return turns_apart(s.q, Json(q)) < 1e-8; }));
  const auto ranges = arm->feasible(X, false);
  REQUIRE(!ranges.empty());
  CHECK(std::ranges::any_of(ranges, [](const FeasibleInterval& i) { return i.from <= 0.2 && i.to >= 0.2; }));
  // another joint may be held instead, while the rail moves
  const auto other = RedundantArm::of(chain, 3);
  REQUIRE(other);
  other->solve(X, q[3], found);
  CHECK(std::ranges::any_of(found.all(), [&](const SevenSolution& s) { return turns_apart(s.q, Json(q)) < 1e-8; }));
}

namespace {

/// Seven joints whose six others have a closed form when the first or last is held.
JointChain chain_of(const char* robot, int rail = -1) {
  const Robot loaded = Robot::load(robot);
  JointChain chain = *joint_chain(loaded.model(), loaded.model().frames.back());
  if (rail < 0) return chain;
  // a rail below the base, or a slide at the tool, askew
  const Transform<double> askew{rotation_x(0.7) * rotation_z(0.4), {0.1, -0.2, 0.3}};
  const auto at = static_cast<std::ptrdiff_t>(rail);
  chain.B.insert(rail == 0 ? chain.B.begin() : chain.B.end(), askew);
  chain.slides.insert(chain.slides.begin() + at, true);
  chain.coordinate.insert(chain.coordinate.begin() + at, 0);
  chain.limits.insert(chain.limits.begin() + at, Limits{-1, 1});
  return chain;
}

}  // namespace

TEST_CASE("a closed form of the six others gives the solutions that elimination gives") {
  struct Case {
    const char* robot;
    int rail, held;
    std::string_view family;
  };
  const Case cases[] = {{"panda", -1, 6, "pieper"}, {"fr3", -1, 6, "pieper"}, {"iiwa14", -1, 0, "pieper"},
                        {"ur5", 0, 0, "parallel"}, {"puma560", 0, 0, "elbow"}, {"puma560", 6, 6, "elbow"}};
  for (const Case& each : cases) {
    CAPTURE(each.robot);
    CAPTURE(each.held);
    const JointChain chain = chain_of(each.robot, each.rail);
    const auto arm = RedundantArm::of(chain, each.held);
    REQUIRE(arm);
    REQUIRE(arm->closed_form());
    CHECK(arm->closed_form()->family() == each.family);
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> angle(-3.1, 3.1);
    int solutions = 0, none = 0;
    for (int k = 0; k < draws(200); ++k) {
      CAPTURE(k);
      SevenAngles q;
      for (std::size_t i = 0; i < 7; ++i) q[i] = chain.slides[i] ? angle(engine) / 4 : angle(engine);
      const Transform<double> X = chain.tool_pose(q);
      // the value that the pose was made with, and another that may leave it out of reach
      for (const double value : {q[static_cast<std::size_t>(each.held)], angle(engine)}) {
        SevenSolutions found;
        arm->solve(X, value, found);
        TurningSolutions eliminated;
        arm->six(value).solve(X, eliminated);
        eliminated.sort();
        REQUIRE(found.count == eliminated.count);
        none += found.count == 0;
        for (int s = 0; s < found.count; ++s) {
          ++solutions;
          const SevenSolution& one = found.solution[static_cast<std::size_t>(s)];
          SixAngles six{};
          std::size_t to = 0;
          for (std::size_t i = 0; i < 7; ++i)
            if (static_cast<int>(i) != each.held) six[to++] = one.q[i];
          // both are closed to rounding, and a solution is known by the inverse of sigma worse than that
          CHECK(apart(six, eliminated.solution[static_cast<std::size_t>(s)].q) < 1e-12 / one.sigma);
          CHECK(norm(chain.tool_pose(one.q).p - X.p) < 1e-12);
        }
      }
    }
    CHECK(solutions > 500);
    CHECK((none > 5 || each.held == 0));
  }
}

TEST_CASE("a value that leaves the elimination in doubt has what the search for more finds, by the closed form at that value") {
  const Robot robot = Robot::load("iiwa14");
  const auto chain = joint_chain(robot.model(), robot.tool());
  REQUIRE(chain);
  const auto arm = RedundantArm::of(*chain);
  REQUIRE(arm);
  Random random(77);
  for (int draw = 0; draw < draws(4); ++draw) {
    SevenAngles q;
    for (double& x : q) x = random.uniform(-1.9, 1.9);
    q[2] = draw % 2 == 0 ? 0 : std::numbers::pi / 2;
    const Transform<double> X = chain->tool_pose(q);
    SevenSolutions found;
    arm->solve(X, q[2], found);
    TurningSolutions searched;
    const SixTurns six = arm->six(q[2]);
    six.solve_by_cuts(X, searched);
    six.search_on(X, searched);
    CHECK(found.count == searched.count);
    for (const TurningSolution& s : searched.all())
      CHECK(std::ranges::count_if(found.all(), [&](const SevenSolution& other) {
              return apart(s.q, {other.q[0], other.q[1], other.q[3], other.q[4], other.q[5], other.q[6]}) < 1e-8;
            }) == 1);
  }
}
