#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/patience.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

LinkDescription named(const std::string& name, JointKind kind = JointKind::revolute) {
  LinkDescription link{.name = name, .joint_name = name + "_joint", .kind = kind};
  return link;
}

}  // namespace

TEST_CASE("parents listed after their children are sorted before them, the rest keeps its order") {
  Description d;
  for (const char* name : {"hand", "arm", "camera", "torso"}) d.links.push_back(named(name));
  d.links[0].parent = "arm";
  d.links[1].parent = "torso";
  d.links[2].parent = "hand";
  d.links[3].parent = "base";
  const Model<double> model = built(d);
  CHECK(model.link_names == std::vector<std::string>{"torso", "arm", "hand", "camera"});
  for (int i = 0; i < model.size(); ++i) CHECK(model[i].parent == i - 1);
  // the default tool is the end of the longest chain
  CHECK(model.frames.back().name == "camera");
  CHECK(model.frames.back().body == 3);
}

TEST_CASE("the order of the links in the file does not change the mechanics") {
  Random random(261);
  for (int k = 0; k < draws(30); ++k) {
    Description d = random_robot(random, {.links = 8, .rotors = true, .friction = true, .mimics = true}).description;
    const Model<double> model = built(d);
    for (std::size_t i = 0; i < d.links.size(); ++i)
      if (!d.links[i].parent) d.links[i].parent = d.links[i - 1].name;
    for (std::size_t i = d.links.size() - 1; i > 0; --i)
      std::swap(d.links[i], d.links[static_cast<std::size_t>(random.below(static_cast<int>(i) + 1))]);
    const Model<double> shuffled = built(d);
    for (int i = 0; i < shuffled.size(); ++i) CHECK(shuffled[i].parent < i);

    // the same state, coordinate by coordinate
    const State state = random_state(random, model);
    State same{Numbers(state.q.size()), Numbers(state.qd.size()), Numbers(state.qdd.size())};
    const auto at = [](const std::vector<std::string>& names, const std::string& name) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    for (std::size_t i = 0; i < state.q.size(); ++i)
      same.q[i] = state.q[at(model.position_names, shuffled.position_names[i])];
    for (std::size_t i = 0; i < state.qd.size(); ++i) {
      same.qd[i] = state.qd[at(model.velocity_names, shuffled.velocity_names[i])];
      same.qdd[i] = state.qdd[at(model.velocity_names, shuffled.velocity_names[i])];
    }
    const Numbers tau = inverse(model, state.q, state.qd, state.qdd),
                  other = inverse(shuffled, same.q, same.qd, same.qdd);
    for (std::size_t i = 0; i < tau.size(); ++i)
      CHECK(std::abs(other[i] - tau[at(model.velocity_names, shuffled.velocity_names[i])]) <
            1e-12 * (1 + largest(tau)));
  }
}

TEST_CASE("coordinates are named after their joints, with their letters where there are several") {
  Description d;
  d.links = {named("hull", JointKind::free), named("hip", JointKind::spherical), named("plate", JointKind::fixed),
             named("knee")};
  const Model<double> model = built(d);
  CHECK(model.position_names == std::vector<std::string>{"hull_joint.e0", "hull_joint.e1", "hull_joint.e2",
                                                         "hull_joint.e3", "hull_joint.px", "hull_joint.py",
                                                         "hull_joint.pz", "hip_joint.e0", "hip_joint.e1",
                                                         "hip_joint.e2", "hip_joint.e3", "knee_joint"});
  CHECK(model.velocity_names == std::vector<std::string>{"hull_joint.wx", "hull_joint.wy", "hull_joint.wz",
                                                         "hull_joint.vx", "hull_joint.vy", "hull_joint.vz",
                                                         "hip_joint.wx", "hip_joint.wy", "hip_joint.wz", "knee_joint"});
  CHECK(model.limits.size() == static_cast<std::size_t>(model.nv));
}

TEST_CASE("parts of a link add up, however each of them is given") {
  Random random(262);
  const std::vector<PointMass> points{
      {1.0, random.vector(1)}, {2.0, random.vector(1)}, {0.5, random.vector(1)}, {1.5, random.vector(1)}};
  Description whole, pieces;
  whole.links = {named("link")};
  whole.links[0].geometry = JointPlacement{random.transform(1), {1, 2, 3}};
  pieces = whole;
  whole.links[0].parts = {part_of(points, InertiaAbout::mass_centre)};
  pieces.links[0].parts = {part_of({points[0], points[1]}, InertiaAbout::frame_origin),
                           part_of({points[2]}, InertiaAbout::mass_centre),
                           part_of({points[3]}, InertiaAbout::frame_origin)};
  CHECK(apart(built(whole)[0].inertia, built(pieces)[0].inertia) < 1e-13);
}

