#include "torsor/trajectory/showing_motion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "torsor/files/load_robot.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/random_position.hpp"

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

}  // namespace

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

TEST_CASE("joints of several degrees of freedom are shown at the neutral position, and nothing at nothing") {
  const Model<double> dog = shipped_arm("go2");
  CHECK(showing_posture(dog) == neutral_position(dog));
  CHECK(showing_posture(Model<double>{}).empty());
}

TEST_CASE("what a robot is known for is shown before that") {
  CHECK(motion_to_show(shipped_arm("puma560"), "puma560").name == "the built-in pick and place");
  CHECK(motion_to_show(shipped_arm("puma560"), "mine").name.starts_with("every joint some way and back"));
}
