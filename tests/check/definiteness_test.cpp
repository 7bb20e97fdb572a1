// Joints that move no mass are named; a mass matrix that is singular for any other reason is, too.
#include "torsor/check/definiteness.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/random_robot.hpp"

using namespace torsor;

namespace {

Part body(double mass, const Vec3<double>& com, const Sym3<double>& tensor) {
  Part part;
  part.mass = mass, part.com = com, part.tensor = tensor;
  return part;
}

const Part solid = body(2, {0.1, 0.02, 0.03}, {0.02, 0.03, 0.04, 0, 0, 0});
const Part rod_along_z = body(1, {0, 0, 0.2}, {0.02, 0.02, 0, 0, 0, 0});

LinkDescription& add(Description& d, const std::string& name, JointKind kind, std::vector<Part> parts) {
  LinkDescription link{.name = name, .joint_name = name + "_joint", .kind = kind};
  link.where = {"robot.toml", 10 * static_cast<int>(d.links.size() + 1)};
  link.geometry = JointPlacement{{Mat3<double>::identity(), {0.3, 0.1, 0.2}}, {0, 0, 1}};
  link.parts = std::move(parts);
  d.links.push_back(link);
  return d.links.back();
}

Description named() {
  Description d;
  d.name = "robot", d.file = "robot.toml";
  return d;
}

// `20 massless-subtree:b_joint`
std::string summary(const Description& d) {
  std::string text;
  for (const Finding& f : definiteness(d, testing::built(d))) {
    CHECK(f.severity == Severity::error);
    text += (text.empty() ? "" : ", ") + std::to_string(f.error.where.line) + ' ' + f.subject;
  }
  return text;
}

}  // namespace

TEST_CASE("a joint outward of which nothing weighs moves no mass, unless its motor has a rotor") {
  Description d = named();
  add(d, "a", JointKind::revolute, {solid});
  add(d, "b", JointKind::revolute, {});
  CHECK(massless_motion(testing::built(d)) == std::vector{1});
  CHECK(summary(d) == "20 massless-subtree:b_joint");
  d.links[1].rotor = Rotor{.inertia = 1e-4, .gear = 10};
  CHECK(massless_motion(testing::built(d)).empty());
  CHECK(summary(d) == "");
}

TEST_CASE("mass anywhere outward is enough, and a massless link between is no fault") {
  Description d = named();
  add(d, "a", JointKind::revolute, {});
  add(d, "b", JointKind::prismatic, {});
  add(d, "c", JointKind::fixed, {solid});
  CHECK(massless_motion(testing::built(d)).empty());
  CHECK(summary(d) == "");
}

TEST_CASE("a rod cannot be turned about itself, but it can be moved") {
  Description d = named();
  add(d, "a", JointKind::revolute, {solid});
  add(d, "rod", JointKind::revolute, {rod_along_z});
  CHECK(massless_motion(testing::built(d)) == std::vector{1});
  d.links[1].kind = JointKind::prismatic;
  CHECK(massless_motion(testing::built(d)).empty());
  // about another axis, too
  d.links[1].kind = JointKind::revolute;
  std::get<JointPlacement>(d.links[1].geometry).axis = {1, 0, 0};
  CHECK(massless_motion(testing::built(d)).empty());
  // about itself again, the rod lying askew: what rounding leaves of its moment is none
  std::get<JointPlacement>(d.links[1].geometry).axis = {0.3, -0.5, 0.7};
  const Mat3<double> R = rotation_z_onto(Vec3<double>{0.3, -0.5, 0.7} * (1 / std::sqrt(0.83)));
  d.links[1].parts = {body(1, R * rod_along_z.com, rotate(R, rod_along_z.tensor))};
  CHECK(massless_motion(testing::built(d)) == std::vector{1});
  d.links[1].parts = {rod_along_z};
  // a ball joint turns it about itself in one of three ways
  d.links[1].kind = JointKind::spherical;
  CHECK(massless_motion(testing::built(d)) == std::vector{3});
}

