// Couplings whose ratios do not agree: named, with no one beside them that does no harm; those that agree are let be.
#include "torsor/mechanism/coupling_check.hpp"

#include <doctest/doctest.h>

#include "tests/support/mechanism.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Wheels on the ground, each on its hinge.
MechanismDescription wheels(int n) {
  MechanismDescription d;
  for (int k = 0; k < n; ++k) {
    const Vec3<double> at{static_cast<double>(k), 0, 0};
    add_body(d, "wheel" + std::to_string(k), 1, {1, 1, 1, 0, 0, 0}, at);
    add_hinge(d, "shaft" + std::to_string(k), ground, k, at, {0, 0, 1});
  }
  return d;
}

/// The angle of i is `ratio` times that of j.
void mesh(MechanismDescription& d, const std::string& name, int i, int j, double ratio) {
  MechanismCoupling coupling;
  coupling.name = name;
  coupling.terms = {{{i, Measure::What::angle}, 1, {}}, {{j, Measure::What::angle}, -ratio, {}}};
  d.couplings.push_back(coupling);
}

}  // namespace

TEST_CASE("three wheels that mesh with each other do not turn, four do") {
  MechanismDescription three = wheels(3), four = wheels(4);
  for (int k = 0; k < 3; ++k) mesh(three, "mesh" + std::to_string(k), k, (k + 1) % 3, -1);
  for (int k = 0; k < 4; ++k) mesh(four, "mesh" + std::to_string(k), k, (k + 1) % 4, -1);
  const Faults errors = couplings_that_fight(three);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].rule == "couplings-fight");
  CHECK(errors[0].offender == "coupling \"mesh2\"");
  CHECK(errors[0].what.find("coupling \"mesh0\", coupling \"mesh1\"") != std::string::npos);
  CHECK(couplings_that_fight(four).empty());
  CHECK_FALSE(build(three));
  CHECK(build(four));
}

TEST_CASE("ratios around a ring that multiply to 1 up to rounding agree, and to 1.001 do not") {
  for (const double off : {1.0, 1.001}) {
    MechanismDescription d = wheels(5);
    const double ratios[] = {1.0 / 3, -7.0 / 11, 13.0 / 17, -19.0 / 23};
    double product = off;
    for (int k = 0; k < 4; ++k) {
      mesh(d, "mesh" + std::to_string(k), k, k + 1, ratios[k]);
      product *= ratios[k];
    }
    mesh(d, "last", 4, 0, 1 / product);
    CHECK(couplings_that_fight(d).size() == (off == 1 ? 0u : 1u));
  }
}

TEST_CASE("only those that fight are named, and a coupling of one measure holds it on purpose") {
  MechanismDescription d = wheels(4);
  mesh(d, "innocent", 2, 3, 2);
  mesh(d, "one", 0, 1, 2);
  mesh(d, "bystander", 1, 2, 5);
  mesh(d, "two", 0, 1, 3);
  const Faults errors = couplings_that_fight(d);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].offender == "coupling \"two\"");
  CHECK(errors[0].what.find("with coupling \"one\" it") != std::string::npos);
  MechanismDescription held = wheels(2);
  mesh(held, "mesh", 0, 1, 2);
  MechanismCoupling brake;
  brake.name = "brake";
  brake.terms = {{{0, Measure::What::angle}, 1, {}}};
  held.couplings.push_back(brake);
  CHECK(couplings_that_fight(held).empty());
}
