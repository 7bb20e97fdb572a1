#include "torsor/formulations/inverse_wrist_premise.hpp"

#include "tests/support/wrist_arm.hpp"
#include "torsor/model/general_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The reason why a shipped robot is refused.
std::string reason(const std::string& robot) { return wrist_premise(shipped_arm(robot)); }

/// The same after one change of the arm of the source.
template <class Change>
std::string reason_after(const Change& change) {
  Description robot = *load_robot("rotary_hollerbach");
  change(robot);
  return wrist_premise(*dh_arm(robot, Convention::standard_dh));
}

}  // namespace

TEST_CASE("arms with a spherical wrist and a shoulder offset are served") {
  for (const char* robot : {"rotary_hollerbach", "rotary_hollerbach_simple", "puma560", "puma560_drives"}) {
    CAPTURE(robot);
    CHECK(reason(robot) == "");
  }
}

TEST_CASE("an arm of another kind is told what it lacks") {
  CHECK(reason("two_link") == "it has 2 joints, and the formulation is for six");
  CHECK(reason("iiwa14") == "it has 7 joints, and the formulation is for six");
  CHECK(reason("stanford") == "joint 3 is prismatic, and the formulation is for revolute joints");
  CHECK(reason("ur5") == "its last three axes do not meet: the wrist is not spherical");
  CHECK(wrist_premise(*general_forms(6).standard) ==
        "the axis after joint 1 is neither parallel nor perpendicular to it");
}

TEST_CASE("each length that must be zero is looked at, and no other") {
  const auto row = [](Description& d, int i) -> DhRow& {
    return std::get<DhRow>(d.links[std::size_t(i - 1)].geometry);
  };
  const std::string open = "its last three axes do not meet: the wrist is not spherical";
  CHECK(reason_after([&](Description& d) { row(d, 4).a = 0.01; }) == open);
  CHECK(reason_after([&](Description& d) { row(d, 5).a = 0.01; }) == open);
  CHECK(reason_after([&](Description& d) { row(d, 5).d = 0.01; }) == open);
  CHECK(reason_after([&](Description& d) { row(d, 1).alpha = 0; }) == "its first two axes are parallel");
  CHECK(reason_after([&](Description& d) {
          row(d, 1).a = row(d, 2).d = row(d, 3).a = row(d, 3).d = row(d, 6).a = row(d, 6).d = 0.01;
        }) == "");
}

TEST_CASE("simple inertias are diagonal") {
  CHECK(simple_inertia_premise(shipped_arm("rotary_hollerbach_simple")) == "");
  CHECK(simple_inertia_premise(shipped_arm("rotary_hollerbach")) == "link 1 has products of inertia in its DH frame");
}

TEST_CASE("a premise is told of an arm over symbols as of the arm itself") {
  const DhArm<double> arm = shipped_arm("rotary_hollerbach");
  const DhArm<Trace> symbols = cast<Trace>(arm, [](double x) { return Trace(x); });
  CHECK(wrist_premise(symbols) == "");
  CHECK(simple_inertia_premise(symbols) == simple_inertia_premise(arm));
}
