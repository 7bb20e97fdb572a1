// "This frame there", as equations for the joints that carry it: the chain from the base to the frame, the error of the
// frame's pose in the axes of the target, and its derivative.
//
//   e = (w_turn phi; w_shift R_t^T (p - p_t) / L),   e' = J qd
//
// phi: the rotation vector from target to frame, its rate by the inverse of the left Jacobian of SO(3). With one turning
// weight zero the turn about that axis of the target is free: phi is then the tilt s of the axis alone, u = exp(s) a,
//
//   s' = b (b . w) + c (s cot s (c . w) + s (a . w)),   b = s / |s|,   c = a x b
//
// which has no jump where the free turn passes half a turn. L is half the length of the chain, and a slide counts in
// units of L as well: then all entries of J are numbers of order one.
#pragma once

#include <array>

#include "torsor/kinematics/jacobian.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric_ik/task_weights.hpp"

namespace torsor {

/// A joint coordinate on the way to the frame. A mimic joint shares that of its master.
struct TaskJoint {
  int q = 0, v = 0;             // its position and velocity coordinate in the whole model
  bool turns = false;           // a whole turn more or less is the same pose
  double unit = 1;              // rad, or L for a slide
  double lower = 0, upper = 0;  // rad, m; infinite where there is no limit
  bool slides = false;          // shifts the frame, and nothing else
};

/// Workspace of one frame of one model; the model may go afterwards. Coordinates are those of the chain, in the order of
/// joints(). Planar, spherical and free joints on the way are held as hold() finds them.
class PoseTask {
 public:
  PoseTask(const Model<double>&, const Frame<double>&);

  std::span<const TaskJoint> joints() const { return joints_; }
  int n() const { return chain_.nv; }
  int m() const { return m_; }               // counted components
  double length() const { return length_; }  // L [m]
  double reach() const { return reach_; }    // [m] the frame cannot get farther from root(); may be infinite
  Vec3<double> root() const { return chain_.base.p; }
  std::span<const Limits> limits() const { return chain_.limits; }

  /// Takes the positions of the joints that are held from a position of the whole model (nq).
  void hold(std::span<const double> q);
  void aim(const Transform<double>& target, const TaskWeights&);

  /// Moves the joints and measures: returns |e|^2 / 2.
  double place(std::span<const double> x);
  /// Derivative at the last place(): J, m x n, columns times the units of the joints.
  void linearise();
  /// Rate of J while the joints move at xd [rad/s, m/s] and the axes of the target turn with w_target (world); into `rate`
  /// (m x n). After linearise().
  void jacobian_rate(std::span<const double> xd, const Vec3<double>& w_target, std::span<double> rate);
  /// Motion of the frame's origin for joint velocities xd (world), after linearise(); and the part of its acceleration that
  /// velocities cause, after jacobian_rate() for the same xd and w_target zero.
  Motion<double> motion(std::span<const double> xd) const { return times(J_world_, xd); }
  Motion<double> velocity_acceleration(std::span<const double> xd) const { return times(Jd_world_, xd); }

  std::span<const double> e() const { return {e_.data(), static_cast<std::size_t>(m_)}; }
  std::span<const double> J() const { return {J_.data(), cells(m_, chain_.nv)}; }
  const Transform<double>& pose() const { return X_frame_; }
  const Transform<double>& target() const { return target_; }
  /// What the counted components of the error amount to, m and rad, whatever their weights.
  double position_error() const { return position_error_; }
  double angle_error() const { return angle_error_; }
  /// A motion of the frame's origin in the world, as the m components of the task (weighted, in units of L); and back.
  void components(const Motion<double>& in_world, std::span<double> out) const;
  Motion<double> in_world(std::span<const double> components) const;

 private:
  void rows_from(std::span<const double> J_world, std::span<double> out) const;
  Motion<double> times(std::span<const double> world, std::span<const double> xd) const;

  struct Held {
    int body;            // of the chain
    Body<double> given;  // as it is in the whole model
  };

  Model<double> chain_;  // only what lies on the way; held joints are fixed ones
  std::vector<Held> held_;
  Frame<double> frame_;
  std::vector<TaskJoint> joints_;
  double length_ = 1, reach_ = 0;

  Transform<double> target_;
  std::array<double, 6> weight_{1, 1, 1, 1, 1, 1};  // shifts already per L
  int m_ = 6, free_axis_ = -1;

  Configuration<double> configuration_;
  std::vector<Transform<double>> X_;
  std::vector<Motion<double>> v_;
  Transform<double> X_frame_;
  Mat3<double> M_;  // rate of the turning error per angular velocity, both in the target frame
  std::vector<double> J_world_, Jd_world_, J_;
  std::array<double, 6> e_{};
  double position_error_ = 0, angle_error_ = 0;
};

}  // namespace torsor
