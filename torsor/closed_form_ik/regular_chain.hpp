// Arms of one to seven joints away from their singular positions, all branches side by side: the first joints bring a
// point to its place (few_joints.hpp), and the others, if any, turn what is behind it,
//
//   place, axis     of up to three joints                    textbook arms
//   turn            one more, a pose                         SCARA and its like
//   wrist           three more whose axes meet, a pose       six joints, read from the base or from the tool
//
// A first or last joint of seven may be held, a rail too: the shoulder of a Panda is a wrist at the base. And arms
// with a spherical shoulder, elbow and wrist have their eight branches at a swivel angle (swivel_arm.hpp).
//
// One text (regular_chain_lanes.hpp) serves the lanes of a Pack and the text of generated C. Poses beside a singular
// position, at an edge of the reach, or with limits more than a turn away are left to those that look at every case.
#pragma once

#include "torsor/closed_form_ik/few_lanes.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"

namespace torsor {

/// Written as a whole by those who find it: clearing it takes as long.
struct RegularSolution {
  std::array<double, 7> q;  // rad, m: inside the limits where a whole turn brings them there
  double position_residual, angle_residual;
  double sigma;  // least singular value of the columns that the task sees, lengths in units of the arm
  bool inside_limits;
};

struct RegularSolutions {
  std::array<RegularSolution, 8> solution;
  int count = 0;

  std::span<const RegularSolution> all() const { return {solution.data(), static_cast<std::size_t>(count)}; }
};

struct RegularChain {
  enum class Rest { place, axis, turn, wrist, swivel };

  /// Joints alone, or nothing where limits are more than a turn away.
  static std::optional<RegularChain> of_joints(const JointChain&);
  /// Of one to five joints; axis: of the tool.
  static std::optional<RegularChain> of_few(const JointChain&, Rest, const Vec3<double>& axis = {0, 0, 1});
  /// Of six joints, or of seven with the first or the last held.
  static std::optional<RegularChain> of_wrist(const JointChain&, std::optional<int> held = {});
  /// Of seven joints with any of them held at a value: made anew for each value, without allocating. False where the
  /// six others are no such arm.
  bool hold(const RegularChain& seven, int joint, double value);

  /// All solutions; `value`: of the joint that is held, or the swivel angle. False, and nothing is said, where more
  /// care must decide. Never allocates.
  bool solve(const Transform<double>& X_world_tool, double value, RegularSolutions& out) const;

  /// Whether any solution is inside the limits.
  enum class Inside { none, some, doubtful };
  Inside inside(const Transform<double>& X_world_tool, double value) const;

  /// Branches that there may be: every combination of as many signs.
  int rows() const { return 1 << signs; }
  /// Whether the pose asks for more than the joints can do, so that branches may miss it.
  bool is_overdetermined() const;

  Rest rest = Rest::wrist;
  int joints = 0, held = -1, signs = 0;
  int unmeasured = -1;  // joint without which the columns are measured, so that there are no more than six
  bool backwards = false;
  std::array<Transform<double>, 8> B;  // as the arm has them
  std::array<bool, 7> slides{};
  std::array<double, 7> lower{}, upper{};
  std::array<double, 7> cos_middle{}, sin_middle{}, cos_half{};  // of the range between; -1: every angle is inside
  double size = 1;  // m: of the joints that move
  Vec3<double> axis;

  // as they are read: C_0 J C_1 J ... of the joints that are not held
  std::array<Transform<double>, 8> C;
  int moving = 0, placing = 0;
  FewLanes few;
  Vec3<double> point;  // that is placed, seen from the tool as it is read

  // of a swivel: SwivelArm
  Vec3<double> shoulder, wrist_of_4;  // in the world; the wrist from the elbow, in joint 4
  double upper_arm = 0, forearm = 0, sense = 1;

 private:
  bool take_wrist(std::span<const Transform<double>, 7> F, std::span<const bool, 6> turns_not);
};

}  // namespace torsor
