#include "torsor/symbolic/meant_robot.hpp"

#include "torsor/model/dh.hpp"
#include "torsor/model/link_length.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"

namespace torsor {
namespace {

class Meaning {
 public:
  Meaning(GeometryTolerance tolerance, double unit) : classify_(tolerance, unit) {}

  void take(Transform<double>& X, const std::string& what) {
    take(X.p, what);
    const auto [roll, pitch, yaw] = roll_pitch_yaw(X.R);
    Vec3<double> rpy{roll, pitch, yaw};
    bool moved = angle(rpy.z, what + ": yaw");
    moved = angle(rpy.y, what + ": pitch") || moved;
    moved = angle(rpy.x, what + ": roll") || moved;
    if (moved) X.R = exact_rotation_rpy(rpy);
  }

  void take(DhRow& row, const std::string& what) {
    angle(row.theta, what + ": theta");
    row.d = classify_.length(row.d, what + ": d");
    row.a = classify_.length(row.a, what + ": a");
    angle(row.alpha, what + ": alpha");
    angle(row.beta, what + ": beta");
  }

  void take_axis(Vec3<double>& u, const std::string& what) {
    auto [about_z, from_z] = axis_angles(u);
    bool moved = angle(about_z, what + ": axis about z");
    moved = angle(from_z, what + ": axis from z") || moved;
    if (!moved) return;
    const auto [c, s] = exact_cos_sin(about_z);
    const auto [along, across] = exact_cos_sin(from_z);
    u = {across * c, across * s, along};
  }

  const std::vector<Snap>& snaps() const { return classify_.snaps(); }

 private:
  bool angle(double& x, const std::string& what) {
    const double before = x;
    x = classify_.angle(x, what);
    return x != before;
  }

  void take(Vec3<double>& p, const std::string& what) {
    p.x = classify_.length(p.x, what + ": x");
    p.y = classify_.length(p.y, what + ": y");
    p.z = classify_.length(p.z, what + ": z");
  }

  GeometryClassifier classify_;
};

}  // namespace

MeantRobot meant_robot(Description robot, GeometryTolerance tolerance) {
  Meaning meaning(tolerance, link_length(robot));
  meaning.take(robot.base, "base");
  for (LinkDescription& link : robot.links) {
    const std::string what = "joint \"" + link.joint_name + "\"";
    if (auto* row = std::get_if<DhRow>(&link.geometry)) {
      meaning.take(*row, what);
      continue;
    }
    auto& placement = std::get<JointPlacement>(link.geometry);
    meaning.take(placement.X_parent_joint, what);
    if (has_axis(link.kind)) meaning.take_axis(placement.axis, what);
  }
  return {std::move(robot), meaning.snaps()};
}

TorqueDifference snap_effect(const Description& typed) {
  const MeantRobot meant = meant_robot(typed);
  const auto as_typed = robot_forms(typed), exact = robot_forms(meant.description, GeometryTolerance{});
  if (!as_typed || !exact || (meant.snaps.empty() && exact->snaps.empty())) return {};
  return compare_torques(as_typed->model, exact->model);
}

}  // namespace torsor
