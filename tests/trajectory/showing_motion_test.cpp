#include "torsor/trajectory/showing_motion.hpp"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/singular_values.hpp"

using namespace torsor;

namespace {

struct Stance {
  Model<double> model;
  std::vector<Transform<double>> X;
  double depth = 0, away = 0;  // below the foot, and from the foot to the tool, in lengths of the arm
};

Model<double> shipped_arm(const char* name) {
  const auto description = load_robot(name);
  REQUIRE(description);
  auto model = build(*description);
  REQUIRE(model);
  return *std::move(model);
}

Stance stance_at(const Model<double>& m, std::span<const double> q) {
  Stance stance{m, std::vector<Transform<double>>(m.bodies.size())};
  Configuration<double> at(m);
  at.set(m, q);
  forward_kinematics(m, at, std::span(stance.X));
  const Frame<double>& tool = m.frames.back();
  const Vec3<double> end = frame_pose(tool, std::span<const Transform<double>>(stance.X)).p;
  double length = norm(tool.X_body_frame.p), low = end.z;
  for (int i = tool.body; i >= 0; i = m[i].parent) {
    length += norm(m[i].placement.p);
    low = std::min(low, stance.X[static_cast<std::size_t>(i)].p.z);
  }
  stance.depth = (m.base.p.z - low) / length;
  stance.away = norm(end - m.base.p) / length;
  return stance;
}

/// The least singular value of the tool's Jacobian over its largest, lengths in reaches of the arm; of seven joints the last
/// is left out, or the one that is held.
double share_of_least_singular_value(const Model<double>& m, std::span<const double> q, int held = 6) {
  const Stance stance = stance_at(m, q);
  const Frame<double>& tool = m.frames.back();
  const Vec3<double> end = frame_pose(tool, std::span<const Transform<double>>(stance.X)).p;
  double length = norm(tool.X_body_frame.p);
  int columns = 0;  // joints that move the tool, but for the last of seven: a gripper's jaw comes after them
  for (int i = tool.body; i >= 0; i = m[i].parent) {
    length += norm(m[i].placement.p) + (m[i].kind == JointKind::prismatic ? 0.5 : 0);
    columns += m[i].nv;
  }
  columns = std::min(columns, 6);
  if (length == 0) length = 1;
  const auto n = static_cast<std::size_t>(m.nv), kept = static_cast<std::size_t>(columns);
  std::vector<double> J(6 * n), part;
  jacobian(m, std::span<const Transform<double>>(stance.X), tool.body, end, std::span(J));
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t k = 0; k < n; ++k)
      if (part.size() < (row + 1) * kept && static_cast<int>(k) != held)
        part.push_back(J[row * n + k] / (row < 3 ? 1 : length));
  std::array<double, 36> U{};
  std::array<double, 6> sigma{};
  singular_values<double>(part, 6, columns, U, sigma);
  return sigma[kept - 1] / sigma[0];
}

}  // namespace

TEST_CASE("no arm is shown where its tool loses a direction, nor one of seven joints where two solutions meet") {
  int arms = 0;
  for (const EmbeddedRobot& robot : embedded_robots()) {
    const std::string name(robot.name);
    CAPTURE(name);
    const Model<double> m = shipped_arm(name.c_str());
    if (m.nq != m.nv || m.nv > 7) continue;  // legs, and two arms
    ++arms;
    const std::vector<double> q = showing_posture(m);
    INFO(fmt::format("{}", fmt::join(q, " ")));
    CHECK(share_of_least_singular_value(m, q) > 0.04);
    // inverse kinematics holds the third of some
    if (m.nv == 7) CHECK(share_of_least_singular_value(m, showing_posture(m, 2), 2) > 0.04);
  }
  CHECK(arms > 25);
}

TEST_CASE("an arm is shown standing on its floor, neither folded nor straight, whatever its limits say") {
  for (const char* name : {"ur3e",
                           "ur5",
                           "ur5e",
                           "ur10e",
                           "ur16e",
                           "ur20",
                           "puma560",
                           "panda",
                           "fr3",
                           "iiwa14",
                           "gen3",
                           "kr6",
                           "kr210",
                           "crx10ia",
                           "irb1200",
                           "xarm6",
                           "xarm7",
                           "so101",
                           "rotary_hollerbach",
                           "sixr_angeles",
                           "sixr_sim"}) {
    CAPTURE(name);
    const Model<double> m = shipped_arm(name);
    const std::vector<double> q = showing_posture(m);
    REQUIRE(q.size() == static_cast<std::size_t>(m.nq));
    CHECK(q == showing_posture(m));
    const std::vector<Limits> bounds = position_bounds(m);
    for (std::size_t k = 0; k < q.size(); ++k) {
      CHECK((q[k] >= bounds[k].lower && q[k] <= bounds[k].upper));
      CHECK(std::abs(q[k]) <= 3.15);
    }
    const Stance stance = stance_at(m, q);
    CHECK(stance.depth < 0.02);
    CHECK((stance.away > 0.35 && stance.away < 0.95));
  }
}

