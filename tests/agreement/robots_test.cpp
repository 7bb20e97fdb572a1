#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/catalogue.hpp"
#include "torsor/io/embedded_robots.hpp"
#include "torsor/io/robot_toml.hpp"
#include "torsor/model/random_position.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class Visit>
void for_every_robot(const Visit& visit) {
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    CAPTURE(embedded.name);
    const auto robot = read_robot_toml(embedded.text, std::string(embedded.name));
    REQUIRE(robot);
    visit(built(*robot));
  }
}

Numbers random_rates(Random& random, int n) {
  Numbers rates(n);
  for (double& x : rates) x = random.uniform(-2, 2);
  return rates;
}

}  // namespace

TEST_CASE("every inverse, mass and forward formulation agrees on every shipped robot") {
  Random random(31);
  std::mt19937_64 engine(1);
  for_every_robot([&](const Model<double>& model) {
    Configuration<double> configuration(model);
    CatalogueWork<double> work(model);
    for (int state = 0; state < draws(20); ++state) {
      configuration.set(model, random_position(model, engine));
      const Numbers qd = random_rates(random, model.nv), qdd = random_rates(random, model.nv);
      Numbers first(model.nv), tau(model.nv), bias(model.nv), M(model.nv * model.nv), accelerations(model.nv);
      inverse_formulations<double>[0].run(model, configuration, qd, qdd, {}, work, first);
      for (const auto& inverse : inverse_formulations<double>) {
        CAPTURE(inverse.name);
        inverse.run(model, configuration, qd, qdd, {}, work, tau);
        CHECK(relative(tau, first) < 1e-12);
        inverse.run(model, configuration, qd, {}, {}, work, bias);
        for (const auto& mass : mass_formulations<double>) {
          CAPTURE(mass.name);
          mass.run(model, configuration, work, M);
          Numbers sum = bias;
          for (int i = 0; i < model.nv; ++i)
            for (int j = 0; j < model.nv; ++j) sum[i] += M[i * model.nv + j] * qdd[j];
          CHECK(difference(sum, tau) < 1e-12 * (largest(tau) + largest(bias)));
        }
      }
      for (const auto& forward : forward_formulations<double>) {
        if (!forward.coupled && model.coupled()) continue;
        CAPTURE(forward.name);
        forward.run(model, configuration, qd, first, {}, work, accelerations);
        CHECK(relative(accelerations, qdd) < 1e-9);  // a hand of grams on an arm of tens of kilograms
      }
    }
  });
}
