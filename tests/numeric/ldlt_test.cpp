#include "torsor/numeric/ldlt.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/numeric/matrix.hpp"
#include "tests/scalar/residue.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class T>
std::vector<T> times(const Matrix<T>& A, const std::vector<T>& x) {
  std::vector<T> y(x.size(), T(0));
  for (int i = 0; i < A.n; ++i)
    for (int j = 0; j < A.n; ++j) y[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  return y;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<double> random_vector(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (double& entry : x) entry = draw(random);
  return x;
}

// B B^T of a random n x rank matrix B, plus a multiple of the identity; the first rows of B are kept well apart
Matrix<double> random_gram(int n, int rank, double shift, std::mt19937_64& random) {
  std::vector<std::vector<double>> B;
  for (int i = 0; i < n; ++i) {
    B.push_back(random_vector(rank, random));
    if (i < rank) B.back()[static_cast<std::size_t>(i)] += rank;
  }
  Matrix<double> A(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A(i, j) = i == j ? shift : 0.0;
      for (std::size_t k = 0; k < static_cast<std::size_t>(rank); ++k)
        A(i, j) += B[static_cast<std::size_t>(i)][k] * B[static_cast<std::size_t>(j)][k];
    }
  return A;
}

}  // namespace

TEST_CASE("L D L^T is the matrix that was factored and the upper triangle is left alone") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 12;
    const Matrix<double> A = random_gram(n, n, 0.1, random);
    Matrix<double> LD = A;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) LD(i, j) = 1e300;
    ldlt_factor<double>(LD.entries, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        double product = LD(j, j) * (i == j ? 1.0 : LD(i, j));
        for (int k = 0; k < j; ++k) product += LD(i, k) * LD(k, k) * LD(j, k);
        CHECK(std::abs(product - A(i, j)) <= 2 * n * eps * std::sqrt(A(i, i) * A(j, j)));
      }
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) CHECK(LD(i, j) == 1e300);
  }
}

TEST_CASE("a solution satisfies its equations") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 12;
    const Matrix<double> A = random_gram(n, n, 0.1, random);
    const std::vector<double> b = random_vector(n, random);
    Matrix<double> LD = A;
    std::vector<double> x = b;
    ldlt_factor<double>(LD.entries, n);
    CHECK(ldlt_first_bad_pivot<double>(LD.entries, n) == -1);
    ldlt_solve<double>(LD.entries, n, x);
    CHECK(largest_difference(times(A, x), b) <= 1e-13);
  }
}

TEST_CASE("an ill-conditioned system is solved backward stably") {
  // the Hilbert matrix of order 7, condition 4.8e8
  const int n = 7;
  const double condition = 4.8e8;
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix<double> A = hilbert(n, n);
    const std::vector<double> x_true = random_vector(n, random), b = times(A, x_true);
    Matrix<double> LD = A;
    std::vector<double> x = b;
    ldlt_factor<double>(LD.entries, n);
    CHECK(ldlt_first_bad_pivot<double>(LD.entries, n) == -1);
    ldlt_solve<double>(LD.entries, n, x);
    CHECK(largest_difference(times(A, x), b) <= 10 * eps);
    CHECK(largest_difference(x, x_true) <= condition * eps);
  }
}

TEST_CASE("over a finite field the solution is exact") {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 8;
    Matrix<Residue> A(n, n);
    std::vector<Residue> b;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) A(i, j) = A(j, i) = static_cast<long>(random() % 7919);
      b.push_back(static_cast<long>(random() % 7919));
    }
    Matrix<Residue> LD = A;
    std::vector<Residue> x = b;
    ldlt_factor<Residue>(LD.entries, n);
    bool is_regular = true;
    for (int i = 0; i < n; ++i) is_regular = is_regular && LD(i, i).r != 0;
    if (!is_regular) continue;
    ldlt_solve<Residue>(LD.entries, n, x);
    CHECK(times(A, x) == b);
  }
}

