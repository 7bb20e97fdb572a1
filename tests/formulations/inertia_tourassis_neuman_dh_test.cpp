#include "torsor/formulations/inertia_tourassis_neuman_dh.hpp"

#include <doctest/doctest.h>

#include "tests/support/formulation.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("two turning axes at a right angle: (A-10) takes products of inertia with a plus sign") {
  // one unit mass at (x, y, z) of the last frame; axis 1 along y of frame 1, at a distance a from axis 2
  const double a = 0.5, x = 0.3, y = 0.2, z = 0.7;
  DhArm<double> arm;
  arm.links.resize(2);
  arm.links[0].a = a;
  arm.links[0].ca = 0;
  arm.links[0].sa = 1;
  arm.links[1].m = 1;
  arm.links[1].r = {x, y, z};
  DhPosition<double> position(2);
  position.set(arm, Numbers{0.0, 0.0});
  TourassisNeumanDhWork<double> work(arm);
  Numbers D(4);
  inertia_tourassis_neuman_dh<double>(arm, position, work, D);
  // about z0 the mass has the arm (a + x, -z) and moves with (z, a + x) in (x0, y0); about z1 with (-y, x) in (x0, z0)
  CHECK(difference(D, Numbers{(a + x) * (a + x) + z * z, -y * z, -y * z, x * x + y * y}) < 1e-15);
}

TEST_CASE("(A-10) takes operations that grow with n^2") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount all = operations(mass_formulations<Trace>(), "tourassis-neuman-dh", n);
    CHECK(all.multiplications == 21 * n * n + 2 * n + 36);
    CHECK(all.additions == 15 * n * n + 12 * n + 16);
  }
}
