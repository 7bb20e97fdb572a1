// The gradients of m equations on one body, as a table of 6 x m: of each part of moment and force the m numbers of all
// equations stand side by side, so that what is done to all of them alike is done to several at once
// (numeric/short_row.hpp). m is known when this is compiled (numeric/by_size.hpp).
#pragma once

#include <cstddef>

#include "torsor/numeric/short_row.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/motion.hpp"

namespace torsor::detail {

/// From the numbers of one part to those of the next.
template <int m>
inline constexpr std::ptrdiff_t apart = m;

/// G_a . x of all equations a.
template <int m>
ShortRow<m> products(const double* G, const Motion<double>& x) {
  using Row = ShortRow<m>;
  Row sum = Row::load(G) * x.w.x;
  sum += Row::load(G + m) * x.w.y;
  sum += Row::load(G + 2 * apart<m>) * x.w.z;
  sum += Row::load(G + 3 * apart<m>) * x.v.x;
  sum += Row::load(G + 4 * apart<m>) * x.v.y;
  sum += Row::load(G + 5 * apart<m>) * x.v.z;
  return sum;
}

/// x -= sum over a of G_a factor[a].
template <int m>
void subtract_sum(const double* G, const ShortRow<m>& factor, Motion<double>& x) {
  using Row = ShortRow<m>;
  x.w.x -= dot(Row::load(G), factor);
  x.w.y -= dot(Row::load(G + m), factor);
  x.w.z -= dot(Row::load(G + 2 * apart<m>), factor);
  x.v.x -= dot(Row::load(G + 3 * apart<m>), factor);
  x.v.y -= dot(Row::load(G + 4 * apart<m>), factor);
  x.v.z -= dot(Row::load(G + 5 * apart<m>), factor);
}

/// W = G M^-1 of a body with the inverse of its inertia and of its mass.
template <int m>
void by_inverse_mass(const double* G, const Sym3<double>& I, double per_mass, double* W) {
  using Row = ShortRow<m>;
  const Row x = Row::load(G), y = Row::load(G + m), z = Row::load(G + 2 * apart<m>);
  const auto sum = [&](double a, double b, double c) {
    Row row = x * a;
    row += y * b;
    row += z * c;
    return row;
  };
  sum(I.xx, I.xy, I.xz).store(W);
  sum(I.xy, I.yy, I.yz).store(W + m);
  sum(I.xz, I.yz, I.zz).store(W + 2 * apart<m>);
  for (int c = 3; c < 6; ++c) (Row::load(G + c * apart<m>) * per_mass).store(W + c * apart<m>);
}

/// S[a * m + b] += G_a . W_b of `rows` equations G and m equations W.
template <int m>
void add_outer_products(const double* G, int rows, const double* W, double* S) {
  using Row = ShortRow<m>;
  const std::ptrdiff_t part = rows;
  for (int a = 0; a < rows; ++a, ++G, S += m) {
    Row sum = Row::load(W) * G[0];
    for (int c = 1; c < 6; ++c) sum += Row::load(W + c * apart<m>) * G[c * part];
    sum += Row::load(S);
    sum.store(S);
  }
}

}  // namespace torsor::detail
