#include "torsor/symbolic/symbolic_dynamics.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include "torsor/formulations/coefficients_composite_body.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/symbolic/meant_robot.hpp"

using namespace torsor;

namespace {

double largest(std::span<const double> x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

void check_against_numbers(const Description& description, const SymbolicOptions& options) {
  const auto robot = symbolic_robot(description, options);
  REQUIRE(robot);
  const auto equations = symbolic_dynamics(*robot);
  REQUIRE(equations);
  // equations are of the robot with its special values: an axis of 1.5708 rad is a right one in them
  auto forms = *robot_forms(meant_robot(description).description, GeometryTolerance{});
  const auto n = static_cast<std::size_t>(forms.model.nv);
  std::vector<double> q(n), D(n * n), c(n * n * n), G(n);
  CoefficientsWork<double> work(forms.model);
  testing::Random random(11);
  for (int k = 0; k < 3; ++k) {
    for (double& x : q) x = random.uniform(-3, 3);
    forms.set(q);
    coefficients_composite_body<double>(forms.model, forms.configuration, work, D, c, G);
    const std::vector<double> at = robot->values(q);
    const double d_size = largest(D), c_size = largest(c), g_size = largest(G);
    for (std::size_t i = 0; i < D.size(); ++i) CHECK(std::abs(evaluate(equations->D[i], at) - D[i]) <= 1e-12 * d_size);
    for (std::size_t i = 0; i < c.size(); ++i) CHECK(std::abs(evaluate(equations->c[i], at) - c[i]) <= 1e-12 * c_size);
    for (std::size_t i = 0; i < G.size(); ++i) CHECK(std::abs(evaluate(equations->G[i], at) - G[i]) <= 1e-12 * g_size);
  }
}

}  // namespace

TEST_CASE("the equations of every serial robot give the numbers of the recursions") {
  int serial = 0;
  for (const EmbeddedRobot& robot : embedded_robots()) {
    const auto description = load_robot(std::string(robot.name));
    REQUIRE(description);
    if (!robot_forms(*description)->standard) continue;
    CAPTURE(robot.name);
    ++serial;
    check_against_numbers(*description, {});
    check_against_numbers(*description, {.first_moments = true});
  }
  CHECK(serial >= 15);
}

TEST_CASE("the two-link arm has the closed form of the textbook") {
  // Fu, Gonzalez & Lee, section 3.2.6
  const SymbolicRobot robot = *symbolic_robot(*load_robot("two_link"));
  const SymbolicDynamics e = *symbolic_dynamics(robot);
  const Poly m1 = Poly::parameter(0), m2 = Poly::parameter(1), g = Poly::parameter(2), l = Poly::parameter(3);
  const Poly C1 = Poly::cosine(0), S1 = Poly::sine(0), C2 = Poly::cosine(1), S2 = Poly::sine(1),
             C12 = C1 * C2 - S1 * S2;
  const auto over = [](int p, int q) { return Poly(Fraction{p, q}); };
  CHECK(e.d(0, 0) == over(1, 3) * m1 * l * l + over(4, 3) * m2 * l * l + m2 * l * l * C2);
  CHECK(e.d(0, 1) == over(1, 3) * m2 * l * l + over(1, 2) * m2 * l * l * C2);
  CHECK(e.d(1, 1) == over(1, 3) * m2 * l * l);
  const Poly qd1 = robot.qd[0], qd2 = robot.qd[1];
  const std::vector<Poly> h = velocity_torques(e, robot.qd);
  CHECK(h[0] == -over(1, 2) * m2 * l * l * S2 * qd2 * qd2 - m2 * l * l * S2 * qd1 * qd2);
  CHECK(h[1] == over(1, 2) * m2 * l * l * S2 * qd1 * qd1);
  CHECK(e.G[0] == over(1, 2) * m1 * g * l * C1 + over(1, 2) * m2 * g * l * C12 + m2 * g * l * C1);
  CHECK(e.G[1] == over(1, 2) * m2 * g * l * C12);
}

TEST_CASE("derivatives of D and the derivative-free coefficients are the same polynomials") {
  for (const char* name : {"articulated3", "stanford", "puma560"}) {
    CAPTURE(name);
    const SymbolicRobot robot = *symbolic_robot(*load_robot(name));
    const SymbolicDynamics e = *symbolic_dynamics(robot);
    const auto n = static_cast<std::size_t>(e.n);
    std::vector<Poly> D(n * n), c(n * n * n), G(n);
    CoefficientsWork<Poly> work(robot.forms.model, Poly(Fraction{1, 2}));
    coefficients_composite_body<Poly>(robot.forms.model, robot.forms.configuration, work, D, c, G);
    CHECK(D == e.D);
    CHECK(c == e.c);
    CHECK(G == e.G);
  }
}

TEST_CASE("equations that grow beyond the limit are refused in a sentence") {
  const SymbolicRobot robot = *symbolic_robot(*load_robot("puma560"));
  const PolyTermLimit limit(100);
  const auto equations = symbolic_dynamics(robot);
  REQUIRE_FALSE(equations);
  CHECK(equations.faults()[0].what == "the polynomial has more than 100 terms");
}
