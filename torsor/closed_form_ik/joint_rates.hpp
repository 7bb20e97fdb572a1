// What the velocity and acceleration level of inverse kinematics takes and answers: how the tool moves, and how the
// joints must move for it. Nothing here allocates.
#pragma once

#include <array>
#include <string_view>

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/turning.hpp"

namespace torsor {

/// How the tool moves, components in the world: angular velocity and the velocity of one of its points; their time
/// derivatives. The point is given in the axes of the tool; by default it is the tool's origin.
struct ToolMotion {
  Motion<double> twist, acceleration;
  Vec3<double> point;
};

/// The motion of a tool whose axes in the world are W(t), by (17) and (18), and whose point moves with v and a.
inline ToolMotion tool_motion(const Mat3<double>& W, const Mat3<double>& Wd, const Mat3<double>& Wdd,
                              const Vec3<double>& v, const Vec3<double>& a, const Vec3<double>& point = {}) {
  const Turning<double> turning = turning_of(W, Wd, Wdd);
  return {{turning.w, v}, {turning.wd, a}, point};
}

enum class RateStatus {
  ok,
  near_singular,  // followed, by rates that grow with the inverse of `factor`
  singular,       // some motions are lost: the rates are the least that come as near as can be
  not_finite      // numbers that are not, or whose squares overflow: the rates are zero
};

struct JointRates {
  std::array<double, 6> qd{}, qdd{};  // rad/s and rad/s^2, m/s and m/s^2 for slides
  RateStatus status = RateStatus::ok;
  double factor = 1;  // the least of what det J consists of, 1 far from the singular sets, 0 on them

  // what could not be followed: asked less followed, at the point asked for, in the world; zero unless singular
  Motion<double> missed_twist, missed_acceleration;
};

/// What a singular position loses. Where six joints move the tool in fewer than six ways, as many joint motions leave
/// it at rest. `lost` and `idle` have `count` entries each.
struct LostMotions {
  int count = 0;
  std::array<Motion<double>, 6> lost;           // unit, in the world: of the tool's point at the wrist point
  std::array<std::array<double, 6>, 6> idle{};  // rates of the joints, the greatest 1
  std::array<bool, 6> involved{};               // joints that such a motion moves
};

constexpr std::string_view status_name(RateStatus status) {
  constexpr std::string_view names[] = {"ok", "near-singular", "singular", "not finite"};
  return names[static_cast<std::size_t>(status)];
}

}  // namespace torsor
