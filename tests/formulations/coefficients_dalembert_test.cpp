#include "torsor/formulations/coefficients_dalembert.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

DAlembertTerms<double> terms_at(const DhArm<double>& arm, View q, View qd) {
  DhPosition<double> position(arm.n());
  position.set(arm, q);
  DAlembertWork<double> work(arm);
  dalembert_terms<double>(arm, position, qd, work);
  return work.terms;
}

}  // namespace

TEST_CASE("translation and rotation of the links give the sums of m Jv^T Jv and Jw^T I Jw, sliding joints included") {
  Random random(411);
  for (int k = 0; k < draws(40); ++k) {
    const Description description = random_dh_arm(random, 1 + k % 8, Convention::standard_dh, 0.4);
    const Model<double> model = built(description);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    const State state = random_state(random, model);
    const std::vector<Transform<double>> X = poses(model, state.q);
    Numbers D_tran(n * n, 0.0), D_rot(n * n, 0.0), J(6 * n);
    for (int i = 0; i < model.size(); ++i) {
      jacobian<double>(model, X, i, X[i] * mass_centre(model[i].inertia), J);
      const Mat3<double> I = X[i].R * full(tensor_about_centre(model[i].inertia)) * ~X[i].R;
      const Numbers Jw(J.begin(), J.begin() + static_cast<std::ptrdiff_t>(3 * n)),
          Jv(J.begin() + static_cast<std::ptrdiff_t>(3 * n), J.end());
      D_rot = sum(D_rot, product(transposed(Jw, n), product(flat(I), Jw, n), n));
      D_tran = sum(D_tran, product(transposed(Jv, n), Jv, n), model[i].inertia.m);
    }
    const auto terms = terms_at(*dh_arm(description, Convention::standard_dh), state.q, state.qd);
    const double scale = largest(D_tran) + largest(D_rot);
    CHECK(difference(terms.D_tran, D_tran) < 1e-12 * scale);
    CHECK(difference(terms.D_rot, D_rot) < 1e-12 * scale);
  }
}

TEST_CASE("links shrunk to points have the h of translation, links without mass that of rotation") {
  Random random(412);
  for (int k = 0; k < draws(40); ++k) {
    const Description whole = random_dh_arm(random, 1 + k % 8, Convention::standard_dh, 0.4);
    Description points = whole, tensors = whole;
    for (LinkDescription& link : points.links) link.parts[0].tensor = {};
    for (LinkDescription& link : tensors.links) link.parts[0].mass = 0;
    const Model<double> translating = built(points), rotating = built(tensors);
    const State state = random_state(random, translating);
    const Numbers h_tran = velocity_torques(translating, state.q, state.qd),
                  h_rot = velocity_torques(rotating, state.q, state.qd), c = gravity(translating, state.q);
    const auto terms = terms_at(*dh_arm(whole, Convention::standard_dh), state.q, state.qd);
    const double scale = largest(h_tran) + largest(h_rot) + largest(c);
    CHECK(difference(terms.h_tran, h_tran) < 1e-12 * scale);
    CHECK(difference(terms.h_rot, h_rot) < 1e-12 * scale);
    CHECK(difference(terms.c, c) < 1e-12 * scale);
  }
}

TEST_CASE("the PUMA 560 has the golden shares of translation and rotation") {
  const Json file = golden("puma560");
  const DhArm<double> arm = *dh_arm(description(file.at("meta").at("model")), Convention::standard_dh);
  for (const Json& state : file.at("states")) {
    const auto terms = terms_at(arm, numbers(state.at("q")), numbers(state.at("qd")));
    CHECK(relative(terms.D_tran, numbers(state.at("D_tran"))) < 1e-11);
    CHECK(relative(terms.D_rot, numbers(state.at("D_rot"))) < 1e-11);
    const double scale = largest(numbers(state.at("h")));
    CHECK(difference(terms.h_tran, numbers(state.at("h_tran"))) < 1e-11 * scale);
    CHECK(difference(terms.h_rot, numbers(state.at("h_rot"))) < 1e-11 * scale);
    CHECK(relative(terms.c, numbers(state.at("G"))) < 1e-11);
  }
}

TEST_CASE("the two-link arm of section 3.4.2: rotation adds I_2 everywhere it can and no velocity terms") {
  const Json file = golden("two_link");
  const DhArm<double> arm = *dh_arm(description(file.at("meta").at("standard_DH")), Convention::standard_dh);
  const Json& of = file.at("meta").at("parameters");
  const double m1 = of.at("m1"), m2 = of.at("m2"), l = of.at("l"), g = of.at("g");
  for (const Json& state : file.at("states")) {
    const Numbers q = numbers(state.at("q")), qd = numbers(state.at("qd"));
    const double C2 = std::cos(q[1]), S2 = std::sin(q[1]), C1 = std::cos(q[0]), C12 = std::cos(q[0] + q[1]);
    const double I1 = m1 * l * l / 12, I2 = m2 * l * l / 12;
    const auto terms = terms_at(arm, q, qd);
    const double coupled = m2 * l * l * (0.25 + C2 / 2);
    CHECK(relative(terms.D_rot, Numbers{I1 + I2, I2, I2, I2}) < 1e-14);
    CHECK(relative(terms.D_tran, Numbers{m1 * l * l / 4 + m2 * l * l * (1.25 + C2), coupled, coupled, m2 * l * l / 4}) <
          1e-14);
    CHECK(largest(terms.h_rot) < 1e-14);
    CHECK(difference(terms.h_tran, Numbers{-m2 * l * l * S2 * (qd[1] * qd[1] / 2 + qd[0] * qd[1]),
                                           m2 * l * l * S2 * qd[0] * qd[0] / 2}) < 1e-13);
    CHECK(difference(terms.c, Numbers{(m1 / 2 + m2) * g * l * C1 + m2 * g * l * C12 / 2, m2 * g * l * C12 / 2}) <
          1e-13);
  }
}

TEST_CASE("the operations of D, h, c and their assembly are polynomials in n, below those of the reference count") {
  for (int n = 3; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount structured = operations(inverse_formulations<Trace>(), "dalembert", n),
                         dense = operations(inverse_formulations<Trace>(), "dalembert", n, Rule::dense);
    const int n2 = n * n, n3 = n2 * n;
    // twice the polynomials, which have halves
    CHECK(2 * structured.multiplications == 2 * n3 + 39 * n2 + 203 * n - 214);
    CHECK(2 * structured.additions == 2 * n3 + 31 * n2 + 163 * n - 224);
    CHECK(dense.multiplications == n3 + 20 * n2 + 113 * n - 24);
    CHECK(dense.additions == n3 + 16 * n2 + 91 * n - 19);

    CHECK(2 * structured.multiplications <= 2 * n3 + 39 * n2 + 263 * n - 240);
    CHECK(2 * structured.additions <= 2 * n3 + 29 * n2 + 203 * n - 236);
    CHECK(2 * dense.multiplications <= 2 * n3 + 41 * n2 + 333 * n - 112);
    CHECK(2 * dense.additions <= 2 * n3 + 31 * n2 + 259 * n - 100);
  }
  const OperationCount six = operations(inverse_formulations<Trace>(), "dalembert", 6);
  CHECK(six.multiplications == 1420);
  CHECK(six.additions == 1151);
}
