// Seven revolute joints with a spherical shoulder (axes 1, 2, 3 meet), a spherical wrist (axes 5, 6, 7 meet) and an
// elbow between (axes 3 and 4 meet): KUKA iiwa and its like (Hollerbach 1985; Shimizu et al. 2008). Shoulder, elbow and
// wrist are a triangle of fixed sides, which may swivel about the line from shoulder to wrist. Angle psi: n from
// shoulder to wrist, r the direction of axis 1 less its part along n, e that of the elbow: psi is the angle from r to e
// about n.
//
// At a given psi everything else is two axes that turn a direction onto another, three times: eight solutions. Both
// halves of the arm turn rigidly with psi, so that where a joint meets a limit is one equation a cos psi + b sin psi =
// c: the angles that the limits allow are found in closed form, without a search.
#pragma once

#include <optional>

#include "torsor/closed_form_ik/feasible_interval.hpp"
#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/regular_chain.hpp"

namespace torsor {

using SevenAngles = std::array<double, 7>;

struct SwivelSolutions {
  std::array<SevenAngles, 8> q;  // rad, -pi .. pi
  int count = 0;
  bool reached = true;  // false: the wrist is too far from the shoulder or too near
  double short_by = 0;  // m, then

  std::span<const SevenAngles> all() const { return {q.data(), static_cast<std::size_t>(count)}; }
};

class SwivelArm {
 public:
  /// The arm of a chain of seven, or nothing where its axes do not meet to a fraction 1e-9 of its size.
  static std::optional<SwivelArm> of(const JointChain&);

  /// All solutions at a swivel angle; never allocates.
  void solve(const Transform<double>& X_world_tool, double psi, SwivelSolutions& out) const;

  /// The same by every case, beside singular positions, too; never allocates.
  void solve_cases(const Transform<double>& X_world_tool, double psi, SwivelSolutions& out) const;

  /// Its eight branches away from singular positions.
  const std::optional<RegularChain>& regular() const { return regular_; }

  /// The swivel angle of a position.
  double swivel(const SevenAngles& q) const;

  /// The swivel angles, in -pi .. pi, at which some solution is inside the limits of all joints.
  std::vector<FeasibleInterval> feasible(const Transform<double>& X_world_tool) const;

 private:
  struct Triangle;
  std::optional<Triangle> triangle(const Transform<double>& X_world_tool, double& short_by) const;

  JointChain chain_;
  Vec3<double> shoulder_, wrist_;                      // of the middle joints 2 and 6
  double upper_ = 0, fore_ = 0;                        // m: shoulder to elbow, elbow to wrist
  Vec3<double> elbow_of_3_, wrist_of_4_, wrist_of_5_;  // elbow seen from joint 3; wrist from joint 4 and from joint 5
  Vec3<double> shoulder_of_3_;
  std::optional<RegularChain> regular_;
};

}  // namespace torsor
