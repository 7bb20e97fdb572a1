// How strongly the joints of a robot are coupled through the inertia matrix (Tourassis & Neuman 1985, section 3.5): the
// coefficient of coupling, and what it is made of. M_j is the mass that joint j moves, i inward of j.
//
//   k_ij = |d_ij| / sqrt(d_ii d_jj) = LF KF                                                                (32), (33)
//   LF   = sqrt(M_j / M_i)                     loading factor, constant                                    (34)
//   KF   = |K_ij| / (K_ii K_jj)                kinematic factor, for two turns                             (35)
//   K_ij = d_ij / M_j                          projected radius of gyration, a signed square; d_ii / M_i is K_ii^2
//
// For slides the braces of (22) stand in the place of K_ij, and 1 in that of K_ii^2: all four cases of (35) are
// KF = |d_ij / M_j| / sqrt(d_ii/M_i d_jj/M_j). 0 <= k_ij < 1 as D is positive definite, but KF may exceed 1 (the bound
// printed with (35) does not hold): only KF <= 1 / LF does. Rotors count as inertia of their joints.
#pragma once

#include <optional>
#include <vector>

#include "torsor/model/configuration.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {

template <class T>
struct CoefficientsWork;

/// Of two coordinates i < j. What a massless part leaves undefined is not there.
struct PairCoupling {
  std::optional<double> coupling;            // k_ij; none where d_ii or d_jj is zero
  std::optional<double> loading, kinematic;  // LF, KF; none on different branches, or without masses
  std::optional<double> projected;           // d_ij / M_j: K_ij for two turns
};

struct Coupling {
  int n = 0;
  std::vector<double> D;            // row-major n x n
  std::vector<double> mass;         // M_j
  std::vector<double> gyration;     // K_ii^2 = d_ii / M_i (1 for a slide); 0 where there is no mass
  std::vector<PairCoupling> pairs;  // [i * n + j], i < j

  const PairCoupling& operator()(int i, int j) const { return pairs[i < j ? cell(i, n, j) : cell(j, n, i)]; }
};

/// At one position of a tree. Where joints share a coordinate, no mass is moved by one joint: only D and k_ij are there.
Coupling coupling_at(const Model<double>&, const Configuration<double>&, CoefficientsWork<double>&);

}  // namespace torsor
