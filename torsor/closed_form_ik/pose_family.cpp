#include "torsor/closed_form_ik/pose_family.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

constexpr double idle = 1e-6;    // a singular value below moves the tool not at all
constexpr double way = 0.02;     // rad, and units of the chain's size
constexpr double closed = 3e-14;  // of the same units, some ten units of rounding

using Joints = std::array<double, 7>;

double length(const Joints& a) {
  double square = 0;
  for (const double x : a) square += x * x;
  return std::sqrt(square);
}

struct Chain {
  const JointChain& chain;
  ShortTask task;
  const Vec3<double>& axis;
  Transform<double> X;
  int held;

  ChainError error(const Joints& q) const {
    return chain_error(chain, task, axis, X, std::span(q).first(static_cast<std::size_t>(chain.joints())));
  }
  double unit(std::size_t k) const { return chain.slides[k] ? chain.size : 1; }

  /// By the shortest steps; whether it gets there.
  bool bring(Joints& q) const {
    constexpr int most_steps = 40;
    const std::size_t n = static_cast<std::size_t>(chain.joints());
    for (int step = 0;; ++step) {
      const ChainError at = error(q);
      const double off = std::max(at.position_residual / chain.size, at.angle_residual);
      if (off < closed || step == most_steps) return off < closed;
      const std::size_t rows = static_cast<std::size_t>(at.rows);
      const double ridge = std::clamp(1e-3 * off, 1e-15, 1e-12);
      std::array<double, 49> A{};
      Joints b{}, x{};
      for (std::size_t i = 0; i < n; ++i) {
        const bool rests = static_cast<int>(i) == held;
        for (std::size_t r = 0; r < rows && !rests; ++r) b[i] += at.J[i * rows + r] * at.missing[r];
        for (std::size_t k = 0; k < n; ++k) {
          double sum = i == k ? (rests ? 1 : ridge) : 0;
          for (std::size_t r = 0; r < rows && !rests && static_cast<int>(k) != held; ++r)
            sum += at.J[i * rows + r] * at.J[k * rows + r];
          A[i * n + k] = sum;
        }
      }
      std::array<int, 7> order{};
      lu_factor<double>(std::span(A).first(n * n), static_cast<int>(n), std::span(order).first(n));
      lu_solve<double>(std::span<const double>(A).first(n * n), static_cast<int>(n),
                       std::span<const int>(order).first(n), std::span<const double>(b).first(n),
                       std::span(x).first(n));
      for (std::size_t k = 0; k < n; ++k) {
        if (!std::isfinite(x[k])) return false;
        q[k] += x[k] * unit(k);
      }
    }
  }
};

}  // namespace

PoseFamily family_at(const JointChain& chain, ShortTask task, const Vec3<double>& axis, std::span<const double> q,
                     int held) {
  PoseFamily out;
  const std::size_t n = static_cast<std::size_t>(chain.joints());
  const Chain at{chain, task, axis, chain.tool_pose(q), held};
  Joints here{};
  std::ranges::copy(q, here.begin());
  // joints as rows: the directions that move nothing
  ChainError e = at.error(here);
  const std::size_t rows = static_cast<std::size_t>(e.rows);
  if (held >= 0) std::fill_n(e.J.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(held) * rows), rows, 0);
  std::array<double, 49> U;
  Joints sigma{};
  singular_values<double>(std::span(e.J).first(n * rows), static_cast<int>(n), e.rows, std::span(U).first(n * n),
                          std::span(sigma).first(n));
  std::array<Joints, 7> still{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    Joints direction{};
    for (std::size_t k = 0; k < n; ++k) direction[k] = U[k * n + i];
    if (!(sigma[i] < idle) || (held >= 0 && std::abs(direction[static_cast<std::size_t>(held)]) > 0.5)) continue;
    still[count++] = direction;
  }
  std::mt19937_64 engine(1);
  bool all_stay = count > 0;
  const int tries = count < 2 ? 1 : 8;
  for (int k = 0; k < tries && count > 0; ++k) {
    Joints along{};
    for (std::size_t i = 0; i < count; ++i) {
      const double share = static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1;
      for (std::size_t j = 0; j < n; ++j) along[j] += share * still[i][j];
    }
    const double scale = way / length(along);
    for (const double sense : {scale, -scale}) {
      Joints there = here;
      for (std::size_t j = 0; j < n; ++j) there[j] += sense * along[j] * at.unit(j);
      const Joints straight = there;
      const bool is_closed = at.bring(there);
      Joints moved{}, off{};
      for (std::size_t j = 0; j < n; ++j) {
        moved[j] = (there[j] - here[j]) / at.unit(j);
        off[j] = (there[j] - straight[j]) / at.unit(j);
      }
      const bool is_other = is_closed && length(moved) > way / 5;
      all_stay = all_stay && is_other && length(off) < 0.3 * way;
      if (!is_other) continue;
      out.dimension = 1;
      for (std::size_t j = 0; j < n; ++j) out.moves[j] = out.moves[j] || std::abs(moved[j]) > 1e-3 * way;
    }
  }
  if (all_stay) out.dimension = static_cast<int>(count);
  return out;
}

}  // namespace torsor
