#include "torsor/model/joint.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("joint kinds are known by their names") {
  for (const JointRow& r : joint_rows) {
    REQUIRE(joint_kind(r.name));
    CHECK(row(*joint_kind(r.name)).name == r.name);
  }
  CHECK(joint_kind("helical") == JointKind::helical);
  CHECK(joint_kind("free") == JointKind::free);
  CHECK(!joint_kind("revolut"));
  CHECK(!joint_kind(""));
}

TEST_CASE("a joint has as many coordinates as it should") {
  CHECK(row(JointKind::fixed).nv == 0);
  CHECK(row(JointKind::revolute).nq == 1);
  CHECK(row(JointKind::prismatic).nv == 1);
  CHECK(row(JointKind::helical).nq == 1);
  CHECK(row(JointKind::planar).nq == 3);
  CHECK(row(JointKind::planar).nv == 3);
  CHECK(row(JointKind::spherical).nq == 4);
  CHECK(row(JointKind::spherical).nv == 3);
  CHECK(row(JointKind::free).nq == 7);
  CHECK(row(JointKind::free).nv == 6);
}

TEST_CASE("each kind moves its frame after the placement") {
  Random random(201);
  const Transform<double> placement = random.transform(1);
  const double angle = 0.7, c = std::cos(angle), s = std::sin(angle);
  JointPosition<double> j;
  j.c = c, j.s = s, j.d = 0.3, j.e = random.quaternion(), j.p = {1, 2, 3};
  const auto after = [&](const Mat3<double>& R, const Vec3<double>& p) { return placement * Transform<double>{R, p}; };
  const Mat3<double> unit = Mat3<double>::identity(), turn = rotation_z(angle), ball = rotation(j.e);
  CHECK(apart(joint_transform(JointKind::fixed, placement, j), placement) == 0);
  CHECK(apart(joint_transform(JointKind::revolute, placement, j), after(turn, {})) < 1e-14);
  CHECK(apart(joint_transform(JointKind::prismatic, placement, j), after(unit, {0, 0, 0.3})) < 1e-14);
  CHECK(apart(joint_transform(JointKind::helical, placement, j), after(turn, {0, 0, 0.3})) < 1e-14);
  CHECK(apart(joint_transform(JointKind::planar, placement, j), after(turn, {1, 2, 3})) < 1e-14);
  CHECK(apart(joint_transform(JointKind::spherical, placement, j), after(ball, {})) < 1e-14);
  CHECK(apart(joint_transform(JointKind::free, placement, j), after(ball, {1, 2, 3})) < 1e-14);
}

TEST_CASE("the allowed motion of a one-dof joint is the rate of its transform, in the body frame") {
  Random random(202);
  const double pitch = 0.05;
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic, JointKind::helical}) {
    const Transform<double> placement = random.transform(1);
    const Time1 x = Time1::variable(random.uniform(-3, 3));
    JointPosition<Time1> j;
    j.c = cos(x), j.s = sin(x), j.d = kind == JointKind::helical ? Time1(pitch) * x : x;
    const Transform<Time1> X = joint_transform(kind, cast<Time1>(placement, [](double a) { return Time1(a); }), j);
    const Mat3<double> R = value(X.R);
    const Motion<double> s = joint_motion(kind, 0, pitch);
    CHECK(apart(~R * rate(X.R), skew(s.w)) < 1e-14);
    CHECK(apart(~R * rate(X.p), s.v) < 1e-14);
  }
}

TEST_CASE("planar, ball and free joints allow unit motions of the body") {
  CHECK(difference(flat(joint_motion(JointKind::planar, 0, 0.0)), Numbers{0, 0, 1, 0, 0, 0}) == 0);
  CHECK(difference(flat(joint_motion(JointKind::planar, 1, 0.0)), Numbers{0, 0, 0, 1, 0, 0}) == 0);
  CHECK(difference(flat(joint_motion(JointKind::planar, 2, 0.0)), Numbers{0, 0, 0, 0, 1, 0}) == 0);
  for (int k = 0; k < 6; ++k) {
    Numbers unit(6, 0.0);
    unit[static_cast<std::size_t>(k)] = 1;
    CHECK(difference(flat(joint_motion(JointKind::free, k, 0.0)), unit) == 0);
    if (k < 3) CHECK(difference(flat(joint_motion(JointKind::spherical, k, 0.0)), unit) == 0);
  }
}
