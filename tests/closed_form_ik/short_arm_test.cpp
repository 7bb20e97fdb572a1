#include "torsor/closed_form_ik/short_arm.hpp"

#include <doctest/doctest.h>

#include "tests/closed_form_ik/golden_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("one to five joints: every reference solution of pose, place and axis, place; none where there is none") {
  int required = 0, unreachable = 0;
  for (const auto& [name, json] : golden("ik_more_and_fewer").at("short").items()) {
    const auto& which = name;  // clang captures no structured binding
    CAPTURE(which);
    const JointChain chain = golden_chain(json);
    for (const Json& each : json.at("tasks")) {
      const std::string task = each.at("task"), axis = each.at("axis");
      CAPTURE(task);
      const auto arm =
          ShortArm::of(chain,
                       task == "pose"       ? ShortTask::pose
                       : task == "position" ? ShortTask::place
                                            : ShortTask::place_and_axis,
                       {axis == "x" ? 1.0 : 0.0, axis == "y" ? 1.0 : 0.0, axis == "x" || axis == "y" ? 0.0 : 1.0});
      REQUIRE(arm);
      ShortSolutions found;
      arm->solve(golden_placement(each.at("T")), found);
      CHECK(found.count == static_cast<int>(each.at("solutions").size()));
      for (const Json& q : each.at("solutions")) {
        ++required;
        CHECK(std::ranges::count_if(found.all(), [&](const ShortSolution& s) { return turns_apart(s.q, q) < 1e-8; }) ==
              1);
      }
      unreachable += each.at("solutions").empty();
      for (const ShortSolution& s : found.all()) {
        CHECK(s.position_residual < 1e-11);
        CHECK(s.angle_residual < 1e-11);
      }
    }
  }
  CHECK(required > 100);
  CHECK(unreachable > 10);
}

TEST_CASE("more joints than the task has components leave a choice, and are refused") {
  int refused = 0;
  for (const auto& [name, json] : golden("ik_more_and_fewer").at("short").items()) {
    const JointChain chain = golden_chain(json);
    if (chain.joints() <= 3) continue;
    CHECK(!ShortArm::of(chain, ShortTask::place));
    ++refused;
  }
  CHECK(refused > 1);
}
