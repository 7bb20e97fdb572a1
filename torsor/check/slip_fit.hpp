// A slip, or several at once, held against a record: the torques that a tool with them would write, their unknown sizes fitted
// by linear least squares, and what is left.
#pragma once

#include <utility>

#include "torsor/identification/measured_record.hpp"
#include "torsor/check/torque_slips.hpp"

namespace torsor {

/// A row of the table in one of its variants.
using SlipPart = std::pair<const TorqueSlip*, const SlipVariant*>;

/// Slips that happen together.
struct SlipCandidate {
  std::vector<SlipPart> parts;
};

/// Whether two variants may happen together: of one group only on different joints or links.
bool go_together(const SlipPart&, const SlipPart&);

OtherTool tool_of(const Description&, const SlipCandidate&);

/// What is left of the record after a candidate, its unknown sizes fitted; empty if it cannot be tried.
struct SlipTrial {
  std::vector<double> difference, p;
  std::vector<FittedSize> sizes;
};

/// The fit in which the torques of each joint are measured by its own weight.
SlipTrial fit_slip(const MeasuredRecord&, const OtherTorques&, const std::vector<double>& weight);

}  // namespace torsor
