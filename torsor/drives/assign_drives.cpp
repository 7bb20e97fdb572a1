#include "torsor/drives/assign_drives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "torsor/model/transmission.hpp"

namespace torsor {
namespace {

/// The motors that the robot file has, by coordinate.
std::map<int, AssignedDrive> described(const Description& robot, const Model<double>& model) {
  std::map<int, AssignedDrive> drives;
  for (const Transmission& t : model.transmissions)
    for (std::size_t k = 0; k < t.dofs.size(); ++k) {
      AssignedDrive drive;
      drive.name = t.motors[k];
      drive.coordinate = t.dofs[k];
      if (t.dofs.size() == 1) drive.gear = 1 / t.matrix[0];
      drives[t.dofs[k]] = drive;
    }
  for (auto& [coordinate, drive] : drives) {
    for (const LinkDescription& link : robot.links)
      if (link.rotor && link.joint_name == drive.name) drive.inertia = link.rotor->inertia;
    for (const TransmissionDescription& t : robot.transmissions)
      for (std::size_t k = 0; k < t.rotor_inertia.size() && k < t.motors.size(); ++k)
        if (t.motors[k] == drive.name) drive.inertia = t.rotor_inertia[k];
  }
  return drives;
}

/// The coordinate that a drive's name means; -1 if none.
int coordinate_of(const std::string& name, const std::map<int, AssignedDrive>& drives, const Model<double>& model) {
  for (const auto& [coordinate, drive] : drives)
    if (drive.name == name) return coordinate;
  const auto found = std::ranges::find(model.velocity_names, name);
  return found == model.velocity_names.end() ? -1 : static_cast<int>(found - model.velocity_names.begin());
}

/// The motors of the transmission that couples this joint with others, if the name is the joint's and no motor's.
std::span<const std::string> coupled_motors(const std::string& name, const Model<double>& model) {
  for (const Transmission& t : model.transmissions) {
    if (t.dofs.size() == 1 || std::ranges::find(t.motors, name) != t.motors.end()) continue;
    for (const int dof : t.dofs)
      if (model.velocity_names[dof] == name) return t.motors;
  }
  return {};
}

void take_drive(const Drive& from, const DriveSheet& sheet, AssignedDrive& drive) {
  if (from.motor) drive.motor = sheet.motors[static_cast<std::size_t>(*from.motor)];
  if (drive.motor && drive.motor->rotor_inertia) {
    drive.inertia = *drive.motor->rotor_inertia;
    drive.as_described = false;
  }
  if (from.gear) {
    drive.gear = from.gear;
    drive.as_described = false;
  }
  drive.efficiency = from.efficiency;
}

}  // namespace

Result<std::vector<AssignedDrive>> assign_drives(const DriveSheet& sheet, const Description& robot,
                                                 const Model<double>& model) {
  std::map<int, AssignedDrive> drives = described(robot, model);
  Faults errors;
  std::vector<Drive> given = sheet.drives;
  if (given.empty() && sheet.motors.size() == 1) {
    std::vector<std::string> names;
    for (const auto& [coordinate, drive] : drives) names.push_back(drive.name);
    if (names.empty()) names = model.velocity_names;
    for (const std::string& name : names) given.push_back({name, 0, {}, 1, {}});
  } else if (given.empty() && !sheet.motors.empty()) {
    errors.push_back({{},
                      "drives",
                      "drive-joint",
                      "there are several motors and no [[drive]] that says where they are",
                      "write [[drive]] with joint and motor for each joint that is looked at"});
  }
  for (const Drive& from : given) {
    const std::string offender = fmt::format("drive \"{}\"", from.joint);
    const int coordinate = coordinate_of(from.joint, drives, model);
    if (coordinate < 0) {
      errors.push_back({from.where, offender, "drive-joint", fmt::format("{} has no such joint or motor", model.name),
                        fmt::format("it has {}", fmt::join(motor_names(model), ", "))});
      continue;
    }
    if (const auto motors = coupled_motors(from.joint, model); !motors.empty()) {
      errors.push_back({from.where, offender, "drive-coupled",
                        fmt::format("the motors {} drive this joint together with others", fmt::join(motors, ", ")),
                        "write a [[drive]] for each of these motors, by its name"});
      continue;
    }
    auto at = drives.find(coordinate);
    if (at == drives.end()) {
      AssignedDrive direct;
      direct.name = from.joint;
      direct.coordinate = coordinate;
      direct.gear = 1;
      at = drives.emplace(coordinate, direct).first;
    } else if (from.gear && !at->second.gear) {
      errors.push_back({from.where, offender, "drive-coupled",
                        "a gear is given, and its transmission couples several joints",
                        "change the matrix in the robot file"});
      continue;
    }
    take_drive(from, sheet, at->second);
  }
  if (!errors.empty()) return errors;
  std::vector<AssignedDrive> out;
  for (auto& [coordinate, drive] : drives) out.push_back(std::move(drive));
  return out;
}

Description without_rotors(Description robot) {
  for (LinkDescription& link : robot.links)
    if (link.rotor && link.kind != JointKind::spherical) link.rotor->inertia = 0;  // there it is no motor's
  for (TransmissionDescription& t : robot.transmissions) t.rotor_inertia.clear();
  return robot;
}

}  // namespace torsor
