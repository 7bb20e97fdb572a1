#include "torsor/files/drive_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "torsor/text/fault_log.hpp"
#include "torsor/text/number.hpp"
#include "torsor/text/suggest.hpp"
#include "torsor/text/toml_table.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

std::optional<double> above_zero(TomlTable& table, std::string_view key, Unit unit = units::plain) {
  const auto number = table.number(key, unit);
  if (!number || *number > 0) return number;
  table.fault(key, "drive-number", fmt::format("it is {}", print_number(*number)), "give a number above zero", unit);
  return std::nullopt;
}

TorqueCurve read_curve(TomlTable& table) {
  const auto speed = table.numbers("speed", units::turning_speed), torque = table.numbers("torque");
  if (!table.has("speed", units::turning_speed)) table.missing("speed", "give the speeds of the corners, from 0 on");
  if (!table.has("torque")) table.missing("torque", "give the torque at each speed");
  if (!speed || !torque) return {};
  if (speed->size() < 2 || speed->size() != torque->size()) {
    table.fault("torque", "motor-curve", fmt::format("{} speeds and {} torques", speed->size(), torque->size()),
                "give two corners at least, a torque for each speed");
    return {};
  }
  const bool rises = std::ranges::adjacent_find(*speed, std::greater_equal<>()) == speed->end();
  if (speed->front() != 0 || !rises) {
    table.fault("speed", "motor-curve", "the speeds do not rise from 0",
                "begin with 0, each speed above the one before", units::turning_speed);
    return {};
  }
  if (std::ranges::min(*torque) < 0 || torque->front() == 0) {
    table.fault("torque", "motor-curve",
                fmt::format("{} is among the torques", print_number(std::ranges::min(*torque))),
                "torques are not negative, and above zero at rest");
    return {};
  }
  return {*speed, *torque};
}

TorqueCurve rectangle(std::optional<double> torque, std::optional<double> speed) {
  if (!torque || !speed) return {};
  return {{0, *speed}, {*torque, *torque}};
}

/// A curve with corners, or else a torque up to a speed.
TorqueCurve curve_or_rectangle(TomlTable& table, std::string_view curve, std::string_view torque,
                               std::optional<double> top) {
  const auto level = above_zero(table, torque);
  if (!table.has(curve)) return rectangle(level, top);
  if (table.has(torque))
    table.fault(torque, "motor-curve", fmt::format("there is \"{}\", too", curve), "give one of the two");
  TorqueCurve corners;
  table.table(curve, [&](TomlTable& inside) { corners = read_curve(inside); });
  return corners;
}

void read_motor(TomlTable& table, Motor& motor) {
  const std::size_t before = table.fault_count();
  motor.source = single_line(table.text("source").value_or(""));
  const auto rated_speed = above_zero(table, "rated_speed", units::turning_speed);
  const auto max_speed = above_zero(table, "max_speed", units::turning_speed);
  motor.continuous = curve_or_rectangle(table, "continuous", "rated_torque", rated_speed ? rated_speed : max_speed);
  motor.peak = curve_or_rectangle(table, "peak", "peak_torque", max_speed ? max_speed : rated_speed);
  motor.rotor_inertia = table.number("rotor_inertia", units::inertia);
  if (motor.rotor_inertia && *motor.rotor_inertia < 0)
    table.fault("rotor_inertia", "drive-number", fmt::format("it is {}", print_number(*motor.rotor_inertia)),
                "give a number that is not negative", units::inertia);
  motor.torque_constant = above_zero(table, "torque_constant");
  motor.resistance = above_zero(table, "resistance");
  if (table.has("torque_constant") != table.has("resistance"))
    table.missing(table.has("resistance") ? "torque_constant" : "resistance",
                  "copper losses take both, or give neither");
  if (table.fault_count() != before) return;
  if (motor.peak.empty() && motor.continuous.empty() && !table.has("rated_torque") && !table.has("peak_torque"))
    table.fault("", "motor-curve", "there is no torque that it can give",
                "give rated_torque and rated_speed, peak_torque and max_speed, or curves");
  for (const auto& [torque, speed] : {std::pair{"rated_torque", "rated_speed"}, {"peak_torque", "max_speed"}})
    if (table.has(torque) && !rated_speed && !max_speed) table.missing(speed, "say up to which speed");
  if (rated_speed && max_speed && *rated_speed > *max_speed)
    return table.fault("rated_speed", "motor-curve", "it is above max_speed", "exchange them, or mend one",
                       units::turning_speed);
  if (!motor.peak.empty() && !motor.continuous.empty())
    for (std::size_t k = 0; k < motor.continuous.speed.size(); ++k)
      if (const auto most = motor.peak.at(motor.continuous.speed[k]); motor.continuous.torque[k] > most.value_or(0)) {
        table.fault("", "motor-curve",
                    fmt::format("at {} rad/s it gives {} N m for ever and {} for a moment",
                                print_number(motor.continuous.speed[k]), print_number(motor.continuous.torque[k]),
                                print_number(most.value_or(0))),
                    "what it gives for ever is not above the peak");
        break;
      }
}

