#include "torsor/structure/reasons.hpp"

#include <doctest/doctest.h>

#include "tests/structure/table_robots.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Told {
  ExactRobot robot;
  ExactStructure structure;
  AxisFacts facts;

  explicit Told(const Description& d)
      : robot(*exact_robot(d)),
        structure(exact_structure(robot, Level::numbers)),
        facts(axis_facts(robot, Level::numbers)) {}

  std::string why(const std::string& name) const {
    for (std::size_t e = 0; e < structure.coefficients.size(); ++e)
      if (to_text(structure.coefficients[e], structure.n) == name) return why_zero(structure, e, facts, robot.model);
    return "no such coefficient";
  }
};

}  // namespace

TEST_CASE("the axes of the PUMA 560: what is parallel, perpendicular, balanced, along gravity") {
  const AxisFacts facts = axis_facts(*exact_robot(puma()), Level::numbers);
  REQUIRE(facts.n == 6);
  CHECK(facts(0, 1).right_angle);
  CHECK_FALSE(facts(0, 1).parallel);
  CHECK(facts(1, 2).parallel);
  CHECK_FALSE(facts(1, 2).coaxial);
  CHECK(facts(3, 4).one_plane);
  CHECK(facts(4, 5).one_plane);
  CHECK_FALSE(facts(0, 3).right_angle);
  CHECK(facts.joints[0].along_gravity);
  CHECK(facts.joints[1].across_gravity);  // the shoulder axis stays level
  CHECK(facts.joints[5].balanced);
  CHECK(facts.joints[5].principal);
  CHECK_FALSE(facts.joints[4].balanced);
  CHECK_FALSE(facts.joints[0].massless);
}

TEST_CASE("zeros of the PUMA 560 have their reasons") {
  const Told told(puma());
  CHECK(contains(told.why("G1"), "along gravity"));
  CHECK(contains(told.why("G6"), "on its axis"));
  CHECK(contains(told.why("d56"), "right angles"));
  CHECK(contains(told.why("c12(3)"), "joint2 and joint3 are parallel"));
  CHECK(contains(told.why("c11(6)"), "d11 does not change with joint6"));
  CHECK(contains(told.why("c66(5)"), "d56 is zero"));
  CHECK(told.why("d12").empty());  // not zero
}

TEST_CASE("every zero of the golden robots and of random trees has a reason, and nothing else has") {
  const Json file = golden("structure_002");
  std::vector<Description> robots;
  for (const Json& row : file.at("rows"))
    if (row.contains("DH")) robots.push_back(described(row));
  Random random(671);
  for (int k = 0; k < 10; ++k)
    robots.push_back(random_robot(random, {.links = 2 + random.below(4), .one_dof = true}).description);
  for (const Description& d : robots) {
    CAPTURE(d.name);
    const Told told(d);
    for (std::size_t e = 0; e < told.structure.coefficients.size(); ++e) {
      CHECK(why_zero(told.structure, e, told.facts, told.robot.model).empty() == (told.structure.nonzero[e] != 0));
      CHECK_FALSE(meaning(told.structure.coefficients[e], told.robot.model).empty());
    }
  }
}

TEST_CASE("slides have the reasons of slides") {
  const Json file = golden("structure_002");
  const auto robot = [&](const char* name) {
    for (const Json& row : file.at("rows"))
      if (row.at("name") == name) return Told(described(row));
    FAIL(name);
    return Told(puma());
  };
  const Told gantry = robot("Cartesian z-x-y");
  CHECK(gantry.why("d12") == "the two prismatic joints are at right angles");
  CHECK(gantry.why("G2") == "the prismatic joint is across gravity");
  CHECK(contains(gantry.why("c11(2)"), "no centrifugal"));
  CHECK(contains(gantry.why("c12(3)"), "joint1 is prismatic"));
  const Told column = robot("Cylindrical theta-z-r");
  CHECK(contains(column.why("d12"), "joint2 translates along the axis of joint1"));
  CHECK(contains(column.why("d13"), "plane through the axis of joint1"));
  CHECK(column.robot.model.velocity_names[0] == "joint1");
  CHECK(meaning({CoefficientKind::mutual_inertia, 0, 1}, column.robot.model) ==
        "torque at joint1 per acceleration of joint2: the arm of the sliding mass about the axis of joint1");
}