TEST_CASE("friction given at the motor is seen at the joint through the gear") {
  // motor speed = gear * joint speed, joint torque = gear * motor torque
  Friction<double> at_motor;
  at_motor.viscous = 1e-3, at_motor.coulomb_positive = 0.02, at_motor.coulomb_negative = 0.03;
  at_motor.breakaway_positive = 0.05, at_motor.breakaway_negative = 0.07, at_motor.stribeck_velocity = 2;
  for (const double gear : {40.0, -40.0}) {
    Description d;
    d.links = {named("link")};
    d.links[0].rotor = Rotor{.inertia = 1e-4, .gear = gear};
    d.links[0].friction = at_motor;
    d.links[0].friction_at_motor = true;
    const Model<double> model = built(d);
    for (const double qd : {-0.3, -0.04, 0.04, 0.3})
      CHECK(friction(model, Numbers{0}, Numbers{qd})[0] ==
            doctest::Approx(gear * friction_torque(at_motor, 0.0, gear * qd)).epsilon(1e-13));
  }
}

TEST_CASE("a friction function given at the motor is asked at the motor's position and speed") {
  Description d;
  d.links = {named("link")};
  d.links[0].rotor = Rotor{.inertia = 1e-4, .gear = -40};
  d.links[0].friction.emplace();
  d.links[0].friction->function = [](const double& q, const double& qd) { return 1e-3 * q + 1e-2 * qd; };
  d.links[0].friction_at_motor = true;
  const Numbers effort = friction(built(d), Numbers{0.5}, Numbers{2});
  CHECK(effort[0] == doctest::Approx(-40 * (1e-3 * (-40 * 0.5) + 1e-2 * (-40 * 2))).epsilon(1e-13));
}

TEST_CASE("named tools are kept in their order, the last being the default") {
  Description d;
  d.links = {named("arm"), named("hand")};
  d.tools = {{"camera", "arm", {}, {}}, {"gripper", "hand", {Mat3<double>::identity(), {0, 0, 0.1}}, {}}};
  const Model<double> model = built(d);
  REQUIRE(model.frames.size() == 2);
  CHECK(model.frames[0].name == "camera");
  CHECK(model.frames[1].body == 1);
  CHECK(model.frames[1].X_body_frame.p.z == 0.1);
}

TEST_CASE("limits belong to the coordinates of their joint") {
  Description d;
  d.links = {named("hip", JointKind::spherical), named("knee")};
  d.links[1].limits = {-1, 2, 3, 4};
  const Model<double> model = built(d);
  CHECK(model.limits[3].lower == -1);
  CHECK(model.limits[3].effort == 4);
  CHECK(model.limits[0].upper == std::numeric_limits<double>::infinity());
}

TEST_CASE("a chain of 100 000 links is built at once, in whatever order it is listed") {
  const int n = 100000;
  Description d;
  d.links.reserve(n);
  for (int i = 0; i < n; ++i) {
    d.links.push_back(named("link" + std::to_string(i)));
    d.links.back().parent = i == 0 ? "base" : "link" + std::to_string(i - 1);
  }
  for (const bool backwards : {false, true}) {
    if (backwards) std::reverse(d.links.begin(), d.links.end());
    const double took = processor_seconds([&] {
      const Result<Model<double>> model = build(d);
      REQUIRE(model);
      CHECK(model->nv == n);
      CHECK(model->link_names[0] == "link0");
    });
    CHECK(took < patience);
  }
}

TEST_CASE("an axis may have any length but zero: only its direction counts") {
  Description d;
  LinkDescription link{.name = "arm", .joint_name = "arm"};
  link.parts = {{1.0, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1}}};
  link.geometry = JointPlacement{{}, {1, 2, -3}};
  d.links = {link};
  const Vec3<double> z = build(d)->bodies[0].placement.R.z;
  for (const double length : {1e-300, 1e-200, 1e-12, 1e12, 1e200, 1e300}) {
    CAPTURE(length);
    std::get<JointPlacement>(d.links[0].geometry).axis = Vec3<double>{1, 2, -3} * length;
    const auto model = build(d);
    REQUIRE(model);
    CHECK(norm((*model)[0].placement.R.z - z) < 1e-15);
  }
  std::get<JointPlacement>(d.links[0].geometry).axis = {0, 0, 0};
  CHECK(build(d).faults().at(0).rule == "axis-zero");
  std::get<JointPlacement>(d.links[0].geometry).axis = {0, INFINITY, 0};
  CHECK(build(d).faults().at(0).rule == "axis-zero");
}

TEST_CASE("the limits of a mimic joint hold for the coordinate that moves it") {
  Description d;
  for (const char* name : {"a", "b", "c"}) d.links.push_back(named(name));
  d.links[0].limits = {.lower = -3, .upper = 3, .velocity = 5};
  d.links[1].mimic = Mimic{d.links[0].joint_name, 2, 0.1, {}};
  d.links[1].limits = {.lower = -1, .upper = 1, .velocity = 2};
  d.links[2].mimic = Mimic{d.links[1].joint_name, -1, 0, {}};  // c = -2 a - 0.1
  d.links[2].limits = {.lower = -0.5, .upper = 9};
  const Model<double> m = built(d);
  REQUIRE(m.limits.size() == 1);
  CHECK(m.limits[0].lower == doctest::Approx(-0.55));
  CHECK(m.limits[0].upper == doctest::Approx(0.2));
  CHECK(m.limits[0].velocity == doctest::Approx(1));

  d.links[2].limits = {.lower = 5, .upper = 9};
  const auto impossible = build(d);
  REQUIRE(!impossible);
  CHECK(impossible.faults()[0].rule == "limits-order");
}