class DriveReader {
 public:
  explicit DriveReader(TomlTable& root) : root_(root) {}

  DriveSheet read() {
    if (const auto format = root_.number("format"); format && *format != 1)
      root_.fault("format", "format-version", fmt::format("it is {}", print_number(*format)),
                  "this is the reader of format = 1");
    root_.tables("motor", [&](TomlTable& table) { add_motor(table); });
    if (!root_.has("motor")) root_.missing("motor", "write [[motor]] and its data below");
    root_.tables("drive", [&](TomlTable& table) { add_drive(table); });
    root_.finish();
    return std::move(sheet_);
  }

 private:
  void add_motor(TomlTable& table) {
    Motor motor;
    motor.name = single_line(table.text("name").value_or(""));
    if (!table.has("name")) table.missing("name", "motors are called by their names");
    if (!motor.name.empty()) {
      table.rename(fmt::format("motor \"{}\"", motor.name));
      if (std::ranges::find(sheet_.motors, motor.name, &Motor::name) != sheet_.motors.end())
        table.fault("name", "motor-name", "there is another of this name", "give each motor a name of its own");
    }
    read_motor(table, motor);
    sheet_.motors.push_back(std::move(motor));
  }

  void add_drive(TomlTable& table) {
    Drive drive;
    drive.where = table.where();
    drive.joint = single_line(table.text("joint").value_or(""));
    if (!table.has("joint")) table.missing("joint", "name the joint, or a motor of the robot");
    if (!drive.joint.empty()) {
      table.rename(fmt::format("drive \"{}\"", drive.joint));
      if (std::ranges::find(sheet_.drives, drive.joint, &Drive::joint) != sheet_.drives.end())
        table.fault("joint", "drive-joint", "there is another drive of this joint", "give each joint one drive");
    }
    if (const auto name = table.text("motor")) drive.motor = motor_index(table, *name);
    drive.gear = table.number("gear");
    if (drive.gear && *drive.gear == 0)
      table.fault("gear", "drive-number", "it is 0", "give motor speed / joint speed, negative where they turn apart");
    if (const auto efficiency = table.number("efficiency")) {
      drive.efficiency = *efficiency;
      if (!(*efficiency > 0 && *efficiency <= 1))
        table.fault("efficiency", "drive-number", fmt::format("it is {}", print_number(*efficiency)),
                    "give a number above 0, and 1 at most");
    }
    sheet_.drives.push_back(std::move(drive));
  }

  std::optional<int> motor_index(TomlTable& table, const std::string& name) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < sheet_.motors.size(); ++k) {
      if (sheet_.motors[k].name == name) return static_cast<int>(k);
      names.emplace_back(sheet_.motors[k].name);
    }
    const std::string hint = did_you_mean(name, names);
    table.fault("motor", "motor-name", fmt::format("there is no motor \"{}\"", single_line(name)),
                hint.empty() ? "name one of the [[motor]] of this file" : hint);
    return std::nullopt;
  }

  TomlTable& root_;
  DriveSheet sheet_;
};

}  // namespace

Result<DriveSheet> read_drive_toml(std::string_view text, const std::string& file) {
  const Result<TomlValue> document = parse_toml(text, file);
  if (!document) return document.faults();
  Faults errors;
  TomlTable root(*document, "", file, errors);
  DriveSheet sheet = DriveReader(root).read();
  if (errors.empty()) return sheet;
  std::ranges::stable_sort(errors, {}, [](const Fault& error) { return error.where.line; });
  FaultLog log;
  for (Fault& error : errors) log.add(std::move(error));
  return log.faults();
}

}  // namespace torsor
