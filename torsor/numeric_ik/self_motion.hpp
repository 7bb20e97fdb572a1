// The positions of an arm with one joint to spare that all have its tool at one pose: curves, along which the arm moves while
// the tool rests. From solutions with a joint held (redundant_arm.hpp), or at swivel angles, each curve is followed both ways in
// steps of equal length, also where the held joint turns round; parts beyond the joint limits are passed over.
#pragma once

#include <array>
#include <vector>

#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/numeric_ik/bounded_descent.hpp"

namespace torsor {

/// A position on such a curve.
struct SelfPosition {
  SevenAngles x{};       // of the joints that move the tool, from the base on: rad, m
  SevenAngles spare{};   // motion of the joints that leaves the tool at rest: of length one in the units of the joints
  double sigma = 0;      // least singular value of the columns, lengths in half arm lengths
  double margin = 0;     // to the nearest limit, per range of its joint
  int piece = 0;         // connected to all others with this number, without leaving the limits
};

class SelfMotion {
 public:
  SelfMotion(const Model<double>&, const Frame<double>& tool, const RedundantArm&);

  /// Positions inside the limits on all curves, `step` apart (units of the joints). Joints in `turns` stand for all of their
  /// whole turns; others have each of theirs.
  std::vector<SelfPosition> positions(const Transform<double>& X_world_tool, double step, const std::array<bool, 7>& turns);

  /// Onto the pose by the shortest way; limits or not.
  bool bring(const Transform<double>& X_world_tool, SevenAngles& x);
  /// Whether a position is inside the limits, each shrunk by so many units of its joint.
  bool inside(const SevenAngles& x, double by = 0) const;
  /// Where bring left it; without its margin.
  SelfPosition measured(const SevenAngles& x) const;
  double margin(const SevenAngles& x) const;

  double unit_length() const { return task_.length(); }  // m
  double unit(std::size_t k) const { return task_.joints()[k].unit; }
  const TaskJoint& joint(std::size_t k) const { return task_.joints()[k]; }
  /// b - a, the short way round where the joint is in `turns`.
  static double change(const SevenAngles& a, const SevenAngles& b, std::size_t k, const std::array<bool, 7>& turns);
  /// The greatest change of any joint, in its unit.
  double apart(const SevenAngles& a, const SevenAngles& b, const std::array<bool, 7>& turns) const;

 private:
  std::vector<SevenAngles> seeds(const Transform<double>& X_world_tool) const;

  const RedundantArm* arm_;
  PoseTask task_;
  BoundedDescent descent_;
};

}  // namespace torsor
