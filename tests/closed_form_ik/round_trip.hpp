// Joints to pose to joints: what every branch of every family must pass, by the forward kinematics of the tree.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <numbers>
#include <span>

#include "tests/support/random_robot.hpp"
#include "torsor/closed_form_ik/arm_family.hpp"
#include "torsor/closed_form_ik/arm_solver.hpp"
#include "torsor/closed_form_ik/branch_label.hpp"
#include "torsor/closed_form_ik/circle_conic.hpp"
#include "torsor/closed_form_ik/dense_rates.hpp"
#include "torsor/closed_form_ik/describe_branch.hpp"
#include "torsor/closed_form_ik/det_jacobian.hpp"
#include "torsor/closed_form_ik/end_effector_motion.hpp"
#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/is_frame.hpp"
#include "torsor/closed_form_ik/joint_rates.hpp"
#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/parallel_arm.hpp"
#include "torsor/closed_form_ik/polar_velocity.hpp"
#include "torsor/closed_form_ik/quoted_rates.hpp"
#include "torsor/closed_form_ik/record_rates.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"
#include "torsor/closed_form_ik/regular_arm.hpp"
#include "torsor/closed_form_ik/representatives.hpp"
#include "torsor/closed_form_ik/rotary_acceleration.hpp"
#include "torsor/closed_form_ik/rotary_position.hpp"
#include "torsor/closed_form_ik/rotary_velocity.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"
#include "torsor/closed_form_ik/wrist_arm.hpp"
#include "torsor/closed_form_ik/solve_rates.hpp"
#include "torsor/closed_form_ik/solve_rates_6x6.hpp"
#include "torsor/closed_form_ik/tool_catalogue.hpp"
#include "torsor/closed_form_ik/tool_census.hpp"
#include "torsor/closed_form_ik/tool_driven_robot.hpp"
#include "torsor/closed_form_ik/tool_to_torques.hpp"
#include "torsor/closed_form_ik/tool_to_torques_offset.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"
#include "torsor/kinematics/base_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/kinematics/row_jump.hpp"
#include "torsor/numeric_ik/bounded_descent.hpp"
#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/numeric_ik/frame_rates.hpp"
#include "torsor/numeric_ik/general_solver.hpp"
#include "torsor/numeric_ik/inverse_kinematics.hpp"
#include "torsor/numeric_ik/null_space_aim.hpp"
#include "torsor/numeric_ik/pose_task.hpp"
#include "torsor/numeric_ik/scale_path.hpp"
#include "torsor/numeric_ik/secondary_aim.hpp"
#include "torsor/numeric_ik/settle_branch.hpp"
#include "torsor/numeric_ik/singular_valley.hpp"
#include "torsor/numeric_ik/task_rates.hpp"

namespace torsor::testing {

using Joints = std::array<double, 6>;

inline constexpr double pi = std::numbers::pi, quarter = pi / 2;

/// A robot twice: as the tree that says where the tool is, and as the arm to be solved.
template <class Arm>
struct WitnessOf {
  Model<double> model;
  Arm arm;
  Configuration<double> configuration{model};
  std::vector<Transform<double>> X{model.bodies.size()};

  Transform<double> tool(const Joints& q) {
    configuration.set(model, q);
    forward_kinematics<double>(model, configuration, X);
    return frame_pose<double>(model.frames.back(), X);
  }
};

using Witness = WitnessOf<WristArm>;

template <class Arm>
WitnessOf<Arm> witness_of(const Description& robot, Result<Arm> arm) {
  for (const Fault& error : arm.faults()) MESSAGE(to_string(error));
  REQUIRE(arm);
  return {built(robot), *std::move(arm)};
}

inline Witness witness(const Description& robot) { return witness_of(robot, wrist_arm(robot)); }

/// Rows (theta, d, a, alpha) and kinds "RRPRRR" as a robot of links of unit mass.
inline Description dh_robot(std::string_view kinds, std::span<const DhRow> rows) {
  Description d;
  d.name = "arm";
  d.convention = Convention::standard_dh;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.kind = kinds[i] == 'P' ? JointKind::prismatic : JointKind::revolute;
    link.geometry = rows[i];
    link.parts = {{1, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}}};
    d.links.push_back(std::move(link));
  }
  return d;
}

/// The same with a base and a tool somewhere.
inline Description robot_of(Random& random, std::string_view kinds, const std::array<DhRow, 6>& rows) {
  Description d = dh_robot(kinds, rows);
  d.base = random.transform(0.5);
  d.tools.push_back({"tip", "link6", random.transform(0.2), {}});
  return d;
}

