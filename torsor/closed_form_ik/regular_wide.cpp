// Regular arms in the lanes of machines with 32-byte vectors and fused multiplication. This unit alone is compiled for
// them (CMakeLists.txt), and entered only where they are.
#include "torsor/closed_form_ik/regular_lanes.hpp"

namespace torsor {

bool solve_in_wide_lanes(const RegularArm& e, const Transform<double>& tool, IkAnswer& answer) {
  return solve_in_lanes<Pack<double, 4>>(e, tool, answer);
}

bool solve_one_in_wide_lanes(const RegularArm& e, const Transform<double>& tool, const BranchLabel& label,
                             IkBranch& b) {
  return solve_one_in_lanes<Pack<double, 4>>(e, tool, label, b);
}

}  // namespace torsor
