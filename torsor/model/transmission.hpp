// Torques and speeds on the motor side: motor torque = A^T joint torque, joint speed = A motor speed, block by block.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/model/model.hpp"

namespace torsor {

/// Motor torques that give these joint torques (both model.nv long); entry i belongs to the motor of coordinate i's
/// place in its block. Coordinates without a transmission are driven directly.
inline void motor_torques(const Model<double>& model, std::span<const double> tau, std::span<double> motor) {
  TORSOR_EXPECT(tau.size() == motor.size() && tau.size() == static_cast<std::size_t>(model.nv));
  std::copy(tau.begin(), tau.end(), motor.begin());
  for (const Transmission& t : model.transmissions) {
    const std::size_t n = t.dofs.size();
    for (std::size_t k = 0; k < n; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += t.matrix[i * n + k] * tau[t.dofs[i]];
      motor[t.dofs[k]] = sum;
    }
  }
}

/// Name of the motor at each coordinate; the coordinate's own name where it is driven directly.
inline std::vector<std::string> motor_names(const Model<double>& model) {
  std::vector<std::string> names = model.velocity_names;
  for (const Transmission& t : model.transmissions)
    for (std::size_t k = 0; k < t.dofs.size(); ++k) names[t.dofs[k]] = t.motors[k];
  return names;
}

/// Motors turn, whatever their joints do: a gear before a slide has radians per metre.
inline constexpr std::string_view motor_torque_unit = "N m";

/// The coordinates that have a motor behind a gear or transmission, in increasing order.
inline std::vector<int> motor_coordinates(const Model<double>& model) {
  std::vector<int> coordinates;
  for (const Transmission& t : model.transmissions) coordinates.insert(coordinates.end(), t.dofs.begin(), t.dofs.end());
  std::sort(coordinates.begin(), coordinates.end());
  return coordinates;
}

}  // namespace torsor
