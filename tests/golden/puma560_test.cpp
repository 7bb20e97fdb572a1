// PUMA 560: torques, coefficients, Christoffel symbols, and the split into translation and rotation.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the PUMA 560 agrees with its golden torques, D, h and G") {
  const Json file = golden("puma560");
  const Model<double> model = built(description(file.at("meta").at("model")));
  REQUIRE(file.at("states").size() == 20);
  for (const Json& state : file.at("states")) {
    const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
    const Numbers D = numbers(state.at("D")), h = numbers(state.at("h")), G = numbers(state.at("G"));
    CHECK(disagreement(inverse(model, q, qd, qdd), numbers(state.at("tau")), D, qdd, h, G) < 1e-11);
    CHECK(relative(mass_matrix(model, q), D) < 1e-11);
    CHECK(relative(velocity_torques(model, q, qd), h) < 1e-11);
    CHECK(relative(gravity(model, q), G) < 1e-11);
    CHECK(relative(times(coriolis(model, q, qd), qd), h) < 1e-11);
  }
}

TEST_CASE("the Coriolis matrix of the PUMA 560 is made of its Christoffel symbols") {
  // C is linear in qd: with qd a unit vector it is one slice c[.][.][m]
  const Json file = golden("puma560");
  const Model<double> model = built(description(file.at("meta").at("model")));
  for (const Json& state : file.at("states")) {
    const Numbers q = numbers(state.at("q")), c = numbers(state.at("c"));
    REQUIRE(c.size() == 216);
    Numbers slices(216);
    for (std::size_t m = 0; m < 6; ++m) {
      Numbers unit(6, 0.0);
      unit[m] = 1;
      const Numbers C = coriolis(model, q, unit);
      for (std::size_t ij = 0; ij < 36; ++ij) slices[ij * 6 + m] = C[ij];
    }
    CHECK(relative(slices, c) < 1e-11);
  }
}

TEST_CASE("translation and rotation of the PUMA 560 share its coefficients as told") {
  // links shrunk to their mass centres translate only; links with tensors and no mass rotate only
  const Json file = golden("puma560");
  Description points = description(file.at("meta").at("model")), tensors = points;
  for (LinkDescription& link : points.links) link.parts[0].tensor = {};
  for (LinkDescription& link : tensors.links) link.parts[0].mass = 0;
  const Model<double> translating = built(points), rotating = built(tensors);
  for (const Json& state : file.at("states")) {
    const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd"));
    CHECK(relative(mass_matrix(translating, q), numbers(state.at("D_tran"))) < 1e-11);
    CHECK(relative(mass_matrix(rotating, q), numbers(state.at("D_rot"))) < 1e-11);
    const double scale = largest(numbers(state.at("h")));
    CHECK(difference(velocity_torques(translating, q, qd), numbers(state.at("h_tran"))) < 1e-11 * scale);
    CHECK(difference(velocity_torques(rotating, q, qd), numbers(state.at("h_rot"))) < 1e-11 * scale);
  }
}
