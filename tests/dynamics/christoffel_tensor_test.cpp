#include "torsor/dynamics/christoffel_tensor.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/dynamics/coefficients_composite_body.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("centrifugal and Coriolis efforts, apart, make up the velocity efforts, and so does C qd") {
  Random random(621);
  for (int k = 0; k < draws(20); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 1 + random.below(8), .one_dof = true, .mimics = k % 2 == 0}).description);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    const State state = random_state(random, model);
    CoefficientsWork<double> work(model);
    Numbers c(n * n * n), centrifugal(n), coriolis_part(n), C(n * n);
    christoffel_composite_body<double>(model, configured(model, state.q), work, c);
    centrifugal_efforts<double>(c, state.qd, centrifugal);
    coriolis_efforts<double>(c, state.qd, coriolis_part);
    coriolis_matrix_of<double>(c, state.qd, C);
    const Numbers h = velocity_efforts(model, state.q, state.qd);
    const double close = 1e-12 * (1 + largest(h) + largest(gravity(model, state.q)));
    CHECK(difference(sum(centrifugal, coriolis_part), h) < close);
    CHECK(difference(C, coriolis(model, state.q, state.qd)) < close);

    // one velocity alone has no pairs
    Numbers alone(n, 0.0);
    alone[n - 1] = 1.5;
    centrifugal_efforts<double>(c, alone, centrifugal);
    coriolis_efforts<double>(c, alone, coriolis_part);
    CHECK(largest(coriolis_part) == 0);
    CHECK(difference(centrifugal, velocity_efforts(model, state.q, alone)) < close);
  }
}
