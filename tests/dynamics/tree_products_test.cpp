// Products with derivatives beside dual numbers through TreeDynamics, and beside the matrices.
#include "torsor/dynamics/tree_products.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/varied.hpp"
#include "torsor/dynamics/tree_derivatives.hpp"
#include "torsor/kinematics/configuration_rate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;

/// Trees of every kind: one-dof joints alone, floating bases, any joints; mimic joints, transmissions; friction every other time.
Model<double> robot_of_draw(Random& random, int k) {
  return built(random_robot(random, any_kind(random, k, k % 4 == 3, k % 5 == 2)).description);
}

Numbers transposed_times(View A, View w) {
  Numbers out(w.size(), 0.0);
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += A[i * out.size() + j] * w[i];
  return out;
}

}  // namespace

TEST_CASE("changes along any direction are those of dual numbers, and gradients are their transposes") {
  Random random(971);
  int with_friction = 0, with_mimics = 0, with_quaternions = 0;
  for (int k = 0; k < draws(400); ++k) {
    CAPTURE(k);
    const Model<double> model = robot_of_draw(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    with_friction += !model.friction.empty();
    with_mimics += model.S.size() > static_cast<std::size_t>(n);
    with_quaternions += model.nq > n;
    const State s = random_state(random, model);
    const Numbers dq = random.numbers(n, 1), dqd = random.numbers(n, 1), last = random.numbers(n, 1),
                  w = random.numbers(n, 1);
    Numbers q_rate(s.q.size());
    configuration_rate<double>(model, s.q, dq, q_rate);
    const std::vector<Force<double>> external = random_forces(random, model, 5);
    BodyLoads<double> loads;
    if (k % 7 < 3) loads.external = external;
    if (k % 4 == 1) loads.base = {random.vector(1), random.vector(1), random.vector(3)};

    const Model<D> dual_model = cast<D>(model);
    TreeDynamics<D> witness(dual_model);
    for (const Force<double>& f : loads.external)
      witness.loads.external.push_back(cast<D>(f, [](double x) { return D(x); }));
    witness.loads.base = cast<D>(loads.base, [](double x) { return D(x); });
    TreeProducts<double> products(model);
    products.dynamics.loads.assign(loads);
    std::vector<D> out(n);
    Numbers change(n), x(n), y(n), z(n);

    witness.inverse(varied(s.q, q_rate), varied(s.qd, dqd), varied(s.qdd, last), out);
    products.inverse_jvp(s.q, s.qd, s.qdd, {dq, dqd, last}, change);
    const double size = 1 + largest(tangents(out));
    CHECK(difference(change, tangents(out)) < 1e-12 * size);
    products.inverse_vjp(s.q, s.qd, s.qdd, w, {x, y, z});
    const double scale = 1 + largest(x) + largest(y) + largest(z) + size;
    CHECK(std::abs(dot(w, change) - (dot(x, dq) + dot(y, dqd) + dot(z, last))) < 1e-12 * n * scale);

    // accelerations under torques that give those of the state
    Numbers tau(n);
    products.dynamics.inverse(s.q, s.qd, s.qdd, tau);
    REQUIRE(witness.forward(varied(s.q, q_rate), varied(s.qd, dqd), varied(tau, last), out) == -1);
    REQUIRE(products.forward_jvp(s.q, s.qd, tau, {dq, dqd, last}, change) == -1);
    const double wide = 1 + largest(tangents(out));
    CHECK(difference(change, tangents(out)) < 1e-10 * wide);
    REQUIRE(products.forward_vjp(s.q, s.qd, tau, w, {x, y, z}) == -1);
    CHECK(std::abs(dot(w, change) - (dot(x, dq) + dot(y, dqd) + dot(z, last))) <
          1e-10 * n * (wide + largest(x) + largest(y) + largest(z)));
  }
  CHECK(with_friction > 100);
  CHECK(with_mimics > 20);
  CHECK(with_quaternions > 100);
}

TEST_CASE("gradients are the rows of the full matrices, at rest and without rates, too") {
  Random random(972);
  for (int k = 0; k < draws(200); ++k) {
    CAPTURE(k);
    const Model<double> model = robot_of_draw(random, k);
    const int n = model.nv;
    if (n == 0) continue;
    State s = random_state(random, model);
    if (k % 3 == 0) std::fill(s.qd.begin(), s.qd.end(), 0.0);
    if (k % 3 == 1) s.qd.clear();
    if (k % 4 == 1) s.qdd.clear();
    const Numbers w = random.numbers(n, 1);
    TreeProducts<double> products(model);
    TreeDerivatives<double> full(model);
    Numbers tau(n), qdd(n), A(cells(n, n)), B(A), C(A), x(n), y(n), z(n), change(n);
    full.inverse(s.q, s.qd, s.qdd, tau, {A, B, C});
    products.inverse_vjp(s.q, s.qd, s.qdd, w, {x, y, z});
    CHECK(difference(x, transposed_times(A, w)) < 1e-12 * (1 + largest(A)) * n);
    CHECK(difference(y, transposed_times(B, w)) < 1e-12 * (1 + largest(B)) * n);
    CHECK(difference(z, transposed_times(C, w)) < 1e-12 * (1 + largest(C)) * n);
    // an empty change is none
    products.inverse_jvp(s.q, s.qd, s.qdd, {w, {}, {}}, change);
    CHECK(difference(change, times(A, w)) < 1e-12 * (1 + largest(A)) * n);
    products.inverse_jvp(s.q, s.qd, s.qdd, {{}, w, {}}, change);
    CHECK(difference(change, times(B, w)) < 1e-12 * (1 + largest(B)) * n);
    products.inverse_jvp(s.q, s.qd, s.qdd, {{}, {}, w}, change);
    CHECK(difference(change, times(C, w)) < 1e-12 * (1 + largest(C)) * n);

    const Numbers qd = s.qd.empty() ? Numbers(n, 0.0) : s.qd;
    REQUIRE(full.forward(s.q, qd, tau, qdd, {A, B, C}) == -1);
    REQUIRE(products.forward_vjp(s.q, qd, tau, w, {x, y, z}) == -1);
    CHECK(difference(x, transposed_times(A, w)) < 1e-10 * (1 + largest(A)) * n);
    CHECK(difference(y, transposed_times(B, w)) < 1e-10 * (1 + largest(B)) * n);
    CHECK(difference(z, transposed_times(C, w)) < 1e-10 * (1 + largest(C)) * n);
  }
}

TEST_CASE("a robot that can move without moving any mass has no products with derivatives of accelerations") {
  const Model<double> model = built(arm_with_nothing());
  TreeProducts<double> products(model);
  const Numbers zero(2);
  Numbers x(2), y(2), z(2);
  CHECK(products.forward_jvp(zero, zero, zero, {zero, zero, zero}, x) == 1);
  CHECK(products.forward_vjp(zero, zero, zero, zero, {x, y, z}) == 1);
}
