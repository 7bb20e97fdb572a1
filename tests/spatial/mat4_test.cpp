#include "torsor/spatial/mat4.hpp"

#include <doctest/doctest.h>

#include "torsor/scalar/trace_count.hpp"

using namespace torsor;

TEST_CASE("4x4 matrices multiply, add, turn over and have traces") {
  const Mat4<double> A{{Vec4<double>{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 1, 2, 3}, {4, 5, 6, 7}}};
  const Mat4<double> B{{Vec4<double>{2, 0, 1, 3}, {1, 1, 0, 2}, {0, 4, 1, 1}, {3, 2, 2, 0}}};
  const Mat4<double> C = A * B;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double expected = 0;
      for (int k = 0; k < 4; ++k) expected += A(i, k) * B(k, j);
      CHECK(C(i, j) == expected);
      CHECK((A + B * 2.0)(i, j) == A(i, j) + 2 * B(i, j));
      CHECK((~A)(i, j) == A(j, i));
      CHECK((A * Mat4<double>::identity())(i, j) == A(i, j));
    }
  CHECK(trace(A) == 16);
  CHECK(trace_of(A, B) == trace(A * ~B));
  const Vec4<double> v = A * Vec4<double>{1, -1, 2, 0} + -Vec4<double>{0, 0, 0, 1};
  CHECK(v.entries == std::array<double, 4>{5, 13, 12, 10});
}

TEST_CASE("a 4x4 product takes 64 multiplications and 48 additions, a trace of a product by row dots 16 and 15") {
  Tape tape;
  const Recording recording(tape);
  Mat4<Trace> X;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) X(i, j) = tape.input("x");
  const Mat4<Trace> Y = X * X;
  CHECK(count(tape) == OperationCount{.multiplications = 64, .additions = 48});
  tape.output(trace_of(X, Y), "t");
  CHECK(count(tape) == OperationCount{.multiplications = 80, .additions = 63});
}
