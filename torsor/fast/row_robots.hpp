// Robots that have all but their inertias, rotors and friction in common, one for each row, as kernels read them: the numbers
// of as many robots as a register has lanes side by side. Made once, read by any number of threads.
#pragma once

#include <span>
#include <vector>

#include "torsor/fast/aligned_room.hpp"
#include "torsor/fast/canonical_chain.hpp"
#include "torsor/fast/kernel_call.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// What robots have of their own; where nothing is given all have what the model has. inertias: of every body, in its frame.
/// rotors: of every velocity coordinate. friction: viscous of all coordinates, then dry as they move forwards, and backwards
/// (both positive), in place of all laws of the model. placements: of every body in its parent's; robots that have them
/// go on the recursions of trees.
struct RobotNumbers {
  std::int64_t count = 0;
  std::span<const Inertia<double>> inertias;
  std::span<const double> rotors, friction;
  std::span<const Transform<double>> placements;
};

class RowRobots {
 public:
  /// lanes: of the kernels that will read it; chain: of the model, or none. The numbers are copied.
  RowRobots(const Model<double>& model, const CanonicalChain* chain, const RobotNumbers& numbers, int lanes);

  std::int64_t count() const { return count_; }
  bool have_friction() const { return !friction_.empty(); }

  /// Points a call to them.
  void point(RowDifferences<double>& differences) const;
  /// Makes a copy of the model the robot of a row; allocates nothing where it has been one before.
  void make(std::int64_t row, Model<double>& copy) const;

 private:
  std::int64_t count_;
  std::vector<Inertia<double>> inertias_;
  std::vector<double> rotors_, friction_;
  std::vector<Transform<double>> placements_;
  AlignedRoom links_, bodies_, rotor_lanes_, friction_lanes_, placement_lanes_;
};

}  // namespace torsor
