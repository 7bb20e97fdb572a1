// The arm of Hollerbach & Sahar (1983): general and simplified inertias, with and without gravity, with a wrench at the hand.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Disagreement of tau at a state with what the file says under `key`.
double error(const Model<double>& model, const Json& state, const char* key, const Loads<double>& loads = {}) {
  const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
  return disagreement(inverse(model, q, qd, qdd, loads), numbers(state.at(key)), mass_matrix(model, q), qdd,
                      velocity_efforts(model, q, qd), gravity(model, q));
}

}  // namespace

TEST_CASE("the wrist-partitioned arm agrees with its golden torques") {
  const Json file = golden("wrist_torques_50");
  const Json& meta = file.at("meta");
  const Model<double> general = built(wrist_arm(meta, "general", true)),
                      general_weightless = built(wrist_arm(meta, "general", false));
  const Model<double> simplified = built(wrist_arm(meta, "simplified", true)),
                      simplified_weightless = built(wrist_arm(meta, "simplified", false));
  REQUIRE(file.at("states").size() == 20);
  for (const Json& state : file.at("states")) {
    CHECK(error(general, state, "tau_general_g") < 1e-11);
    CHECK(error(general_weightless, state, "tau_general_nog") < 1e-11);
    CHECK(error(simplified, state, "tau_simplified_g") < 1e-11);
    CHECK(error(simplified_weightless, state, "tau_simplified_nog") < 1e-11);

    std::vector<Force<double>> external(6);
    external.back() = general.bodies.back().link * reaction(state.at("n67_frame6_about_o6"), state.at("f67_frame6"));
    CHECK(error(general, state, "tau_general_g_tipwrench", {{}, external}) < 1e-11);
  }
}
