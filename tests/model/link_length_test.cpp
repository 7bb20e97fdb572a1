// What is zero, or a point, is so beside the robot's own size: verdicts are the same in any unit of length and of mass.
#include "torsor/model/link_length.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/check/plausibility.hpp"
#include "torsor/symbolic/meant_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// The same robot in other units, without drives. `off` is added to every length that is zero, and a point mass gets a
/// gyration radius of that.
Description scaled(Description robot, double length, double mass, double off = 0) {
  const auto stretch = [&](double x) { return (x == 0 ? off : x) * length; };
  const auto stretch_vector = [&](Vec3<double>& p) { p = {stretch(p.x), stretch(p.y), stretch(p.z)}; };
  robot.transmissions.clear();
  robot.base.p = robot.base.p * length;
  const auto stretch_part = [&](Part& part) {
    if (part.tensor.xx == 0 && part.tensor.yy == 0 && part.tensor.zz == 0) {
      const double I = part.mass * off * off;
      part.tensor = {I, I, I, 0, 0, 0};
    }
    part.mass *= mass;
    part.com = part.com * length;
    part.tensor = part.tensor * (mass * length * length);
  };
  for (Part& part : robot.base_parts) stretch_part(part);
  for (LinkDescription& l : robot.links) {
    l.rotor.reset();
    l.friction.reset();
    l.friction_at_motor = false;
    l.limits = {};
    l.pitch *= length;
    if (auto* row = std::get_if<DhRow>(&l.geometry))
      row->d = stretch(row->d), row->a = stretch(row->a);
    else
      stretch_vector(std::get<JointPlacement>(l.geometry).X_parent_joint.p);
    for (Part& part : l.parts) stretch_part(part);
  }
  for (ToolDescription& tool : robot.tools) tool.X_link_tool.p = tool.X_link_tool.p * length;
  return robot;
}

/// Everything that was decided about a robot.
std::vector<std::string> verdicts(const Description& robot) {
  std::vector<std::string> all;
  const auto add = [&](const std::vector<Snap>& snaps) {
    for (const Snap& snap : snaps) all.push_back(snap.what);
  };
  add(meant_robot(robot).snaps);
  if (const auto table = to_dh(robot, Convention::standard_dh)) {
    add(table->snaps);
    for (const LinkDescription& l : table->description.links) {
      const DhRow& row = std::get<DhRow>(l.geometry);
      all.push_back(l.joint_name + (row.d == 0 ? " 0" : " d") + (row.a == 0 ? " 0" : " a"));
    }
  }
  for (const Finding& finding : plausibility(robot))
    if (finding.error.rule == "moment-zero" || finding.error.rule == "mass-zero") all.push_back(finding.subject);
  return all;
}

}  // namespace

TEST_CASE(
    "the verdicts about every robot of the library are the same a micrometre or a kilometre long, and of any mass") {
  int snapped = 0, points = 0;
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const auto robot = load_robot(std::string(embedded.name));
    REQUIRE(robot);
    CAPTURE(robot->name);
    const double unit = link_length(*robot);
    for (const double off : {0.0, 2e-7 * unit, 1e-5 * unit}) {
      CAPTURE(off);
      const std::vector<std::string> expected = verdicts(scaled(*robot, 1, 1, off));
      snapped += off > 0 && expected != verdicts(scaled(*robot, 1, 1, 1e-5 * unit));
      for (const std::string& each : expected) points += each.starts_with("moment-zero");
      for (const double length : {1e-6, 1e-3, 1e3})
        for (const double mass : {1e-6, 1.0, 1e3}) {
          CAPTURE(length);
          CAPTURE(mass);
          CHECK(verdicts(scaled(*robot, length, mass, off)) == expected);
        }
    }
  }
  CHECK(snapped > 10);
  CHECK(points > 0);
}

TEST_CASE("the length of a robot is that of its links, else of what is fixed to them") {
  Description d;
  CHECK(link_length(d) == 1);
  LinkDescription l;
  l.parts = {{1, {0, 0.3, 0.4}, {}, InertiaAbout::mass_centre, {}}};
  d.links = {l};
  CHECK(link_length(d) == doctest::Approx(0.5));
  std::get<JointPlacement>(d.links[0].geometry).X_parent_joint.p = {0, 3, 4};
  d.links.push_back(d.links[0]);
  d.links[1].geometry = DhRow{.d = -1, .a = 2};
  CHECK(link_length(d) == doctest::Approx(8));
}
