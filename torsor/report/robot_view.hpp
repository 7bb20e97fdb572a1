// A robot that moves on a page (moving_view.hpp): links and joints from its skeleton, poses of the links along motions from
// forward kinematics, joints coloured by the share of their limits.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/report/moving_view.hpp"
#include "torsor/report/thinned_frames.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// Positions of a robot as they go by, with the torques where they are known; some hundred of them are kept.
class RobotMotion {
 public:
  explicit RobotMotion(std::string name = {}) : name_(std::move(name)), frames_(max_view_frames) {}

  /// t ascending; q: nq numbers; tau: nv numbers, or none. What is not finite is left out.
  void add(double t, std::span<const double> q, std::span<const double> tau = {});

  struct Instant {
    double t = 0;
    std::vector<double> q, tau;
  };
  const std::string& name() const { return name_; }
  bool empty() const { return frames_.empty(); }
  std::vector<Instant> instants() const { return frames_.all(); }

 private:
  std::string name_;
  ThinnedFrames<Instant> frames_;
};

/// The robot along motions, of which the reader chooses one.
MovingView robot_view(const Model<double>& model, std::string title, std::span<const RobotMotion> motions);
inline MovingView robot_view(const Model<double>& model, std::string title, const RobotMotion& motion) {
  return robot_view(model, std::move(title), std::span(&motion, 1));
}

/// The same of a robot that may have loops, along motions of its coordinates: the loops are closed at each instant, one after the
/// other, and it is said of how many they cannot be.
MovingView robot_view(const Robot& robot, std::string title, std::span<const RobotMotion> motions);
inline MovingView robot_view(const Robot& robot, std::string title, const RobotMotion& motion) {
  return robot_view(robot, std::move(title), std::span(&motion, 1));
}

/// Where a robot is drawn when nobody says: in a posture that shows it (showing_motion.hpp), or where its loops were assembled.
std::vector<double> posture_of(const Robot& robot);

/// The robot at a position, each joint of one degree of freedom in turn through its range from there (a turn or half the
/// robot's size where it has no limits).
MovingView joint_range_view(const Model<double>& model, std::string title, std::span<const double> q);
/// The same of a robot that may have loops: of these each independent joint as far as they close, from q, its coordinates, or
/// from where they were assembled should they not close there.
MovingView joint_range_view(const Robot& robot, std::string title, std::span<const double> q);

}  // namespace torsor
