#include "torsor/dynamics/inertia_composite_body.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/small_robots.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the mass matrix is the sum of m Jv^T Jv + Jw^T I Jw over the links") {
  Random random(95);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model = built(
        random_robot(
            random,
            {.links = 1 + random.below(10), .floating = k % 2 == 0, .rotor_bodies = k % 5 == 0, .mimics = k % 3 == 0})
            .description);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    if (n == 0) continue;
    const State state = random_state(random, model);
    const std::vector<Transform<double>> X = poses(model, state.q);
    Numbers expected(n * n, 0.0), J(6 * n);
    for (int i = 0; i < model.size(); ++i) {
      jacobian<double>(model, X, i, X[i] * mass_centre(model[i].inertia), J);
      const Mat3<double> I = X[i].R * full(tensor_about_centre(model[i].inertia)) * ~X[i].R;
      const Numbers Jw(J.begin(), J.begin() + static_cast<std::ptrdiff_t>(3 * n)),
          Jv(J.begin() + static_cast<std::ptrdiff_t>(3 * n), J.end());
      expected = sum(expected, product(transposed(Jw, n), product(flat(I), Jw, n), n));
      expected = sum(expected, product(transposed(Jv, n), Jv, n), model[i].inertia.m);
    }
    CHECK(relative(mass_matrix(model, state.q), expected) < 1e-12);
  }
}

TEST_CASE("two sliders on top of each other: the lower one moves both masses") {
  CHECK(difference(mass_matrix(built(two_sliders()), Numbers{0.1, 0.2}), Numbers{5, 3, 3, 3}) == 0);
}

TEST_CASE("a free body has its inertia as its mass matrix, in its own axes") {
  Description d;
  LinkDescription link{.name = "body", .joint_name = "float", .kind = JointKind::free};
  link.parts = {{2, {0.1, 0.2, 0.3}, {1, 2, 3, 0.1, 0.2, 0.3}, InertiaAbout::frame_origin, {}}};
  d.links = {link};
  Random random(96);
  const Model<double> model = built(d);
  const Numbers M = mass_matrix(model, random_state(random, model).q);
  const Numbers expected{1,    0.1,  0.2,  0,    -0.6, 0.4,   //
                         0.1,  2,    0.3,  0.6,  0,    -0.2,  //
                         0.2,  0.3,  3,    -0.4, 0.2,  0,     //
                         0,    0.6,  -0.4, 2,    0,    0,     //
                         -0.6, 0,    0.2,  0,    2,    0,     //
                         0.4,  -0.2, 0,    0,    0,    2};
  CHECK(difference(M, expected) < 1e-15);
}
