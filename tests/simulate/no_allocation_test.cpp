// A run allocates nothing: every operator new of this program is counted.
#include <doctest/doctest.h>

#include "tests/support/count_allocations.hpp"
#include "tests/support/simulated.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/simulate/motion_torque.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a run of an arm with friction, stops and sampled control allocates nothing, by any method") {
  Description d = *load_robot("puma560");
  for (LinkDescription& link : d.links) {
    Friction<double> f;
    f.coulomb_positive = f.coulomb_negative = 0.2;
    link.friction = f;
  }
  const Model<double> model = built(d);
  const Numbers q{0.3, -0.6, 0.7, 0.2, 0.5, -0.4}, qd{0, -1, 1, 0, 2, 0};
  for (const IntegratorRow& row : integrators()) {
    CAPTURE(row.name);
    SimulationRules rules;
    rules.integrator = row.name;
    rules.steps.relative = 1e-6;
    rules.steps.step = 1e-4;
    rules.stops = Stops::stiff;
    rules.sampling = {0.005, 0.002};
    Simulation simulation(model, rules);
    TorqueFunction push([](double t, auto, auto, std::span<double> tau) {
      for (std::size_t k = 0; k < 6; ++k) tau[k] = (k < 3 ? 30 : 0.5) * std::sin(40 * t);
    });
    for (const bool counted : {false, true}) {
      REQUIRE(simulation.start(0, q, qd).empty());
      const long before = allocations;
      const RunEnd end = simulation.run(0.2, push);
      if (counted) CHECK(allocations == before);
      CHECK(end.kind == EndKind::reached);
    }
    CHECK(simulation.events() > 0);
  }
}
