#include "torsor/symbolic/symbolic_robot.hpp"

#include <doctest/doctest.h>

#include "torsor/files/load_robot.hpp"
#include "torsor/model/general_arm.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/scalar/poly.hpp"

using namespace torsor;

namespace {

std::vector<std::string> names(const SymbolicRobot& robot) {
  std::vector<std::string> out;
  for (const Symbol& s : robot.symbols.parameters) out.push_back(s.text());
  return out;
}

SymbolicRobot symbolic(const char* name, const SymbolicOptions& options = {.rates = false}) {
  return *symbolic_robot(*load_robot(name), options);
}

}  // namespace

TEST_CASE("what is zero stays zero, and all else has a letter") {
  const SymbolicRobot puma = symbolic("puma560");
  const DhArm<Poly>& arm = *puma.forms.standard;
  CHECK(arm[1].m.is_zero());
  CHECK(arm[1].ca.is_zero());
  CHECK(arm[1].sa == Poly(1));
  CHECK(arm[2].structure.quarter_turns == 0);
  CHECK(puma.symbols.angles.size() == 6);
  CHECK(names(puma) == std::vector<std::string>{"m2",   "m3",   "m4",   "m5",   "m6",   "g",    "d1",   "a2",   "a3",
                                                "d3",   "d4",   "Iyy1", "x2",   "y2",   "z2",   "Ixx2", "Iyy2", "Izz2",
                                                "x3",   "y3",   "z3",   "Ixx3", "Iyy3", "Izz3", "y4",   "Ixx4", "Iyy4",
                                                "Izz4", "Ixx5", "Iyy5", "Izz5", "z6",   "Ixx6", "Iyy6", "Izz6"});
  CHECK(puma.parallel == std::vector<int>{0, 0, 1, 0, 0, 0});
}

TEST_CASE("an arm of equal uniform rods is known by its masses and one length") {
  const SymbolicRobot arm = symbolic("two_link");
  CHECK(names(arm) == std::vector<std::string>{"m1", "m2", "g", "l"});
  const Poly l = Poly::parameter(3);
  CHECK((*arm.forms.standard)[2].r.x == Poly(Fraction{-1, 2}) * l);
  CHECK(arm.symbols.parameters[3].value == 0.85);
  CHECK(names(symbolic("two_link", {.rods = false, .rates = false})).size() == 11);
}

TEST_CASE("a slide is one letter with its offset, and the tables of both conventions have the same letters") {
  const SymbolicRobot stanford = symbolic("stanford");
  REQUIRE(stanford.joints[2].prismatic);
  CHECK(stanford.symbols.parameters[static_cast<std::size_t>(stanford.joints[2].variable)].text() == "d3");
  CHECK((*stanford.forms.modified)[1].r.z.terms().size() == 1);
  CHECK((*stanford.forms.standard)[1].r.y.terms().size() == 1);
}

TEST_CASE("first moments make every inertial parameter one letter of the joint's frame") {
  const SymbolicRobot puma = symbolic("puma560", {.general_inertias = true, .first_moments = true, .rates = false});
  for (const Body<Poly>& body : puma.forms.model.bodies)
    for (const Poly* x : {&body.inertia.m, &body.inertia.h.x, &body.inertia.h.y, &body.inertia.h.z, &body.inertia.I.xx,
                          &body.inertia.I.yy, &body.inertia.I.zz, &body.inertia.I.xy, &body.inertia.I.xz})
      CHECK(x->terms().size() == 1);
  CHECK_FALSE(puma.forms.standard);
}

TEST_CASE("a general arm has a letter for every twist and length") {
  const SymbolicOptions options{
      .general_inertias = true, .general_twists = true, .general_lengths = true, .rates = false};
  const auto robot = symbolic_robot(general_arm(6, Convention::standard_dh), options);
  REQUIRE(robot);
  CHECK(robot->symbols.angles.size() == 12);
  CHECK(robot->symbols.angles[6].text(true) == "sin(alpha1)");
}

TEST_CASE("the general arms of seven to ten joints have letters for all their numbers and rates") {
  for (int n = 7; n <= 10; ++n) {
    const auto robot = symbolic_robot(general_arm(n, Convention::standard_dh));
    REQUIRE(robot);
    CHECK(robot->symbols.angles.size() == static_cast<std::size_t>(2 * n));
    CHECK(robot->symbols.parameters.size() == static_cast<std::size_t>(14 * n + 3));  // gravity has three components
    CHECK(robot->qdd.back().depends_on(Monomial::first_parameter + 14 * n + 2));
  }
}

TEST_CASE("a robot with branches, and one with too many parameters, are refused in a sentence") {
  const auto branched = symbolic_robot(*load_robot("two_arm"));
  REQUIRE_FALSE(branched);
  CHECK(branched.faults()[0].rule == "not-serial");
  const auto large = symbolic_robot(general_arm(11, Convention::standard_dh));
  REQUIRE_FALSE(large);
  CHECK(large.faults()[0].rule == "too-large");
}

TEST_CASE("letters are set in LaTeX with their indices") {
  CHECK(Symbol{SymbolKind::inertia, "Ixx", "2", 0}.latex() == "I_{xx,2}");
  CHECK(Symbol{SymbolKind::mass, "m", "2", 0}.latex() == "m_{2}");
  CHECK(Symbol{SymbolKind::velocity, "qd", "2", 0}.latex() == "\\dot{q_{2}}");
  CHECK(AngleSymbol{"", "23", 0, {}}.latex(true) == "S_{23}");
  CHECK(AngleSymbol{"alpha", "2", 0, {}}.latex(false) == "\\cos\\alpha_{2}");
}
