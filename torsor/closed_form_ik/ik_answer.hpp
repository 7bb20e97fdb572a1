// What inverse kinematics answers: every joint position that puts the tool where it should be, as values with a name, a
// status and the numbers behind it. Nothing here allocates.
//
// Three factors of det J decide how a branch stands, each scaled to be 1 far from its singular set:
//
//   shoulder  distance of the wrist from the plane through axis 1 across the arm, per arm length
//   elbow     sine of the angle at the elbow (polar arms: reach of the slide beyond axis 2, per arm length)
//   wrist     sine of the angle between axes 4 and 6 (oblique wrists: sine of theta_5)
//
// The family pieper has no shoulder and elbow: there the first is the distance of the wrist point from axis 1, per arm
// length, the second the lesser of that from axis 2 and the volume of the directions in which joints 1 to 3 move it.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <cmath>
#include <span>
#include <string_view>

namespace torsor {

/// Which of the configurations a branch is: +1 or -1; 0 where the arm has no such choice or it is lost at a
/// singularity. Where shoulder and elbow have no meaning, `root` numbers the solutions of the positioning part from 1; it
/// is 0 where the arm has no roots.
struct BranchLabel {
  int shoulder = 0, elbow = 0, wrist = 0, root = 0;
  int determinant = 0;  // arms of the general form: the sign of det J, beside the root

  bool operator==(const BranchLabel&) const = default;
};

enum class IkPart { shoulder, elbow, wrist };

enum class IkStatus { ok, near_singular, singular, outside_limits };

/// near_singular below the first (of a factor), singular below the second, where the branches on both sides are one.
inline constexpr double near_singular_factor = 0.05, singular_distance = 1e-12;

/// One solution. All numbers are filled whatever the status: a singular branch can be outside its limits, too.
struct IkBranch {
  std::array<double, 6> q{};  // rad, m; inside the limits where a turn more or less brings it there
  BranchLabel label;
  IkStatus status = IkStatus::ok;

  std::array<double, 3> factor{1, 1, 1};  // of det J, by IkPart; 1 where the arm has no such factor
  std::array<bool, 3> singular{};         // by IkPart
  std::array<bool, 6>
      free{};            // joints that may have any value while the others follow; q holds one member of the family
  int wrist_sign = 0;    // at a wrist singularity q4 + wrist_sign q6 = wrist_sum whatever q4 is; 0 elsewhere
  double wrist_sum = 0;  // rad; wrist at the base: joints 1 and 3; three parallel axes: their sum for q4

  std::array<double, 6> beyond_limits{};  // rad, m; negative below the lower, positive above the upper, 0 inside
  double position_residual = 0, angle_residual = 0;  // of the tool pose, m and rad, as recomputed from the joints

  std::array<double, 6> c{}, s{};  // cosine and sine of each theta of the solver's own table: what velocities need
};

/// Whether no joint of it is beyond its limits.
inline bool inside_limits(const IkBranch& branch) {
  return std::all_of(branch.beyond_limits.begin(), branch.beyond_limits.end(), [](double x) { return x == 0; });
}

/// The least of the factors of det J.
inline double least_factor(const IkBranch& branch) {
  double least = 1;
  for (const double factor : branch.factor) least = std::min(least, std::abs(factor));
  return least;
}

constexpr std::string_view part_name(std::size_t part) {
  constexpr std::string_view names[] = {"shoulder", "elbow", "wrist"};
  return names[part];
}

enum class PoseStatus {
  solved,
  unreachable,              // the wrist point is too far, too near, or aside
  orientation_unreachable,  // an oblique wrist cannot turn the tool that far
  not_a_pose                // numbers that are not finite, axes that are not those of a frame
};

/// All branches of one pose, none twice: at most eight, of the general form sixteen.
struct IkAnswer {
  static constexpr std::size_t most_branches = 16;
  PoseStatus status = PoseStatus::solved;
  int count = 0;
  // in unions, so that what is not part of the answer is never written
  union {
    std::array<IkBranch, most_branches> branch;  // the first `count`
  };
  double nearly = std::numeric_limits<double>::infinity();  // least by which another branch falls short: rad, or per size of the arm
  double short_by = 0;  // unreachable: metres (or radians) from the wrist point to `nearest`'s
  bool nearest_is_least = false;  // short_by is proved to be the least there is; else it is the least that was found
  union {
    IkBranch nearest;  // unreachable: a branch that comes near, its residuals say how near
  };

  IkAnswer() {}
  void add(const IkBranch& b) { branch[static_cast<std::size_t>(count++)] = b; }
  /// The branch with that label; false, and out is as it was, where there is none.
  bool find(const BranchLabel& label, IkBranch& out) const {
    for (const IkBranch& b : branches())
      if (b.label == label) {
        out = b;
        return true;
      }
    return false;
  }
  std::span<const IkBranch> branches() const& { return {branch.data(), static_cast<std::size_t>(count)}; }
  std::span<const IkBranch> branches() const&& = delete;  // they live as long as the answer
};

constexpr std::string_view status_name(IkStatus status) {
  constexpr std::string_view names[] = {"ok", "near-singular", "singular", "outside limits"};
  return names[static_cast<std::size_t>(status)];
}
constexpr std::string_view status_name(PoseStatus status) {
  constexpr std::string_view names[] = {"solved", "unreachable", "orientation unreachable", "not a pose"};
  return names[static_cast<std::size_t>(status)];
}

}  // namespace torsor
