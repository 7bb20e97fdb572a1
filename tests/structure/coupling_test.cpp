#include "torsor/structure/coupling.hpp"

#include <doctest/doctest.h>

#include "tests/support/golden.hpp"
#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Coupling coupling(const Model<double>& model, View q) {
  CoefficientsWork<double> work(model);
  return coupling_at(model, configured(model, q), work);
}

}  // namespace

TEST_CASE("coupling, loading and kinematic factors of the PUMA 560 are the golden ones") {
  const Json file = golden("coupling_002");
  const Json& robot = file.at("robots").at("puma560_m1_13kg");
  const Model<double> model = built(description(robot.at("model")));
  REQUIRE(robot.at("rows").size() == 10);
  for (const Json& row : robot.at("rows")) {
    const Coupling found = coupling(model, numbers(row.at("q")));
    const Numbers LF = numbers(row.at("LF")), KF = numbers(row.at("KF")), k = numbers(row.at("k")),
                  K = numbers(row.at("K_ij_signed_square"));
    CHECK(relative(found.D, numbers(row.at("D"))) < 1e-11);
    CHECK(relative(found.mass, numbers(row.at("M_j"))) < 1e-11);
    for (int i = 0; i < 6; ++i) {
      CHECK(std::abs(found.gyration[i] - K[7 * i]) < 1e-11 * largest(K));
      for (int j = i + 1; j < 6; ++j) {
        const PairCoupling& pair = found(i, j);
        CHECK(std::abs(pair.coupling.value() - k[6 * i + j]) < 1e-11);
        CHECK(std::abs(pair.loading.value() - LF[6 * i + j]) < 1e-11);
        CHECK(std::abs(pair.kinematic.value() - KF[6 * i + j]) < 1e-11);
        CHECK(std::abs(pair.projected.value() - K[6 * i + j]) < 1e-11 * largest(K));
      }
    }
  }
}

TEST_CASE("coupling is the product of its factors, below one; the kinematic factor is not") {
  Random random(641);
  double largest_kinematic = 0;
  for (int t = 0; t < draws(40); ++t) {
    const Model<double> model =
        built(random_robot(random, {.links = 2 + random.below(5), .one_dof = true}).description);
    const Coupling found = coupling(model, random_state(random, model).q);
    for (int i = 0; i < found.n; ++i)
      for (int j = i + 1; j < found.n; ++j) {
        const PairCoupling& pair = found(i, j);
        CHECK(*pair.coupling < 1);
        if (!pair.kinematic) {
          CHECK(*pair.coupling == 0);  // on different branches
          continue;
        }
        CHECK(*pair.loading <= 1);
        CHECK(std::abs(*pair.loading * *pair.kinematic - *pair.coupling) < 1e-14);
        largest_kinematic = std::max(largest_kinematic, *pair.kinematic);
      }
  }
  CHECK(largest_kinematic > 1);
}

TEST_CASE("a kinematic factor of ten: a heavy first link balanced on its axis") {
  Description d;
  d.name = "2R";
  d.convention = Convention::standard_dh;
  for (const double m : {100.0, 1.0}) {
    LinkDescription link;
    link.name = link.joint_name = m > 1 ? "heavy" : "light";
    link.geometry = DhRow{0, 0, 1, 0};
    link.parts = {{m, {m > 1 ? -1.0 : 0.0, 0, 0}, {0, 0, 0.01}}};
    d.links.push_back(link);
  }
  const Coupling found = coupling(built(d), Numbers{0.4, 0});
  CHECK(std::abs(*found(0, 1).kinematic - 10.0) < 0.1);
  CHECK(*found(0, 1).coupling > 0.99);
}

TEST_CASE("what has no mass has no factors, and nothing is divided by zero") {
  Description d;
  d.name = "massless";
  for (int i = 0; i < 3; ++i) {
    LinkDescription link{.name = "link" + std::to_string(i), .joint_name = "link" + std::to_string(i)};
    link.geometry = JointPlacement{{}, {0, 0, 1}};
    link.parts = {{i == 0 ? 1.0 : 0.0, {0.1, 0, 0}, {0, 0, i == 2 ? 0.0 : 0.2}}};
    d.links.push_back(link);
  }
  const Coupling found = coupling(built(d), Numbers{0, 0, 0});
  CHECK(found(0, 1).coupling.has_value());
  CHECK(found(0, 1).loading == 0.0);
  CHECK_FALSE(found(0, 1).kinematic);
  CHECK_FALSE(found(0, 2).coupling);
  CHECK_FALSE(found(1, 2).loading);
}

TEST_CASE("joints that share a coordinate are coupled with others, without factors") {
  Random random(642);
  int shared = 0;
  for (int t = 0; t < draws(20); ++t) {
    const Model<double> model = built(random_robot(random, {.links = 6, .one_dof = true, .mimics = true}).description);
    if (model.nv < 2 || model.S.size() == static_cast<std::size_t>(model.nv)) continue;
    ++shared;
    const Numbers q = random_state(random, model).q;
    const Coupling found = coupling(model, q);
    const Numbers D = mass_matrix(model, q);
    const int n = model.nv;
    CHECK(relative(found.D, D) < 1e-12);
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const double k = std::abs(D[cell(i, n, j)]) / std::sqrt(D[cell(i, n, i)] * D[cell(j, n, j)]);
        CHECK(std::abs(found(i, j).coupling.value() - k) < 1e-12);
        CHECK_FALSE(found(i, j).loading);
      }
  }
  CHECK(shared > 5);
}
