// Whether accelerations are determined: the mass matrix M(q) of a robot is positive definite, unless something can move
// without moving any mass. What moves nothing at all is found structurally, the rest by the pivots of M = L D L^T at
// sampled positions.
#pragma once

#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/model/finding.hpp"

namespace torsor {

/// Velocity coordinates that move neither mass nor moment of inertia nor rotor, whatever the position: everything
/// outward of their joints, taken as one rigid body, has none about them. O(n).
std::vector<int> massless_motion(const Model<double>&);

/// Faults `massless-subtree`, one for each joint with coordinates of massless_motion() that lies in no such subtree
/// already; where there are none, `mass-matrix` for the first position among `samples` inside the joint limits, drawn
/// with `seed`, where M is not positive definite. Robots of more than 500 coordinates are not sampled, with a note.
std::vector<Finding> definiteness(const Description&, const Model<double>&, int samples = 16, unsigned seed = 1);

}  // namespace torsor
