// The Stanford arm of Angeles, Ma & Rojas (1989), example 1, in three readings of its table.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the Stanford arm agrees with its golden torques and hand positions in every reading") {
  const Json file = golden("stanford_000");
  REQUIRE(file.at("variants").size() == 3);
  for (const auto& item : file.at("variants").items()) {
    CAPTURE(item.key());
    const Json& variant = item.value();
    const Model<double> model = built(description(variant.at("model")));
    // the paper's b_3 is the slide or its opposite
    const double sign = variant.at("d3_equals") == "-1 * b_3" ? -1 : 1;
    const auto joint = [sign](Numbers x) {
      x[2] *= sign;
      return x;
    };
    REQUIRE(variant.at("rows").size() == 101);
    for (const Json& row : variant.at("rows")) {
      const Numbers q = joint(numbers(row.at("q_paper"))), qd = joint(numbers(row.at("qd_paper"))),
                    qdd = joint(numbers(row.at("qdd_paper")));
      CHECK(q[2] == row.at("d3").get<double>());

      const Numbers tau = inverse(model, q, qd, qdd), expected = joint(numbers(row.at("tau_paper")));
      CHECK(expected[2] == row.at("tau3_conj_d3").get<double>());
      CHECK(disagreement(tau, expected, mass_matrix(model, q), qdd, velocity_efforts(model, q, qd), gravity(model, q)) <
            1e-11);
      CHECK(apart(poses(model, q).back().p, vector(row.at("O6_base"))) < 1e-11);
    }
  }
}
