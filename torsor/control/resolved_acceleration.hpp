// Resolved acceleration (Luh, Walker & Paul 1980): computed torque around the tool. Hollerbach & Sahar 1983, (4), whose
// print has the gains on the planned velocity alone and the position error the wrong way round:
//
//   xdd = xdd_d + K1 (xd_d - xd) + K2 (x_d - x),   K1 = kv, K2 = kp
#pragma once

#include "torsor/control/tool_law.hpp"

namespace torsor {

class ResolvedAccelerationLaw final : public ToolAccelerationLaw {
 public:
  using ToolAccelerationLaw::ToolAccelerationLaw;

 private:
  Motion<double> asked(const ControlState&, const ControlReference& r) override {
    return r.tool.acceleration + (r.tool.twist - tool_.twist) * gains_.kv + pose_error(r.tool.X, tool_.X) * gains_.kp;
  }
};

}  // namespace torsor
