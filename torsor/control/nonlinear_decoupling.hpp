// Nonlinear decoupling (Freund 1982): the model makes each tool coordinate a second-order system of chosen poles,
// driven by its wanted value alone. Hollerbach & Sahar 1983, (5), read with the signs that make it stable and A as the
// gain on the wanted value; A = K2 makes a tool at rest be where it is wanted:
//
//   xdd = A x_d - K1 xd - K2 x = K2 (x_d - x) - K1 xd,   K1 = kv, K2 = kp
//
// Neither planned velocity nor acceleration is used, so that the tool lags a moving plan by kv / kp times its velocity.
#pragma once

#include "torsor/control/tool_law.hpp"

namespace torsor {

class NonlinearDecouplingLaw final : public ToolAccelerationLaw {
 public:
  using ToolAccelerationLaw::ToolAccelerationLaw;

 private:
  Motion<double> asked(const ControlState&, const ControlReference& r) override {
    return pose_error(r.tool.X, tool_.X) * gains_.kp - tool_.twist * gains_.kv;
  }
};

}  // namespace torsor
