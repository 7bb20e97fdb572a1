// What is different between two robots, physically: where their axes are, what their bodies weigh, how far and how strongly
// their joints move; and what that does to poses and torques over random states, computed by Dynamics on both.
//
// Frames are a matter of taste: a body's frame may turn about its axis and slide along it, and the robot is the same. So axes
// are compared as lines, each in its carrier, and inertias where the bodies are with all joints at zero. A change is reported
// where it is made, not again on all that it carries.
#pragma once

#include "torsor/check/robot_match.hpp"

namespace torsor {

struct DifferenceOptions {
  double tolerance = 1e-9;    // lengths relative to the robot's, angles in rad, all else relative to itself
  int states = 64;            // at most; large robots get fewer
  bool link_frames = false;   // frames of links that sit elsewhere on the same body count
  bool tools_by_name = true;  // over random states, poses of tools of one name; else of the two default tools
};

/// One number that is different.
struct DifferenceRow {
  std::string topic;     // structure, geometry, mass, limit, friction, drive, frame, surroundings
  std::string where;     // the joint, link or tool, by its name in the first robot
  std::string quantity;  // `mass`, `axis displaced`
  std::string unit;
  std::optional<double> first, second;  // what it is in each, where that is one number
  std::optional<double> difference;
  std::string sentence;
};

constexpr auto fields(Of<DifferenceRow>) {
  using D = DifferenceRow;
  return field_list(
      "DifferenceRow", "One number in which two robots differ.",
      field("topic", "", "structure, geometry, mass, limit, friction, drive, frame or surroundings", &D::topic),
      field("where", "", "joint, link or tool, by its name in the first robot", &D::where),
      field("quantity", "", "", &D::quantity), field("unit", "", "", &D::unit),
      field("first", "", "its value in the first robot, where it is one number", &D::first).or_null(),
      field("second", "", "and in the second", &D::second).or_null(),
      field("difference", "", "between them", &D::difference).or_null(), field("sentence", "", "", &D::sentence));
}

/// The state at which something is furthest off.
struct PoseDifference {
  double position = 0, angle = 0;           // largest of each, m and rad
  std::string position_where, angle_where;  // joint of the body, or tool
  std::vector<double> q;                    // of the first robot, where the position is furthest off
};

constexpr auto fields(Of<PoseDifference>) {
  using P = PoseDifference;
  return field_list("PoseDifference", "How far bodies and tools are apart over random states.",
                    field("position", "m", "largest distance", &P::position),
                    field("position_where", "", "of the body of this joint, or of this tool", &P::position_where),
                    field("angle", "rad", "largest angle", &P::angle), field("angle_where", "", "", &P::angle_where),
                    field("q", "", "position of the first robot where the distance is largest", &P::q));
}

struct TorqueGap {
  double relative = 0;  // max_i |dtau_i| / max_i (|M qdd| + |h| + |g|)_i, the largest of all states
  double torque = 0, first = 0, second = 0;  // N m or N: the largest difference, and both torques there
  std::string joint;
  std::vector<double> q, qd, qdd;  // of the first robot, there
};

constexpr auto fields(Of<TorqueGap>) {
  using T = TorqueGap;
  return field_list(
      "TorqueGap", "How far torques are apart over random states.",
      field("relative", "", "to the size of the torques of the state, the largest of all states", &T::relative),
      field("torque", "", "largest difference, N m or N", &T::torque), field("joint", "", "where", &T::joint),
      field("first", "", "torque of the first robot there", &T::first),
      field("second", "", "and of the second", &T::second), field("q", "", "the state", &T::q),
      field("qd", "", "", &T::qd), field("qdd", "", "", &T::qdd));
}

struct RobotDifference {
  std::string first, second;
  bool same = false;  // within the tolerance in all that follows; other names are no difference
  double tolerance = 0;
  std::vector<Renamed> renamed;
  std::vector<std::string> only_first, only_second;
  std::vector<DifferenceRow> differences;
  int states = 0;
  PoseDifference pose;
  TorqueGap torque;
  std::vector<std::string> notes;  // what all differences have in common; frames that do not count
};

constexpr auto fields(Of<RobotDifference>) {
  using R = RobotDifference;
  return field_list("RobotDifference", "What is different between two robots, physically.",
                    field("first", "", "names", &R::first), field("second", "", "", &R::second),
                    field("same", "", "no difference beyond the tolerance; other names are none", &R::same),
                    field("tolerance", "", "", &R::tolerance),
                    field("renamed", "", "joints with another name in the second", &R::renamed),
                    field("only_first", "", "joints that the second has not", &R::only_first),
                    field("only_second", "", "joints that the first has not", &R::only_second),
                    field("differences", "", "one by one, inward to outward", &R::differences),
                    field("states", "", "random states at which poses and torques were compared", &R::states),
                    field("pose", "", "", &R::pose), field("torque", "", "", &R::torque),
                    field("notes", "", "", &R::notes));
}

/// The difference. Coordinates that only one of them has rest at zero.
RobotDifference robot_difference(const Robot& first, const Robot& second, const DifferenceOptions& options = {});

}  // namespace torsor
