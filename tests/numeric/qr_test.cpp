#include "torsor/numeric/qr.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/numeric/matrix.hpp"
#include "tests/scalar/residue.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/trace.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class T>
Matrix<T> transpose(const Matrix<T>& A) {
  Matrix<T> B(A.n, A.m);
  for (int i = 0; i < A.m; ++i)
    for (int j = 0; j < A.n; ++j) B(j, i) = A(i, j);
  return B;
}

template <class T>
Matrix<T> operator*(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.m, B.n);
  for (int i = 0; i < A.m; ++i)
    for (int j = 0; j < B.n; ++j)
      for (int k = 0; k < A.n; ++k) C(i, j) += A(i, k) * B(k, j);
  return C;
}

template <class T>
Matrix<T> operator-(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C = A;
  for (std::size_t i = 0; i < C.entries.size(); ++i) C.entries[i] -= B.entries[i];
  return C;
}

template <class To, class From>
Matrix<To> cast(const Matrix<From>& A) {
  Matrix<To> B(A.m, A.n);
  for (std::size_t i = 0; i < A.entries.size(); ++i) B.entries[i] = static_cast<To>(A.entries[i]);
  return B;
}

// the square root of the sum of squares of all entries
template <class T>
double norm(const Matrix<T>& A) {
  double sum = 0;
  for (const T& x : A.entries) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

Matrix<double> random_matrix(int m, int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  Matrix<double> A(m, n);
  for (double& x : A.entries) x = draw(random);
  return A;
}

template <class T>
struct Solution {
  Matrix<T> x, residual;
};

template <class T>
Solution<T> least_squares(Matrix<T> A, Matrix<T> b) {
  Matrix<T> RD(A.n, A.n), x(A.n, 1);
  qr_factor<T>(A.entries, A.m, A.n, RD.entries);
  qr_solve<T>(A.entries, RD.entries, A.m, A.n, b.entries, x.entries);
  return {x, b};
}

template <class T>
Matrix<T> unit_upper(const Matrix<T>& RD, int rank) {
  Matrix<T> R(rank, RD.n);
  for (int k = 0; k < rank; ++k) {
    R(k, k) = T(1);
    for (int j = k + 1; j < RD.n; ++j) R(k, j) = RD(k, j);
  }
  return R;
}

template <class T>
Matrix<T> first_columns(const Matrix<T>& A, int n) {
  Matrix<T> B(A.m, n);
  for (int i = 0; i < A.m; ++i)
    for (int j = 0; j < n; ++j) B(i, j) = A(i, j);
  return B;
}

}  // namespace

TEST_CASE("Q R is the matrix that was factored, with orthogonal columns whose squares are D") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 8, m = n + trial % 5;
    const Matrix<double> A = random_matrix(m, n, random);
    Matrix<double> Q = A, RD(n, n);
    for (double& x : RD.entries) x = 1e300;
    qr_factor<double>(Q.entries, m, n, RD.entries);
    CHECK(norm(Q * unit_upper(RD, n) - A) <= 4 * n * eps * norm(A));

    const Matrix<double> square = transpose(Q) * Q;
    for (int i = 0; i < n; ++i) {
      CHECK(square(i, i) == doctest::Approx(RD(i, i)).epsilon(1e-14));
      for (int j = 0; j < i; ++j) {
        CHECK(std::abs(square(i, j)) <= 1e-11 * norm(A) * norm(A));
        CHECK(RD(i, j) == 1e300);
      }
    }
  }
}

TEST_CASE("the residual of a least-squares solution is orthogonal to the columns") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 6, m = n + 2 + trial % 5;
    const Matrix<double> A = random_matrix(m, n, random), b = random_matrix(m, 1, random);
    const Solution<double> s = least_squares(A, b);
    CHECK(norm(transpose(A) * (b - A * s.x)) <= 1e-13 * norm(A) * (norm(b) + norm(A) * norm(s.x)));
    CHECK(norm(b - A * s.x - s.residual) <= 1e-14 * (norm(b) + norm(A) * norm(s.x)));
  }
}

