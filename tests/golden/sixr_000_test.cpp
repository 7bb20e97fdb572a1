// The six-axis industrial arm of Angeles, Ma & Rojas (1989), example 2, along a straight line, in four readings.
#include <doctest/doctest.h>

#include "tests/golden/kane_as_printed.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the six-axis arm agrees with its golden torques at the given joint motion and keeps to its line") {
  const Json file = golden("sixr_000");
  REQUIRE(file.at("variants").size() == 4);
  for (const auto& item : file.at("variants").items()) {
    CAPTURE(item.key());
    const Json& variant = item.value();
    const Model<double> model = built(description(variant.at("model")));
    REQUIRE(variant.at("rows").size() == 101);
    for (const Json& row : variant.at("rows")) {
      const Numbers q = numbers(row.at("q")), qd = numbers(row.at("qd")), qdd = numbers(row.at("qdd"));
      const double error = disagreement(inverse(model, q, qd, qdd), numbers(row.at("tau")), mass_matrix(model, q), qdd,
                                        velocity_torques(model, q, qd), gravity(model, q));
      CHECK(error < 1e-9);

      const Transform<double> tool = poses(model, q).back();
      const Json& line = variant.at("line");
      CHECK(apart(tool.p, Vec3<double>{line.at("x"), row.at("y"), line.at("z")}) < 1e-9);
      CHECK(apart(tool.R, matrix(variant.at("orientation_R"))) < 1e-9);
    }
  }
}

TEST_CASE("Kane's algorithm in the signs of its paper gives the six-axis arm's golden torques") {
  for (const auto& item : golden("sixr_000").at("variants").items()) {
    CAPTURE(item.key());
    const Json& variant = item.value();
    const Description robot = description(variant.at("model"));
    const Model<double> model = built(robot);
    KaneAsPrinted kane(robot);
    for (const Json& row : variant.at("rows")) {
      const Numbers q = numbers(row.at("q")), qd = numbers(row.at("qd")), qdd = numbers(row.at("qdd"));
      CHECK(disagreement(kane.torques(q, qd, qdd), numbers(row.at("tau")), mass_matrix(model, q), qdd,
                         velocity_torques(model, q, qd), gravity(model, q)) < 1e-9);
    }
  }
}
