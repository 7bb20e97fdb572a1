// What a sizing found, as a plain result: joints, drives with their motors, gear ratios, all on one supply.
#pragma once

#include "torsor/drives/shaft_result.hpp"
#include "torsor/drives/sizing.hpp"
#include "torsor/fields.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {

struct JointSizing {
  std::string name, torque_unit, speed_unit;
  ShaftDemand shaft;
  std::optional<double> of_effort_limit, of_speed_limit, effort_limit_passed, speed_limit_passed;
};

constexpr auto fields(Of<JointSizing>) {
  return field_list(
      "JointSizing", "What a motion asks of one joint: N m, rad/s, W, J (or N, m/s).",
      field("name", "", "", &JointSizing::name), field("torque_unit", "", "N m or N", &JointSizing::torque_unit),
      field("speed_unit", "", "rad/s or m/s; deg/s where degrees are asked for", &JointSizing::speed_unit),
      fields_of_part(&JointSizing::shaft),
      field("of_effort_limit", share_unit, "peak torque by the limit of the robot file", &JointSizing::of_effort_limit),
      field("of_speed_limit", share_unit, "peak speed by its limit", &JointSizing::of_speed_limit),
      field("effort_limit_passed", "s", "first time beyond the limit", &JointSizing::effort_limit_passed),
      field("speed_limit_passed", "s", "likewise", &JointSizing::speed_limit_passed));
}

/// How much of a motor is used: parts of its curves.
struct MotorShares {
  std::optional<double> of_peak_torque, of_top_speed, of_continuous_torque, use;
  std::optional<bool> fits;
};

constexpr auto fields(Of<MotorShares>) {
  return field_list(
      "MotorShares", "How much of a motor is used; None where no drive file gives a motor, or its sheet no such curve.",
      field("of_peak_torque", share_unit, "torque by peak torque at that speed; infinite beyond all speeds",
            &MotorShares::of_peak_torque)
          .or_null(),
      field("of_top_speed", share_unit, "speed by top speed", &MotorShares::of_top_speed).or_null(),
      field("of_continuous_torque", share_unit, "rms torque by continuous torque at the mean speed",
            &MotorShares::of_continuous_torque)
          .or_null(),
      field("use", share_unit, "the largest of these: below 1 the motor will do", &MotorShares::use).or_null(),
      field("fits", "", "whether it will do", &MotorShares::fits));
}

/// A drive with another gear; magnitudes.
struct SweptRatio {
  double ratio = 0;
  ShaftDemand shaft;
  MotorShares shares;
};

constexpr auto fields(Of<SweptRatio>) {
  using S = SweptRatio;
  return field_list(
      "SweptRatio", "A drive with another gear ratio.", field("ratio", "", "motor speed / joint speed", &S::ratio),
      field("peak_torque", "N m", "magnitude", [](const S& s) { return std::abs(s.shaft.torque.value); }),
      field("rms_torque", "N m", "", [](const S& s) { return s.shaft.rms_torque(); }),
      field("peak_speed", "rad/s", "magnitude", [](const S& s) { return std::abs(s.shaft.speed.value); }),
      field("mean_speed", "rad/s", "", [](const S& s) { return s.shaft.mean_speed(); }), fields_of_part(&S::shares));
}

struct DriveSizing {
  std::string name, joint, gear_unit;
  std::optional<double> gear;
  double efficiency = 1, rotor_inertia = 0;
  ShaftDemand shaft;
  double gear_torque = 0;
  std::optional<std::string> motor, verdict;
  double of_peak_torque_time = 0;
  MotorShares shares;
  std::optional<double> copper_loss, best_ratio;
  std::vector<SweptRatio> sweep;
  std::vector<std::pair<double, double>> fitting_ratios;
};

constexpr auto fields(Of<DriveSizing>) {
  using D = DriveSizing;
  return field_list(
      "DriveSizing", "What a motion asks of a motor behind its gear.", field("name", "", "", &D::name),
      field("joint", "", "which it moves", &D::joint),
      field("gear", "", "motor speed / joint speed; None where the transmission couples joints", &D::gear),
      field("efficiency", share_unit, "of the gear", &D::efficiency),
      field("rotor_inertia", "kg m^2", "", &D::rotor_inertia), fields_of_part(&D::shaft),
      field("gear_torque", "", "cubic mean on the slow side of the gear, by which bearings and teeth are rated",
            &D::gear_torque),
      field("gear_torque_unit", "", "N m or N", &D::gear_unit), field("motor", "", "of the drive file", &D::motor),
      fields_of_part(&D::shares), field("of_peak_torque_time", "s", "when that is largest", &D::of_peak_torque_time),
      field("copper_loss", "J", "heat of the windings", &D::copper_loss),
      field("verdict", "", "whether the motor will do, and what decides it", &D::verdict),
      field("best_ratio", "", "at which the rms torque is least; infinite for a rotor without inertia", &D::best_ratio)
          .or_null(),
      field("sweep", "", "at each of the ratios", &D::sweep),
      field("fitting_ratios", "", "ranges of them in which the motor will do", &D::fitting_ratios));
}

/// All motors, and joints without one, on one supply.
struct SupplySizing {
  ShaftDemand all;
};

constexpr auto fields(Of<SupplySizing>) {
  return field_list("SupplySizing", "All motors, and joints without one, sharing one supply.",
                    fields_of_part([](const SupplySizing& s) { return ShaftPower{s.all}; }));
}

struct SizingResult {
  std::string robot;
  double duration = 0, dwell = 0;
  SizingError error;
  std::vector<JointSizing> joints;
  std::vector<DriveSizing> drives;
  SupplySizing total;
  std::vector<double> ratios;
};

constexpr auto fields(Of<SizingResult>) {
  using S = SizingResult;
  return field_list("SizingResult", "What a motion asks of joints and motors.", field("robot", "", "", &S::robot),
                    field("duration", "s", "of the motion", &S::duration),
                    field("dwell", "s", "at rest behind it", &S::dwell),
                    field("energy_error", "J", "estimated", [](const S& s) { return s.error.energy; }),
                    field("instants", "", "or rows, that were computed", [](const S& s) { return s.error.instants; }),
                    field("settled", "", "whether the motion was resolved", [](const S& s) { return s.error.settled; }),
                    field("joints", "", "", &S::joints), field("drives", "", "joints with a motor", &S::drives),
                    field("total", "", "", &S::total), field("ratios", "", "of the sweeps", &S::ratios));
}

/// The result of a sizing; duration and dwell in seconds.
SizingResult sizing_result(const Sizing& sizing, const Model<double>& model, double duration, double dwell,
                           const SizingError& error);
/// The same with the speeds of joints that rotate in degrees per second; motors stay in rad/s, as their sheets are.
SizingResult in_degrees(SizingResult result, const Model<double>& model);

}  // namespace torsor
