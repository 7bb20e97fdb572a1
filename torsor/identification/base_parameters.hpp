// Base parameters: the smallest set of numbers that the torques of a model are linear in, and so all that can ever be
// identified from them. The columns of the regressor, at random states, are linearly dependent:
//
//   tau = Y phi = sum_k Y_k b_k,    b_k = phi_k + sum_d K_kd phi_d
//
// over the kept columns k; a regrouped parameter d is known in these combinations only, and one whose column is zero
// has no effect at all. The rank is that of a QR factorisation with pivoting of the stacked columns, each of unit
// length; the null space is then brought to echelon form so that what is regrouped is what Khalil & Gautier regroup:
// rotors before links, links from the tips to the base, and of a link first Iyy, m, mz.
//
// M. Gautier, Numerical calculation of the base inertial parameters of robots, J. Robotic Systems 8 (1991) 485-506.
#pragma once

#include <cstdint>

#include "torsor/identification/dynamic_parameters.hpp"
#include "torsor/identification/regressor_subject.hpp"

namespace torsor {

struct BaseParameterOptions {
  bool moving_base = false;  // the base moves in every way: then more of the links next to it can be felt
  std::uint64_t seed = 1;
  double tolerance = 1e-9;  // of a column's length: what is left of it when the others are taken out
};

struct BaseParameters {
  std::vector<DynamicParameter> parameters;  // all of them
  std::vector<int> kept;                     // places in that list, increasing: one per base parameter
  std::vector<int> regrouped;                // known in combinations only
  std::vector<int> unfelt;                   // without any effect
  std::vector<double> K;                     // row-major, kept x regrouped; exactly zero where there is nothing
  double weakest_kept = 1;                   // shortest column, of unit length, when it was taken, and the longest that
  double strongest_left = 0;                 // was left: the gap on which the rank stands

  int count() const { return static_cast<int>(kept.size()); }

  /// The base parameters (kept.size()) of these values of all parameters.
  std::vector<double> values(std::span<const double> phi) const;

  /// Values of all parameters that have these base parameters: phi changed as little as possible, each change measured
  /// by its scale (as many as parameters, positive).
  std::vector<double> nearest(std::span<const double> phi, std::span<const double> scale,
                              std::span<const double> base) const;
};

/// More parameters than this take minutes: the time grows with the third power, 2 s for 400.
inline constexpr std::size_t most_parameters = 1000;

/// The base parameters of a model in these parameters. Positions are drawn from everywhere, limits or not; with loops from
/// where they close inside the limits.
BaseParameters base_parameters(const RegressorSubject&, std::vector<DynamicParameter>,
                               const BaseParameterOptions& = {});

/// What a change of each parameter is measured by: of a body its mass m, half the sum I of its moments' sizes, and sqrt(m I)
/// for first moments, none of them less than a small share of the heaviest body's; of rotors and friction the value
/// itself.
std::vector<double> parameter_scales(const Model<double>&, std::span<const DynamicParameter>);

}  // namespace torsor
