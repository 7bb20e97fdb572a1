#include "torsor/closed_form_ik/swivel_arm.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_chain.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("every reference solution at a swivel angle is found, and it has that angle") {
  int compared = 0;
  for (const auto& [name, json] : golden("ik_more_and_fewer").at("swivel").items()) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const JointChain chain = golden_chain(json);
    const auto arm = SwivelArm::of(chain);
    REQUIRE(arm);
    for (const Json& pose : json.at("poses")) {
      SwivelSolutions found;
      arm->solve(golden_placement(pose.at("T")), pose.at("psi"), found);
      REQUIRE(found.reached);
      CHECK(found.count == static_cast<int>(pose.at("solutions").size()));
      for (const Json& q : pose.at("solutions")) {
        ++compared;
        CHECK(std::ranges::count_if(found.all(), [&](const SevenAngles& s) { return turns_apart(s, q) < 1e-8; }) == 1);
      }
      for (const SevenAngles& q : found.all())
        CHECK(std::abs(std::remainder(arm->swivel(q) - pose.at("psi").get<double>(), 2 * std::numbers::pi)) < 1e-12);
    }
  }
  CHECK(compared == 48);
}

TEST_CASE("a position is found again at its own swivel angle, and every solution reaches the pose") {
  const JointChain chain = golden_chain(golden("ik_more_and_fewer").at("swivel").at("iiwa14"));
  const auto arm = SwivelArm::of(chain);
  REQUIRE(arm);
  Random random(45);
  for (int draw = 0; draw < draws(500); ++draw) {
    SevenAngles q;
    for (double& x : q) x = random.uniform(-3.1, 3.1);
    const Transform<double> X = chain.tool_pose(q);
    SwivelSolutions found;
    arm->solve(X, arm->swivel(q), found);
    CHECK(std::ranges::any_of(found.all(), [&](const SevenAngles& s) { return turns_apart(s, Json(q)) < 1e-7; }));
    for (const SevenAngles& s : found.all()) {
      const Transform<double> there = chain.tool_pose(s);
      CHECK(norm(there.p - X.p) < 1e-12);
      CHECK(norm(there.R.x - X.R.x) < 1e-12);
    }
  }
}

TEST_CASE("the swivel angles that the limits allow are those of the reference") {
  const Json& json = golden("ik_more_and_fewer").at("intervals").at("iiwa14");
  const auto arm = SwivelArm::of(golden_chain(json));
  REQUIRE(arm);
  for (const Json& pose : json.at("poses")) {
    const auto found = arm->feasible(golden_placement(pose.at("T")));
    const Json& expected = pose.at("swivel_inside");
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].from == doctest::Approx(expected.at(k).at(0).get<double>()).epsilon(1e-9));
      CHECK(found[k].to == doctest::Approx(expected.at(k).at(1).get<double>()).epsilon(1e-9));
    }
  }
}

TEST_CASE("an arm whose axes do not meet has no swivel angle, and a wrist out of reach no solution") {
  CHECK(!SwivelArm::of(golden_chain(golden("ik_more_and_fewer").at("intervals").at("franka_panda"))));
  const JointChain chain = golden_chain(golden("ik_more_and_fewer").at("swivel").at("lwa4d"));
  const auto arm = SwivelArm::of(chain);
  REQUIRE(arm);
  Transform<double> X = chain.tool_pose(SevenAngles{});
  X.p.z += 1;
  SwivelSolutions found;
  arm->solve(X, 0.3, found);
  CHECK(!found.reached);
  CHECK(found.count == 0);
  CHECK(found.short_by == doctest::Approx(1));
  CHECK(arm->feasible(X).empty());
}
