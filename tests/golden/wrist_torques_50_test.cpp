// The arm of Hollerbach & Sahar (1983): general and simplified inertias, with and without gravity, with a wrench at the tool.
#include <doctest/doctest.h>

#include <string_view>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/formulations/catalogue.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Disagreement of tau at a state with what the file says under `key`.
double error(const Model<double>& model, const Json& state, const char* key, const BodyLoads<double>& loads = {}) {
  const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
  return disagreement(inverse(model, q, qd, qdd, loads), numbers(state.at(key)), mass_matrix(model, q), qdd,
                      velocity_torques(model, q, qd), gravity(model, q));
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

TEST_CASE("every formulation that serves the wrist-partitioned arm gives its golden torques") {
  const Json file = golden("wrist_torques_50");
  struct Case {
    const char* inertias;
    bool with_gravity;
    const char* key;
  };
  for (const Case& c :
       {Case{"general", true, "tau_general_g"}, Case{"general", false, "tau_general_nog"},
        Case{"simplified", true, "tau_simplified_g"}, Case{"simplified", false, "tau_simplified_nog"}}) {
    CAPTURE(c.key);
    auto forms = robot_forms(wrist_arm(file.at("meta"), c.inertias, c.with_gravity));
    REQUIRE(forms);
    int special = 0;  // rows with a premise of their own
    for (const auto& row : inverse_formulations<double>()) {
      if (!refusal(row, *forms).empty()) continue;
      CAPTURE(row.name);
      special += row.name.starts_with("wrist-");
      const auto run = row.prepare(*forms);
      for (const Json& state : file.at("states")) {
        const Numbers qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
        forms->set(numbers(state.at("q")));
        Numbers tau(6);
        run(*forms, qd, qdd, tau);
        CHECK(relative(tau, numbers(state.at(c.key))) < 1e-11);
      }
    }
    CHECK(special == (std::string_view(c.inertias) == "simplified" ? 4 : 3));
  }
}
