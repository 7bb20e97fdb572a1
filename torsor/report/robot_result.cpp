#include "torsor/report/robot_result.hpp"

namespace torsor {

std::optional<MimicResult> LinkResult::mimic() const {
  const Body<double>& b = body();
  if (b.nv != 1 || tree().velocity_names[b.v] == tree().joint_names[i]) return std::nullopt;
  return MimicResult{tree().velocity_names[b.v], b.ratio, in_unit(b.offset, kind_of_joint(b), degrees)};
}

std::optional<double> LinkResult::limit(double Limits::*which) const {
  const Body<double>& b = body();
  if (b.nv == 0 || mimic()) return std::nullopt;
  const CoordinateKind kind = velocity_kinds(tree())[static_cast<std::size_t>(b.v)];
  return if_finite(in_unit(tree().limits[b.v].*which, kind, degrees && which != &Limits::effort));
}

BaseResult RobotResult::base() const {
  const Description& d = robot.description();
  BaseResult out{d.base_name, {tree().base, degrees}, {}};
  if (!d.base_parts.empty()) out.inertia.of = inertia_of(d.base_parts);
  return out;
}

std::vector<LinkResult> RobotResult::links(int first, int last) const {
  std::vector<LinkResult> out;
  for (int i = first; i < last; ++i) out.push_back({robot, i, degrees});
  return out;
}

std::optional<DhResult> RobotResult::dh() const {
  const Description& d = robot.description();
  if (d.convention == Convention::placement) return std::nullopt;
  DhResult out{d.convention == Convention::standard_dh ? "standard" : "modified", {}};
  for (const LinkDescription& link : d.links)
    if (const auto* dh = std::get_if<DhRow>(&link.geometry)) out.rows.push_back({link.joint_name, *dh, degrees});
  return out;
}

std::vector<TransmissionResult> RobotResult::transmissions() const {
  std::vector<TransmissionResult> out;
  for (const Transmission& t : tree().transmissions) out.push_back({tree(), t});
  return out;
}

std::vector<FrictionResult> RobotResult::friction() const {
  std::vector<FrictionResult> out;
  for (const auto& [body, law] : tree().friction) out.push_back({tree().joint_names[body], law});
  return out;
}

std::vector<std::string> RobotResult::tools() const {
  std::vector<std::string> names;
  for (const Frame<double>& frame : tree().frames) names.push_back(frame.name);
  return names;
}

RobotResult robot_result(const Robot& robot, const Frame<double>& tool, const Reach& reach, bool degrees) {
  return {robot, degrees, ReachResult{tool.name, reach, in_units(reach.q, position_kinds(robot.tree()), degrees)}};
}

}  // namespace torsor
