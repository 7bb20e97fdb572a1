#include "torsor/drives/assign_drives.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_toml.hpp"

using namespace torsor;

namespace {

const Motor servo{"servo", "", {{0, 500}, {3, 3}}, {{0, 300}, {1, 1}}, 1e-4, {}, {}};

Description coupled() {
  return *read_robot_toml(
      "name = \"wrist\"\nconvention = \"placement\"\n[[link]]\nname = \"a\"\njoint = \"revolute\"\nmass = 1\n[[link]]\n"
      "name = \"b\"\njoint = \"revolute\"\nmass = 1\n[[link]]\nname = \"c\"\njoint = \"revolute\"\nmass = "
      "1\n[[transmission]]\n"
      "motors = [\"left\", \"right\"]\njoints = [\"a\", \"c\"]\nmatrix = [[0.01, 0.01], [0.02, -0.02]]\n"
      "rotor_inertia = [1e-4, 2e-4]\n",
      "wrist.toml");
}

}  // namespace

TEST_CASE("without a sheet the drives are those of the robot file") {
  const auto puma = load_robot("puma560_drives");
  REQUIRE(puma);
  const auto drives = assign_drives({}, *puma, *build(*puma));
  REQUIRE(drives);
  REQUIRE(drives->size() == 6);
  CHECK(*(*drives)[0].gear == doctest::Approx(-62.6111));
  CHECK((*drives)[3].inertia == 33e-6);
  CHECK((*drives)[3].as_described);
  CHECK_FALSE((*drives)[3].motor);

  const auto wrist = assign_drives({}, coupled(), *build(coupled()));
  REQUIRE(wrist);
  REQUIRE(wrist->size() == 2);
  CHECK((*wrist)[1].name == "right");
  CHECK((*wrist)[1].coordinate == 2);
  CHECK((*wrist)[1].inertia == 2e-4);
  CHECK_FALSE((*wrist)[1].gear);
}

TEST_CASE("one motor alone is at every motor of the robot, or at every joint") {
  const auto everywhere = [](const char* name) {
    const auto robot = load_robot(name);
    REQUIRE(robot);
    return *assign_drives({{servo}, {}}, *robot, *build(*robot));
  };
  const auto with = everywhere("puma560_drives"), without = everywhere("two_link");
  CHECK(with.size() == 6);
  CHECK(*with[1].gear == doctest::Approx(107.815));
  CHECK(with[1].inertia == 1e-4);
  CHECK_FALSE(with[1].as_described);
  CHECK(without.size() == 2);
  CHECK(*without[1].gear == 1);
}

TEST_CASE("a sheet's gear and motor take the place of the robot's, by the name of the joint or of the motor") {
  const DriveSheet sheet{{servo}, {{"b", 0, 80.0, 0.9, {}}, {"left", 0, {}, 1, {}}}};
  const auto drives = assign_drives(sheet, coupled(), *build(coupled()));
  REQUIRE(drives);
  REQUIRE(drives->size() == 3);
  CHECK((*drives)[0].inertia == 1e-4);
  CHECK((*drives)[1].name == "b");
  CHECK(*(*drives)[1].gear == 80);
  CHECK((*drives)[1].efficiency == 0.9);
  CHECK((*drives)[2].as_described);
}

TEST_CASE("joints that are not there, gears in a coupling and motors without a place are faults, all told") {
  const DriveSheet sheet{{servo}, {{"elbow", 0, {}, 1, {"d.toml", 4}}, {"right", 0, 50.0, 1, {"d.toml", 9}}}};
  const auto drives = assign_drives(sheet, coupled(), *build(coupled()));
  REQUIRE_FALSE(drives);
  REQUIRE(drives.faults().size() == 2);
  CHECK(drives.faults()[0].rule == "drive-joint");
  CHECK(drives.faults()[0].where.line == 4);
  CHECK(drives.faults()[1].rule == "drive-coupled");
  CHECK_FALSE(assign_drives({{servo, servo}, {}}, coupled(), *build(coupled())));
}

TEST_CASE("a joint that several motors drive together is no place for one of them") {
  const DriveSheet sheet{{servo}, {{"a", 0, {}, 1, {"d.toml", 4}}, {"c", 0, {}, 1, {"d.toml", 7}}}};
  const auto drives = assign_drives(sheet, coupled(), *build(coupled()));
  REQUIRE_FALSE(drives);
  REQUIRE(drives.faults().size() == 2);
  CHECK(drives.faults()[0].rule == "drive-coupled");
  CHECK(drives.faults()[0].what.find("left, right") != std::string::npos);
  CHECK(drives.faults()[1].where.line == 7);
}

TEST_CASE("a robot without rotors has none of their inertia") {
  CHECK(build(coupled())->coupled());
  const auto bare = build(without_rotors(coupled()));
  REQUIRE(bare);
  CHECK_FALSE(bare->coupled());
  for (const double rotor : bare->rotor) CHECK(rotor == 0);
}
