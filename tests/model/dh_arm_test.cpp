#include "torsor/model/dh_arm.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/robot_forms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Pose of frame n in frame 0 by the rows of the arm.
Transform<double> pose(const DhArm<double>& arm, const DhPosition<double>& at) {
  Transform<double> X;
  for (int i = 1; i <= arm.n(); ++i) {
    const Transform<double> J{rotation_z(at.c[i], at.s[i]), {0, 0, at.d[i]}};
    const Transform<double> L{rotation_x(arm[i].ca, arm[i].sa), {arm[i].a, 0, 0}};
    X = arm.convention == Convention::standard_dh ? X * J * L : X * L * J;
  }
  return X;
}

}  // namespace

TEST_CASE("the rows of an arm put its last frame where the model has it, revolute and prismatic, both conventions") {
  Random random(4100);
  for (int k = 0; k < draws(50); ++k) {
    const Convention convention = k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh;
    const Description robot = random_dh_arm(random, 1 + k % 7, convention, 0.4);
    const Model<double> model = built(robot);
    const auto arm = dh_arm(robot, convention);
    REQUIRE(arm);
    REQUIRE(arm->n() == model.nv);
    Numbers q = random.numbers(model.nv, 2);
    DhPosition<double> at(arm->n());
    at.set(*arm, q);
    Configuration<double> configuration(model);
    configuration.set(model, q);
    Transform<double> X;
    for (int i = 0; i < model.size(); ++i) X = X * pose_in_parent(model, configuration, i);
    X = X * model.bodies.back().link;
    CHECK(apart(pose(*arm, at).p, X.p) < 1e-14);
    CHECK(apart(pose(*arm, at).R.x, X.R.x) < 1e-14);
    CHECK(apart(pose(*arm, at).R.z, X.R.z) < 1e-14);
    CHECK(apart(model.base.R * arm->g, model.gravity) < 2e-15 * norm(model.gravity));  // four roundings
  }
}

TEST_CASE("what DH frames cannot express is refused with its joint") {
  Random random(4101);
  const auto rule = [](const Description& robot) {
    const auto arm = dh_arm(robot, Convention::standard_dh);
    REQUIRE(!arm);
    return arm.faults()[0].rule + " " + arm.faults()[0].offender;
  };
  const Description plain = random_dh_arm(random, 3, Convention::standard_dh);
  Description robot = plain;
  robot.links[1].kind = JointKind::helical;
  robot.links[1].pitch = 0.01;
  CHECK(rule(robot) == "not-classical joint \"joint2\"");
  robot = plain;
  robot.links[2].mimic = Mimic{"joint1", 1, 0, {}};
  CHECK(rule(robot) == "not-classical joint \"joint3\"");
  robot = plain;
  robot.links[0].rotor = Rotor{.inertia = 1e-4, .gear = 50, .as_body = true};
  CHECK(rule(robot) == "not-classical joint \"joint1\"");
  robot = plain;
  robot.links[2].parent = "link1";
  CHECK(rule(robot) == "not-serial joint \"joint3\"");
}

TEST_CASE("a fifth parameter is a row more whose joint is held, in both conventions, but behind the last joint") {
  Random random(4103);
  for (int k = 0; k < draws(60); ++k) {
    CAPTURE(k);
    const Convention convention = k % 2 == 0 ? Convention::standard_dh : Convention::modified_dh;
    Description robot = random_dh_arm(random, 1 + k % 5, convention, 0.4);
    int expected = 0;
    for (LinkDescription& l : robot.links)
      if (random.chance(0.5)) {
        std::get<DhRow>(l.geometry).beta = random.uniform(-1, 1);
        expected += convention == Convention::modified_dh || &l != &robot.links.back();
      }
    const Model<double> model = built(robot);
    const auto arm = dh_arm(robot, convention);
    REQUIRE(arm);
    CHECK(arm->held() == expected);
    CHECK(arm->joints() == model.nv);
    Numbers q = random.numbers(model.nv, 2);
    DhPosition<double> at(*arm);
    at.set(*arm, q);
    Configuration<double> configuration(model);
    configuration.set(model, q);
    // the mass centre of the last link, wherever its frame is
    Transform<double> X;
    for (int i = 0; i < model.size(); ++i) X = X * pose_in_parent(model, configuration, i);
    CHECK(apart(pose(*arm, at) * arm->links.back().r, X * mass_centre(model.bodies.back().inertia)) < 1e-13);
  }
}

TEST_CASE("axes so nearly parallel that their common normal is kilometres away keep lengths of the arm's own size") {
  Random random(4104);
  Description robot = random_dh_arm(random, 5, Convention::standard_dh);
  robot.convention = Convention::placement;
  for (LinkDescription& l : robot.links)
    l.geometry = JointPlacement{{rotation_about(random.direction(), 3.7e-6), random.vector(0.4)}, {0, 0, 1}};
  for (const Convention convention : {Convention::standard_dh, Convention::modified_dh}) {
    const auto arm = dh_arm(robot, convention);
    REQUIRE(arm);
    CHECK(arm->held() == 4);
    for (const DhLink<double>& l : arm->links) {
      CHECK(std::abs(l.a) < 3);
      CHECK(std::abs(l.d) < 3);
    }
  }
}

TEST_CASE("the numbers of the author reach the arm unchanged") {
  Random random(4102);
  const Description robot = random_dh_arm(random, 4, Convention::modified_dh);
  const auto arm = dh_arm(robot, Convention::modified_dh);
  REQUIRE(arm);
  for (int i = 1; i <= 4; ++i) {
    const LinkDescription& l = robot.links[static_cast<std::size_t>(i - 1)];
    CHECK((*arm)[i].m == l.parts[0].mass);
    CHECK((*arm)[i].r.y == l.parts[0].com.y);
    CHECK((*arm)[i].I.xz == l.parts[0].tensor.xz);
    CHECK((*arm)[i].a == std::get<DhRow>(l.geometry).a);
  }
}

TEST_CASE("the structure of a link tells quarter turns, zero lengths and products of inertia") {
  const auto robot = load_robot("rotary_hollerbach");
  REQUIRE(robot);
  const auto arm = dh_arm(*robot, Convention::standard_dh);
  REQUIRE(arm);
  const int quarters[] = {1, 0, 3, 1, 3, 0};
  for (int i = 1; i <= 6; ++i) {
    CAPTURE(i);
    const DhStructure& structure = (*arm)[i].structure;
    CHECK(structure.quarter_turns == quarters[i - 1]);
    CHECK(structure.a == (i == 2));
    CHECK(structure.d == (i == 1 || i == 4));
    CHECK(structure.products);
  }
}

TEST_CASE("a twist of half a turn is two quarters, a skew one none, and a sliding joint has a d") {
  DhLink<double> link;
  link.ca = -1;
  CHECK(structure_of(link).quarter_turns == 2);
  CHECK(!structure_of(link).d);
  CHECK(!structure_of(link).products);
  link.prismatic = true;
  CHECK(structure_of(link).d);
  link.ca = 0.6, link.sa = 0.8;
  CHECK(structure_of(link).quarter_turns == -1);
}
