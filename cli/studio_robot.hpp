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

/// What the tool can do at a position.
struct ToolDirections {
  std::vector<double> sigma,
      axes;  // of its point alone: m/s per unit of all rates, and their directions, a column each
  // of all six components, about the first joint where six or more move the tool, as inverse kinematics measures it
  // (numeric_ik/redundancy.cpp); lengths in units of the chain
  std::vector<double> singular_values;
  double least = 0,
         product = 0;  // of as many of these as there are joints: 0 where a direction is lost; manipulability
};

/// Position, velocity, acceleration.
struct StudioState {
  std::vector<double> q, qd, qdd;
};

class StudioRobot {
 public:
  /// name: as users call it, for the motion that it is known by. tool: the frame or link that is moved; empty: the
  /// default.
  StudioRobot(Robot robot, std::string name, const std::string& tool = {});
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
  /// Whether a simulation can have these gains, this friction and this push; refuses them by name.
  void check_run(const StudioRequest& in, StudioAnswer& out);
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
  /// The state of a request; refused are numbers at which torques have no digits left.
  StudioState state_of(const StudioRequest& in) const;
  /// What the tool can do by the joints that move it, a free base and the position `held` left out. J: 6 x nv, angular
  /// rows first.
  ToolDirections directions(std::span<const double> J, const Vec3<double>& tool, std::span<const Transform<double>> X,
                            std::optional<int> held = {}) const;
  void write_poses(Dynamics& dynamics, std::span<const double> q, std::vector<double>& out);

  Robot robot_;
  std::string name_;
  std::optional<Frame<double>> tool_;
  std::unique_ptr<InverseKinematics> solver_;
  bool place_alone_ = false;  // not how the tool is turned
  std::optional<int> held_;  // of seven joints the position that is held while the others reach a pose
  std::vector<int> chain_;   // bodies whose joints move the tool, from the base on; not a free base
  double length_ = 1;        // m: between these joints; what lengths compare with
  std::optional<StudioLoaded> loaded_;
  std::vector<Transform<double>> X_;
  std::unique_ptr<StudioRun> run_;
};

}  // namespace torsor
