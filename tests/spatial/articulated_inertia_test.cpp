#include "torsor/spatial/articulated_inertia.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Inertia<double> random_inertia(Random& random) {
  const double m = random.uniform(0.5, 2);
  return inertia_about_centre(m, random.vector(0.5), Sym3<double>{2, 2.5, 3, 0.1, 0.2, -0.3});
}

/// A full symmetric 6x6 inertia: a body less the share of one direction.
ArticulatedInertia<double> random_articulated(Random& random) {
  ArticulatedInertia<double> A(random_inertia(random));
  const Force<double> u = random.force(0.3);
  A.remove(u, u * 0.7);
  return A;
}

}  // namespace

TEST_CASE("a rigid body is an articulated one that nothing gives way in") {
  Random random(61);
  const Inertia<double> J = random_inertia(random);
  const Motion<double> a = random.motion(1);
  CHECK(apart(ArticulatedInertia<double>(J) * a, J * a) < 1e-14);
}

TEST_CASE("an articulated inertia is symmetric and moves as forces and motions do") {
  Random random(62);
  for (int k = 0; k < draws(50); ++k) {
    const ArticulatedInertia<double> A = random_articulated(random);
    const Transform<double> X = random.transform(1);
    const Motion<double> a = random.motion(1), b = random.motion(1);
    CHECK(std::abs(dot(a, A * b) - dot(b, A * a)) < 1e-14);
    CHECK(apart((X * A) * (X * a), X * (A * a)) < 1e-14);
  }
}

TEST_CASE("moving a rigid body's inertia is the same before and after making it articulated") {
  Random random(63);
  for (int k = 0; k < draws(50); ++k) {
    const Inertia<double> J = random_inertia(random);
    const Transform<double> X = random.transform(1);
    const Motion<double> a = random.motion(1);
    CHECK(apart((X * ArticulatedInertia<double>(J)) * a, (X * J) * a) < 1e-14);
  }
}

TEST_CASE("removing u u^T / d takes u (u . a) / d from the force, and sums add") {
  Random random(64);
  for (int k = 0; k < draws(50); ++k) {
    ArticulatedInertia<double> A = random_articulated(random), before = A, other = random_articulated(random);
    const Force<double> u = random.force(1);
    const Motion<double> a = random.motion(1);
    const double d = random.uniform(1, 3);
    A.remove(u, u * (1 / d));
    CHECK(apart(A * a, before * a - u * (dot(a, u) / d)) < 1e-14);
    A += other;
    CHECK(apart(A * a, before * a - u * (dot(a, u) / d) + other * a) < 1e-14);
  }
}
