#include "torsor/spatial/motion.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("power is moment times angular velocity plus force times velocity") {
  const Motion<double> m{{1, 2, 3}, {4, 5, 6}};
  const Force<double> f{{1, 0, -1}, {2, 1, 0}};
  CHECK(dot(m, f) == -2 + 13);
}

TEST_CASE("the two cross products are dual: power of fixed vectors does not change with the frame") {
  Random random(31);
  for (int k = 0; k < draws(50); ++k) {
    const Motion<double> a = random.motion(1), b = random.motion(1);
    const Force<double> f = random.force(1);
    CHECK(std::abs(dot(cross(a, b), f) + dot(b, cross(a, f))) < 1e-14);
    CHECK(apart(cross(a, b), cross(b, a) * -1.0) < 1e-14);
  }
}

TEST_CASE("the cross products are the rates of vectors carried along by a moving frame") {
  // a frame at X(t), identity now, moving with a: what is fixed in it has constant components there
  Random random(32);
  const Motion<double> a = random.motion(1), b = random.motion(1);
  const Force<double> f = random.force(1);
  const auto moving = [](const Vec3<double>& v, const Vec3<double>& r) {
    return Vec3<Time1>{{v.x, {r.x}}, {v.y, {r.y}}, {v.z, {r.z}}};
  };
  const Mat3<double> W = skew(a.w), unit = Mat3<double>::identity();
  const Transform<Time1> X{{moving(unit.x, W.x), moving(unit.y, W.y), moving(unit.z, W.z)}, moving({}, a.v)};
  const auto constant = [](const Vec3<double>& v) { return cast<Time1>(v, [](double x) { return Time1(x); }); };

  const Motion<Time1> carried = X * Motion<Time1>{constant(b.w), constant(b.v)};
  CHECK(apart(Motion<double>{rate(carried.w), rate(carried.v)}, cross(a, b)) < 1e-14);
  const Force<Time1> carried_force = X * Force<Time1>{constant(f.n), constant(f.f)};
  CHECK(apart(Force<double>{rate(carried_force.n), rate(carried_force.f)}, cross(a, f)) < 1e-14);
}
