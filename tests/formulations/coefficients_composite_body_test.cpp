#include "torsor/formulations/coefficients_composite_body.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/model/general_arm.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Coefficients {
  Numbers D, c, G;
};

Coefficients coefficients(const Model<double>& model, View q) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  Coefficients out{Numbers(n * n), Numbers(n * n * n), Numbers(n)};
  CoefficientsWork<double> work(model);
  coefficients_composite_body<double>(model, configured(model, q), work, out.D, out.c, out.G);
  return out;
}

/// (12), the derivatives of D by duals.
Numbers christoffel_by_duals(const Model<double>& model, View q) {
  const std::size_t n = static_cast<std::size_t>(model.nv);
  std::vector<Numbers> slope;  // slope[m] = dD/dq_m
  for (std::size_t m = 0; m < n; ++m) {
    Numbers unit(n, 0.0);
    unit[m] = 1;
    slope.emplace_back();
    for (const Time1& entry : mass_matrix(cast<Time1>(model), position_along(model, q, unit)))
      slope.back().push_back(entry.tangent[0]);
  }
  Numbers c;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t m = 0; m < n; ++m)
        c.push_back((slope[m][i * n + j] + slope[j][i * n + m] - slope[i][j * n + m]) / 2);
  return c;
}

}  // namespace

TEST_CASE("the coefficients of random trees are those of the derivatives of D, of D itself and of gravity") {
  Random random(611);
  for (int k = 0; k < draws(40); ++k) {
    const Model<double> model = built(random_robot(random, {.links = 1 + random.below(9),
                                                            .one_dof = true,
                                                            .rotors = true,
                                                            .rotor_bodies = k % 5 == 0,
                                                            .mimics = k % 3 == 0,
                                                            .transmission = true})
                                          .description);
    if (model.nv == 0) continue;
    const State state = random_state(random, model);
    const Coefficients found = coefficients(model, state.q);
    CHECK(relative(found.D, mass_matrix(model, state.q)) < 1e-12);
    CHECK(difference(found.G, gravity(model, state.q)) < 1e-12 * (1 + largest(found.G)));
    CHECK(difference(found.c, christoffel_by_duals(model, state.q)) < 1e-12 * (1 + largest(found.c)));
  }
}

TEST_CASE("the coefficients of the PUMA 560 are the golden ones") {
  const Json file = golden("puma560");
  const Model<double> model = built(description(file.at("meta").at("model")));
  for (const Json& state : file.at("states")) {
    const Coefficients found = coefficients(model, numbers(state.at("q")));
    CHECK(relative(found.D, numbers(state.at("D"))) < 1e-11);
    CHECK(relative(found.c, numbers(state.at("c"))) < 1e-11);
    CHECK(relative(found.G, numbers(state.at("G"))) < 1e-11);
  }
}

TEST_CASE("derivatives of D show the symmetries (36) to (39), the case i = min(j, m) included") {
  // on the witness, not on our own coefficients, which have them by construction
  Random random(612);
  for (int k = 0; k < draws(10); ++k) {
    const Model<double> model =
        built(random_robot(random, {.links = 2 + random.below(6), .one_dof = true}).description);
    const int n = model.nv;
    const State state = random_state(random, model);
    const Numbers c = christoffel_by_duals(model, state.q);
    const auto at = [&](int j, int m, int i) { return c[static_cast<std::size_t>((i * n + j) * n + m)]; };
    const double close = 1e-13 * (1 + largest(c));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        CHECK(std::abs(at(j, j, j)) < close);
        if (j < i) CHECK(std::abs(at(j, i, i)) < close);                // (38)
        if (i < j) CHECK(std::abs(at(i, j, i) + at(i, i, j)) < close);  // i = min(j, m)
        for (int m = 0; m < n; ++m) {
          CHECK(std::abs(at(j, m, i) - at(m, j, i)) < close);
          if (j <= i && j <= m) CHECK(std::abs(at(j, m, i) + at(j, i, m)) < close);  // (39)
        }
      }
  }
}

TEST_CASE("the one Coriolis coefficient of the planar two-link arm is found") {
  // h_1 has the term -m_2 l^2 S_2 qd_1 qd_2 = 2 c_12(1) qd_1 qd_2 (Fu, Gonzalez & Lee 1987, section 3.2.6)
  Description arm;
  arm.name = "two-link";
  arm.convention = Convention::standard_dh;
  arm.gravity = {0, -9.8062, 0};
  const double m_2 = 1.5, l = 0.7;
  for (const double m : {2.0, m_2}) {
    LinkDescription link;
    link.name = "link" + std::to_string(arm.links.size());
    link.joint_name = "joint" + std::to_string(arm.links.size());
    link.geometry = DhRow{0, 0, l, 0};
    link.parts = {{m, {-l / 2, 0, 0}, {0, m * l * l / 12, m * l * l / 12}}};
    arm.links.push_back(link);
  }
  const Numbers q{0.3, 0.9};
  const Coefficients found = coefficients(built(arm), q);
  const double expected = -m_2 * l * l * std::sin(q[1]) / 2;
  CHECK(std::abs(found.c[1] - expected) < 1e-14);  // c_12(1)
  CHECK(std::abs(found.c[2] - expected) < 1e-14);
  CHECK(std::abs(found.c[3] - expected) < 1e-14);  // c_22(1)
  CHECK(std::abs(found.c[4] + expected) < 1e-14);  // c_11(2)
}

TEST_CASE("the coefficients of a chain in the frames of its links are those in the world") {
  Random random(614);
  for (int k = 0; k < draws(20); ++k) {
    const Model<double> model =
        built(general_arm(1 + k % 8, Convention::modified_dh,
                          std::string_view("RPRRPRRR").substr(0, static_cast<std::size_t>(1 + k % 8))));
    const std::size_t n = static_cast<std::size_t>(model.nv);
    const State state = random_state(random, model);
    const Coefficients expected = coefficients(model, state.q);
    Numbers c(n * n * n, 1.0), G(n, 1.0);
    CoefficientsWork<double> work(model);
    coefficients_in_link_frames<double>(model, configured(model, state.q), work, c, G);
    CHECK(difference(c, expected.c) < 1e-12 * (1 + largest(expected.c)));
    CHECK(difference(G, expected.G) < 1e-12 * (1 + largest(expected.G)));
  }
}

TEST_CASE("what is not asked for is not touched") {
  Random random(613);
  const Model<double> model = built(random_robot(random, {.links = 5, .one_dof = true}).description);
  const std::size_t n = static_cast<std::size_t>(model.nv);
  const State state = random_state(random, model);
  const Coefficients all = coefficients(model, state.q);
  CoefficientsWork<double> work(model);
  Numbers c(n * n * n), G(n);
  christoffel_composite_body<double>(model, configured(model, state.q), work, c);
  coefficients_composite_body<double>(model, configured(model, state.q), work, {}, {}, G);
  CHECK(c == all.c);
  CHECK(G == all.G);
}
