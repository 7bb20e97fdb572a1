#include "torsor/spatial/turning.hpp"

#include <doctest/doctest.h>

#include "tests/support/measure.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the matrix of a turning body gives wd x x + w x (w x x) for every point") {
  const Vec3<double> w{0.3, -1.2, 0.7}, wd{2.1, 0.4, -0.9};
  for (const Vec3<double>& x : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, -0.5, 1.5}})
    CHECK(difference(flat(turning(w, wd) * x), flat(cross(wd, x) + cross(w, cross(w, x)))) < 1e-15);
}
