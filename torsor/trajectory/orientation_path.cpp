#include "torsor/trajectory/orientation_path.hpp"

#include <fmt/format.h>

#include <cmath>

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
    return Error{{},
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

}  // namespace torsor
