// A motor as its data sheet has it: the torque it can give at each speed, for a moment and for ever, and its rotor. And
// the drive of one joint: a motor, a gear, and what the gear loses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/result.hpp"

namespace torsor {

/// Torque [N m] over speed [rad/s], straight between corners; speeds increase from 0. The same in all quadrants.
struct TorqueCurve {
  std::vector<double> speed, torque;

  bool empty() const { return speed.empty(); }
  double top_speed() const { return speed.back(); }

  /// At |speed|; nothing beyond the last corner.
  std::optional<double> at(double speed_now) const {
    const double s = speed_now < 0 ? -speed_now : speed_now;
    for (std::size_t k = 0; k < speed.size(); ++k) {
      if (s > speed[k]) continue;
      if (k == 0) return torque[0];
      const double u = (s - speed[k - 1]) / (speed[k] - speed[k - 1]);
      return torque[k - 1] + u * (torque[k] - torque[k - 1]);
    }
    return std::nullopt;
  }
};

struct Motor {
  std::string name, source;
  TorqueCurve peak;                     // for a moment
  TorqueCurve continuous;               // for ever: root mean square of the torque, at the mean speed
  std::optional<double> rotor_inertia;  // [kg m^2]
  std::optional<double> torque_constant,
      resistance;  // [N m/A] and [ohm] of one and the same current: copper loss R (tau/k)^2
};

/// What moves a joint. Where motor or gear are not given they are the robot's own.
struct Drive {
  std::string joint;           // the joint's name, or that of a motor of the robot
  std::optional<int> motor;    // of the sheet's motors
  std::optional<double> gear;  // motor speed / joint speed; [rad/m] before a slide
  double efficiency = 1;       // of the gear, 0 to 1: power lost whichever way it flows
  Where where = {};
};

/// What a drive file says.
struct DriveSheet {
  std::vector<Motor> motors;
  std::vector<Drive> drives;
};

}  // namespace torsor