/// The table of a general arm with a spherical wrist: no angle of the first three joints is special.
inline const std::array<DhRow, 6> general_rows{DhRow{0.3, 0.4, 0.1, 1.1},   {0.2, 0.1, 0.4, 0.7},
                                               {-0.4, 0.05, 0.1, -quarter}, {0, 0.4, 0, quarter},
                                               {0, 0, 0, -quarter},         {0, 0.1, 0, 0}};

/// A planar arm of bars of half a metre about z.
inline Description planar_arm(std::size_t bars, const Limits& limits = {}) {
  Description d = dh_robot(std::string(bars, 'R'), std::vector<DhRow>(bars, {0, 0, 0.5, 0}));
  for (LinkDescription& link : d.links) link.limits = limits;
  return d;
}

inline DhRow& dh_row(Description& robot, std::size_t i) { return std::get<DhRow>(robot.links[i].geometry); }

/// Why an arm was not recognised.
template <class Arm>
std::string first_fault(const Result<Arm>& arm) {
  REQUIRE(!arm);
  return to_string(arm.faults().front());
}

/// Largest difference of two positions, turns apart not counted.
inline double apart_modulo_turns(const SixAxis& arm, const Joints& a, const Joints& b) {
  double worst = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const bool slide = arm.joint[arm.backwards ? 5 - i : i].prismatic;
    const double by = a[i] - b[i];
    worst = std::max(worst, slide ? std::abs(by) : std::abs(std::remainder(by, 2 * pi)));
  }
  return worst;
}

inline bool all_finite(const IkBranch& b) {
  bool finite = std::isfinite(b.position_residual) && std::isfinite(b.angle_residual) && std::isfinite(b.wrist_sum);
  for (std::size_t i = 0; i < 6; ++i)
    finite = finite && std::isfinite(b.q[i]) && std::isfinite(b.c[i]) && std::isfinite(b.s[i]) &&
             std::isfinite(b.beyond_limits[i]);
  for (const double factor : b.factor) finite = finite && std::isfinite(factor);
  return finite;
}

/// What went wrong over many poses.
struct RoundTrip {
  double worst_residual = 0, worst_understated = 0;
  int missed = 0, twice = 0, not_finite = 0, unsolved = 0, poses = 0, branches = 0;

  /// Poses made from q: q must be among the answers.
  template <class Arm>
  void at(WitnessOf<Arm>& w, const Joints& q, double tolerance = 1e-6) {
    const Transform<double> X = w.tool(q);
    const IkAnswer answer = solve_position(w.arm, X);
    ++poses;
    branches += answer.count;
    if (answer.status != PoseStatus::solved) ++unsolved;
    bool found = false;
    for (int i = 0; i < answer.count; ++i) {
      const IkBranch& b = answer.branch[static_cast<std::size_t>(i)];
      for (const double x : b.q)
        if (!std::isfinite(x)) ++not_finite;
      const double residual = apart(w.tool(b.q), X);
      worst_residual = residual <= worst_residual ? worst_residual : residual;
      const double stated = std::max(b.position_residual, b.angle_residual);
      // what both evaluations round anyway: slides of nearly parallel axes are kilometres long
      double longest = 0;
      for (const double x : b.q) longest = std::max(longest, std::abs(x));
      const double rounding = 4 * std::numeric_limits<double>::epsilon() * longest;
      worst_understated = std::max(worst_understated, residual - stated - rounding);
      // a singular branch stands for all within its tolerance
      found = found || b.status == IkStatus::singular || apart_modulo_turns(w.arm, b.q, q) < tolerance;
      for (int k = 0; k < i; ++k)
        if (apart_modulo_turns(w.arm, b.q, answer.branch[static_cast<std::size_t>(k)].q) < 1e-8) ++twice;
    }
    if (!found) ++missed;
  }

  void check() const {
    CHECK(unsolved == 0);
    CHECK(not_finite == 0);
    CHECK(worst_residual < 1e-10);
    CHECK(worst_understated < 1e-13);
    CHECK(missed == 0);
    CHECK(twice == 0);
  }
};

inline Joints random_joints(Random& random, const SixAxis& arm, double slide = 0.5) {
  Joints q{};
  for (std::size_t i = 0; i < 6; ++i)
    q[i] = random.uniform(-1, 1) * (arm.joint[arm.backwards ? 5 - i : i].prismatic ? slide : pi);
  return q;
}

}  // namespace torsor::testing
