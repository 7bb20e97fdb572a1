#include "torsor/trajectory/range_sweep.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;

TEST_CASE("the sweep stays inside positions and speeds that the robot has, and comes back") {
  for (const char* name : {"panda", "puma560", "scara", "stanford", "cartesian3"}) {
    CAPTURE(name);
    const auto description = load_robot(name);
    REQUIRE(description);
    const auto model = build(*description);
    REQUIRE(model);
    const ViaPointMotion sweep = range_sweep(*model);
    const std::size_t n = static_cast<std::size_t>(model->nv);
    std::vector<double> q(n), qd(n), qdd(n), start(n);
    sweep.sample(0, start, qd, qdd);
    double fastest = 0;  // in parts of what is allowed
    for (int k = 0; k <= 1000; ++k) {
      sweep.sample(sweep.duration() * k / 1000, q, qd, qdd);
      for (std::size_t l = 0; l < n; ++l) {
        const Limits& limits = model->limits[l];
        CHECK(q[l] >= limits.lower);
        CHECK(q[l] <= limits.upper);
        CHECK(std::abs(qd[l]) <= 0.8 * limits.velocity * (1 + 1e-9));
        const double allowed = std::isfinite(limits.velocity) ? 0.8 * limits.velocity : 2.0;
        fastest = std::max(fastest, std::abs(qd[l]) / allowed);
      }
    }
    CHECK(fastest > 0.49);  // slides without a limit go at half of 2
    for (std::size_t l = 0; l < n; ++l) CHECK(q[l] == doctest::Approx(start[l]));
  }
}
