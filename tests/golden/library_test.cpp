// Robots of robots/ whose numbers come from published descriptions, against Pinocchio on those descriptions.
#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/places.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/files/load_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("robots of published descriptions have the torques, mass matrices and places of Pinocchio on them") {
  const Json& robots = golden("library").at("robots");
  REQUIRE(robots.size() == 16);
  for (const auto& [key, published] : robots.items()) {
    const std::string name = key;  // clang captures no structured binding
    CAPTURE(name);
    const auto description = load_robot(places::in_project("robots/") + name + ".toml");
    REQUIRE(description);
    const Model<double> model = built(*description);
    const std::size_t moved = published.at("joints").size(), bodies = model.bodies.size(), n = model.nv;
    REQUIRE((bodies == moved || bodies == moved + 1));  // a free body before them
    // files of Universal Robots print right angles as 1.570796327, 2e-10 rad off
    const double tolerance = name.starts_with("ur") ? 1e-9 : 1e-12;
    REQUIRE(published.at("states").size() == 2);
    for (const Json& state : published.at("states")) {
      const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd")), qdd = numbers(state.at("qdd"));
      const Numbers M = mass_matrix(model, q);
      CHECK(disagreement(inverse(model, q, qd, qdd), numbers(state.at("tau")), M, qdd, velocity_torques(model, q, qd),
                         gravity(model, q)) < tolerance);
      const std::vector<Transform<double>> X = poses(model, q);
      for (std::size_t k = 0; k < moved; ++k)
        CHECK(apart(X[bodies - moved + k].p, vector(state.at("places")[k])) < tolerance);
      if (&state != &published.at("states").front()) continue;
      const Json& rows = state.at("M_lower");
      REQUIRE(rows.size() == n);
      const double size = largest(M);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          CHECK(std::abs(M[i * n + j] - rows[i][j].get<double>()) < tolerance * size);
    }
  }
}
