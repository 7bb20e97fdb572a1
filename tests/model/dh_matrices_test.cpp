#include "torsor/model/dh_matrices.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/scalar/dual.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

Numbers flat(const Mat4<double>& A) {
  Numbers out;
  for (const Vec4<double>& row : A.rows) out.insert(out.end(), row.entries.begin(), row.entries.end());
  return out;
}

DhArm<double> random_arm(Random& random, int n) {
  return *dh_arm(random_dh_arm(random, n, Convention::standard_dh, 0.5), Convention::standard_dh);
}

}  // namespace

TEST_CASE("A is the product of its four elementary steps") {
  Random random(3);
  const DhArm<double> arm = random_arm(random, 4);
  DhPosition<double> position(4);
  const Numbers q = random.numbers(4, 2);
  position.set(arm, q);
  for (int i = 1; i <= 4; ++i) {
    const double c = position.c[i], s = position.s[i];
    const DhLink<double>& l = arm[i];
    const Mat4<double> Rz{{Vec4<double>{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    const Mat4<double> T{{Vec4<double>{1, 0, 0, l.a}, {0, 1, 0, 0}, {0, 0, 1, position.d[i]}, {0, 0, 0, 1}}};
    const Mat4<double> Rx{{Vec4<double>{1, 0, 0, 0}, {0, l.ca, -l.sa, 0}, {0, l.sa, l.ca, 0}, {0, 0, 0, 1}}};
    CHECK(difference(flat(homogeneous_matrix(arm, position, i)), flat(Rz * T * Rx)) < 1e-15);
  }
}

TEST_CASE("Q from the left gives the derivative of A, and from the right the same as a full matrix") {
  Random random(4);
  const DhArm<double> arm = random_arm(random, 6);
  const DhArm<Dual<double>> dual = cast<Dual<double>>(arm, [](double x) { return Dual<double>(x); });
  for (int i = 1; i <= 6; ++i) {
    const Numbers q = random.numbers(6, 2);
    DhPosition<double> position(6);
    position.set(arm, q);
    std::vector<Dual<double>> x(q.begin(), q.end());
    x[static_cast<std::size_t>(i - 1)].tangent[0] = 1;
    DhPosition<Dual<double>> moved(6);
    moved.set(dual, x);
    const Mat4<Dual<double>> dA = homogeneous_matrix(dual, moved, i);
    const Mat4<double> A = homogeneous_matrix(arm, position, i), QA = DhRate(arm[i]) * A,
                       Q = DhRate(arm[i]) * Mat4<double>::identity();
    for (int k = 0; k < 16; ++k) CHECK(QA(k / 4, k % 4) == doctest::Approx(dA(k / 4, k % 4).tangent[0]).epsilon(1e-14));
    CHECK(difference(flat(A * DhRate(arm[i])), flat(A * Q)) == 0);
  }
}

TEST_CASE("the pseudo-inertia of a set of points is the sum of m r r^T") {
  Random random(5);
  std::vector<PointMass> points;
  for (int k = 0; k < 5; ++k) points.push_back({random.uniform(0.2, 1), random.vector(0.5)});
  const Part part = part_of(points, InertiaAbout::mass_centre);
  DhLink<double> link;
  link.m = part.mass;
  link.r = part.com;
  link.I = part.tensor;
  Mat4<double> expected;
  for (const auto& [m, at] : points) {
    const Vec4<double> r{at.x, at.y, at.z, 1};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) expected(i, j) += m * r[i] * r[j];
  }
  CHECK(difference(flat(pseudo_inertia(link)), flat(expected)) < 1e-14);
}
