#include "torsor/spatial/inertia.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"
#include "tests/support/random.hpp"
#include "torsor/spatial/rotation.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// A point of mass m at r, in three lines of mechanics.
Inertia<double> point_mass(double m, const Vec3<double>& r) {
  return {m, r * m,
          Sym3<double>{r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y, -r.x * r.y, -r.x * r.z,
                       -r.y * r.z} *
              m};
}

struct Cloud {
  std::vector<double> m;
  std::vector<Vec3<double>> r;
  explicit Cloud(Random& random) {
    for (int k = 0; k < 5; ++k) {
      m.push_back(random.uniform(0.1, 1));
      r.push_back(random.vector(1));
    }
  }
  Inertia<double> inertia() const {
    Inertia<double> J;
    for (std::size_t k = 0; k < m.size(); ++k) J += point_mass(m[k], r[k]);
    return J;
  }
};

}  // namespace

TEST_CASE("momentum is the sum over the particles of a body") {
  Random random(51);
  for (int k = 0; k < draws(50); ++k) {
    const Cloud cloud(random);
    const Motion<double> v = random.motion(1);
    Force<double> momentum;
    for (std::size_t i = 0; i < cloud.m.size(); ++i) {
      const Vec3<double> p = (v.v + cross(v.w, cloud.r[i])) * cloud.m[i];
      momentum += Force<double>{cross(cloud.r[i], p), p};
    }
    CHECK(apart(cloud.inertia() * v, momentum) < 1e-14);
  }
}

TEST_CASE("an inertia seen from another frame is that of the moved particles") {
  Random random(52);
  for (int k = 0; k < draws(50); ++k) {
    Cloud cloud(random);
    const Transform<double> X = random.transform(2);
    const Inertia<double> moved = X * cloud.inertia();
    for (Vec3<double>& r : cloud.r) r = X * r;
    CHECK(apart(moved, cloud.inertia()) < 5e-14);
  }
}

TEST_CASE("kinetic energy does not depend on the frame") {
  Random random(53);
  for (int k = 0; k < draws(50); ++k) {
    const Inertia<double> J = Cloud(random).inertia();
    const Transform<double> X = random.transform(1);
    const Motion<double> v = random.motion(1);
    CHECK(std::abs(dot(v, J * v) - dot(X * v, (X * J) * (X * v))) < 5e-14);
  }
}

TEST_CASE("a tensor about the mass centre goes to the frame and back") {
  const Vec3<double> c{0.1, -0.2, 0.3};
  const Sym3<double> I_c{3, 4, 5, 0.1, -0.2, 0.3};
  const Inertia<double> J = inertia_about_centre(2.0, c, I_c);
  CHECK(J.m == 2);
  CHECK(apart(J.h, Vec3<double>{0.2, -0.4, 0.6}) < 1e-14);
  // parallel axes by hand: I_xx + m (y^2 + z^2), I_xy - m x y
  CHECK(apart(J.I, Sym3<double>{3 + 2 * 0.13, 4 + 2 * 0.10, 5 + 2 * 0.05, 0.1 + 0.04, -0.2 - 0.06, 0.3 + 0.12}) <
        1e-14);
  CHECK(apart(mass_centre(J), c) < 1e-14);
  CHECK(apart(tensor_about_centre(J), I_c) < 1e-14);
}

TEST_CASE("a body without mass has its centre at the origin") {
  CHECK(apart(mass_centre(Inertia<double>{}), Vec3<double>{}) == 0);
  CHECK(apart(tensor_about_centre(Inertia<double>{0, {}, {1, 2, 3, 0, 0, 0}}), Sym3<double>{1, 2, 3, 0, 0, 0}) == 0);
}
