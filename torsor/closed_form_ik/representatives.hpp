// A joint of several turns has a position for each turn that its limits allow: q + 2 pi k. Solvers return one; here are
// all.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>

#include "torsor/closed_form_ik/ik_answer.hpp"
#include "torsor/closed_form_ik/six_axis.hpp"

namespace torsor {

namespace detail {

/// The turns k with q + 2 pi k inside the limits; first > last where there is none.
struct Turns {
  double first = 0, last = 0;
  double lower = 0, upper = 0;  // the limits themselves

  double count() const { return std::max(0.0, last - first + 1); }
};

inline Turns turns_within(const SixAxisJoint& joint, double q, const Limits& limits) {
  constexpr double turn = 2 * std::numbers::pi;
  // a limit written as a whole number of turns is itself rounded
  const auto slack = [](double limit) {
    return 4 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(limit));
  };
  const double low = limits.lower - slack(limits.lower), high = limits.upper + slack(limits.upper);
  Turns turns{0, low <= q && q <= high ? 0.0 : -1.0, limits.lower, limits.upper};
  // without limits on both sides there is no end of turns: the given one stands for all
  if (joint.prismatic || !std::isfinite(low) || !std::isfinite(high)) return turns;
  turns.first = std::ceil((low - q) / turn);
  turns.last = std::floor((high - q) / turn);
  return turns;
}

/// The turns of each joint of the robot, the first at the base.
inline std::array<Turns, 6> turns_within(const SixAxis& arm, const IkBranch& b) {
  std::array<Turns, 6> turns;
  for (std::size_t i = 0; i < 6; ++i) {
    const SixAxisJoint& joint = arm.joint[arm.backwards ? 5 - i : i];
    Limits limits = joint.limits;
    if (arm.backwards) {
      limits.lower = -joint.limits.upper;
      limits.upper = -joint.limits.lower;
    }
    turns[i] = turns_within(joint, b.q[i], limits);
  }
  return turns;
}

}  // namespace detail

/// How many positions of a branch lie inside the limits, whole turns of its joints apart; none if any joint is outside.
/// A joint that turns without end counts once.
inline double count_representatives(const SixAxis& arm, const IkBranch& b) {
  double count = 1;
  for (const detail::Turns& turns : detail::turns_within(arm, b)) count *= turns.count();
  return count;
}

/// Calls visit(q) for each of them, each once: joint 6 turns first, all from their lower limits up. Stops early where
/// visit returns false.
template <class Visit>
void for_each_representative(const SixAxis& arm, const IkBranch& b, const Visit& visit) {
  if (!(count_representatives(arm, b) > 0)) return;
  const std::array<detail::Turns, 6> turns = detail::turns_within(arm, b);
  std::array<double, 6> k;
  for (std::size_t i = 0; i < 6; ++i) k[i] = turns[i].first;
  for (;;) {
    std::array<double, 6> q;
    for (std::size_t i = 0; i < 6; ++i)
      q[i] = std::clamp(b.q[i] + 2 * std::numbers::pi * k[i], turns[i].lower, turns[i].upper);
    if (!visit(q)) return;
    // the next, as an odometer counts
    std::size_t i = 6;
    while (i > 0 && k[i - 1] == turns[i - 1].last) --i;
    if (i == 0) return;
    ++k[i - 1];
    for (; i < 6; ++i) k[i] = turns[i].first;
  }
}

/// Turns each joint of a branch by the whole turns that bring it nearest to six joint positions (rad) without leaving its
/// limits; joints that are outside stay as they are.
inline void turn_towards(const SixAxis& arm, std::span<const double> near, IkBranch& b) {
  const std::array<detail::Turns, 6> turns = detail::turns_within(arm, b);
  for (std::size_t i = 0; i < 6; ++i) {
    if (arm.joint[arm.backwards ? 5 - i : i].prismatic || b.beyond_limits[i] != 0) continue;
    constexpr double turn = 2 * std::numbers::pi;
    const auto [first, last, lower, upper] = turns[i];
    double k = std::nearbyint((near[i] - b.q[i]) / turn);
    if (std::isfinite(lower) && std::isfinite(upper))
      k = first > last ? 0 : std::clamp(k, first, last);
    else
      k = std::clamp(k, std::ceil((lower - b.q[i]) / turn), std::floor((upper - b.q[i]) / turn));
    if (k != 0) b.q[i] = std::clamp(b.q[i] + turn * k, lower, upper);
  }
}

}  // namespace torsor
