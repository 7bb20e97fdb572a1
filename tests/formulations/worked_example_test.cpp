// What a worked example shows is what the formulation computes: its last steps are the torques of the catalogue, every sum is
// that of its addends, and the numbers of link 2 of the two-link arm are those of the book's example 3.3.7.
#include "torsor/formulations/worked_example.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

const WorkedStep& step(const WorkedExample& example, std::string_view symbol) {
  for (const WorkedStep& each : example.steps)
    if (each.symbol == symbol) return each;
  FAIL("no step " << symbol);
  return example.steps.front();
}

}  // namespace

TEST_CASE("the steps of every formulation end in the torques of the robot") {
  Random random(3141);
  int sums = 0;
  for (const char* name : {"two_link", "puma560", "puma560_drives", "stanford", "scara", "theta_d", "ur5", "panda"}) {
    CAPTURE(name);
    const Robot robot = Robot::load(name);
    auto forms = robot_forms(robot.description());
    REQUIRE(forms);
    Model<double> smooth = robot.model();
    smooth.friction.clear();
    const auto [q, qd, qdd] = random_state(random, smooth);
    forms->set(q);
    Numbers expected(qd.size());
    Dynamics(smooth).inverse(q, qd, qdd, expected);
    for (const std::string_view method : worked_formulations()) {
      CAPTURE(method);
      const auto example = worked_example(*forms, method, qd, qdd);
      REQUIRE(example);
      REQUIRE(example->tau.size() == expected.size());
      double scale = 1e-9;
      for (const double x : expected) scale = std::max(scale, std::abs(x));
      for (std::size_t k = 0; k < expected.size(); ++k) CHECK(std::abs(example->tau[k] - expected[k]) < 1e-11 * scale);
      CHECK(example->steps.size() >= 5 * expected.size());
      for (const WorkedStep& each : example->steps) {
        CAPTURE(each.symbol);
        CHECK_FALSE(each.values.empty());
        if (each.terms.empty()) continue;
        double sum = 0, size = 1e-9;
        for (const WorkedTerm& term : each.terms) sum += term.value, size = std::max(size, std::abs(term.value));
        CHECK(std::abs(sum - each.values[0]) < 1e-12 * size);
        ++sums;
      }
    }
  }
  CHECK(sums > 300);
}

TEST_CASE("the worked example of the book, step by step") {
  const Robot robot = Robot::load("two_link");
  auto forms = robot_forms(robot.description());
  REQUIRE(forms);
  REQUIRE(forms->standard);
  const DhArm<double>& arm = *forms->standard;
  const double l = arm[1].a, m2 = arm[2].m, q1 = 0.3, q2 = -0.8, a1 = 0.7, a2 = -1.1, b1 = 2, b2 = 0.4;
  const Numbers q{q1, q2}, qd{a1, a2}, qdd{b1, b2};
  forms->set(q);
  const auto example = worked_example(*forms, "newton-euler-link", qd, qdd);
  REQUIRE(example);
  const auto same = [&](const char* symbol, std::array<double, 3> expected) {
    CAPTURE(symbol);
    const std::vector<double>& v = step(*example, symbol).values;
    REQUIRE(v.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(v[k] - expected[k]) < 1e-12);
  };
  const double w = a1 + a2, wd = b1 + b2, S2 = std::sin(q2), C2 = std::cos(q2), g = norm(arm.g);
  const double S12 = std::sin(q1 + q2), C12 = std::cos(q1 + q2);
  const std::array a{l * (S2 * b1 - C2 * a1 * a1 - w * w / 2) + g * S12,
                     l * (C2 * b1 + S2 * a1 * a1 + wd / 2) + g * C12, 0.0};
  same("\\omega_2", {0, 0, w});
  same("\\dot\\omega_2", {0, 0, wd});
  same("\\bar a_2", a);
  same("F_2", {m2 * a[0], m2 * a[1], 0});
  // D_11 = 4/3 l^2 m_1 + ... of section 3.2.6, for equal rods
  const auto lagrange = worked_example(*forms, "lagrange-euler", qd, qdd);
  REQUIRE(lagrange);
  const double m1 = arm[1].m;
  CHECK(step(*lagrange, "D_{11}").values[0] ==
        doctest::Approx(m1 * l * l / 3 + 4 * m2 * l * l / 3 + m2 * C2 * l * l).epsilon(1e-12));
  CHECK(step(*lagrange, "D_{12}").terms.size() == 1);
}

TEST_CASE("what cannot be worked through is refused with its reason") {
  auto forms = robot_forms(Robot::load("puma560").description());
  REQUIRE(forms);
  const Numbers zero(6);
  forms->set(zero);
  const auto unknown = worked_example(*forms, "newton", zero, zero);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.faults()[0].rule == "formulation-unknown");
  auto tree = robot_forms(Robot::load("two_arm").description());
  REQUIRE(tree);
  const Numbers rest(13);
  tree->set(rest);
  const auto branches = worked_example(*tree, "kane", rest, rest);
  REQUIRE_FALSE(branches);
  CHECK_FALSE(branches.faults()[0].what.empty());
}
