#include "torsor/dynamics/coriolis_matrix.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Model<double> random_model(Random& random, int k, bool one_dof = false) {
  return built(random_robot(random, {.links = 1 + random.below(10),
                                     .one_dof = one_dof,
                                     .floating = !one_dof && k % 2 == 0,
                                     .rotors = true,
                                     .rotor_bodies = k % 5 == 0,
                                     .mimics = k % 3 == 0,
                                     .transmission = true})
                   .description);
}

/// dM/dt along a velocity, entry by entry.
Numbers mass_rate(const Model<double>& model, View q, View qd) {
  Numbers rates;
  for (const Time1& entry : mass_matrix(cast<Time1>(model), position_along(model, q, qd)))
    rates.push_back(entry.tangent[0]);
  return rates;
}

}  // namespace

TEST_CASE("dM/dt - 2C is skew") {
  Random random(101);
  for (int k = 0; k < draws(60); ++k) {
    const Model<double> model = random_model(random, k);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    const State state = random_state(random, model);
    const Numbers Md = mass_rate(model, state.q, state.qd), C = coriolis(model, state.q, state.qd);
    const Numbers N = sum(Md, C, -2);
    CHECK(largest(sum(N, transposed(N, n))) < 1e-12 * (1 + largest(Md) + largest(C)));
  }
}

TEST_CASE("C qd is the bias without gravity") {
  Random random(102);
  for (int k = 0; k < draws(60); ++k) {
    const Model<double> model = random_model(random, k);
    if (model.nv == 0) continue;
    const State state = random_state(random, model);
    const Numbers bias = inverse(model, state.q, state.qd, {}), h = sum(bias, gravity(model, state.q), -1);
    CHECK(difference(times(coriolis(model, state.q, state.qd), state.qd), h) < 1e-12 * (1 + largest(bias)));
  }
}

TEST_CASE("with one-dof joints C is made of the Christoffel symbols of M") {
  // c_ijm = 1/2 (dM_ij/dq_m + dM_im/dq_j - dM_jm/dq_i), C_ij = sum over m of c_ijm qd_m
  Random random(103);
  for (int k = 0; k < draws(20); ++k) {
    const Model<double> model = random_model(random, k, true);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    const State state = random_state(random, model);
    std::vector<Numbers> slope;  // slope[m] = dM/dq_m
    for (std::size_t m = 0; m < n; ++m) {
      Numbers unit(n, 0.0);
      unit[m] = 1;
      slope.push_back(mass_rate(model, state.q, unit));
    }
    Numbers expected(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t m = 0; m < n; ++m)
          expected[i * n + j] += (slope[m][i * n + j] + slope[j][i * n + m] - slope[i][j * n + m]) / 2 * state.qd[m];
    CHECK(difference(coriolis(model, state.q, state.qd), expected) < 1e-12 * (1 + largest(expected)));
  }
}
