// Whether the loops of a description name what is there and have sizes that can be; whether they close is found where
// they are assembled (torsor/loops).
#pragma once

#include "torsor/model/description.hpp"

namespace torsor {

/// Kinds of joints that may close a loop of a robot: the word of a robot file, and what it is in a mechanism.
struct LoopKind {
  std::string_view name;
  MechanismJointKind kind;
};
inline constexpr std::array<LoopKind, 8> loop_kinds = {{{"revolute", MechanismJointKind::revolute},
                                                        {"spherical", MechanismJointKind::spherical},
                                                        {"universal", MechanismJointKind::universal},
                                                        {"cylindrical", MechanismJointKind::cylindrical},
                                                        {"prismatic", MechanismJointKind::translational},
                                                        {"planar", MechanismJointKind::planar},
                                                        {"distance", MechanismJointKind::distance},
                                                        {"weld", MechanismJointKind::fixed}}};

/// The word of a robot file for a kind; empty for one that closes no loop.
constexpr std::string_view loop_kind_name(MechanismJointKind kind) {
  for (const LoopKind& each : loop_kinds)
    if (each.kind == kind) return each.name;
  return "";
}

/// Every fault of the loops, and of what stands in joints for them alone.
Faults check_loops(const Description&);

}  // namespace torsor
