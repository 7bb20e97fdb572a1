#include "torsor/kinematics/forward_kinematics.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/particles.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a planar arm reaches where trigonometry says") {
  Description d;
  d.convention = Convention::standard_dh;
  for (const char* name : {"upper", "fore"}) {
    LinkDescription link;
    link.name = name;
    link.joint_name = std::string(name) + "_joint";
    link.geometry = DhRow{0, 0, 0.5, 0};
    d.links.push_back(link);
  }
  const Model<double> model = built(d);
  const Numbers q{0.3, 0.9};
  const std::vector<Transform<double>> X = poses(model, q);
  const Vec3<double> tip = (X[1] * model[1].link).p;
  CHECK(apart(tip, Vec3<double>{0.5 * std::cos(0.3) + 0.5 * std::cos(1.2), 0.5 * std::sin(0.3) + 0.5 * std::sin(1.2),
                                0}) < 1e-15);
}

TEST_CASE("a branch hangs from its parent, not from the link listed before it") {
  Description d;
  for (int i = 0; i < 3; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i);
    link.joint_name = "joint" + std::to_string(i);
    link.kind = JointKind::prismatic;
    link.geometry = JointPlacement{{}, {1, 0, 0}};
    if (i == 2) link.parent = "link0";
    d.links.push_back(link);
  }
  d.base.p = {10, 0, 0};
  const std::vector<Transform<double>> X = poses(built(d), Numbers{1, 2, 4});
  CHECK(X[0].p.x == 11);
  CHECK(X[1].p.x == 13);
  CHECK(X[2].p.x == 15);
}

TEST_CASE("link frames of random trees are where elementary turns and moves carry them") {
  Random random(41);
  for (int k = 0; k < draws(50); ++k) {
    RandomRobot robot = random_robot(random, {.links = 1 + random.below(10), .one_dof = true, .mimics = k % 2 == 0});
    // particles at the origins and on the axes of each link show its frame
    for (auto& points : robot.particles) points = {{1, {}}, {1, {1, 0, 0}}, {1, {0, 1, 0}}, {1, {0, 0, 1}}};
    const Model<double> model = built(robot.description);
    const State state = random_state(random, model);
    std::map<std::string, double> coordinates;
    for (std::size_t i = 0; i < model.velocity_names.size(); ++i) coordinates[model.velocity_names[i]] = state.q[i];
    const std::vector<Vec3<double>> seen = ParticleCloud<double>(robot, coordinates).positions;
    const std::vector<Transform<double>> X = poses(model, state.q);
    for (std::size_t i = 0; i < robot.description.links.size(); ++i) {
      const int b = model.body_index(robot.description.links[i].name);
      const Transform<double> link = X[b] * model[b].link;
      CHECK(apart(link.p, seen[4 * i]) < 1e-13);
      CHECK(apart(link.R, Mat3<double>{seen[4 * i + 1] - seen[4 * i], seen[4 * i + 2] - seen[4 * i],
                                       seen[4 * i + 3] - seen[4 * i]}) < 1e-13);
    }
  }
}

TEST_CASE("the pose of a named frame is that of its body and its own place on it") {
  Random random(42);
  Description d = random_robot(random, {.links = 4}).description;
  const Transform<double> X_link_tool = random.transform(0.2);
  d.tools = {{"gripper", "link1", X_link_tool, {}}, {"camera", "link3", {}, {}}};
  const Model<double> model = built(d);
  REQUIRE(model.frames.size() == 2);
  const std::vector<Transform<double>> X = poses(model, random_state(random, model).q);
  CHECK(apart(frame_pose<double>(model.frames[0], X), X[1] * model[1].link * X_link_tool) < 1e-15);
  CHECK(apart(frame_pose<double>(model.frames[1], X), X[3] * model[3].link) < 1e-15);
}
