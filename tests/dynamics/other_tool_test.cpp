#include "torsor/dynamics/other_tool.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A robot, a few states of it, and the torques that some robot takes there.
struct Scene {
  Random random{51};
  Description robot = random_dh_arm(random, 4, Convention::standard_dh);
  std::vector<TorqueSample> samples;

  Scene() {
    const Model<double> model = built(robot);
    for (int k = 0; k < 5; ++k) {
      const State state = random_state(random, model);
      samples.push_back({state.q, state.qd, state.qdd, {}});
    }
  }

  Numbers torques(const Description& other) const {
    const Model<double> model = built(other);
    TreeDynamics<double> dynamics(model);
    Numbers all, tau(4);
    for (const TorqueSample& s : samples) {
      dynamics.inverse(s.q, s.qd, s.qdd, tau);
      all.insert(all.end(), tau.begin(), tau.end());
    }
    return all;
  }
};

Numbers plus(Numbers a, const Numbers& b, double factor) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += factor * b[k];
  return a;
}

}  // namespace

TEST_CASE("a tool without any slip gives the efforts of the tree") {
  const Scene scene;
  OtherTool tool;
  tool.robot = scene.robot;
  CHECK(difference(other_torques(tool, scene.samples)->tau, scene.torques(scene.robot)) == 0);
}

TEST_CASE("another order, another sense and degrees undo themselves when the record is written so") {
  Scene scene;
  const Numbers right = scene.torques(scene.robot);
  OtherTool tool;
  tool.robot = scene.robot;
  tool.order = {2, 0, 3, 1};
  tool.sense = {1, -1, 1, -1};
  tool.angle = tool.angular_rate = std::numbers::pi / 180;
  for (TorqueSample& s : scene.samples)
    for (Numbers* part : {&s.q, &s.qd, &s.qdd}) {
      const Numbers ours = *part;
      for (std::size_t k = 0; k < 4; ++k)
        (*part)[static_cast<std::size_t>(tool.order[k])] = tool.sense[k] * ours[k] * 180 / std::numbers::pi;
    }
  const Numbers written = other_torques(tool, scene.samples)->tau;
  for (std::size_t row = 0; row < 5; ++row)
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(written[row * 4 + static_cast<std::size_t>(tool.order[k])] ==
            doctest::Approx(tool.sense[k] * right[row * 4 + k]).epsilon(1e-10));
}

TEST_CASE("the column of an addition is what one unit of it adds to the efforts") {
  const Scene scene;
  const Numbers plain = scene.torques(scene.robot);
  const auto column = [&](Addition addition, std::size_t k) {
    OtherTool tool;
    tool.robot = scene.robot;
    tool.additions = {addition};
    return other_torques(tool, scene.samples)->columns.at(k);
  };

  Description heavier = scene.robot;
  heavier.links.back().parts.push_back({.mass = 1});
  CHECK(difference(scene.torques(heavier), plus(plain, column(Addition::payload_mass, 0), 1)) < 1e-12 * largest(plain));

  // a body: mass, first moments and the inertia about the tool, each a column
  const Vec3<double> at{0.2, -0.1, 0.3};
  const Sym3<double> tensor{0.5, 0.4, 0.6, 0.05, -0.02, 0.03};
  Description loaded = scene.robot;
  loaded.links.back().parts.push_back({.mass = 2, .com = at, .tensor = tensor});
  const Sym3<double> I = inertia_about_centre(2.0, at, tensor).I;
  const Numbers body{2, 2 * at.x, 2 * at.y, 2 * at.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  Numbers sum = plain;
  for (std::size_t k = 0; k < body.size(); ++k) sum = plus(sum, column(Addition::payload_body, k), body[k]);
  CHECK(difference(scene.torques(loaded), sum) < 1e-12 * largest(plain));

  Description rubbing = scene.robot;
  rubbing.links[1].friction = Friction<double>{.viscous = 2, .table = {}, .function = {}};
  CHECK(difference(scene.torques(rubbing), plus(plain, column(Addition::viscous, 1), 2)) < 1e-12 * largest(plain));

  Description driven = scene.robot;
  driven.links[2].rotor = Rotor{.inertia = 0.5, .gear = 2};
  CHECK(difference(scene.torques(driven), plus(plain, column(Addition::rotor, 2), 2)) < 1e-12 * largest(plain));

  Description tilted = scene.robot;
  tilted.gravity.y += 3;
  CHECK(difference(scene.torques(tilted), plus(plain, column(Addition::gravity_vector, 1), 3)) <
        1e-12 * largest(plain));

  Description light = scene.robot;
  light.gravity = light.gravity * 0.25;
  CHECK(difference(scene.torques(light), plus(plain, column(Addition::gravity_size, 0), -0.75)) <
        1e-12 * largest(plain));
}
