// The families of positioning parts: which wrist points joints 1 to 3 reach, and how. One row and one file per family;
// the first whose geometry fits serves the arm.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"

namespace torsor {

/// Joints 1 to 3, as cosine and sine of theta and d, and how the positioning part stands there.
struct ArmPose {
  std::array<double, 3> c{1, 1, 1}, s{}, d{};
  int shoulder = 0, elbow = 0, root = 0;
  double shoulder_factor = 1, elbow_factor = 1;
  bool shoulder_singular = false, elbow_singular = false;
  std::array<bool, 3> free{};
};

/// Up to four poses, or the nearest one and how many metres it is short.
struct ArmPoses {
  std::array<ArmPose, 4> pose;
  int count = 0;
  ArmPose nearest;
  double short_by = std::numeric_limits<double>::infinity();
  bool wants_nearest = true;  // where there is none; it may cost much more than all poses
  bool is_certain = true;     // not wanted: whether rounding can have hidden none

  void add(const ArmPose& p) {
    if (count < 4) pose[static_cast<std::size_t>(count++)] = p;
  }
  void miss(const ArmPose& p, double distance) {
    if (!(distance < short_by)) return;
    nearest = p;
    short_by = distance;
  }
};

/// Joints 4 to 6; a wrist that lost a degree of freedom has `sign` +1 or -1: theta_4 + sign theta_6 alone is
/// determined.
struct WristPose {
  std::array<double, 3> c{1, 1, 1}, s{};
  int wrist = 0, sign = 0;
  double factor = 1;
  bool singular = false;
};

struct WristPoses {
  std::array<WristPose, 2> pose;
  int count = 0;
  double short_by = 0;  // rad; count is 1 then, and the pose the nearest
};

struct WristPlaces;

struct ArmFamily {
  std::string_view name, what, source;
  /// Empty where an arm belongs to the family, else why it does not.
  std::string (*premise)(const WristArm&);
  /// Joints 1 to 3 for a wrist point p in frame 0 (m).
  void (*solve_arm)(const WristArm&, const Vec3<double>& p, ArmPoses&);
  /// Joints 4 to 6 for the axes of the tool in frame 0.
  void (*solve_wrist)(const WristArm&, const ArmPose&, const Mat3<double>& R_0_flange, WristPoses&);
  /// det J in factors, as text, and what joints 1 to 3 contribute to it (det_jacobian.hpp).
  std::string_view determinant;
  double (*arm_determinant)(const WristArm&, const WristPlaces&);
  /// Whether the nearest of solve_arm is the least there is; else the least that descents found.
  bool nearest_is_least = true;
};

/// All rows, the special ones first.
std::span<const ArmFamily> arm_families();

// the rows' functions, one file each
std::string rotary_premise(const WristArm&);
void solve_rotary(const WristArm&, const Vec3<double>&, ArmPoses&);
void solve_rotary_wrist(const WristArm&, const ArmPose&, const Mat3<double>&, WristPoses&);
std::string elbow_premise(const WristArm&);
void solve_elbow(const WristArm&, const Vec3<double>&, ArmPoses&);
std::string polar_premise(const WristArm&);
void solve_polar(const WristArm&, const Vec3<double>&, ArmPoses&);
std::string cylindrical_premise(const WristArm&);
void solve_cylindrical(const WristArm&, const Vec3<double>&, ArmPoses&);
std::string cartesian_premise(const WristArm&);
void solve_cartesian(const WristArm&, const Vec3<double>&, ArmPoses&);
std::string scara_premise(const WristArm&);
void solve_scara(const WristArm&, const Vec3<double>&, ArmPoses&);
std::string pieper_premise(const WristArm&);
void solve_pieper(const WristArm&, const Vec3<double>&, ArmPoses&);

double elbow_determinant(const WristArm&, const WristPlaces&);
double polar_determinant(const WristArm&, const WristPlaces&);
double cylindrical_determinant(const WristArm&, const WristPlaces&);
double cartesian_determinant(const WristArm&, const WristPlaces&);
double scara_determinant(const WristArm&, const WristPlaces&);
double general_determinant(const WristArm&, const WristPlaces&);

/// Joints 4 to 6 of any wrist whose axes meet and are not parallel.
void solve_spherical_wrist(const WristArm&, const ArmPose&, const Mat3<double>& R_0_flange, WristPoses&);

/// Cosines and sines of the twists between axes 4 and 5, 5 and 6; neither pair is parallel.
struct WristTwists {
  double ca4 = 0, sa4 = 1, ca5 = 0, sa5 = 1;
};

/// The turns with Rz(theta_4) Rx(alpha_4) Rz(theta_5) Rx(alpha_5) Rz(theta_6) = W.
void solve_wrist(const WristTwists&, const Mat3<double>& W, WristPoses&);

/// theta_6 as what theta_4 and theta_5 leave of W.
void close_wrist(const WristTwists&, const Mat3<double>& W, WristPose&);

/// theta_5 and theta_6 as what theta_4 leaves of W; where that is not near to nothing, as near as can be.
void bend_wrist(const WristTwists&, const Mat3<double>& W, WristPose&);

/// Rotation from frame 3 (z along axis 4) to frame 0.
Mat3<double> forearm_rotation(const WristArm&, const ArmPose&);

/// Joint i (from 0) of the first three by so much farther (rad, m).
void move_joint(const WristArm&, ArmPose&, std::size_t i, double by);

/// The wrist point in frame 0.
Vec3<double> wrist_point(const WristArm&, const ArmPose&);

namespace detail {

/// std::hypot costs ten times as much, and nothing here is so large or small that squares would not do.
inline double hypotenuse(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace detail

}  // namespace torsor
