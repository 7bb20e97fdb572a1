#include "torsor/closed_form_ik/nearest_wrist_point.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/wrist_point_descent.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

using detail::Three;
using detail::WristPointDescent;

/// Slides to where they bring the wrist point nearest while the turns stay: at most two, or three that span the space.
void close_slides(const WristArm& arm, const Vec3<double>& p, ArmPose& pose) {
  for (int round = 0; round < 2; ++round) {
    const PointColumns at = point_columns(arm, pose);
    Vec3<double> e = p - at.point;
    // Gram and Schmidt, each direction without those before it
    std::array<Vec3<double>, 3> n;
    std::array<Three, 3> r{};
    Three along{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!arm.joint[i].prismatic) continue;
      Vec3<double> v = at.z[i];
      for (std::size_t k = 0; k < i; ++k) {
        r[k][i] = dot(n[k], v);
        v = v - n[k] * r[k][i];
      }
      r[i][i] = norm(v);
      if (!(r[i][i] > 1e-9)) continue;
      n[i] = v * (1 / r[i][i]);
      along[i] = dot(n[i], e);
    }
    for (std::size_t i = 3; i-- > 0;) {
      if (!arm.joint[i].prismatic || !(r[i][i] > 1e-9)) continue;
      double by = along[i];
      for (std::size_t k = i + 1; k < 3; ++k) by -= r[i][k] * along[k];
      along[i] = by / r[i][i];
      move_joint(arm, pose, i, along[i]);
    }
  }
}

/// Joint 1 turns the wrist point as near to p as the wrist allows, joints 2 and 3 given: with x its angle the distance falls
/// with P cos x + Q sin x, and the cosine of the wrist's angle is A + B cos x + C sin x.
void face_point(const WristArm& arm, const Vec3<double>& p, const WristRange& range, ArmPose& pose) {
  pose.c[0] = 1;
  pose.s[0] = 0;
  const PointColumns at = point_columns(arm, pose);
  const Vec3<double>&g = at.point, &a = at.axis_4, &z = range.axis;
  const double P = g.x * p.x + g.y * p.y, Q = g.x * p.y - g.y * p.x, length = detail::hypotenuse(P, Q);
  if (length > 0) {
    pose.c[0] = P / length;
    pose.s[0] = Q / length;
  }
  if (range.is_all()) return;
  const double A = a.z * z.z, B = a.x * z.x + a.y * z.y, C = a.x * z.y - a.y * z.x, turns = detail::hypotenuse(B, C);
  const double low = std::cos(range.most), high = std::cos(range.least), there = A + B * pose.c[0] + C * pose.s[0];
  if ((low <= there && there <= high) || !(turns > 0)) return;
  double most = -infinity;
  for (const double bound : {low, high})
    for (const int way : {1, -1}) {
      const double cosine = (bound - A) / turns;
      if (std::abs(cosine) > 1) continue;
      const double sine = way * std::sqrt((1 - cosine) * (1 + cosine));
      const double c = (B * cosine - C * sine) / turns, s = (C * cosine + B * sine) / turns;
      if (!(P * c + Q * s > most)) continue;
      most = P * c + Q * s;
      pose.c[0] = c;
      pose.s[0] = s;
    }
}

}  // namespace

WristRange wrist_range(const WristArm& arm, const Mat3<double>& R_0_flange) {
  const double ca4 = arm[4].ca, sa4 = arm[4].sa, ca5 = arm[5].ca, sa5 = arm[5].sa;
  if (ca4 == 0 && ca5 == 0) return {R_0_flange.z};
  const double sum = std::atan2(abs(ca4 * sa5 + sa4 * ca5), ca4 * ca5 - sa4 * sa5);
  const double difference = std::atan2(abs(ca4 * sa5 - sa4 * ca5), ca4 * ca5 + sa4 * sa5);
  return {R_0_flange.z, std::min(sum, difference), std::max(sum, difference)};
}

PointColumns point_columns(const WristArm& arm, const ArmPose& pose) {
  PointColumns out;
  std::array<Vec3<double>, 3> origin;
  Transform<double> X;
  for (std::size_t i = 0; i < 3; ++i) {
    out.z[i] = X.R.z;
    origin[i] = X.p;
    X.p += X.R.z * pose.d[i];
    X.R = times_rotation_z(X.R, pose.c[i], pose.s[i]);
    X.p += X.R.x * arm.joint[i].a;
    X.R = times_rotation_x(X.R, arm.joint[i].ca, arm.joint[i].sa);
  }
  out.axis_4 = X.R.z;
  out.point = X.p + X.R.z * arm[4].d;
  for (std::size_t i = 0; i < 3; ++i)
    out.C[i] = arm.joint[i].prismatic ? out.z[i] : cross(out.z[i], out.point - origin[i]);
  return out;
}

double volume(const PointColumns& at, double size) {
  double lengths = 1;
  for (const Vec3<double>& column : at.C) {
    const double length = norm(column);
    if (length <= singular_distance * size) return 0;
    lengths *= length;
  }
  return abs(dot(at.C[0], cross(at.C[1], at.C[2]))) / lengths;
}

