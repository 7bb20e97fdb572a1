#include "torsor/numeric/gauss.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/scalar/trace_count.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Multiplications and divisions, and additions, of something done to n x n and n inputs.
template <class Run>
std::pair<int, int> taken(int n, const Run& run) {
  Tape tape;
  const Recording recording(tape);
  std::vector<Trace> A, b;
  for (int i = 0; i < n * n; ++i) A.push_back(tape.input("a"));
  for (int i = 0; i < n; ++i) b.push_back(tape.input("b"));
  run(A, b);
  const OperationCount c = count(tape);
  return {c.multiplications + c.divisions, c.additions};
}

}  // namespace

TEST_CASE("Gauss elimination solves, whatever the order of the rows") {
  Random random(1);
  for (int n = 1; n <= 8; ++n) {
    Numbers A = random.numbers(n * n, 1), x = random.numbers(n, 1);
    A[0] = n > 1 ? 0 : 1;  // no pivot there
    Numbers b = times(A, x);
    gauss_solve<double>(A, b, n);
    CHECK(difference(b, x) < 1e-11);
  }
}

TEST_CASE("an inverse in the matrix's own place is one") {
  Random random(2);
  for (int n = 1; n <= 8; ++n) {
    Numbers A = random.numbers(n * n, 1);
    for (int i = 0; i < n; ++i) A[std::size_t(i * n + i)] += 4;
    const Numbers x = random.numbers(n, 1), b = times(A, x);
    gauss_invert<double>(A, n);
    CHECK(difference(times(A, b), x) < 1e-13);
  }
}

TEST_CASE("both take the operations of the textbooks") {
  for (int n = 1; n <= 7; ++n) {
    CHECK(taken(n, [n](auto& A, auto& b) { gauss_solve<Trace>(A, b, n); }) ==
          std::pair{(n * n * n - n) / 3 + n * n, (2 * n * n * n + 3 * n * n - 5 * n) / 6});
    CHECK(taken(n, [n](auto& A, auto&) { gauss_invert<Trace>(A, n); }) ==
          std::pair{n * n * n, n * n * n - 2 * n * n + n});
  }
}
