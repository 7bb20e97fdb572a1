#include "torsor/check/torque_slips.hpp"

#include <doctest/doctest.h>

#include <set>

#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;

TEST_CASE("every slip has a name of its own and a sentence") {
  std::set<std::string_view> names;
  for (const TorqueSlip& slip : torque_slips()) {
    CHECK(names.insert(slip.name).second);
    CHECK(!slip.sentence.empty());
    CHECK(!slip.group.empty());
  }
}

TEST_CASE("every way a slip can happen leaves every shipped robot a robot with the same coordinates") {
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name));
    const auto model = build(*robot);
    REQUIRE(model);
    for (const TorqueSlip& slip : torque_slips())
      for (const SlipVariant& variant : slip.variants(*robot, *model)) {
        CAPTURE(slip.name);
        CAPTURE(variant.detail);
        OtherTool tool;
        tool.robot = *robot;
        variant.apply(tool);
        const auto other = build(tool.robot);
        REQUIRE(other);
        CHECK(other->velocity_names == model->velocity_names);
      }
  }
}
