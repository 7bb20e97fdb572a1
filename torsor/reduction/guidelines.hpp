// The four design guidelines of Tourassis & Neuman (1985), section 6, with the numbers of a robot:
//
//   1  as many slides as the task allows: a slide has a constant self-inertia, no centrifugal force, and carries no one around
//   2  axes parallel or at right angles to those before them: mutual inertias vanish, and with them their derivatives
//   3  masses that decrease from base to tool: loading factors LF = sqrt(M_j / M_i), and with them couplings, get smaller
//   4  a first joint that does no work against gravity: then nothing depends on its coordinate
#pragma once

#include "torsor/structure/structure_answer.hpp"

namespace torsor {

/// A joint and the next one inward: the angle between their axes (rad, 0 .. pi/2), the same in every position.
struct AxisAngle {
  int inner = 0, outer = 0;
  bool parallel = false, right_angle = false;  // exactly
  double angle = 0;
  std::string inner_name, outer_name;
};

/// Masses (kg) that a joint moves: the link it carries alone, and everything beyond.
struct JointLoad {
  int joint = 0, inner = -1;  // inner: the next moving joint towards the base, -1: none
  double own = 0, moved = 0;
  std::optional<double> loading;  // sqrt(moved / moved by inner)
  bool heavier = false;           // than the link before it
  std::string name, inner_name;
};

/// A joint with none before it.
struct FirstJoint {
  int joint = 0;
  bool works = false;  // against gravity, in some position
  double largest = 0;  // torque it takes over the workspace
  int dependent = 0;   // coefficients that depend on its coordinate
  std::string name;
};

struct GuidelineCheck {
  int joints = 0, slides = 0;
  double sparsity = 0, expected = 0;   // as counted, by the empirical law for this share of turning joints
  double expected_with_one_slide = 0;  // more; equal to expected where all joints slide
  std::vector<AxisAngle> axes;
  std::vector<JointLoad> loads;
  std::vector<FirstJoint> first;

  /// Of guideline 1 to 4: whether there is nothing left to follow.
  bool kept(int guideline) const;
};

/// The rule of guideline 1 to 4 in a sentence.
std::string_view guideline_text(int guideline);

/// The check of a robot whose joints have a coordinate each.
GuidelineCheck check_guidelines(const StructureAnswer&);

}  // namespace torsor
