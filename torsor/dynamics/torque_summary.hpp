// What a motion asks of the joints of a robot and of the motors behind their gears, in a table: peaks, rms, limits.
#pragma once

#include <optional>

#include "torsor/dynamics/limit_result.hpp"
#include "torsor/dynamics/torque_statistics.hpp"
#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/fields.hpp"

namespace torsor {

/// Torques of a shaft: of a joint, or of a motor behind its gear.
struct TorquePeak {
  std::string name, torque_unit;
  Peak torque;
  double rms_torque = 0;
  bool timed = true;  // else the instants are rows
};

constexpr auto fields(Of<TorquePeak>) {
  using T = TorquePeak;
  return field_list("TorquePeak", "Largest and rms torque of a shaft.", field("name", "", "", &T::name),
                    field("torque_unit", "", "N m or N", &T::torque_unit),
                    field("peak_torque", "", "with its sign", [](const T& t) { return t.torque.value; }),
                    field("peak_torque_time", "s", "",
                          [](const T& t) { return t.timed ? std::optional(t.torque.time) : std::nullopt; }),
                    field("peak_torque_row", "", "where there are no times",
                          [](const T& t) { return t.timed ? std::nullopt : std::optional(t.torque.time); }),
                    field("rms_torque", "", "", &T::rms_torque));
}

struct JointTorques {
  TorquePeak torque;
  std::optional<double> effort_limit, of_effort_limit;
  std::string speed_unit;
  double peak_speed = 0, peak_power = 0;
  std::optional<double> speed_limit;
  std::optional<TorquePeak> motor;
};

constexpr auto fields(Of<JointTorques>) {
  using J = JointTorques;
  return field_list("JointTorques", "What a motion asks of one joint.", fields_of_part(&J::torque),
                    field("effort_limit", "", "of the robot file", &J::effort_limit),
                    field("of_effort_limit", share_unit, "peak torque by it", &J::of_effort_limit),
                    field("peak_speed", "", "with its sign", &J::peak_speed),
                    field("speed_unit", "", "rad/s or m/s; deg/s where degrees are asked for", &J::speed_unit),
                    field("peak_power", "W", "", &J::peak_power), field("speed_limit", "", "", &J::speed_limit),
                    field("motor", "", "behind its gear or transmission", &J::motor));
}

struct TorqueSummary {
  double start = 0, end = 0;
  bool timed = true;
  std::vector<JointTorques> joints;
  double peak_power = 0;
  std::vector<PassedLimit> limits_passed;
};

constexpr auto fields(Of<TorqueSummary>) {
  using S = TorqueSummary;
  constexpr auto seconds = [](const S& s, double x) { return s.timed ? std::optional(x) : std::nullopt; };
  constexpr auto row = [](const S& s, double x) { return s.timed ? std::nullopt : std::optional(x); };
  return field_list("TorqueSummary", "What a motion asks of the joints and motors of a robot.",
                    field("start", "s", "", [=](const S& s) { return seconds(s, s.start); }),
                    field("end", "s", "", [=](const S& s) { return seconds(s, s.end); }),
                    field("first_row", "", "where there are no times", [=](const S& s) { return row(s, s.start); }),
                    field("last_row", "", "", [=](const S& s) { return row(s, s.end); }),
                    field("joints", "", "", &S::joints),
                    field("peak_power", "W", "of all joints together", &S::peak_power),
                    field("limits_passed", "", "the worst of each kind first", &S::limits_passed));
}

/// The summary of statistics of joints and of motors, which may be empty where no joint has one; timed: else instants are rows.
TorqueSummary torque_summary(const LimitWatch& limits, const TorqueStatistics& joints, const TorqueStatistics& motors,
                             bool timed);
/// The same with angular speeds and limits of angles in degrees.
TorqueSummary in_degrees(TorqueSummary summary, const Model<double>& model);

}  // namespace torsor
