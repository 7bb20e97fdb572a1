#include "torsor/dynamics/torque_summary.hpp"

#include <cmath>

#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/transmission.hpp"

namespace torsor {

TorqueSummary torque_summary(const LimitWatch& limits, const TorqueStatistics& joints, const TorqueStatistics& motors,
                             bool timed) {
  const Model<double>& model = limits.model();
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  TorqueSummary out{joints.start(), joints.end(), timed, {}, joints.total_power().value,
                    limits.passed(timed ? InstantsBy::time : InstantsBy::row)};
  for (int k = 0; k < model.nv; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const TorqueStatistics::Coordinate& c = joints[k];
    const std::optional<double> limit = if_finite(model.limits[i].effort);
    out.joints.push_back({{model.velocity_names[i], std::string(torque_unit(kinds[i])), c.effort, joints.rms(k), timed},
                          limit, limit && *limit > 0 ? std::optional(std::abs(c.effort.value) / *limit) : std::nullopt,
                          std::string(coordinate_unit(kinds[i], 1)), c.velocity.value, c.power.value,
                          if_finite(model.limits[i].velocity), {}});
  }
  const std::vector<std::string> names = motor_names(model);
  for (const int k : motor_coordinates(model))
    out.joints[static_cast<std::size_t>(k)].motor = {names[static_cast<std::size_t>(k)], std::string(motor_torque_unit),
                                                     motors[k].effort, motors.rms(k), timed};
  return out;
}

TorqueSummary in_degrees(TorqueSummary summary, const Model<double>& model) {
  const std::vector<CoordinateKind> kinds = velocity_kinds(model);
  for (std::size_t k = 0; k < summary.joints.size(); ++k) {
    JointTorques& joint = summary.joints[k];
    joint.peak_speed = in_unit(joint.peak_speed, kinds[k], true);
    if (joint.speed_limit) joint.speed_limit = in_unit(*joint.speed_limit, kinds[k], true);
    joint.speed_unit = coordinate_unit(kinds[k], 1, true);
  }
  summary.limits_passed = in_degrees(std::move(summary.limits_passed), model);
  return summary;
}

}  // namespace torsor
