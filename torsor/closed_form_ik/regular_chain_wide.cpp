// Regular chains in the lanes of machines with 32-byte vectors and fused multiplication. This unit alone is compiled for
// them (CMakeLists.txt), and entered only where they are.
#include "torsor/closed_form_ik/regular_chain_lanes.hpp"

namespace torsor {

bool solve_chain_in_wide_lanes(const RegularChain& arm, const Transform<double>& X_world_tool, double value,
                               RegularSolutions& out) {
  return solve_chain_in_lanes<Pack<double, 4>>(arm, X_world_tool, value, out);
}

RegularChain::Inside inside_in_wide_lanes(const RegularChain& arm, const Transform<double>& X_world_tool,
                                          double value) {
  return inside_in_lanes<Pack<double, 4>>(arm, X_world_tool, value);
}

}  // namespace torsor
