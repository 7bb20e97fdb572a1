#include "torsor/reduction/guidelines.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/support/shipped_robot.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

GuidelineCheck checked(const Description& d) {
  const auto answer = analyse_structure(d, {.survey = {.positions = 200}});
  REQUIRE(answer);
  return check_guidelines(*answer);
}

}  // namespace

TEST_CASE("a Cartesian arm keeps the guideline of slides, a PUMA does not") {
  const GuidelineCheck cartesian = checked(shipped_robot("cartesian3")), puma = checked(shipped_robot("puma560"));
  CHECK(cartesian.kept(1));
  CHECK(cartesian.slides == 3);
  CHECK(cartesian.expected_with_one_slide == cartesian.expected);
  CHECK_FALSE(puma.kept(1));
  CHECK(puma.slides == 0);
  CHECK(puma.sparsity == doctest::Approx(79.0 / 97));
  CHECK(puma.expected == doctest::Approx(4.0 / 17 * 4));
  CHECK(puma.expected_with_one_slide == doctest::Approx(4.0 / 17 * (1 + 25.0 / 36) * (1 + 25.0 / 36)));
}

TEST_CASE("axes are parallel, at right angles, or at an angle that is told") {
  Description d = shipped_robot("puma560");
  CHECK(checked(d).kept(2));
  std::get<DhRow>(d.links[0].geometry).alpha = std::numbers::pi / 3;
  const GuidelineCheck oblique = checked(d);
  CHECK_FALSE(oblique.kept(2));
  REQUIRE(oblique.axes.size() == 5);
  CHECK(oblique.axes[0].outer == 1);
  CHECK(oblique.axes[0].angle == doctest::Approx(std::numbers::pi / 3));
  CHECK(oblique.axes[1].parallel);
  CHECK(oblique.axes[2].right_angle);
}

TEST_CASE("masses that grow towards the hand are found, with the loading factors") {
  Description d = shipped_robot("two_link");
  const GuidelineCheck light = checked(d);
  CHECK(light.kept(3));
  CHECK(light.loads[1].own == doctest::Approx(2.3));
  CHECK(light.loads[0].moved == doctest::Approx(6.0));
  CHECK(*light.loads[1].loading == doctest::Approx(std::sqrt(2.3 / 6.0)));
  CHECK_FALSE(light.loads[0].loading);
  d.links[1].parts[0].mass = 4;
  CHECK_FALSE(checked(d).kept(3));
}

TEST_CASE("a first joint that works against gravity is found, with what depends on it") {
  const GuidelineCheck puma = checked(shipped_robot("puma560")), arm = checked(shipped_robot("two_link"));
  CHECK(puma.kept(4));
  CHECK(puma.first[0].dependent == 0);
  CHECK_FALSE(arm.kept(4));
  CHECK(arm.first[0].dependent == 2);  // G1 and G2
  CHECK(arm.first[0].largest > 40);    // m1 g l/2 + m2 g (l + l/2) = 44.2 N m at most
  CHECK(arm.first[0].largest < 3.7 * 9.8062 * 0.425 + 2.3 * 9.8062 * 1.275);
}
