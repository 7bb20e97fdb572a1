// Every equation of every kind of joint against duals: gradients are derivatives of the value along motions of the bodies,
// biases are second derivatives along free motions.
#include "torsor/kinematics/joint_equations.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/support/random.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/spatial/quaternion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

// time is the one independent variable, twice
using Time = Dual<Dual<double>>;
using Vector = Vec3<double>;

Vector draw(Random& random) { return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; }

Time second_order(double f, double fd, double fdd) { return {Dual<double>(f, {fd}), {Dual<double>(fd, {fdd})}}; }

Vec3<Time> path(const Vector& x, const Vector& xd, const Vector& xdd) {
  return {second_order(x.x, xd.x, xdd.x), second_order(x.y, xd.y, xdd.y), second_order(x.z, xd.z, xdd.z)};
}

/// A vector that turns: a, w x a, w x (w x a) + alpha x a.
Vec3<Time> turning(const Vector& a, const Vector& w, const Vector& alpha) {
  return path(a, cross(w, a), cross(w, cross(w, a)) + cross(alpha, a));
}

struct Side {
  Vector r, v, a, w, alpha, s;  // mass centre and its motion, and the way to the joint
  Mat3<double> R;

  explicit Side(Random& random)
      : r(draw(random)),
        v(draw(random)),
        a(draw(random)),
        w(draw(random)),
        alpha(draw(random)),
        s(draw(random)),
        R(rotation(
            normalized(Quaternion<double>{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 1.1}))) {
  }

  JointPlace<double> now() const { return {r + s, s, R, w, v + cross(w, s), cross(w, cross(w, s))}; }

  /// The frame as it moves; velocities inside are those of the motion, for equations of velocity.
  JointPlace<Time> moving() const {
    const Vec3<Time> st = turning(s, w, alpha), wt = path(w, alpha, {});
    const Vec3<Time> vt = path(v, a, {});
    return {path(r, v, a) + st,
            st,
            {turning(R.x, w, alpha), turning(R.y, w, alpha), turning(R.z, w, alpha)},
            wt,
            vt + cross(wt, st),
            cross(wt, cross(wt, st))};
  }
  Motion<double> velocity() const { return {w, v}; }
  Motion<double> acceleration() const { return {alpha, a}; }
};

}  // namespace

TEST_CASE("values, gradients and biases of all joints are those of duals in time") {
  Random random(11);
  for (int draws = 0; draws < 200; ++draws) {
    const Side i(random), j(random);
    const JointSizes size{random.uniform(0.1, 1), random.uniform(-1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1),
                          0};
    for (const MechanismJointRow& kind : mechanism_joint_kinds) {
      CAPTURE(std::string(kind.name));
      const JointEquations<double> now = joint_equations(kind.kind, size, i.now(), j.now());
      const JointEquations<Time> moving = joint_equations(kind.kind, size, i.moving(), j.moving());
      REQUIRE(now.count == kind.equations + kind.velocity_only);
      for (int r = 0; r < now.count; ++r) {
        CAPTURE(r);
        const ConstraintRow<double>& row = now.rows[static_cast<std::size_t>(r)];
        const Time& value = moving.rows[static_cast<std::size_t>(r)].value;
        const double rate = dot(i.velocity(), row.J_i) + dot(j.velocity(), row.J_j);
        const double second = dot(i.acceleration(), row.J_i) + dot(j.acceleration(), row.J_j) + row.bias;
        const double tolerance = 1e-11 * (1 + std::fabs(second) + std::fabs(row.bias));
        CHECK(value.value.value == doctest::Approx(row.value).epsilon(1e-12));
        if (r < kind.equations) {
          CHECK(std::fabs(value.value.tangent[0] - rate) < tolerance);
          CHECK(std::fabs(value.tangent[0].tangent[0] - second) < tolerance);
        } else {
          // an equation of velocity: its value is the rate, and its first derivative the second
          CHECK(std::fabs(row.value - rate) < tolerance);
          CHECK(std::fabs(value.value.tangent[0] - second) < tolerance);
        }
      }
    }
  }
}

TEST_CASE("angles, slides and lengths have the gradients and biases of duals in time") {
  Random random(12);
  for (int draws = 0; draws < 500; ++draws) {
    const Side i(random), j(random);
    const auto check = [&](const ConstraintRow<double>& row, const ConstraintRow<Time>& moving) {
      const double rate = dot(i.velocity(), row.J_i) + dot(j.velocity(), row.J_j);
      const double second = dot(i.acceleration(), row.J_i) + dot(j.acceleration(), row.J_j) + row.bias;
      const double tolerance = 1e-10 * (1 + std::fabs(second) + std::fabs(row.bias));
      CHECK(std::fabs(moving.value.value.tangent[0] - rate) < tolerance);
      CHECK(std::fabs(moving.value.tangent[0].tangent[0] - second) < tolerance);
    };
    check(angle_row(i.now(), j.now()), angle_row(i.moving(), j.moving()));
    check(length_row(i.now(), j.now()), length_row(i.moving(), j.moving()));
    check(in_line_row(i.R.z, i.now(), j.now()), in_line_row(i.moving().R.z, i.moving(), j.moving()));
  }
}
