// The formulations inverse_rotary.hpp and inverse_wrist_*.hpp on tape under the premises of Hollerbach & Sahar (1983),
// table 5, which a row of the catalogue does not have: the base moves (as a whole, or in acceleration alone), the
// matrices A_i are given, and in sections 7.3 and 7.4 inverse kinematics has been there before.
#pragma once

#include "torsor/model/dh_arm.hpp"
#include "torsor/scalar/trace_count.hpp"

namespace torsor {

enum class WristVariant { general, spherical, fixed_base, precomputed, simple };

struct WristRecordOptions {
  bool gravity_along_z0 = false;  // pdd_0 has that component only
  bool base_moment = false;       // fixed_base: the whole moment on the base is wanted too
  bool weightless = false;        // precomputed, simple: the wrist's acceleration that is given has no gravity in it
};

/// The variant for an arm it serves. Inputs: c and s per joint, qd, qdd, motion of the base, what is given. Outputs:
/// tau; in precomputed and simple also 4wh and 4whd, which inverse kinematics takes from there.
Tape record_wrist(WristVariant, const DhArm<double>&, const WristRecordOptions& = {});

/// How inverse kinematics finds 4wh and 4whd by itself, (52)-(54), (73), (74). Inputs: c4, s4, W3, w6, wd6, 3w3, 3wd3.
Tape record_tool_alone();

/// Multiplications and additions of a variant under the structured rule, of all operations and of those that reach a
/// torque. Forming the A_i is not counted, and what inverse kinematics no longer does for itself, record_tool_alone(),
/// is set off against it.
struct WristCount {
  OperationCount all, live;
};
WristCount count_wrist(WristVariant, const DhArm<double>&, const WristRecordOptions& = {});

}  // namespace torsor
