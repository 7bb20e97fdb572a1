// Second derivatives beside duals of duals through TreeDynamics, by the numbers of q.
#include "torsor/dynamics/second_products.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

using D = Dual<double>;
using DD = Dual<D>;

/// x + a t + b s, of which the mixed part is d2/dt ds.
std::vector<DD> varied_twice(const Numbers& x, const Numbers& a, const Numbers& b) {
  std::vector<DD> out;
  for (std::size_t k = 0; k < x.size(); ++k) out.push_back(DD(D(x[k], {a[k]}), {D(b[k], {0.0})}));
  return out;
}

Numbers mixed(const std::vector<DD>& x) {
  Numbers out;
  for (const DD& y : x) out.push_back(y.tangent[0].tangent[0]);
  return out;
}

}  // namespace

TEST_CASE("second derivatives along two directions are those of duals of duals, and symmetric") {
  Random random(981);
  for (int k = 0; k < draws(100); ++k) {
    CAPTURE(k);
    const Model<double> model = built(random_robot(random, {.links = 1 + random.below(6),
                                                            .branching = 0.3,
                                                            .one_dof = k % 3 == 0,
                                                            .floating = k % 3 == 1,
                                                            .rotors = true,
                                                            .friction = k % 2 == 0,
                                                            .mimics = k % 4 == 3})
                                          .description);
    const int n = model.nv, nq = model.nq;
    if (n == 0) continue;
    State s = random_state(random, model);
    for (const Body<double>& b : model.bodies)  // quaternions of any length
      if (row(b.kind).nq >= 4)
        for (int j = 0; j < 4; ++j) s.q[b.q + j] *= 1.7;
    const Numbers aq = random.numbers(nq, 1), av = random.numbers(n, 1), al = random.numbers(n, 1),
                  w = random.numbers(n, 1);
    const Numbers bq = random.numbers(nq, 1), bv = random.numbers(n, 1), bl = random.numbers(n, 1);
    const Model<DD> twice = cast<DD>(model, [](double x) { return DD(D(x)); });
    TreeDynamics<DD> witness(twice);
    SecondProducts second(model);
    std::vector<DD> out(n);
    Numbers curvature(n), gq(nq), gv(n), gl(n), tau(n);

    witness.inverse(varied_twice(s.q, aq, bq), varied_twice(s.qd, av, bv), varied_twice(s.qdd, al, bl), out);
    second.inverse_curvature(s.q, s.qd, s.qdd, {aq, av, al}, {bq, bv, bl}, curvature);
    const double size = 1 + largest(mixed(out));
    CHECK(difference(curvature, mixed(out)) < 1e-11 * size);
    second.inverse_hessian(s.q, s.qd, s.qdd, w, {bq, bv, bl}, {gq, gv, gl});
    CHECK(std::abs(dot(w, curvature) - dot(gq, aq) - dot(gv, av) - dot(gl, al)) <
          1e-11 * n * (size + largest(gq) + largest(gv)));
    second.inverse_curvature(s.q, s.qd, s.qdd, {bq, bv, bl}, {aq, av, al}, curvature);
    CHECK(difference(curvature, mixed(out)) < 1e-11 * size);

    TreeDynamics<double>(model).inverse(s.q, s.qd, s.qdd, tau);
    REQUIRE(witness.forward(varied_twice(s.q, aq, bq), varied_twice(s.qd, av, bv), varied_twice(tau, al, bl), out) ==
            -1);
    REQUIRE(second.forward_curvature(s.q, s.qd, tau, {aq, av, al}, {bq, bv, bl}, curvature) == -1);
    const double wide = 1 + largest(mixed(out));
    CHECK(difference(curvature, mixed(out)) < 1e-9 * wide);
    REQUIRE(second.forward_hessian(s.q, s.qd, tau, w, {bq, bv, bl}, {gq, gv, gl}) == -1);
    CHECK(std::abs(dot(w, curvature) - dot(gq, aq) - dot(gv, av) - dot(gl, al)) <
          1e-9 * n * (wide + largest(gq) + largest(gv)));
  }
}
