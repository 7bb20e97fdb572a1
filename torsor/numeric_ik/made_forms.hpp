// What InverseKinematics makes of a robot only when it is asked for, and then keeps.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/closed_form_ik/short_arm.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"

namespace torsor {

struct InverseKinematics::Made {
  Made() = default;
  Made(const Made& other) : six(other.six), short_arm(other.short_arm) {
    for (const auto& [joint, arm] : other.redundant)
      redundant.emplace_back(joint, std::make_unique<Result<RedundantArm>>(*arm));
  }

  std::optional<SixTurns> six;                                                    // of six joints, for proofs
  std::optional<Result<ShortArm>> short_arm;                                      // of fewer
  std::vector<std::pair<int, std::unique_ptr<Result<RedundantArm>>>> redundant;  // of seven, by the joint asked for
};

}  // namespace torsor