double descend(const WristArm& arm, const Vec3<double>& p, const WristRange& range, ArmPose& pose) {
  constexpr int most_rounds = 30;
  constexpr double rounding = 0.25 * singular_distance, beside = 0.05;
  WristPointDescent descent(arm, p, range);
  // stiff enough not to leave what lies between the bounds for another least
  descent.bounds.weight = 30 * (1 + norm(p) / arm.size);
  descent.run(pose);
  // where bounds hold the arm back their multipliers grow to what it takes, and not beyond
  for (int round = 0; round < most_rounds && !range.is_all(); ++round) {
    const double beta = descent.angle(point_columns(arm, pose));
    detail::WristBounds& b = descent.bounds;
    const double over = std::max(beta - range.most, -b.over / b.weight);
    const double under = std::max(range.least - beta, -b.under / b.weight);
    if (std::max(std::abs(over), std::abs(under)) <= rounding) break;
    b.over += b.weight * over;
    b.under += b.weight * under;
    if (round % 4 == 3) b.weight *= 8;
    descent.run(pose);
  }
  const auto missed = [&](const ArmPose& there) {
    const PointColumns at = point_columns(arm, there);
    return descent.out_of_range(at) <= singular_distance ? norm(at.point - p) : infinity;
  };
  // all of it may be within reach: then no bound needs a multiplier
  const double scale = arm.size + norm(p), left = missed(pose);
  if (left <= singular_distance * scale || norm(wrist_point(arm, pose) - p) > beside * scale) return left;
  ArmPose there = pose;
  descent.bounds = {};
  descent.run(there);
  descent.close_in(there);
  if (missed(there) > singular_distance * scale) return left;
  pose = there;
  return missed(pose);
}

double nearest_wrist_point(const WristArm& arm, const Vec3<double>& p, const WristRange& range, ArmPose& nearest) {
  constexpr std::size_t most_places = 900;
  constexpr int most_starts = 24;
  const auto turns = [&](std::size_t i) { return !arm.joint[i].prismatic; };
  const bool faces = turns(0) && turns(1) && turns(2);
  std::array<std::size_t, 3> count{};
  std::size_t dimensions = 0;
  for (std::size_t i = 0; i < 3; ++i) dimensions += turns(i) && !(i == 0 && faces) ? 1 : 0;
  for (std::size_t i = 0; i < 3; ++i)
    count[i] = !turns(i) || (i == 0 && faces) ? 1 : dimensions == 2 ? 30 : 90;

  WristPointDescent merit(arm, p, range);
  merit.bounds.weight = 100 * (1 + norm(p) / arm.size);
  const auto start = [&](std::size_t cell) {
    ArmPose pose;
    for (std::size_t i = 0; i < 3; ++i, cell /= count[i - 1]) {
      const SixAxisJoint& j = arm.joint[i];
      pose.c[i] = j.ct;
      pose.s[i] = j.st;
      pose.d[i] = j.d;
      const double at = (static_cast<double>(cell % count[i]) + 0.3) / static_cast<double>(count[i]);
      if (count[i] > 1) move_joint(arm, pose, i, 2 * std::numbers::pi * at);
    }
    if (faces) face_point(arm, p, range, pose);
    if (!turns(0) || !turns(1) || !turns(2)) close_slides(arm, p, pose);
    return pose;
  };
  const std::size_t cells = count[0] * count[1] * count[2];
  std::array<double, most_places> value;
  for (std::size_t cell = 0; cell < cells; ++cell) value[cell] = merit.value(start(cell));

  // places with no lesser neighbour, the least first
  std::array<bool, most_places> is_start;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    is_start[cell] = true;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < 3; stride *= count[i++]) {
      const std::size_t at = cell / stride % count[i], rest = cell - at * stride;
      const std::size_t before = rest + (at + count[i] - 1) % count[i] * stride;
      const std::size_t after = rest + (at + 1) % count[i] * stride;
      is_start[cell] = is_start[cell] && value[cell] <= value[before] && value[cell] <= value[after];
    }
  }
  double least = infinity;
  for (int k = 0; k < most_starts; ++k) {
    std::size_t next = cells;
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (is_start[cell] && (next == cells || value[cell] < value[next])) next = cell;
    if (next == cells) break;
    is_start[next] = false;
    ArmPose pose = start(next);
    const double distance = descend(arm, p, range, pose);
    if (!(distance < least)) continue;
    least = distance;
    nearest = pose;
  }
  // a joint whose axis the point all but lies on turns it by next to nothing: there the whole turn is one place
  const double scale = arm.size + norm(p);
  const ArmPose found = nearest;
  for (const std::size_t i : {0, 1})
    for (int k = 1; k < 24 && turns(i) && least > singular_distance * scale && least < 1e-6 * scale; ++k) {
      ArmPose pose = found;
      move_joint(arm, pose, i, 2 * std::numbers::pi / 24 * k);
      if (norm(wrist_point(arm, pose) - p) > 1e-5 * scale) break;
      const double distance = descend(arm, p, range, pose);
      if (!(distance < least)) continue;
      least = distance;
      nearest = pose;
    }
  return least;
}

}  // namespace torsor
