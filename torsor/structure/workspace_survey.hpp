// The coefficients over the workspace, in numbers: beside the exact answer, which says zero or not zero, how large each
// coefficient gets inside the joint limits, so that zero, negligible and large are told apart.
//
// Each size is also given relative to what a coefficient of its kind could be. With D_i the largest d_ii, M_i the mass that
// joint i moves, and u_i one radian, or the stroke of a slide,
//
//   d_ij      sqrt(D_i D_j)                                                          the largest that D > 0 allows
//   c_jm(i)   1/2 [ sqrt(D_i D_j) / u_m + sqrt(D_i D_m) / u_j + sqrt(D_j D_m) / u_i ]   by (12), if d changed that much
//   G_i       |g| sqrt(M_i D_i)                                                      the whole weight at K_ii from the axis
#pragma once

#include <cstdint>

#include "torsor/model/model.hpp"
#include "torsor/structure/coefficient.hpp"
#include "torsor/structure/spread.hpp"

namespace torsor {

struct SurveyOptions {
  int positions = 2000;
  std::uint64_t seed = 1985;
};

struct WorkspaceSurvey {
  std::uint64_t seed = 0;
  std::vector<std::vector<double>> positions;  // all q that were looked at
  std::vector<Coefficient> coefficients;       // the independent ones
  std::vector<Spread> values;                  // per coefficient
  std::vector<double> scales;                  // what its size is compared with; 0 where nothing moves
  std::vector<Spread> dominance;  // per coordinate: sum over j of |d_ij| / d_ii, j not i; diagonally dominant below 1
  std::vector<Spread> coupling;   // k_ij at [i n + j], i < j

  /// Size over scale.
  double relative(std::size_t coefficient) const {
    return scales[coefficient] > 0 ? values[coefficient].size() / scales[coefficient] : 0;
  }
};

/// Looks at random positions inside the limits (without limits: half a turn, one metre, either way); joints of one degree of
/// freedom. The same seed looks at the same positions.
WorkspaceSurvey workspace_survey(const Model<double>&, const SurveyOptions& = {});

}  // namespace torsor
