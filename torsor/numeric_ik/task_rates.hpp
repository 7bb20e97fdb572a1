// How the joints move while the frame follows a moving target: the shortest velocities, for redundant arms with a motion
// along the null space besides, and the accelerations that are their derivative.
//
//   qd  = J^+ t + N z,                              N = 1 - J^+ J,   z = -gain grad h
//   qdd = J^+ (a - Jd qd) + N (Jd^T (y - w) + zd),  J^+ t = J^T y,   z - N z = J^T w
//
// The second term is what the shortest velocities need to stay the shortest ones; J^+ (a - Jd qd) alone is shorter but
// belongs to no motion of which qd are the velocities. t and a hold for the point of the target's space where the frame is,
// seen from the target's own moving axes, so that components which are free stay out of it. J^+ by singular values; those
// below a limit are left out, and the residual tells. A joint at a limit that would go beyond it is locked.
//
// Where sigma is small the rates carry rounding / sigma^2 and / sigma^3. Passing such an instant they go on as they do
// before and behind it, qd_c and qdd_c: along the lost directions by these, in all others by the target,
//
//   qd = qd_c + J^+ (t - J qd_c),   qdd = qdd_c + J^+ (a - Jd qd - J qdd_c)
#pragma once

#include "torsor/numeric_ik/secondary_aim.hpp"

namespace torsor {

/// Units of a joint: as near to a limit it stands on it.
inline constexpr double on_limit = 1e-10;

struct RateOptions {
  double least_singular_value = 1e-9;  // below it a direction counts as lost
  bool limits = true;                  // lock joints that stand on a limit and would pass it
  const SecondaryAim* aim = nullptr;
  double aim_gain = 1;              // 1/s
  std::span<const double> posture;  // n
};

struct RateAnswer {
  // what is missing of the target's velocity and acceleration: rad/s and shifts in units of task.length(), and per second
  double velocity_residual = 0, acceleration_residual = 0;
  double smallest_singular_value = 0;
  int lost = 0;  // directions left out
};

/// Workspace for one task.
class TaskRates {
 public:
  explicit TaskRates(const PoseTask&);

  /// Velocities xd and accelerations xdd (n) at x, where the task is placed and linearised and its target, at target(),
  /// moves with this twist and acceleration (world; of its origin). Leaves the task as it was.
  RateAnswer solve(PoseTask&, std::span<const double> x, const Motion<double>& twist,
                   const Motion<double>& acceleration, const RateOptions&, std::span<double> xd, std::span<double> xdd);

  /// Likewise where directions are lost: xd and xdd come as those of the motion before and behind, and leave with what the
  /// target asks for put right in all directions whose singular value is above `least`. Residuals: of all directions.
  RateAnswer carry_on(PoseTask&, const Motion<double>& twist, const Motion<double>& acceleration, double least,
                      std::span<double> xd, std::span<double> xdd);

 private:
  void want_velocity(const PoseTask&, const Motion<double>& twist);
  void want_acceleration(PoseTask&, const Motion<double>& twist, const Motion<double>& acceleration,
                         std::span<const double> xd);
  void gradient_rate(PoseTask&, std::span<const double> x, std::span<const double> xd, const RateOptions&);
  double residual(const PoseTask&, std::span<const double> wanted, std::span<const double> scaled) const;

  AimWork work_;
  std::vector<double> B_, rate_, null_, null_rate_, moved_, other_;
  std::vector<char> locked_;
  std::array<double, 36> U_{};
  std::array<double, 6> sigma_{}, wanted_{}, y_{};
};

}  // namespace torsor