TEST_CASE("least squares at condition 1e8 is as accurate as the data allow") {
  const Matrix<double> A = hilbert(9, 7);
  const double condition = 1.25e8;

  // orthogonality is lost as the header says, by far more than eps and at most condition * eps
  Matrix<double> Q = A, RD(7, 7);
  qr_factor<double>(Q.entries, 9, 7, RD.entries);
  const Matrix<double> square = transpose(Q) * Q;
  double loss = 0;
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < i; ++j) loss = std::max(loss, std::abs(square(i, j)) / std::sqrt(square(i, i) * square(j, j)));
  CHECK(loss > 1000 * eps);
  CHECK(loss <= condition * eps);
  CHECK(norm(Q * unit_upper(RD, 7) - A) <= 10 * eps * norm(A));

  std::mt19937_64 random(3);
  double worst_normal = 0;
  for (int trial = 0; trial < 100; ++trial) {
    // with b in the range of A the error is condition * eps, the residual eps
    const Matrix<double> x_true = random_matrix(7, 1, random), b = A * x_true;
    const Solution<double> s = least_squares(A, b);
    CHECK(norm(b - A * s.x) <= 10 * eps * norm(A) * norm(x_true));
    CHECK(norm(s.x - x_true) <= condition * eps * norm(x_true));

    // normal equations, for contrast
    Matrix<double> M = transpose(A) * A, y = transpose(A) * b;
    ldlt_factor<double>(M.entries, 7);
    ldlt_solve<double>(M.entries, 7, y.entries);
    worst_normal = std::max(worst_normal, norm(y - x_true) / norm(x_true));

    // with a residual the square of the condition comes in, times the residual; more precise numbers are the judge
    const Matrix<double> noise = random_matrix(9, 1, random);
    for (const double size : {1e-8, 1e-4, 1.0}) {
      Matrix<double> c = b;
      for (int i = 0; i < 9; ++i) c(i, 0) += size * noise(i, 0);
      const Solution<double> approximate = least_squares(A, c);
      const Solution<long double> exact = least_squares(cast<long double>(A), cast<long double>(c));
      const double bound = eps * (condition + condition * condition * norm(exact.residual) / (norm(A) * norm(exact.x)));
      CHECK(norm(cast<long double>(approximate.x) - exact.x) <= bound * norm(exact.x));
      CHECK(norm(cast<long double>(approximate.residual) - exact.residual) <= 20 * condition * eps * norm(c));
      CHECK(norm(c - A * approximate.x - approximate.residual) <= 20 * eps * (norm(c) + norm(A) * norm(approximate.x)));
    }
  }
  CHECK(worst_normal > 1000 * condition * eps);
}

TEST_CASE("over a finite field a square system is solved exactly") {
  std::mt19937_64 random(4);
  int solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 6;
    Matrix<Residue> A(n, n), b(n, 1);
    for (Residue& x : A.entries) x = static_cast<long>(random() % 7919);
    for (Residue& x : b.entries) x = static_cast<long>(random() % 7919);
    Matrix<Residue> Q = A, RD(n, n), residual = b, x(n, 1);
    qr_factor<Residue>(Q.entries, n, n, RD.entries);
    // a vector of a finite field may be orthogonal to itself
    bool is_regular = true;
    for (int i = 0; i < n; ++i) is_regular = is_regular && RD(i, i).r != 0;
    if (!is_regular) continue;
    ++solved;
    qr_solve<Residue>(Q.entries, RD.entries, n, n, residual.entries, x.entries);
    CHECK((A * x).entries == b.entries);
    CHECK(residual.entries == Matrix<Residue>(n, 1).entries);
  }
  CHECK(solved > 190);
}

TEST_CASE("the derivative of a least-squares solution satisfies the differentiated normal equations") {
  using D = Dual<double>;
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 5, m = n + 3;
    const Matrix<double> A = random_matrix(m, n, random), dA = random_matrix(m, n, random);
    const Matrix<double> b = random_matrix(m, 1, random), db = random_matrix(m, 1, random);
    Matrix<D> A_dual(m, n), b_dual(m, 1);
    for (std::size_t i = 0; i < A.entries.size(); ++i) A_dual.entries[i] = D(A.entries[i], {dA.entries[i]});
    for (std::size_t i = 0; i < b.entries.size(); ++i) b_dual.entries[i] = D(b.entries[i], {db.entries[i]});
    const Solution<D> s = least_squares(A_dual, b_dual);

    Matrix<double> x(n, 1), dx(n, 1);
    for (int i = 0; i < n; ++i) x(i, 0) = s.x(i, 0).value, dx(i, 0) = s.x(i, 0).tangent[0];
    // (A'A) dx = dA'(b - A x) + A'(db - dA x)
    const Matrix<double> At = transpose(A);
    const Matrix<double> right = At * (db - dA * x), other = transpose(dA) * (A * x - b);
    CHECK(norm(At * (A * dx) - (right - other)) <= 1e-12 * norm(A) * norm(A) * (1 + norm(x) + norm(dx)));
  }
}

