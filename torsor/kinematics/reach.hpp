// How far a tool gets from the origin of the base frame: a bound that holds for certain, and the largest distance that
// a search finds.
//
// Bound: sum over the joints on the way of the largest distance from one joint frame to the next, |p + z d| with d
// between its limits for a slide, and the tool's own. Search: pattern search from the best of many positions drawn with
// a fixed seed; the truth lies between. The search has a budget, in poses of single bodies, so that a robot of a hundred
// thousand links is answered for in seconds; one of ten never gets near it.
#pragma once

#include <cstdint>

#include "torsor/model/model.hpp"

namespace torsor {

/// Metres. Both infinite when a slide without limits, a planar or a free joint lies on the way.
struct Reach {
  double bound = 0, found = 0;
  std::vector<double> q;   // where it was found
  bool cut_short = false;  // the search ended with its budget: a longer one might find more
};

/// Poses of bodies that a search may compute: a second or two.
inline constexpr std::int64_t reach_budget = 20'000'000;

/// Reach of a frame fixed to a body, from the base frame's origin, inside the joint limits.
Reach reach(const Model<double>& model, const Frame<double>& tool, std::uint64_t seed = 1,
            std::int64_t budget = reach_budget);

}  // namespace torsor
