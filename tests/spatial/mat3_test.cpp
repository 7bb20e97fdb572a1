#include "torsor/spatial/mat3.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {
// columns; rows are 1 2 3, 4 5 6, 7 8 10
const Mat3<double> unsymmetric{{1, 4, 7}, {2, 5, 8}, {3, 6, 10}};

Sym3<double> random_symmetric(Random& random) {
  const Numbers x = random.numbers(6, 1);
  return {x[0], x[1], x[2], x[3], x[4], x[5]};
}
}  // namespace

TEST_CASE("a matrix is held by its columns") {
  CHECK(apart(unsymmetric * Vec3<double>{1, 0, 0}, Vec3<double>{1, 4, 7}) == 0);
  CHECK(apart(unsymmetric * Vec3<double>{1, -1, 2}, Vec3<double>{5, 11, 19}) == 0);
  CHECK(apart(~unsymmetric, Mat3<double>{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}) == 0);
  CHECK(apart(unsymmetric * Mat3<double>::identity(), unsymmetric) == 0);
}

TEST_CASE("the product of matrices composes their actions") {
  Random random(2);
  for (int k = 0; k < draws(50); ++k) {
    const Mat3<double> B = random.rotation() + skew(random.vector(1));
    const Vec3<double> v = random.vector(1);
    CHECK(apart((unsymmetric * B) * v, unsymmetric * (B * v)) < 1e-14);
    CHECK(apart(~(unsymmetric * B), ~B * ~unsymmetric) < 1e-14);
  }
}

TEST_CASE("skew and outer act as cross and dot products") {
  Random random(3);
  for (int k = 0; k < draws(50); ++k) {
    const Vec3<double> a = random.vector(1), b = random.vector(1), v = random.vector(1);
    CHECK(apart(skew(a) * v, cross(a, v)) < 1e-14);
    CHECK(apart(outer(a, b) * v, a * dot(b, v)) < 1e-14);
  }
}

TEST_CASE("a symmetric matrix and its nine entries act alike") {
  Random random(4);
  for (int k = 0; k < draws(50); ++k) {
    const Sym3<double> S = random_symmetric(random);
    const Vec3<double> v = random.vector(1);
    CHECK(apart(S * v, full(S) * v) < 1e-14);
    CHECK(apart(symmetric(full(S)), S) == 0);
    CHECK(apart(full(S), ~full(S)) == 0);
  }
}

TEST_CASE("rotating a symmetric matrix is R S R^T in all its entries") {
  Random random(5);
  for (int k = 0; k < draws(50); ++k) {
    const Sym3<double> S = random_symmetric(random);
    const Mat3<double> R = random.rotation();
    CHECK(apart(full(rotate(R, S)), R * full(S) * ~R) < 1e-14);
  }
}
