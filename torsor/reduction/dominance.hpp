// Dominance: how much of the equations of motion comes from the translation of the links, from their rotation and from
// rotors, and how much each term has in each torque; along a motion, or over random states.
//
//   D_ij = D_ij^tran + D_ij^rot + rotors,   h_i = h_i^tran + h_i^rot,   tau_i = sum_j D_ij qdd_j + h_i^tran + h_i^rot + c_i
//
// by the generalized d'Alembert equations (Fu, Gonzalez & Lee 1987, (3.4-24) to (3.4-28)); over a trajectory these are the
// curves of their figures 3.10 and 3.11. The share of a part is its sum of magnitudes over all instants, relative to that of
// all parts together.
#pragma once

#include <cstdint>

#include "torsor/model/robot_forms.hpp"
#include "torsor/structure/torque_split.hpp"
#include "torsor/reduction/reduction_error.hpp"

namespace torsor {

/// One part of a quantity: its values, instant by instant, its share and its largest magnitude.
struct DominancePart {
  std::string name;  // `translation`, `D12 qdd2`
  std::vector<double> values;
  double share = 0, peak = 0;
};

/// A quantity that is the sum of its parts: D_ij, h_i or tau_i. What never exceeds rounding is zero.
struct DominanceRow {
  std::string name;  // `D12`, `h3`, `tau4`
  std::vector<DominancePart> parts;
  bool zero = false;

  /// In a word: the part with 90 % of the share or more; "mixed" where two or more matter; "zero".
  std::string verdict() const;
};

struct Dominance {
  std::vector<DominanceRow> inertia;  // D_ij, i <= j
  std::vector<DominanceRow> velocity, torque;
};

/// The parts at these states, at least one. Faults where the robot is no serial arm of revolute and prismatic joints,
/// or a part is too large for numbers.
Result<Dominance> dominance(const Description&, std::span<const JointState> states);

/// Random states: positions inside the limits (half a turn, one metre where there are none), rates inside theirs.
std::vector<JointState> random_workspace_states(const Model<double>&, const RateLimits&, int count, std::uint64_t seed);

}  // namespace torsor
