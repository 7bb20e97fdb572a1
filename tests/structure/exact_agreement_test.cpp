#include "torsor/structure/exact_agreement.hpp"

#include <doctest/doctest.h>

#include "tests/support/small_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/scalar/poly.hpp"

using namespace torsor;

namespace {

SymbolicRobot with_letters(const char* name) { return *symbolic_robot(*load_robot(name)); }

const ProvenRow* find(const ExactAgreement& agreement, std::string_view name) {
  for (const ProvenRow& row : agreement.rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

TEST_CASE("every formulation is the same polynomial, on small arms, a Stanford arm and a PUMA") {
  for (const char* name : {"two_link", "articulated3", "spherical3", "cylindrical3", "cartesian3", "scara", "theta_d",
                           "stanford", "puma560"}) {
    CAPTURE(name);
    const ExactAgreement agreement = agree_exact(with_letters(name));
    CHECK(agreement.holds());
    CHECK(agreement.rows.size() >= 8);
    for (const ProvenRow& row : agreement.rows) {
      CAPTURE(row.name);
      CHECK(row.proof == Proof::polynomial);
      CHECK(row.terms == agreement.rows.front().terms);
    }
  }
}

TEST_CASE("every formulation is the same polynomial on a planar arm of three joints with any inertias") {
  const auto planar = read_robot_text(testing::planar_arm(), "planar.toml");
  REQUIRE(planar);
  const ExactAgreement agreement = agree_exact(*symbolic_robot(*planar, {.general_inertias = true}));
  CHECK(agreement.holds());
  for (const ProvenRow& row : agreement.rows) CHECK(row.proof == Proof::polynomial);
}

TEST_CASE("what cannot be multiplied out is proven in the finite field, and says so") {
  const ExactAgreement agreement = agree_exact(with_letters("stanford"), {.most_terms = 800});
  CHECK(agreement.holds());
  CHECK(find(agreement, "kane")->proof == Proof::polynomial);
  const ProvenRow* row = find(agreement, "recursive-lagrange");
  REQUIRE(row);
  CHECK(row->proof == Proof::finite_field);
  CHECK(row->limit == "the polynomial has more than 800 terms");
  CHECK(agreement.log2_error < -140);
  CHECK(agreement.primes.size() == 3);
}

TEST_CASE("the finite field alone proves a PUMA and a Stanford arm") {
  for (const char* name : {"puma560", "stanford"}) {
    const ExactAgreement agreement = agree_exact(with_letters(name), {.finite_field_only = true});
    CHECK(agreement.holds());
    CHECK(agreement.rows.size() >= 9);
  }
}

TEST_CASE("a formulation on a slightly different robot is found out both ways") {
  // the DH tables carry one more term than the tree
  SymbolicRobot robot = with_letters("two_link");
  DhLink<Poly>& link = robot.forms.standard->links[1];
  link.I.zz += link.m * link.a;
  for (const bool field : {false, true}) {
    const ExactAgreement agreement = agree_exact(robot, {.finite_field_only = field});
    CHECK_FALSE(agreement.holds());
    const ProvenRow* row = find(agreement, "newton-euler-link");
    REQUIRE(row);
    CHECK_FALSE(row->equal);
    CHECK(row->coordinate == 0);
    CHECK(find(agreement, "kane")->equal);
  }
}
