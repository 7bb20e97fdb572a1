#include "torsor/closed_form_ik/two_turns.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// How far the two turns leave k from w, at the worst of the solutions.
double worst_miss(const TwoTurns& found, const Mat3<double>& C, const Vec3<double>& k, const Vec3<double>& w) {
  double worst = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(found.count); ++i)
    worst = std::max(worst, norm(rotation_z(found.a[i]) * (C * (rotation_z(found.b[i]) * k)) - w));
  return worst;
}

}  // namespace

TEST_CASE("two turns reach the direction to rounding, however near it is to the edge of what they reach") {
  Random random(7);
  const Vec3<double> z{0, 0, 1};
  const Mat3<double> right_angle = rotation_x(-std::numbers::pi / 2);
  for (int draw = 0; draw < draws(5000); ++draw) {
    // right angles, as arms have them: the edge is at b = 0 and b = pi; or any axes, where b is measured from `middle`
    const bool special = draw % 2 == 0;
    const Mat3<double> C = special ? right_angle : random.rotation();
    const Vec3<double> k = special ? Vec3<double>{0, -1, 0} : random.direction();
    const Vec3<double> h{C.x.z, C.y.z, C.z.z};
    const double middle = std::atan2(h.y * k.x - h.x * k.y, h.x * k.x + h.y * k.y);
    const double off = random.either_sign(1, 9) * std::pow(10.0, -random.below(13));
    const double b = middle + off + (random.chance(0.5) ? std::numbers::pi : 0), a = random.uniform(-3.1, 3.1);
    const Vec3<double> w = rotation_z(a) * (C * (rotation_z(b) * k));
    const TwoTurns found = two_turns(C, k, w);
    CAPTURE(special);
    CAPTURE(off);
    REQUIRE(found.count > 0);
    // the cosine is known to rounding over the product of both sines
    CHECK(found.short_by * std::hypot(h.x, h.y) * std::hypot(k.x, k.y) < 1e-15);
    CHECK(worst_miss(found, C, k, w) < (special ? 4e-15 : 2e-14));
  }
  CHECK(norm(right_angle * Vec3<double>{0, -1, 0} - z) < 1e-15);
}

TEST_CASE("a direction on the edge has one solution, one beyond it is reported with its distance") {
  const Mat3<double> C = rotation_x(0.5);
  const Vec3<double> k{0, std::sin(0.3), std::cos(0.3)};
  // the axes are 0.5 apart and k is 0.3 from the second: 0.2 to 0.8 from the first can be reached
  for (const double gamma : {0.2, 0.8}) {
    const TwoTurns edge = two_turns(C, k, {std::sin(gamma), 0, std::cos(gamma)});
    CHECK(edge.short_by == 0);
    CHECK(edge.count >= 1);
    for (std::size_t i = 1; i < static_cast<std::size_t>(edge.count); ++i)
      CHECK(std::abs(std::remainder(edge.b[i] - edge.b[0], 2 * std::numbers::pi)) < 1e-7);
  }
  for (const double gamma : {0.1, 0.9}) {
    const TwoTurns beyond = two_turns(C, k, {std::sin(gamma), 0, std::cos(gamma)});
    CHECK(beyond.count == 1);
    const double cosine = (std::cos(gamma) - std::cos(0.5) * std::cos(0.3)) / (std::sin(0.5) * std::sin(0.3));
    CHECK(beyond.short_by == doctest::Approx(std::abs(cosine) - 1).epsilon(1e-12));
  }
}
