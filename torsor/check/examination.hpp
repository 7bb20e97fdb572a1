// The whole check of a robot that was read and built: the numbers of its links and joints, the definiteness of its mass
// matrix, and what its file accepts of that.
#pragma once

#include "torsor/check/definiteness.hpp"
#include "torsor/check/plausibility.hpp"

namespace torsor {

struct Examination {
  std::vector<Finding> findings;  // in the order of the file
  std::vector<Finding> accepted;  // warnings that the file accepts

  int count(Severity) const;
};

/// Everything found. Faults cannot be accepted; an acceptance of nothing is a finding itself, a note `accept-unused`.
Examination examine(const Description&, const Model<double>&, const DoubtLimits& = {});

}  // namespace torsor
