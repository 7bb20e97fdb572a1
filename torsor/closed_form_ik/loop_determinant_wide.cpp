// det M of a loop in the lanes of machines with 32-byte vectors and fused multiplication. This unit alone is compiled
// for them (CMakeLists.txt), and entered only where they are.
#include "torsor/closed_form_ik/loop_determinant.hpp"

namespace torsor {

void sample_determinant_in_wide_lanes(const LoopEquations& E_xy, std::span<double, 24> values) {
  sample_determinant_in_lanes<Pack<double, 4>>(E_xy, values);
}

void null_vectors_in_wide_lanes(const LoopEquations& E_xy, std::span<const double, 4> c, std::span<const double, 4> s,
                                std::array<std::array<double, 4>, 12>& out) {
  null_vectors_in_lanes<Pack<double, 4>>(E_xy, c, s, out);
}

}  // namespace torsor
