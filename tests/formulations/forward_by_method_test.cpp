#include "torsor/formulations/forward_by_method.hpp"

#include <doctest/doctest.h>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

// three hinges; the last link weighs what is asked, the middle joint rubs
Model<double> arm(double last_mass) {
  Description d;
  for (int k = 0; k < 3; ++k) {
    LinkDescription link;
    link.name = link.joint_name = std::string(1, static_cast<char>('a' + k));
    link.geometry = JointPlacement{{rotation_x(0.4), {0.3, 0, 0}}, {0, 1, 0}};
    const double mass = k == 2 ? last_mass : 2;
    link.parts.push_back({mass, {0.1, 0.2, 0}, {mass, mass, mass}, InertiaAbout::mass_centre, {}});
    if (k == 1) {
      link.friction = Friction<double>{};
      link.friction->viscous = 3;
    }
    d.links.push_back(std::move(link));
  }
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

const std::vector<double> arm_q{0.1, 0.2, 0.3}, arm_qd{1, -2, 0.5}, arm_qdd{0.3, 0.1, -0.7};

}  // namespace

TEST_CASE("every method of the catalogue undoes inverse dynamics, friction and loads included") {
  const Model<double> model = arm(1);
  TreeDynamics<double> dynamics(model);
  std::vector<Force<double>> external(3);
  external[2] = {{1, 2, 3}, {4, 5, 6}};
  dynamics.loads = {{{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}, {0.7, 0.8, 0.9}}, external};
  std::vector<double> tau(3), back(3);
  dynamics.inverse(arm_q, arm_qd, arm_qdd, tau);
  for (const ForwardMethod& method : forward_formulations<double>) {
    CAPTURE(method.name);
    ForwardByMethod forward(model, dynamics.loads, method);
    CHECK(forward.run(arm_q, arm_qd, tau, back) == -1);
    for (std::size_t k = 0; k < 3; ++k) CHECK(back[k] == doctest::Approx(arm_qdd[k]).epsilon(1e-12));
  }
}

TEST_CASE("a joint that moves nothing heavy is named instead of an acceleration") {
  const Model<double> model = arm(0);
  std::vector<double> tau(3, 1.0), out{7, 7, 7};
  for (const ForwardMethod& method : forward_formulations<double>) {
    ForwardByMethod forward(model, {}, method);
    CHECK(forward.run(arm_q, arm_qd, tau, out) == 2);
    CHECK(out == std::vector<double>{7, 7, 7});
  }
}
