// What a redundant arm may strive for besides the pose: a table, one row per aim. Each is a function h of the joint
// positions that is to be small, with its gradient over the joints in their units.
//
//   near            h = 1/2 sum ((q_k - posture_k) / unit_k)^2
//   centre          h = 1/2 sum ((q_k - middle_k) / half range_k)^2, over joints with two limits
//   manipulability  h = -1/2 log det(J J^T),   dh/dq_k = -sum (A^-1 J) o dJ/dq_k,  A = J J^T      (Yoshikawa 1985)
#pragma once

#include <string_view>

#include "torsor/numeric_ik/pose_task.hpp"

namespace torsor {

/// Scratch that an aim may need, for one task.
struct AimWork {
  explicit AimWork(const PoseTask&);

  std::vector<double> B, G, rate, unit;
  std::array<double, 36> U{};
  std::array<double, 6> sigma{};
};

/// The task placed and linearised at x, and the posture to stay near (n).
struct AimView {
  PoseTask& task;
  std::span<const double> x, posture;
  AimWork& work;
};

struct SecondaryAim {
  std::string_view name;
  std::string_view meaning;
  double (*value)(const AimView&);
  void (*gradient)(const AimView&, std::span<double> g);  // n, per unit of each joint
};

std::span<const SecondaryAim> secondary_aims();

}  // namespace torsor
