// A mechanism that the Studio has opened: drawn whole, run along what its drivers prescribe with torques and reactions, let go of,
// moved by hand, each driver to a value of one's own, or shown as it oscillates about its place of rest.
#pragma once

#include "cli/studio_call.hpp"
#include "cli/studio_loops.hpp"
#include "torsor/mechanism.hpp"
#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"

namespace torsor {

class StudioMechanism {
 public:
  /// ranges: of drivers that may be moved farther, or less far, than the motion of the file moves them.
  /// hidden: bodies that are not drawn. robot: the robot with loops that it stands for, whose file is no mechanism's.
  explicit StudioMechanism(Mechanism mechanism, std::vector<StudioDriverRange> ranges = {},
                           std::vector<std::string> hidden = {}, std::optional<Robot> robot = {});

  void describe(StudioAnswer& out);
  /// Over time: "driven", with torques and reactions; "released", under forces alone.
  void run(const StudioRequest& in, StudioAnswer& out);
  /// From where it is to other values of its drivers, along the branch it is on; as far as it goes.
  void drive(const StudioRequest& in, StudioAnswer& out);
  /// Small motions about the place of rest: frequencies, damping, and one cycle of each, enlarged.
  void modes(const StudioRequest& in, StudioAnswer& out);
  /// Of a robot with loops: every way of its legs to put the tool at a pose; `follow`: it goes to the one next to where
  /// it stands.
  void reach(const StudioRequest& in, StudioAnswer& out);
  /// Every way to put its loops together where its independent joints stand.
  void assemblies(const StudioRequest& in, StudioAnswer& out);
  /// To positions of all joints of its tree, at which its loops close.
  void place(const StudioRequest& in, StudioAnswer& out);

 private:
  /// The value of every driver that has one: what it prescribes at a time; or, of a mechanism that is let go of, what is measured.
  std::vector<double> driver_values(double t) const;
  void append_driver_measures(const MechanismEquations& at, std::vector<double>& out) const;
  /// Where it stands, at rest: values of its drivers, what holds it there, poses, reactions.
  void write_held(const std::string& ended, StudioAnswer& out) const;
  // of a robot with loops (studio_platform.cpp)
  MechanismState state_at(std::span<const double> joints) const;
  void take(std::span<const double> joints);
  std::vector<double> independent(std::span<const double> joints) const;
  Transform<double> tool_pose() const;

  Mechanism mechanism_;
  std::vector<StudioDriverRange> ranges_;
  std::vector<std::string> hidden_;
  std::optional<Robot> robot_;
  std::optional<Frame<double>> tool_;
  std::optional<ParallelInverseKinematics> solver_, placer_;  // for a pose; for a place alone
  std::string refusal_;  // why there is none
  MechanismState state_;        // where it stands
  std::vector<double> values_;  // of the drivers, there
};

}  // namespace torsor
