// The check that explains: whether a robot that can be built can also exist. docs/check.md lists the rules; what is
// doubted of a body is in body_doubts.hpp, what its author may have meant in inertia_slips.hpp.
#pragma once

#include <vector>

#include "torsor/check/body_doubts.hpp"
#include "torsor/model/finding.hpp"

namespace torsor {

/// Everything doubtful about the numbers of a robot, in the order of the file, each with its probable cause; whatever
/// the file accepts included. Nothing where the description has faults: build() tells those.
std::vector<Finding> plausibility(const Description&, const DoubtLimits& = {});

/// The same for a description that was built already.
std::vector<Finding> plausibility(const Description&, const Model<double>&, const DoubtLimits& = {});

/// What no body can have, whatever it is joined to and whether it moves or not: all that can be said of the links of a robot
/// that cannot be built.
std::vector<Finding> impossible_bodies(const Description&, const DoubtLimits& = {});

namespace detail {

/// Angles that look like degrees and lengths that look like millimetres, added to the findings.
void check_units(const Description&, const Model<double>&, const DoubtLimits&, std::vector<Finding>&);

Finding make_finding(const Description&, const Where&, const std::string& kind, const std::string& name,
                     const std::string& rule, std::string what, std::string remedy, std::string cause = {});

}  // namespace detail
}  // namespace torsor
