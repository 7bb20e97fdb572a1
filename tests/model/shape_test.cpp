// Volumes and moments of inertia of solids: closed forms, and a numerical integral that knows none of them.
#include "torsor/model/shape.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <numbers>

using namespace torsor;

namespace {

using std::numbers::pi;

void check_equal(const Sym3<double>& a, const Sym3<double>& b, double tolerance) {
  CHECK(a.xx == doctest::Approx(b.xx).epsilon(tolerance));
  CHECK(a.yy == doctest::Approx(b.yy).epsilon(tolerance));
  CHECK(a.zz == doctest::Approx(b.zz).epsilon(tolerance));
  for (const double product : {a.xy, a.xz, a.yz, b.xy, b.xz, b.yz}) CHECK(product == 0);
}

// by midpoints of small cubes in the box that encloses the solid
Solid integrated(const Vec3<double>& half, const std::function<bool(const Vec3<double>&)>& inside) {
  constexpr int n = 120;
  const double cell = 8 * half.x * half.y * half.z / (n * n * n);
  const auto middle = [](int i, double h) { return h * ((2 * i + 1) / double(n) - 1); };
  Solid sum;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3<double> r{middle(i, half.x), middle(j, half.y), middle(k, half.z)};
        if (!inside(r)) continue;
        sum.volume += cell;
        sum.tensor_per_mass += Sym3<double>{r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y} * cell;
      }
  sum.tensor_per_mass = sum.tensor_per_mass * (1 / sum.volume);
  return sum;
}

void check_integral(const Solid& solid, const Solid& integral) {
  CHECK(solid.volume == doctest::Approx(integral.volume).epsilon(3e-3));
  check_equal(solid.tensor_per_mass, integral.tensor_per_mass, 3e-3);
}

}  // namespace

TEST_CASE("a box has its textbook volume and moments") {
  const Solid box = solid_box({0.1, 0.2, 0.3});
  CHECK(box.volume == doctest::Approx(0.006).epsilon(1e-14));
  check_equal(box.tensor_per_mass, {0.13 / 12, 0.10 / 12, 0.05 / 12}, 1e-14);
}

TEST_CASE("a cylinder has its textbook volume and moments") {
  const Solid cylinder = solid_cylinder(0.2, 0.9);
  CHECK(cylinder.volume == doctest::Approx(pi * 0.04 * 0.9).epsilon(1e-14));
  check_equal(cylinder.tensor_per_mass, {(3 * 0.04 + 0.81) / 12, (3 * 0.04 + 0.81) / 12, 0.02}, 1e-14);
}

TEST_CASE("a sphere has its textbook volume and moments") {
  const Solid sphere = solid_sphere(0.5);
  CHECK(sphere.volume == doctest::Approx(pi / 6).epsilon(1e-14));
  check_equal(sphere.tensor_per_mass, {0.1, 0.1, 0.1}, 1e-14);
}

TEST_CASE("a tube is a cylinder less a thinner one") {
  const double outer = 0.05, inner = 0.03, length = 0.4;
  const Solid tube = solid_tube(outer, inner, length), big = solid_cylinder(outer, length),
              small = solid_cylinder(inner, length);
  CHECK(tube.volume == doctest::Approx(big.volume - small.volume).epsilon(1e-14));
  const Sym3<double> difference = big.tensor_per_mass * big.volume - small.tensor_per_mass * small.volume;
  check_equal(tube.tensor_per_mass * tube.volume, difference, 1e-14);
}

TEST_CASE("a thin tube is a hoop drawn out") {
  check_equal(solid_tube(1, 1, 2).tensor_per_mass, {0.5 + 4.0 / 12, 0.5 + 4.0 / 12, 1}, 1e-14);
}

TEST_CASE("each solid agrees with the integral over its volume") {
  check_integral(solid_box({0.2, 0.4, 0.6}), integrated({0.2, 0.4, 0.6}, [](const Vec3<double>& r) {
                   return std::abs(r.x) < 0.1 && std::abs(r.y) < 0.2 && std::abs(r.z) < 0.3;
                 }));
  check_integral(solid_tube(1, 0.6, 3), integrated({1, 1, 1.5}, [](const Vec3<double>& r) {
                   const double rr = r.x * r.x + r.y * r.y;
                   return 0.36 < rr && rr < 1;
                 }));
  check_integral(solid_sphere(1), integrated({1, 1, 1}, [](const Vec3<double>& r) { return dot(r, r) < 1; }));
}
