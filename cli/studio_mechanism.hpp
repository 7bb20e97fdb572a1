// A mechanism that the Studio has opened: drawn whole, run along what its drivers prescribe with torques and reactions, let go of,
// moved by hand, each driver to a value of one's own, or shown as it oscillates about its place of rest.
#pragma once

#include "cli/studio_call.hpp"
#include "cli/studio_loops.hpp"
#include "torsor/mechanism.hpp"

namespace torsor {

class StudioMechanism {
 public:
  /// ranges: of drivers that may be moved farther, or less far, than the motion of the file moves them.
  /// hidden: bodies that are not drawn. of_robot: it stands for a robot with loops, whose file is no mechanism's.
  explicit StudioMechanism(Mechanism mechanism, std::vector<StudioDriverRange> ranges = {},
                           std::vector<std::string> hidden = {}, bool of_robot = false)
      : mechanism_(std::move(mechanism)), ranges_(std::move(ranges)), hidden_(std::move(hidden)), of_robot_(of_robot) {}

  void describe(StudioAnswer& out);
  /// Over time: "driven", with torques and reactions; "released", under forces alone.
  void run(const StudioRequest& in, StudioAnswer& out);
  /// From where it is to other values of its drivers, along the branch it is on; as far as it goes.
  void drive(const StudioRequest& in, StudioAnswer& out);
  /// Small motions about the place of rest: frequencies, damping, and one cycle of each, enlarged.
  void modes(const StudioRequest& in, StudioAnswer& out);

 private:
  /// The value of every driver that has one: what it prescribes at a time; or, of a mechanism that is let go of, what is measured.
  std::vector<double> driver_values(double t) const;
  void append_driver_measures(const MechanismEquations& at, std::vector<double>& out) const;

  Mechanism mechanism_;
  std::vector<StudioDriverRange> ranges_;
  std::vector<std::string> hidden_;
  bool of_robot_ = false;
  MechanismState state_;        // where it stands
  std::vector<double> values_;  // of the drivers, there
};

}  // namespace torsor
