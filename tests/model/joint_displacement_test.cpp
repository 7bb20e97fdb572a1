#include "torsor/model/joint_displacement.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("a turn by a vector is the rotation about its direction, for angles of any size") {
  Random random(941);
  for (const double angle : {0.0, 1e-9, 1e-3, 0.0999, 0.1001, 1.0, 3.0, 6.0}) {
    const Vec3<double> u = random.direction();
    CHECK(apart(turned_by(u * angle), rotation_about(u, angle)) < 1e-15);
  }
}

TEST_CASE("a free joint displaced is at the pose before times the displacement") {
  Random random(942);
  for (int k = 0; k < 100; ++k) {
    const Quaternion<double> e = random.quaternion();
    const Vec3<double> p = random.vector(1), theta = random.vector(2), r = random.vector(1);
    const double x[] = {e.e0, e.e1, e.e2, e.e3, p.x, p.y, p.z}, d[] = {theta.x, theta.y, theta.z, r.x, r.y, r.z};
    double end[7];
    displace_joint(JointKind::free, x, d, end);
    const Transform<double> expected = Transform<double>{rotation(e), p} * Transform<double>{turned_by(theta), r};
    CHECK(
        apart(Transform<double>{rotation(Quaternion<double>{end[0], end[1], end[2], end[3]}), {end[4], end[5], end[6]}},
              expected) < 1e-14);
  }
}

TEST_CASE("a displacement moves at the rate that brings its end along with the body") {
  // R exp(theta) turns with w in the body: theta' = Jr^-1 w, and Jr is what a change of theta does at the end
  Random random(943);
  for (int k = 0; k < 100; ++k) {
    const double size = 0.1;
    const Vec3<double> theta = random.vector(size), r = random.vector(1);
    const double d[] = {theta.x, theta.y, theta.z, r.x, r.y, r.z};
    const Displacement<double> displacement(JointKind::free, d);
    const Motion<double> v = random.motion(1);
    CHECK(apart(displacement.changed(displacement.rate(v)), v) < 0.01 * size * size * size);
  }
}
