#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "json_numbers.hpp"
#include "tests/support/places.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

void check_close(const json& a, const json& b, double tolerance) {
  if (a.is_array()) {
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) check_close(a[k], b[k], tolerance);
  } else {
    CHECK(std::abs(a.get<double>() - b.get<double>()) < tolerance);
  }
}

}  // namespace

TEST_CASE("the terms of the PUMA 560 at a golden state come out of the command") {
  const json state = json::parse(read(places::in_project("tests/golden/puma560.json")))["states"][2];
  const Outcome terms = torsor("terms puma560 --json --q " + list(state["q"]) + " --qd " + list(state["qd"]) +
                               " --qdd " + list(state["qdd"]));
  CHECK(terms.code == 0);
  CHECK(terms.err.empty());
  const json answer = json_of(terms);
  check_close(answer["M"], state["D"], 1e-11);
  check_close(answer["C_qd"], state["h"], 1e-10);
  check_close(answer["gravity_efforts"], state["G"], 1e-9);
  check_close(answer["tau"], state["tau"], 1e-9);
  CHECK(answer["M_positive_definite"] == true);

  // the Coriolis matrix is the one of Christoffel coefficients: C_ij = sum_m c_ijm qd_m
  json C = json::array();
  for (std::size_t i = 0; i < 6; ++i) {
    C.push_back(json::array());
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0;
      for (std::size_t m = 0; m < 6; ++m) sum += state["c"][i][j][m].get<double>() * state["qd"][m].get<double>();
      C[i].push_back(sum);
    }
  }
  check_close(answer["C"], C, 1e-10);
}

TEST_CASE("the screen shows every term") {
  const Outcome terms = torsor("terms puma560_drives --q random --qd '1 1 1 1 1 1' --wrench 1,0,0,0,0,0");
  CHECK(terms.code == 0);
  CHECK(terms.err.empty());
  for (const char* part : {"mass matrix M", "all positive: M is positive definite", "Coriolis matrix C",
                           "gravity (N m)", "friction (N m)", "loads (N m)", "kinetic energy", "potential energy",
                           "mass centre", "angular momentum", "Joint reactions", "Jacobian J", "its rate"})
    CHECK(contains(terms.out, part));
  // rounding noise stays off the screen
  CHECK_FALSE(contains(terms.out, "e-17"));
}

TEST_CASE("digits are as many as asked for") {
  CHECK(contains(torsor("terms puma560 --q zero --digits 9").out, " 37.4836666"));
  CHECK_FALSE(contains(torsor("terms puma560 --q zero --digits 3").out, "37.48"));
}

TEST_CASE("pivots end with the one that is zero") {
  write(
      "singular.urdf",
      "<robot name='s'><link name='o'/><link name='a'/><link name='b'/><link name='c'><inertial><origin xyz='0.1 0 0'/>"
      "<mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.15' ixy='0' ixz='0' iyz='0'/></inertial></link>"
      "<joint name='j1' type='continuous'><parent link='o'/><child link='a'/><axis xyz='0 0 1'/></joint>"
      "<joint name='j2' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>"
      "<joint name='j3' type='continuous'><parent link='b'/><child link='c'/><axis xyz='0 1 0'/></joint></robot>");
  const Outcome terms = torsor("terms singular.urdf --q zero --json");
  CHECK(terms.code == 0);
  const json pivots = json_of(terms)["M_pivots"];
  REQUIRE(pivots.size() == 2);
  CHECK(std::abs(pivots[0].get<double>() - 0.16) < 1e-12);
  CHECK(pivots[1] == 0);
}
