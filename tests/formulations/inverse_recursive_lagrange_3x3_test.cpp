#include "torsor/formulations/inverse_recursive_lagrange_3x3.hpp"

#include "tests/support/counted.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("recursive Lagrange with 3x3 matrices is linear in the joints") {
  for (int n = 3; n <= 12; ++n) {
    CAPTURE(n);
    CHECK(counted("recursive-lagrange-3x3", n, Rule::dense) == cost(326 * n - 94, 255 * n - 39));
    CHECK(counted("recursive-lagrange-3x3", n, Rule::structured) == cost(286 * n - 241, 215 * n - 198));
  }
}

TEST_CASE("recursive Lagrange with 3x3 matrices stays within Hollerbach's 412 n - 277 and 320 n - 201") {
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const OperationCount c = counted("recursive-lagrange-3x3", n, Rule::structured);
    CHECK(c.multiplications <= 412 * n - 277);
    CHECK(c.additions <= 320 * n - 201);
  }
  // for six joints even with the zeros and ones of the base multiplied out
  const OperationCount six = counted("recursive-lagrange-3x3", 6, Rule::dense);
  CHECK(six.multiplications <= 2195);
  CHECK(six.additions <= 1719);
}
