#include "torsor/check/robot_difference.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/random_robot.hpp"
#include "torsor/check/conversion_certificate.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/files/urdf_writer.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

std::vector<std::string> quantities(const RobotDifference& d) {
  std::vector<std::string> out;
  for (const DifferenceRow& row : d.differences) out.push_back(row.where + ": " + row.quantity);
  return out;
}

Description arm(Random& random, int links) {
  Description d = random_robot(random, {.links = links, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  return d;
}

}  // namespace

TEST_CASE("a robot is the same as itself, in DH, in placements, in another order, under other names") {
  Random random(61);
  int dh = 0;
  for (int draw = 0; draw < draws(60); ++draw) {
    const Description d = random_robot(random, {.links = 2 + random.below(8),
                                                .branching = draw % 2 * 0.5,
                                                .one_dof = draw % 3 > 0,
                                                .rotors = draw % 2 == 0,
                                                .friction = true})
                              .description;
    const Robot robot{d};
    const RobotDifference itself = robot_difference(robot, robot);
    CHECK(itself.same);
    CHECK(itself.pose.position < 1e-15);
    CHECK(itself.torque.torque == 0);
    const auto placed = to_placements(d);
    REQUIRE(placed);
    const RobotDifference other_frames = robot_difference(robot, Robot{*placed});
    CAPTURE(quantities(other_frames).empty() ? "" : quantities(other_frames)[0]);
    CHECK(other_frames.same);
    CHECK(other_frames.torque.relative < 1e-11);
    if (const auto table = to_dh(d, Convention::modified_dh, {.snap = false})) {
      ++dh;
      const RobotDifference as_dh = robot_difference(robot, Robot{table->description}, {.tolerance = 1e-7});
      CAPTURE(quantities(as_dh).empty() ? "" : as_dh.differences[0].sentence);
      CHECK(as_dh.same);
    }
    // all other names: bodies are found by their place, and torques by theirs
    Description renamed = d;
    for (LinkDescription& l : renamed.links) {
      if (l.parent && *l.parent != d.base_name) l.parent = "x" + *l.parent;
      l.name = "x" + l.name;
      l.joint_name = "x" + l.joint_name;
    }
    for (ToolDescription& tool : renamed.tools) tool.link = "x" + tool.link;
    const RobotDifference other_names = robot_difference(robot, Robot{renamed});
    CHECK(other_names.renamed.size() ==
          std::ranges::count_if(d.links, [](const auto& l) { return l.kind != JointKind::fixed; }));
    CHECK(other_names.same);
  }
  CHECK(dh > 10);
}

TEST_CASE("a change is found where it is made, and nowhere else") {
  Random random(62);
  for (int draw = 0; draw < draws(40); ++draw) {
    const Description d = *to_placements(arm(random, 6));
    const Robot before{d};
    const std::size_t k = 1 + static_cast<std::size_t>(random.below(4));
    const std::string link = d.links[k].name, joint = d.links[k].joint_name;
    const auto after = [&](auto&& change) {
      Description changed = d;
      change(changed.links[k]);
      return robot_difference(before, Robot{changed});
    };
    const RobotDifference mass = after([](LinkDescription& l) { l.parts[0].mass *= 1.1; });
    CHECK(quantities(mass) == std::vector<std::string>{link + ": mass"});
    CHECK(*mass.differences[0].second == doctest::Approx(1.1 * *mass.differences[0].first));
    CHECK(mass.torque.relative > 1e-4);
    CHECK(mass.pose.position < 1e-12);
    CHECK_FALSE(mass.same);

    const RobotDifference moved = after([](LinkDescription& l) {
      auto& place = std::get<JointPlacement>(l.geometry);
      place.X_parent_joint.p = place.X_parent_joint.p + place.X_parent_joint.R.x * 0.01;
    });
    CHECK(quantities(moved) == std::vector<std::string>{joint + ": axis displaced"});
    REQUIRE(moved.differences[0].difference);
    CHECK(*moved.differences[0].difference == doctest::Approx(0.01));
    CHECK(moved.pose.position >= 0.0099);

    const RobotDifference turned = after([](LinkDescription& l) {
      auto& place = std::get<JointPlacement>(l.geometry);
      place.X_parent_joint.R = place.X_parent_joint.R * rotation_x(0.02);
    });
    REQUIRE(!turned.differences.empty());
    CHECK(quantities(turned)[0] == joint + ": axis turned");
    REQUIRE(turned.differences[0].difference);
    CHECK(*turned.differences[0].difference == doctest::Approx(0.02));

    const RobotDifference zero = after([](LinkDescription& l) {
      auto& place = std::get<JointPlacement>(l.geometry);
      place.X_parent_joint.R = place.X_parent_joint.R * rotation_z(0.3);
    });
    CHECK(quantities(zero) == std::vector<std::string>{joint + ": zero turned"});
    CHECK(zero.differences[0].difference.value() == doctest::Approx(0.3));

    const RobotDifference reversed = after([](LinkDescription& l) {
      std::get<JointPlacement>(l.geometry).axis = {0, 0, -1};
    });
    REQUIRE(!reversed.differences.empty());
    CHECK(quantities(reversed) == std::vector<std::string>{joint + ": sense"});

    const RobotDifference limits = after([](LinkDescription& l) {
      l.limits.upper = 1.25;
      l.limits.effort = 7;
    });
    CHECK(quantities(limits) == std::vector<std::string>{joint + ": upper limit", joint + ": effort limit"});
    CHECK(limits.torque.torque == 0);
    CHECK_FALSE(limits.same);

    const RobotDifference friction = after([](LinkDescription& l) { l.friction.emplace().viscous = 0.5; });
    CHECK(quantities(friction) == std::vector<std::string>{joint + ": viscous friction"});
    const RobotDifference rotor = after([](LinkDescription& l) { l.rotor = Rotor{1e-4, 100, false, {}}; });
    CHECK(quantities(rotor) == std::vector<std::string>{joint + ": rotor inertia at the joint", joint + ": gear"});
    CHECK(*rotor.differences[0].second == doctest::Approx(1));
    // no torque of a joint shows a gear without a rotor
    const RobotDifference gear = after([](LinkDescription& l) { l.rotor = Rotor{0, -80, false, {}}; });
    CHECK(quantities(gear) == std::vector<std::string>{joint + ": gear"});
    CHECK(gear.differences[0].second.value() == doctest::Approx(-80));
    CHECK(gear.torque.torque == 0);
    CHECK_FALSE(gear.same);
    const RobotDifference kind = after([](LinkDescription& l) { l.kind = JointKind::prismatic; });
    CHECK(quantities(kind)[0] == joint + ": kind");
  }
}

TEST_CASE("joints of one robot alone, gravity, tools and a common factor of all masses are told") {
  Random random(63);
  Description d = arm(random, 4);
  d.tools = {{"flange", "link3", Transform<double>::translation({0, 0, 0.1}), {}}};
  const Robot whole{d};
  Description shorter = d;
  shorter.tools[0].link = "link2";
  shorter.links.pop_back();
  const RobotDifference one_less = robot_difference(whole, Robot{shorter});
  CHECK(one_less.only_first == std::vector<std::string>{"joint3"});
  CHECK(one_less.only_second.empty());
  CHECK_FALSE(one_less.same);
  CHECK(robot_difference(Robot{shorter}, whole).only_second == std::vector<std::string>{"joint3"});

  Description elsewhere = d;
  elsewhere.base.p = elsewhere.base.p + Vec3<double>{0.5, 0, 0};
  const RobotDifference base = robot_difference(whole, Robot{elsewhere});
  CHECK(quantities(base) == std::vector<std::string>{d.base_name + ": base displaced"});
  CHECK(base.differences[0].difference.value() == doctest::Approx(0.5));
  CHECK(base.pose.position == doctest::Approx(0.5));

  Description other = d;
  other.gravity = {0, 0, -1.62};
  other.tools[0].X_link_tool = Transform<double>::translation({0, 0, 0.13});
  for (LinkDescription& l : other.links)
    for (Part& part : l.parts) {
      part.mass *= 2.5;
      part.tensor = {2.5 * part.tensor.xx, 2.5 * part.tensor.yy, 2.5 * part.tensor.zz,
                     2.5 * part.tensor.xy, 2.5 * part.tensor.xz, 2.5 * part.tensor.yz};
    }
  const RobotDifference all = robot_difference(whole, Robot{other});
  const auto has = [](const RobotDifference& difference, const std::string& text) {
    return std::ranges::count(quantities(difference), text) == 1;
  };
  CHECK(has(all, d.name + ": gravity"));
  CHECK(has(all, "flange: frame displaced"));
  REQUIRE(!all.notes.empty());
  CHECK(all.notes[0].find("2.5 times") != std::string::npos);
  other.tools.clear();
  CHECK(has(robot_difference(whole, Robot{other}), "flange: tool"));
}

TEST_CASE("the certificate holds for what was written and read back, and says what is wrong with what was not") {
  Random random(64);
  for (int draw = 0; draw < draws(30); ++draw) {
    const Description d =
        random_robot(random,
                     {.links = 2 + random.below(8), .branching = 0.3, .one_dof = true, .friction = draw % 2 == 0})
            .description;
    const Robot meant{d};
    const auto back = read_robot_text(write_robot_toml(d), "back.toml");
    REQUIRE(back);
    const ConversionCertificate good = certify_conversion(meant, Robot{*back});
    CAPTURE(good.wrong.empty() ? std::string() : good.wrong[0]);
    CHECK(good.holds);
    CHECK(good.lost.empty());
    CHECK(good.torque <= 1e-12);

    Description heavier = *back;
    const auto moved =
        std::ranges::find_if(heavier.links, [](const LinkDescription& l) { return l.kind != JointKind::fixed; });
    if (moved == heavier.links.end()) continue;
    moved->parts[0].mass *= 1 + 1e-6;
    const ConversionCertificate bad = certify_conversion(meant, Robot{heavier});
    CHECK_FALSE(bad.holds);
    CHECK(bad.wrong.size() >= 1);
    Description unlimited = *back;
    unlimited.links.front().limits.effort = 12345;
    const ConversionCertificate lost = certify_conversion(meant, Robot{unlimited});
    CHECK(lost.holds == (d.links.front().kind != JointKind::fixed || lost.lost.empty()));
    if (d.links.front().kind != JointKind::fixed) CHECK(lost.lost.size() == 1);
  }
}
