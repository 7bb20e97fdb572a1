#include "torsor/formulations/inverse_recursive_lagrange.hpp"

#include "tests/support/counted.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("recursive Lagrange with 4x4 matrices is linear in the joints") {
  for (int n = 3; n <= 12; ++n) {
    CAPTURE(n);
    CHECK(counted("recursive-lagrange", n, Rule::dense) == cost(635 * n - 284, 512 * n - 88));
    CHECK(counted("recursive-lagrange", n, Rule::structured) == cost(344 * n - 315, 263 * n - 266));
  }
}
