#include "torsor/reduction/reduced_model.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/reduction/reduced_tapes.hpp"
#include "torsor/scalar/trace_count.hpp"

using namespace torsor;

namespace {

/// The two-link arm of rods in a horizontal plane, l = m1 = m2 = 1, in absolute angles: D'_11 = 4/3, D'_12 = C2 / 2,
/// D'_22 = 1/3; h'_22(1) = - S2 / 2, h'_11(2) = S2 / 2.
ReducedModel two_link() {
  const std::vector<TermFactor> C2{{TermFactor::Kind::cosine, 0, 1}}, S2{{TermFactor::Kind::sine, 0, 1}};
  ReducedModel model;
  model.robot = "two links";
  model.joints = {{"a", false, 0, -1}, {"b", false, 0, 0}};
  model.angles = {{1}};
  model.terms = {{TermPart::inertia, 0, 0, 0, 4.0 / 3, {}},
                 {TermPart::inertia, 0, 1, 1, 0.5, C2},
                 {TermPart::inertia, 1, 1, 1, 1.0 / 3, {}},
                 {TermPart::velocity, 0, 1, 1, -0.5, S2},
                 {TermPart::velocity, 1, 0, 0, 0.5, S2}};
  return model;
}

}  // namespace

TEST_CASE("the closed form of the two-link arm comes out of its terms in absolute angles") {
  ReducedDynamics<double> dynamics(two_link());
  const std::vector<double> q{0.4, 0.9}, qd{1.2, -0.7}, qdd{0.3, 2};
  const double c = std::cos(0.9), s = std::sin(0.9);
  std::vector<double> tau(2), M(4), back(2);
  dynamics.inverse(q, qd, qdd, tau);
  CHECK(tau[0] == doctest::Approx((5.0 / 3 + c) * 0.3 + (1.0 / 3 + c / 2) * 2 - s * 1.2 * -0.7 - s / 2 * 0.49));
  CHECK(tau[1] == doctest::Approx((1.0 / 3 + c / 2) * 0.3 + 2.0 / 3 + s / 2 * 1.44));
  dynamics.mass(q, M);
  CHECK(M[0] == doctest::Approx(5.0 / 3 + c));
  CHECK(M[1] == doctest::Approx(1.0 / 3 + c / 2));
  CHECK(M[2] == M[1]);
  CHECK(M[3] == doctest::Approx(1.0 / 3));
  CHECK(dynamics.forward(q, qd, tau, back) == -1);
  CHECK(back[0] == doctest::Approx(qdd[0]));
  CHECK(back[1] == doctest::Approx(qdd[1]));
  // as by hand: C2 / 2, S2 / 2, two squares, two constant inertias, and two products of each half with a rate
  CHECK(count(record_inverse(two_link())).multiplications == 10);
}

TEST_CASE("forward dynamics of a matrix that is not definite says so") {
  ReducedModel model = two_link();
  model.terms[2].coefficient = -1;
  ReducedDynamics<double> dynamics(model);
  const std::vector<double> zero{0, 0};
  std::vector<double> qdd(2);
  CHECK(dynamics.forward(zero, zero, zero, qdd) == 1);
}

TEST_CASE("a state is inside the ranges of a statement or not") {
  ReductionStatement said;
  said.q = {{0, 1}};
  said.qd = {{-1, 1}};
  said.qdd = {{2, 3}};
  const std::vector<double> half{0.5}, two{2};
  CHECK(holds_at(said, half, half, two));
  CHECK_FALSE(holds_at(said, two, half, two));
  CHECK_FALSE(holds_at(said, half, two, two));
  CHECK_FALSE(holds_at(said, half, half, half));
  CHECK_FALSE(holds_at(said, half, {}, {}));
}
