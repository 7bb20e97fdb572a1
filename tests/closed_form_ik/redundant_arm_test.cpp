#include "torsor/closed_form_ik/redundant_arm.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_chain.hpp"

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
