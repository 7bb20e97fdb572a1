// A robot that the Studio has opened: its picture, its state with every term of the equations of motion, all solutions of a pose
// of its tool, motions and runs. What a call needs is kept, so that one at every frame of a drag costs microseconds.
#pragma once

#include <memory>
#include <optional>

#include "cli/studio_call.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/inverse_kinematics.hpp"

namespace torsor {

class StudioRun;

/// The robot as payload and gravity of a call make it, and its engine.
struct StudioLoaded {
  std::vector<double> key;
  Robot robot;
  Dynamics dynamics;
};

/// Instants of a motion.
struct StudioMotion {
  std::string name = "way points";
  std::vector<double> t, q, qd, qdd;
  std::vector<std::string> notes = {};
};

class StudioRobot {
 public:
  /// name: as users call it, for the motion that it is known by.
  StudioRobot(Robot robot, std::string name);
  ~StudioRobot();

  const Robot& robot() const { return robot_; }

  /// All that a page shows of it before anything moves.
  void describe(StudioAnswer& out);
  /// The terms of the equations of motion at q, qd, qdd under payload, wrench and gravity; poses of all links.
  void state(const StudioRequest& in, StudioAnswer& out);
  /// One state worked through a formulation, step by step, as its textbook does.
  void worked_example(const StudioRequest& in, StudioAnswer& out);
  /// Every joint position for a pose of the tool, each with the poses of its links.
  void solve(const StudioRequest& in, StudioAnswer& out);
  /// A motion through points, of a file or of the library, sampled: positions, torques by cause, poses.
  void motion(const StudioRequest& in, StudioAnswer& out);
  /// What that motion asks of the motors of a drive file: torque over speed of each, and its curve.
  void drives(const StudioRequest& in, StudioAnswer& out);
  /// The motion file that way points stand for.
  void motion_file(const StudioRequest& in, StudioAnswer& out);
  /// Begins a simulation; goes on with one.
  void begin_run(const StudioRequest& in, StudioAnswer& out);
  void go_on(const StudioRequest& in, StudioAnswer& out);
  /// Where the tool gets inside the limits, with the largest share of a torque limit at rest and the distance from singular.
  void cloud(const StudioRequest& in, StudioAnswer& out);
  /// What its links look like: shapes and meshes of the file as triangles, in the frames of the bodies.
  void shapes(const std::string& file, const LoadOptions& options, StudioAnswer& out);

 private:
  /// The motion that a request means, sampled.
  StudioMotion sampled(const StudioRequest& in, const StudioLoaded& at) const;
  StudioLoaded& loaded(const StudioRequest& in);
  /// Along the chain to the tool, m: what lengths compare with.
  double arm_length() const;
  void write_poses(Dynamics& dynamics, std::span<const double> q, std::vector<double>& out);

  Robot robot_;
  std::string name_;
  std::optional<Frame<double>> tool_;
  std::unique_ptr<InverseKinematics> solver_;
  std::optional<int> held_;  // of seven joints the position that is held while the others reach a pose
  std::optional<StudioLoaded> loaded_;
  std::vector<Transform<double>> X_;
  std::unique_ptr<StudioRun> run_;
};

/// What the tool can do at a position.
struct ToolDirections {
  std::vector<double> sigma,
      axes;  // of its point alone: m/s per unit of all rates, and their directions, a column each
  std::vector<double> singular_values;  // of all six components, lengths in units of the arm
  double least = 0,
         product = 0;  // of as many of these as there are joints: 0 where a direction is lost; manipulability
};
ToolDirections tool_directions(std::span<const double> J, int nv, double length);

}  // namespace torsor
