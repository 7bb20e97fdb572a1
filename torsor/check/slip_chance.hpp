// Does a slip explain more of a difference than chance would? Noise is fitted a little by anything, and the best of a hundred
// slips fits it best. The differences are measured by their own rms, joint by joint; a slip with k fitted sizes that takes
// Q - Q' off the sum of their squares Q is no chance if
//
//   (Q - Q') / (Q' / (m - k)) > k + 2 sqrt(k t) + 2 t,   t = ln(slips tried / 0.01),
//
// a bound of the chi-square distribution (Laurent & Massart 2000, lemma 1) with the probability 0.01 shared among all slips
// (Bonferroni). Slips without a fitted size count as with one. m is how many numbers there are, less where neighbouring rows are
// alike: m (1 - rho) / (1 + rho), rho their correlation. Differences that hardly change from row to row are not called noise.
#pragma once

#include <optional>

#include "torsor/check/slip_fit.hpp"

namespace torsor {

struct ChanceVerdict {
  bool is_noise = false;         // no slip explains more than chance, and rows are not alike
  std::optional<SlipPart> best;  // the plainest of those that explain most, beyond chance
  double share = 0;              // of the squares of the joint of which it explains most
};

class SlipChance {
 public:
  /// The robot, the variants and what they belong to outlive it.
  SlipChance(const Description&, const MeasuredRecord&, double level, std::span<const SlipPart> singles);

  /// What one slip more explains of what these leave.
  ChanceVerdict beyond(const SlipCandidate&) const;

 private:
  std::optional<SlipTrial> tried(const SlipCandidate&, const std::vector<double>& weight) const;

  const Description& robot_;
  std::span<const SlipPart> singles_;
  double level_;
  MeasuredRecord record_;
};

}  // namespace torsor
