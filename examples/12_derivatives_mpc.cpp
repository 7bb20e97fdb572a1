// Model predictive control with exact Jacobians: every 20 ms the step of a two-link arm is linearised where it is, a
// quadratic cost over the next half second is minimised by Riccati's recursion, and the first torques are applied.
#include <cmath>
#include <cstdio>
#include <torsor/dynamics.hpp>
#include <torsor/dynamics/discrete_step.hpp>

using namespace torsor;

namespace {

constexpr std::size_t n = 2, nz = 2 * n + 1;  // torques; errors of position and speed, and a one
template <std::size_t rows, std::size_t columns>
using Matrix = std::array<std::array<double, columns>, rows>;

// a^T b
template <std::size_t k, std::size_t r, std::size_t c>
Matrix<r, c> transposed_times(const Matrix<k, r>& a, const Matrix<k, c>& b) {
  Matrix<r, c> out{};
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < c; ++j)
      for (std::size_t l = 0; l < k; ++l) out[i][j] += a[l][i] * b[l][j];
  return out;
}

// gains of the first of so many steps of z+ = A z + B u that keep z small
Matrix<n, nz> first_gains(const Matrix<nz, nz>& A, const Matrix<nz, n>& B, const std::array<double, nz>& weight,
                          int steps) {
  Matrix<nz, nz> P{};
  Matrix<n, nz> K{};
  for (std::size_t i = 0; i < nz; ++i) P[i][i] = 10 * weight[i];
  for (int step = 0; step < steps; ++step) {
    const Matrix<nz, nz> PA = transposed_times(P, A);  // P is symmetric
    Matrix<n, n> S = transposed_times(B, transposed_times(P, B));
    for (std::size_t i = 0; i < n; ++i) S[i][i] += 1e-3;
    const Matrix<n, nz> G = transposed_times(B, PA);
    const double det = S[0][0] * S[1][1] - S[0][1] * S[1][0];
    K = transposed_times(Matrix<n, n>{{{S[1][1] / det, -S[0][1] / det}, {-S[1][0] / det, S[0][0] / det}}}, G);
    const Matrix<nz, nz> all = transposed_times(A, PA), won = transposed_times(G, K);
    for (std::size_t i = 0; i < nz; ++i)
      for (std::size_t j = 0; j < nz; ++j) P[i][j] = all[i][j] - won[i][j] + (i == j ? weight[i] : 0);
  }
  return K;
}

}  // namespace

int main() {
  const Robot arm = Robot::load("two_link");
  Dynamics dynamics(arm);
  DiscreteStep<double, Dynamics> step(arm.model(), StepMethod::runge_kutta_4);
  constexpr double h = 0.02;
  constexpr std::size_t nx = 2 * n;
  const std::vector<double> goal{0.8, -0.6};
  std::vector<double> q{-1.2, 0.4}, qd{0, 0}, tau(n), q_next(n), qd_next(n), A(nx * nx), B(nx * n);
  const auto error = [&](const std::vector<double>& at, const std::vector<double>& speed) {
    return std::array<double, nz>{at[0] - goal[0], at[1] - goal[1], speed[0], speed[1], 1};
  };

  for (int instant = 0; instant < 100; ++instant) {
    // where it would be after a step with the torques that hold it, and how that depends on everything
    dynamics.gravity(q, tau);
    if (step.run(q, qd, tau, h, {q_next, qd_next, A, B}) >= 0) return 1;
    const std::array<double, nz> z = error(q, qd), next = error(q_next, qd_next);
    Matrix<nz, nz> Az{};
    Matrix<nz, n> Bz{};
    Az[nx][nx] = 1;
    for (std::size_t i = 0; i < nx; ++i) {
      Az[i][nx] = next[i];
      for (std::size_t j = 0; j < nx; ++j) {
        Az[i][j] = A[i * nx + j];
        Az[i][nx] -= Az[i][j] * z[j];
      }
      for (std::size_t j = 0; j < n; ++j) Bz[i][j] = B[i * n + j];
    }
    const Matrix<n, nz> K = first_gains(Az, Bz, {100, 100, 1, 1, 0}, 25);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < nz; ++j) tau[i] -= K[i][j] * z[j];

    // the arm itself
    if (step.run(q, qd, tau, h, {q_next, qd_next, A, B}) >= 0) return 1;
    q = q_next;
    qd = qd_next;
    if (instant % 20 == 0)
      std::printf("%.2f s: q %8.5f %8.5f, tau %9.4f %9.4f\n", h * (instant + 1), q[0], q[1], tau[0], tau[1]);
  }
  const double distance = std::hypot(q[0] - goal[0], q[1] - goal[1]);
  std::printf("2 s: %.1e rad from the goal\n", distance);
  return distance < 1e-4 ? 0 : 1;
}
