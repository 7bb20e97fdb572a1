// The joints between the base and a frame of a robot, as placements:
//
//   X_world_tool = B_0 J_1(q_1) B_1 ... J_n(q_n) B_n,   J = Rz(q) of a revolute joint, Tz(q) of a prismatic one
//
// A joint that is held merges its two neighbours, and a joint that is added behind the tool is one more placement: so
// the solver of six joints serves chains of more and of fewer.
#pragma once

#include <span>
#include <vector>

#include "torsor/closed_form_ik/six_turns.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"

namespace torsor {

struct JointChain {
  std::vector<Transform<double>> B;  // one more than joints
  std::vector<bool> slides;
  std::vector<int> coordinate;  // of the model's positions
  std::vector<Limits> limits;
  double size = 1;  // m: the sum of the distances between joints

  int joints() const { return static_cast<int>(slides.size()); }
  Transform<double> tool_pose(std::span<const double> q) const;
  /// Joint k alone: J_k(q).
  Transform<double> moved(int k, double q) const;
};

/// Why a robot has no closed form.
Fault no_closed_form(const Model<double>&, std::string why);

/// Of revolute and prismatic joints with a coordinate each, or why they are others.
Result<JointChain> joint_chain(const Model<double>&, const Frame<double>& tool);

/// A chain of seven with joint k held: six.
std::array<Transform<double>, 7> six_of(const JointChain&, int held, double value);
/// Which of the six slide.
std::array<bool, 6> slides_of(const JointChain&, int held);

/// Whether three neighbouring axes (first, first + 1, first + 2) meet in a point, to a fraction of the size of the
/// chain; the point, in the frame of the middle joint.
bool axes_meet(const JointChain&, int first, double tolerance, Vec3<double>& point);
/// The same by what lies before the middle joint and what behind it, to a distance (m).
bool axes_meet(const Transform<double>& before, const Transform<double>& after, double distance, Vec3<double>& point);

}  // namespace torsor
