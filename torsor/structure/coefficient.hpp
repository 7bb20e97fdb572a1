// The coefficients of the Lagrangian model by name: d_ii, d_ij, c_jj(i), c_jm(i), G_i of Tourassis & Neuman (1985),
// eq. (11), and which of them are independent (Table 2): N self-inertias, N(N-1)/2 mutual inertias, N(N-1) centrifugal,
// N(N-1)(N-2)/3 Coriolis and N gravitational ones. By (36) to (39) the others are equal to these, opposite, or zero:
// of a triple a < b < c only c_ab(c) = -c_ac(b) and c_bc(a) count, and c_am(a) = -c_aa(m).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "torsor/numeric/row_major.hpp"

namespace torsor {

enum class CoefficientKind { self_inertia, mutual_inertia, centrifugal, coriolis, gravity };
inline constexpr std::size_t coefficient_kinds = 5;

/// Coordinates from 0. Inertia: d_ij, i <= j, m unused. Centrifugal, Coriolis: c_jm(i), j <= m. Gravity: G_i.
struct Coefficient {
  CoefficientKind kind = CoefficientKind::self_inertia;
  int i = 0, j = 0, m = 0;

  friend bool operator==(const Coefficient&, const Coefficient&) = default;
};

/// The independent coefficients of n coordinates, kind by kind. Where joints share coordinates (`coupled`) only the
/// symmetries of D and of c in j and m are left.
std::vector<Coefficient> independent_coefficients(int n, bool coupled = false);

/// What an independent coefficient, or its opposite, does for an entry of C: sign * of * qd_m.
struct CoriolisTerm {
  int m = 0;
  Coefficient of;
  int sign = 1;
};

/// The terms of C_ij = sum over m of c_jm(i) qd_m by independent coefficients; those that are zero in every robot are left out.
std::vector<CoriolisTerm> coriolis_terms(int i, int j, int n, bool coupled = false);

/// How many of each kind.
using CoefficientCounts = std::array<int, coefficient_kinds>;
CoefficientCounts count_by_kind(std::span<const Coefficient>);
int total(const CoefficientCounts&);

/// `d12`, `c23(1)`, `G4`, coordinates from 1; with commas, `d1,12`, where there are more than nine.
std::string to_text(const Coefficient&, int n);

/// Its value among D (row-major n x n), c (c_jm(i) at [(i n + j) n + m]) and G (n).
template <class T>
const T& value_of(const Coefficient& which, int n, std::span<const T> D, std::span<const T> c, std::span<const T> G) {
  const auto at = [n](int row, int column) { return cell(row, n, column); };
  switch (which.kind) {
    case CoefficientKind::self_inertia:
    case CoefficientKind::mutual_inertia: return D[at(which.i, which.j)];
    case CoefficientKind::centrifugal:
    case CoefficientKind::coriolis: return c[at(which.i * n + which.j, which.m)];
    case CoefficientKind::gravity: break;
  }
  return G[static_cast<std::size_t>(which.i)];
}

}  // namespace torsor
