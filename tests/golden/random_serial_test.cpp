// Sixteen random chains with everything at once: both conventions, turning and sliding joints, damping, a wrench at the tip.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {
/// max |a - b|, relative to the torques of the state: a share that happens to vanish has no scale of its own.
double share(View a, const Json& expected, double scale) { return difference(a, numbers(expected)) / scale; }
}  // namespace

TEST_CASE("random serial chains agree with their golden values") {
  const Json file = golden("random_serial");
  REQUIRE(file.at("robots").size() == 16);
  for (const Json& robot : file.at("robots")) {
    CAPTURE(robot.at("id").get<int>());
    const Json& golden_model = robot.at("model");
    const Model<double> model = built(description(golden_model));
    const Transform<double> tip_frame = model.bodies.back().link;

    // the last link pushes on its surroundings, so they push back on it
    std::vector<Force<double>> external(model.bodies.size());
    external.back() = tip_frame * reaction(golden_model.at("ntip"), golden_model.at("ftip"));
    const BodyLoads<double> loads{{}, external};

    REQUIRE(robot.at("states").size() == 4);
    for (const Json& state : robot.at("states")) {
      const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
      const Numbers D = numbers(state.at("D")), h = numbers(state.at("h")), g = numbers(state.at("g"));
      const Numbers tau_tip = numbers(state.at("tau_tip")), tau_damp = numbers(state.at("tau_damp"));
      const double scale = largest(times(D, qdd)) + largest(h) + largest(g);

      TreeDynamics<double> dynamics(model);
      dynamics.loads = loads;
      Numbers tau(q.size());
      dynamics.inverse(q, qd, qdd, tau);
      CHECK(disagreement(tau, numbers(state.at("tau")), D, qdd, h, g, {tau_tip, tau_damp}) < 1e-11);

      CHECK(relative(mass_matrix(model, q), D) < 1e-11);
      CHECK(share(velocity_torques(model, q, qd), state.at("h"), scale) < 1e-11);
      CHECK(share(gravity(model, q), state.at("g"), scale) < 1e-11);
      CHECK(share(sum(inverse(model, q, qd, qdd, loads), inverse(model, q, qd, qdd), -1), state.at("tau_tip"),
                  scale + largest(tau_tip)) < 1e-11);
      CHECK(relative(friction(model, q, qd), tau_damp) < 1e-11);

      const Transform<double> tip = poses(model, q).back() * tip_frame;
      const Json& T = state.at("T_tip_world");
      const Transform<double> expected{matrix(T), {T[0][3], T[1][3], T[2][3]}};
      CHECK(apart(tip, expected) < 1e-11);
    }
  }
}

TEST_CASE("the classical recursions carry the tip wrench and the damping of the standard DH chains") {
  for (const Json& robot : golden("random_serial").at("robots")) {
    CAPTURE(robot.at("id").get<int>());
    const Json& golden_model = robot.at("model");
    if (golden_model.at("conv") != "standard") continue;
    const auto arm = dh_arm(description(golden_model), Convention::standard_dh);
    REQUIRE(arm);
    // the source's load is what the last link exerts, as the golden wrench is
    const Numbers damping = numbers(golden_model.at("damp"));
    const ChainLoads<double> loads{damping,
                                   Force<double>{vector(golden_model.at("ntip")), vector(golden_model.at("ftip"))}};
    NewtonEulerLinkWork<double> link(*arm);
    NewtonEulerBaseWork<double> base(*arm);
    DhPosition<double> position(arm->n());
    for (const Json& state : robot.at("states")) {
      const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
      const Numbers D = numbers(state.at("D")), h = numbers(state.at("h")), g = numbers(state.at("g"));
      const Numbers tau_tip = numbers(state.at("tau_tip")), tau_damp = numbers(state.at("tau_damp"));
      position.set(*arm, q);
      Numbers tau(q.size());
      inverse_newton_euler_link<double>(*arm, position, qd, qdd, loads, link, tau);
      CHECK(disagreement(tau, numbers(state.at("tau")), D, qdd, h, g, {tau_tip, tau_damp}) < 1e-11);
      inverse_newton_euler_base<double>(*arm, position, qd, qdd, loads, base, tau);
      CHECK(disagreement(tau, numbers(state.at("tau")), D, qdd, h, g, {tau_tip, tau_damp}) < 1e-11);
    }
  }
}
