// Which motor moves which coordinate of a robot: what the robot file says of rotors and gears, and over it what a drive
// sheet says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/model/motor.hpp"

namespace torsor {

struct AssignedDrive {
  std::string name;            // of the motor in the robot file, or of the joint
  int coordinate = 0;          // the velocity coordinate, or its place in a coupled transmission
  std::optional<Motor> motor;  // where a sheet gives one
  std::optional<double> gear;  // motor speed / joint speed; nothing where the transmission couples joints
  double efficiency = 1;
  double inertia = 0;        // of the rotor, on its own side [kg m^2]
  bool as_described = true;  // rotor and gear are those of the robot file
};

/// One drive for each coordinate that has a motor in the robot file or in the sheet, by coordinate; or all faults. A
/// sheet with one motor and no drives has it everywhere: at the robot's motors, or at all joints where it has none.
Result<std::vector<AssignedDrive>> assign_drives(const DriveSheet& sheet, const Description& robot,
                                                 const Model<double>& model);

/// The robot with rotors that have no inertia: what its gears see of the joints.
Description without_rotors(Description robot);

}  // namespace torsor
