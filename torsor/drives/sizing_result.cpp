#include "torsor/drives/sizing_result.hpp"

#include <cmath>

#include "torsor/drives/shaft_result.hpp"
#include "torsor/fields.hpp"
#include "torsor/model/coordinate_kind.hpp"

namespace torsor {
namespace {

MotorShares shares_of(const MotorUse& use, const std::optional<Motor>& motor) {
  if (!motor) return {};
  return {motor->peak.empty() ? std::nullopt : std::optional(use.of_peak.value), use.of_speed(*motor),
          motor->continuous.empty() ? std::nullopt : std::optional(use.of_continuous(*motor)), use.use(*motor),
          use.fits(*motor)};
}

DriveSizing drive_of(const Sizing& sizing, std::size_t d, const Model<double>& model) {
  const AssignedDrive& drive = sizing.drives()[d];
  const MotorUse& use = sizing.motor(d);
  const auto joint = static_cast<std::size_t>(drive.coordinate);
  DriveSizing out{drive.name, model.velocity_names[joint], std::string(torque_unit(velocity_kinds(model)[joint])),
                  drive.gear, drive.efficiency, drive.inertia, use.shaft, sizing.gear(d).gear_torque(), {}, {},
                  use.of_peak.time, shares_of(use, drive.motor), {}, {}, {}, {}};
  if (drive.motor) {
    out.motor = drive.motor->name;
    out.verdict = verdict(use, *drive.motor);
    out.copper_loss = use.copper_loss(*drive.motor);
  }
  if (!drive.gear) return out;
  out.best_ratio = sizing.best_ratio(d);
  for (std::size_t r = 0; r < sizing.ratios().size(); ++r)
    out.sweep.push_back({sizing.ratios()[r], sizing.sweep(d)[r].shaft, shares_of(sizing.sweep(d)[r], drive.motor)});
  if (drive.motor) out.fitting_ratios = fitting_ratios(sizing.ratios(), sizing.sweep(d), *drive.motor);
  return out;
}

}  // namespace

SizingResult sizing_result(const Sizing& sizing, const Model<double>& model, double duration, double dwell,
                           const SizingError& error) {
  SizingResult out{model.name,
                   duration,
                   dwell,
                   error,
                   {},
                   {},
                   {sizing.total()},
                   sizing.ratios()};
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (int k = 0; k < model.nv; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const ShaftDemand& shaft = sizing.joint(k);
    const auto part = [](double value, double limit) {
      return std::isfinite(limit) ? std::optional(std::abs(value) / limit) : std::nullopt;
    };
    out.joints.push_back(
        {model.velocity_names[i], std::string(torque_unit(kinds[i])), std::string(coordinate_unit(kinds[i], 1)), shaft,
         part(shaft.torque.value, model.limits[i].effort), part(shaft.speed.value, model.limits[i].velocity),
         if_finite(sizing.torque_exceeded(k)), if_finite(sizing.speed_exceeded(k))});
  }
  for (std::size_t d = 0; d < sizing.drives().size(); ++d) out.drives.push_back(drive_of(sizing, d, model));
  return out;
}

SizingResult in_degrees(SizingResult result, const Model<double>& model) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < result.joints.size(); ++k) {
    JointSizing& joint = result.joints[k];
    joint.shaft = joint.shaft.with_speeds_times(in_unit(1, kinds[k], true));
    joint.speed_unit = coordinate_unit(kinds[k], 1, true);
  }
  return result;
}

}  // namespace torsor
