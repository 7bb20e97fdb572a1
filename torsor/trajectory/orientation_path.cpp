#include "torsor/trajectory/orientation_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace torsor {

TurnPath slerp(const Mat3<double>& from, const Mat3<double>& to) {
  const Quaternion<double> e = quaternion(~from * to);  // e0 >= 0: the shorter way
  const Vec3<double> v = vector_part(e);
  TurnPath path;
  path.from = from;
  if (v.x == 0 && v.y == 0 && v.z == 0) return path;
  path.axis = unit(v);
  path.angle = 2 * std::atan2(dot(v, path.axis), e.e0);
  return path;
}

Turning<double> MatrixPath::at(double s) const {
  const PathParameter u{Dual<double>::variable(s), {Dual<double>(1.0)}};
  const Mat3<PathParameter> R = rotation(u);
  const auto part = [&R](auto&& pick) { return cast<double>(R, pick); };
  return turning_of(part([](const PathParameter& x) { return x.value.value; }),
                    part([](const PathParameter& x) { return x.value.tangent[0]; }),
                    part([](const PathParameter& x) { return x.tangent[0].tangent[0]; }));
}

Result<TurnsPath> turns_path(std::span<const Mat3<double>> orientations, const BlendSchedule& schedule) {
  if (orientations.size() != schedule.size() || orientations.empty())
    return Fault{{},
                 "orientations",
                 "motion-size",
                 fmt::format("there are {} for {} points", orientations.size(), schedule.size()),
                 "give one per point"};
  TurnsPath path;
  path.knots_.assign(orientations.begin(), orientations.end());
  path.schedule_ = schedule;
  path.turns_.emplace_back();
  for (std::size_t i = 1; i < orientations.size(); ++i) {
    const TurnPath turn = slerp(orientations[i - 1], orientations[i]);
    path.turns_.push_back({turn.axis, turn.angle / (schedule.knots()[i] - schedule.knots()[i - 1])});
  }
  path.turns_.emplace_back();
  return path;
}

double largest_turning(const OrientationPath& path) {
  if (const auto* turn = std::get_if<TurnPath>(&path)) return std::abs(turn->angle);
  const auto speed = [&path](double s) {
    return std::visit([s](const auto& each) { return norm(each.at(s).w); }, path);
  };
  // the best of many places, and golden section around it
  constexpr int steps = 2000;
  int best = 0;
  double largest = 0;
  for (int k = 0; k <= steps; ++k)
    if (const double here = speed(static_cast<double>(k) / steps); here > largest) {
      best = k;
      largest = here;
    }
  constexpr double golden = std::numbers::phi - 1;
  double a = std::max(best - 1, 0) / static_cast<double>(steps),
         b = std::min(best + 1, steps) / static_cast<double>(steps);
  for (int k = 0; k < 40; ++k) {
    const double p = b - golden * (b - a), q = a + golden * (b - a), at_p = speed(p), at_q = speed(q);
    largest = std::max({largest, at_p, at_q});
    if (at_p > at_q)
      b = q;
    else
      a = p;
  }
  return largest;
}

}  // namespace torsor