TEST_CASE("the motion that shows a robot begins there, keeps its limits and its floor, and comes back") {
  for (const char* name : {"ur5", "panda", "iiwa14", "stanford", "scara", "cartesian3", "cylindrical3", "two_link",
                           "theta_d", "gen3", "two_arm"}) {
    CAPTURE(name);
    const Model<double> m = shipped_arm(name);
    const ViaPointMotion motion = showing_motion(m);
    const auto n = static_cast<std::size_t>(m.nv);
    std::vector<double> q(n), qd(n), qdd(n), most(n);
    const std::vector<double> start = showing_posture(m);
    for (int k = 0; k <= 200; ++k) {
      motion.sample(motion.duration() * k / 200, q, qd, qdd);
      if (k == 0 || k == 200)
        for (std::size_t l = 0; l < n; ++l) CHECK(q[l] == doctest::Approx(start[l]));
      for (std::size_t l = 0; l < n; ++l) {
        CHECK((q[l] >= m.limits[l].lower && q[l] <= m.limits[l].upper));
        CHECK(std::abs(qd[l]) <= 0.5 * m.limits[l].velocity * (1 + 1e-9));
        most[l] = std::max(most[l], std::abs(q[l] - start[l]));
      }
    }
    for (std::size_t l = 0; l < n; ++l) CHECK(most[l] > 0.05);
    if (m.nv == 6 || m.nv == 7) CHECK(stance_at(m, q).depth < 0.05);
    CHECK(motion.duration() < 10);
  }
}

TEST_CASE("what walks stands inside its limits with its feet below its hips, and nothing is shown at nothing") {
  for (const char* name : {"go2", "g1", "floating"}) {
    CAPTURE(name);
    const Model<double> m = shipped_arm(name);
    const std::vector<double> q = showing_posture(m);
    REQUIRE(q.size() == static_cast<std::size_t>(m.nq));
    for (const Body<double>& b : m.bodies)
      if (b.nv == 1) {
        const double x = q[static_cast<std::size_t>(b.q)];
        const Limits& l = m.limits[static_cast<std::size_t>(b.v)];
        CHECK((x >= l.lower && x <= l.upper));
      }
  }
  const Model<double> dog = shipped_arm("go2"), human = shipped_arm("g1");
  CHECK(showing_posture(human) == neutral_position(human));  // inside its limits
  std::vector<Transform<double>> X(dog.bodies.size());
  Configuration<double> at(dog);
  at.set(dog, showing_posture(dog));
  forward_kinematics(dog, at, std::span(X));
  int feet = 0;
  for (const Frame<double>& foot : dog.frames) {
    if (foot.name.find("foot") == std::string::npos) continue;
    ++feet;
    const Transform<double>& hip = X[static_cast<std::size_t>(dog[foot.body].parent)];  // of the thigh
    const Vec3<double> r = frame_pose(foot, std::span<const Transform<double>>(X)).p - hip.p;
    CHECK(std::abs(r.x) < 0.02);
    CHECK(r.z < -0.2);
  }
  CHECK(feet == 4);
  CHECK(showing_posture(Model<double>{}).empty());
}

TEST_CASE("a robot is opened where the motion that it is known for begins, unless a direction is lost there") {
  const Model<double> puma = shipped_arm("puma560"), stanford = shipped_arm("stanford");
  std::vector<double> q(6), qd(6), qdd(6);
  motion_to_show(puma, "puma560").motion.sample(0, q, qd, qdd);
  CHECK(opening_posture(puma, "puma560") == q);
  // the published motion of the Stanford arm begins with its wrist straight
  motion_to_show(stanford, "stanford").motion.sample(0, q, qd, qdd);
  CHECK(share_of_least_singular_value(stanford, q) < 1e-6);
  CHECK(opening_posture(stanford, "stanford") == showing_posture(stanford));
  CHECK(opening_posture(stanford, "mine") == showing_posture(stanford));
}

TEST_CASE("what a robot is known for is shown before that") {
  CHECK(motion_to_show(shipped_arm("puma560"), "puma560").name == "the built-in pick and place");
  CHECK(motion_to_show(shipped_arm("puma560"), "mine").name.starts_with("every joint some way and back"));
}