TEST_CASE("a recorded least-squares solution evaluates to the computed one and takes the stated operations") {
  std::mt19937_64 random(6);
  const int m = 7, n = 4;
  const Matrix<double> A = random_matrix(m, n, random), b = random_matrix(m, 1, random);

  Tape tape;
  Recording recording(tape);
  Matrix<Trace> Q(m, n), RD(n, n), residual(m, 1), x(n, 1);
  for (Trace& a : Q.entries) a = tape.input("a");
  for (Trace& entry : residual.entries) entry = tape.input("b");
  qr_factor<Trace>(Q.entries, m, n, RD.entries);
  CHECK(count(tape) == OperationCount{.multiplications = m * n * n, .additions = 102, .divisions = 6});
  qr_solve<Trace>(Q.entries, RD.entries, m, n, residual.entries, x.entries);
  CHECK(count(tape).multiplications == m * n * n + 2 * m * n + 6);
  CHECK(count(tape).divisions == 10);
  for (const Trace& entry : x.entries) tape.output(entry, "x");

  std::vector<double> inputs = A.entries;
  inputs.insert(inputs.end(), b.entries.begin(), b.entries.end());
  Matrix<double> recorded(n, 1);
  recorded.entries = evaluate(tape, inputs);
  CHECK(norm(recorded - least_squares(A, b).x) <= 1e-14);
}

TEST_CASE("the pivoted factorisation reveals the rank at any scale and reproduces the permuted matrix") {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const int m = 1 + trial % 7, n = 1 + (trial / 7) % 6, rank = trial % (std::min(m, n) + 1);
    Matrix<double> A = random_matrix(m, rank, random) * random_matrix(rank, n, random);
    const double scale = std::pow(10.0, (trial % 5 - 2) * 40);
    for (double& x : A.entries) x *= scale;

    Matrix<double> Q = A, RD(n, n);
    std::vector<int> permutation(static_cast<std::size_t>(n), -1);
    REQUIRE(qr_factor_pivoted<double>(Q.entries, m, n, RD.entries, permutation) == rank);

    std::vector<int> sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    for (int j = 0; j < n; ++j) CHECK(sorted[static_cast<std::size_t>(j)] == j);
    for (int k = 1; k < rank; ++k) CHECK(RD(k, k) <= RD(k - 1, k - 1));

    Matrix<double> permuted(m, n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) permuted(i, j) = A(i, permutation[static_cast<std::size_t>(j)]);
    CHECK(norm(first_columns(Q, rank) * unit_upper(RD, rank) - permuted) <= 50 * eps * norm(A));

    // the residual of a basic solution is orthogonal to all columns, also to those left out
    Matrix<double> b = random_matrix(m, 1, random), residual = b, x(n, 1);
    qr_solve<double>(Q.entries, RD.entries, m, n, permutation, rank, residual.entries, x.entries);
    CHECK(norm(b - A * x - residual) <= 1e-13 * (norm(b) + norm(A) * norm(x)));
    CHECK(norm(transpose(A) * residual) <= 1e-12 * norm(A) * (norm(b) + norm(A) * norm(x)));
    CHECK(std::count(x.entries.begin(), x.entries.end(), 0.0) == n - rank);
  }
}

TEST_CASE("the rank follows the tolerance asked for") {
  const auto rank = [](double tolerance) {
    Matrix<double> A(3, 3), RD(3, 3);
    A(0, 0) = 1e-9, A(1, 1) = 1.0, A(2, 2) = 1e-5;
    std::vector<int> permutation(3);
    return qr_factor_pivoted<double>(A.entries, 3, 3, RD.entries, permutation, tolerance);
  };
  CHECK(rank(1e-12) == 3);
  CHECK(rank(1e-7) == 2);
  CHECK(rank(1e-3) == 1);
}

TEST_CASE("at full rank the pivoted solution, derivatives included, is the unpivoted one") {
  using D = Dual<double, 2>;
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + trial % 4, m = n + 3;
    Matrix<D> A(m, n), b(m, 1);
    for (D& x : A.entries) x = D(draw(random), {draw(random), draw(random)});
    for (D& x : b.entries) x = D(draw(random), {draw(random), draw(random)});
    const Solution<D> plain = least_squares(A, b);

    Matrix<D> RD(n, n), x(n, 1);
    std::vector<int> permutation(static_cast<std::size_t>(n));
    REQUIRE(qr_factor_pivoted<D>(A.entries, m, n, RD.entries, permutation) == n);
    qr_solve<D>(A.entries, RD.entries, m, n, permutation, n, b.entries, x.entries);
    for (int i = 0; i < n; ++i) {
      CHECK(x(i, 0).value == doctest::Approx(plain.x(i, 0).value).epsilon(1e-11).scale(1));
      for (std::size_t k = 0; k < 2; ++k)
        CHECK(x(i, 0).tangent[k] == doctest::Approx(plain.x(i, 0).tangent[k]).epsilon(1e-10).scale(10));
    }
  }
}