TEST_CASE("the derivative of a solution is A^-1 (b' - A' x)") {
  using D = Dual<double>;
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 8;
    const Matrix<double> A = random_gram(n, n, 0.5, random), dA = random_gram(n, n, -0.3, random);
    const std::vector<double> b = random_vector(n, random), db = random_vector(n, random);

    Matrix<D> LD(n, n);
    std::vector<D> x;
    for (std::size_t i = 0; i < A.entries.size(); ++i) LD.entries[i] = D(A.entries[i], {dA.entries[i]});
    for (std::size_t i = 0; i < b.size(); ++i) x.push_back(D(b[i], {db[i]}));
    ldlt_factor<D>(LD.entries, n);
    CHECK(ldlt_first_bad_pivot<D>(LD.entries, n) == -1);
    ldlt_solve<D>(LD.entries, n, x);

    std::vector<double> value, tangent;
    for (const D& entry : x) value.push_back(entry.value), tangent.push_back(entry.tangent[0]);
    std::vector<double> expected = times(dA, value);
    for (std::size_t i = 0; i < b.size(); ++i) expected[i] = db[i] - expected[i];
    Matrix<double> plain = A;
    ldlt_factor<double>(plain.entries, n);
    ldlt_solve<double>(plain.entries, n, expected);
    CHECK(largest_difference(tangent, expected) <= 1e-12);
  }
}

TEST_CASE("a recorded solution evaluates to the computed one and takes the stated operations") {
  std::mt19937_64 random(6);
  const int n = 6;
  const Matrix<double> A = random_gram(n, n, 0.5, random);
  const std::vector<double> b = random_vector(n, random);

  Tape tape;
  Recording recording(tape);
  std::vector<Trace> LD, x;
  std::vector<double> inputs;
  for (const double a : A.entries) LD.push_back(tape.input("a")), inputs.push_back(a);
  for (const double entry : b) x.push_back(tape.input("b")), inputs.push_back(entry);
  ldlt_factor<Trace>(LD, n);
  CHECK(count(tape) == OperationCount{.multiplications = 35, .additions = 35, .divisions = 15});
  ldlt_solve<Trace>(LD, n, x);
  CHECK(count(tape) == OperationCount{.multiplications = 65, .additions = 65, .divisions = 21});
  for (const Trace& entry : x) tape.output(entry, "x");

  Matrix<double> plain = A;
  std::vector<double> expected = b;
  ldlt_factor<double>(plain.entries, n);
  ldlt_solve<double>(plain.entries, n, expected);
  CHECK(largest_difference(evaluate(tape, inputs), expected) <= 1e-14);
}

TEST_CASE("the first bad pivot is where the matrix ceases to be positive definite") {
  const auto first_bad = [](Matrix<double> A) {
    ldlt_factor<double>(A.entries, A.n);
    return ldlt_first_bad_pivot<double>(A.entries, A.n);
  };
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-8.0, 8.0);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 2 + trial % 6, rank = 1 + trial % (n - 1);
    Matrix<double> singular = random_gram(n, rank, 0.0, random), regular = random_gram(n, n, 1e-6, random);
    Matrix<double> indefinite = regular;
    indefinite(rank, rank) = -1.0;
    // rows and columns in units of their own
    for (int i = 0; i < n; ++i) {
      const double unit = std::pow(10.0, exponent(random));
      for (int j = 0; j < n; ++j)
        for (Matrix<double>* A : {&singular, &regular, &indefinite}) (*A)(i, j) *= unit, (*A)(j, i) *= unit;
    }
    CHECK(first_bad(regular) == -1);
    CHECK(first_bad(indefinite) == rank);
    CHECK(first_bad(singular) == rank);
  }
  CHECK(first_bad(Matrix<double>(3, 3)) == 0);
  CHECK(first_bad(Matrix<double>(0, 0)) == -1);
  Matrix<double> broken = hilbert(3, 3);
  broken(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(first_bad(broken) == 1);

  // d_i / a_ii of the Hilbert matrix: 1, 1/4, 1/36, 1/400, ...
  Matrix<double> close = hilbert(5, 5);
  ldlt_factor<double>(close.entries, 5);
  CHECK(ldlt_first_bad_pivot<double>(close.entries, 5) == -1);
  CHECK(ldlt_first_bad_pivot<double>(close.entries, 5, 0.02) == 3);
  CHECK(ldlt_first_bad_pivot<double>(close.entries, 5, 0.03) == 2);
  CHECK(ldlt_first_bad_pivot<double>(close.entries, 5, 3e-3) == 3);
}