TEST_CASE("mass that lies on the axis only while the joints outward stand so is felt") {
  Description d = named();
  add(d, "a", JointKind::revolute, {});
  LinkDescription& b = add(d, "b", JointKind::revolute, {rod_along_z});
  b.geometry = JointPlacement{{}, {1, 0, 0}};
  CHECK(massless_motion(testing::built(d)).empty());
}

TEST_CASE("of a subtree without mass the joint that carries it is named, once, with all that it carries") {
  Description d = named();
  add(d, "a", JointKind::revolute, {solid});
  for (const char* name : {"b", "c", "d"}) add(d, name, JointKind::revolute, {});
  CHECK(summary(d) == "20 massless-subtree:b_joint");
  const auto findings = definiteness(d, testing::built(d));
  CHECK(findings.at(0).error.what.find("link \"b\" and the 2 it carries") != std::string::npos);
  // joints that follow it are no new coordinate
  d.links[2].mimic = Mimic{"b_joint", 1, 0, {}};
  CHECK(summary(d) == "20 massless-subtree:b_joint");
  // nor on a branch of their own
  d.links[3].mimic = Mimic{"b_joint", 1, 0, {}};
  d.links[3].parent = "a";
  CHECK(summary(d) == "20 massless-subtree:b_joint");
  // a branch with a joint of its own is
  d.links[3].mimic.reset();
  CHECK(summary(d) == "20 massless-subtree:b_joint, 40 massless-subtree:d_joint");
}

TEST_CASE("a robot without any mass is told of in one line") {
  Description d = named();
  for (const char* name : {"a", "b", "c"}) add(d, name, JointKind::revolute, {});
  CHECK(summary(d) == "");  // mass-zero says so: a robot for kinematics
  for (LinkDescription& link : d.links) link.kind = JointKind::fixed;
  CHECK(summary(d) == "");
}

TEST_CASE("two joints about one axis with nothing between them have a singular mass matrix") {
  Description d = named();
  add(d, "a", JointKind::revolute, {});
  add(d, "b", JointKind::revolute, {solid}).geometry = JointPlacement{};
  CHECK(massless_motion(testing::built(d)).empty());
  CHECK(summary(d) == "20 mass-matrix:b_joint");
  d.links[0].parts = {solid};
  CHECK(summary(d) == "");
}

TEST_CASE("a negative moment about a joint's axis shows in the mass matrix, at that joint") {
  Description d = named();
  add(d, "a", JointKind::revolute, {solid});
  add(d, "b", JointKind::revolute, {body(1, {}, {0.1, 0.1, -0.01, 0, 0, 0})});
  CHECK(summary(d) == "20 massless-subtree:b_joint");
  // outweighed at its own joint by a rotor, it may still be felt nowhere
  d.links[1].rotor = Rotor{.inertia = 0.02, .gear = 1};
  CHECK(summary(d) == "");
  d.links[1].rotor.reset();
  d.links[1].parts[0].com = {0.05, 0, 0};
  CHECK(summary(d) == "20 massless-subtree:b_joint");
}

TEST_CASE("sound robots of every kind have a definite mass matrix") {
  testing::Random random(3);
  for (int draw = 0; draw < testing::draws(200); ++draw) {
    testing::RobotOptions options;
    options.links = 1 + random.below(10);
    options.floating = draw % 2 == 0;
    options.rotors = draw % 3 == 0;
    const Description d = testing::random_robot(random, options).description;
    CHECK(summary(d) == "");
  }
}

TEST_CASE("a robot of very many coordinates is not sampled, and says so") {
  Description d = named();
  for (int i = 0; i < 501; ++i) add(d, "link" + std::to_string(i), JointKind::revolute, {solid});
  const auto findings = definiteness(d, testing::built(d));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].severity == Severity::note);
  d.links.pop_back();
  CHECK(definiteness(d, testing::built(d)).empty());
}
