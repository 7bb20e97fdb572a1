// The planar two-link arm of Fu, Gonzalez & Lee (1987), sec. 3.2.6: uniform rods of length l in a vertical plane.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the two-link arm agrees with its golden values in both DH conventions") {
  const Json file = golden("two_link");
  REQUIRE(file.at("states").size() == 20);
  for (const char* convention : {"standard_DH", "modified_DH"}) {
    CAPTURE(convention);
    const Model<double> model = built(description(file.at("meta").at(convention)));
    for (const Json& state : file.at("states")) {
      const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
      const Numbers D = numbers(state.at("D")), h = numbers(state.at("h")), c = numbers(state.at("c"));
      const double scale = largest(sum(h, c));
      CHECK(relative(mass_matrix(model, q), D) < 1e-12);
      CHECK(difference(velocity_torques(model, q, qd), h) < 1e-12 * scale);
      CHECK(relative(gravity(model, q), c) < 1e-12);
      CHECK(disagreement(inverse(model, q, qd, qdd), numbers(state.at("tau")), D, qdd, h, c) < 1e-12);
    }
  }
}

TEST_CASE("the two-link arm agrees with its closed form in both DH conventions") {
  const Json file = golden("two_link");
  const Json& parameters = file.at("meta").at("parameters");
  const double m1 = parameters.at("m1"), m2 = parameters.at("m2"), l = parameters.at("l"), g = parameters.at("g");
  Random random(101);
  for (const char* convention : {"standard_DH", "modified_DH"}) {
    const Model<double> model = built(description(file.at("meta").at(convention)));
    for (int k = 0; k < draws(20); ++k) {
      const auto [q, qd, qdd] = random_state(random, model);
      const double c1 = std::cos(q[0]), c2 = std::cos(q[1]), s2 = std::sin(q[1]), c12 = std::cos(q[0] + q[1]),
                   A = m2 * l * l;
      const Numbers D{m1 * l * l / 3 + 4 * A / 3 + A * c2, A / 3 + A * c2 / 2, A / 3 + A * c2 / 2, A / 3};
      const Numbers h{-A * s2 * qd[1] * qd[1] / 2 - A * s2 * qd[0] * qd[1], A * s2 * qd[0] * qd[0] / 2};
      const Numbers c{m1 * g * l * c1 / 2 + m2 * g * l * c12 / 2 + m2 * g * l * c1, m2 * g * l * c12 / 2};
      CHECK(relative(mass_matrix(model, q), D) < 1e-14);
      CHECK(disagreement(inverse(model, q, qd, qdd), sum(times(D, qdd), sum(h, c)), D, qdd, h, c) < 1e-14);
    }
  }
}
