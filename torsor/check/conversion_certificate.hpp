// Is a robot that was written and read back the robot that was meant? The certificate says whether its tree is the same, its
// poses and its torques (by Dynamics, on random states), and lists what the format did not hold. It knows nothing of formats.
#pragma once

#include "torsor/check/robot_difference.hpp"
#include "torsor/model/dh_chain.hpp"

namespace torsor {

struct ConversionCertificate {
  bool holds = false;
  bool same_tree = false;
  double position = 0, angle = 0, torque = 0;  // largest differences: m, rad, relative to the torques
  Explained bound;                             // what each may be
  int states = 0;
  std::vector<std::string> lost;   // what the format does not hold, in sentences: limits, friction, drives, frames
  std::vector<std::string> wrong;  // what it should hold and does not: bodies and axes
};

constexpr auto fields(Of<ConversionCertificate>) {
  using C = ConversionCertificate;
  return field_list(
      "ConversionCertificate", "Whether a robot that was written and read back is the one that was to be written.",
      field("holds", "", "tree, poses and torques are the same", &C::holds),
      field("same_tree", "", "bodies, joints and what carries them", &C::same_tree),
      field("position", "m", "largest distance of a body or tool", &C::position),
      field("angle", "rad", "largest angle", &C::angle),
      field("torque", "", "largest difference of torques, relative to their size", &C::torque),
      field("states", "", "random states", &C::states), field("lost", "", "what the format does not hold", &C::lost),
      field("wrong", "", "bodies and axes that are not those that were written", &C::wrong));
}

/// 1e-12 of poses and torques, or what special values that were assumed explain.
ConversionCertificate certify_conversion(const Robot& meant, const Robot& read_back,
                                         const Explained* explained = nullptr);

}  // namespace torsor
