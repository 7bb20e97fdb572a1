// The Stanford arm of Angeles, Ma & Rojas (1989), example 1, in three readings of its table.
#include <doctest/doctest.h>

#include "tests/golden/kane_as_printed.hpp"
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
      CHECK(disagreement(tau, expected, mass_matrix(model, q), qdd, velocity_torques(model, q, qd), gravity(model, q)) <
            1e-11);
      CHECK(apart(poses(model, q).back().p, vector(row.at("O6_base"))) < 1e-11);
    }
  }
}

TEST_CASE("Kane's algorithm in the signs of its paper gives the Stanford arm's golden torques in every reading") {
  // slide 3 the other way
  const auto turned = [](Numbers x) {
    x[2] = -x[2];
    return x;
  };
  for (const auto& item : golden("stanford_000").at("variants").items()) {
    CAPTURE(item.key());
    const Json& variant = item.value();
    const Description robot = description(variant.at("model"));
    const Model<double> model = built(robot);
    KaneAsPrinted kane(robot);
    // where b_3 is against Z_3, the paper's numbers go in and come out as they are
    const bool as_printed = variant.at("d3_equals") == "-1 * b_3";
    const auto paper = [&](const Json& x) { return as_printed ? numbers(x) : turned(numbers(x)); };
    for (const Json& row : variant.at("rows")) {
      const Numbers b = paper(row.at("q_paper")), bd = paper(row.at("qd_paper")), bdd = paper(row.at("qdd_paper"));
      const Numbers tau = kane.torques(b, bd, bdd), q = turned(b), qd = turned(bd), qdd = turned(bdd);
      CHECK(disagreement(tau, paper(row.at("tau_paper")), mass_matrix(model, q), qdd, velocity_torques(model, q, qd),
                         gravity(model, q)) < 1e-11);
    }
  }
}
