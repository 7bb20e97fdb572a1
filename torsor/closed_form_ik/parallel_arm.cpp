// With axes 2, 3 and 4 parallel, joints 2 to 4 neither tilt axis 4 nor move anything along it. Let p be the point where
// axes 5 and 6 meet, W the axes of the tool in frame 1 and s2, s3 = +-1 the senses of axes 3 and 4 (cosines of alpha_2
// and alpha_3). Then
//
//   joint 1      the component of p along axis 2 is k = d_2 + s2 d_3 + s2 s3 (d_4 + ca4 d_5): two planes, as
//                shoulder_planes.hpp has them, with o = (ca1 (p_z - d_1) - k) / sa1
//   joints 5, 6  W = Rz(psi) Rx(alpha_2 + alpha_3 + alpha_4) Rz(theta_5) Rx(alpha_5) Rz(theta_6) is a spherical wrist,
//                psi = theta_2 + s2 theta_3 + s2 s3 theta_4 its first turn
//   joints 2, 3  two bars a_2 and a_3 reach from axis 2 to axis 4, in the plane across them at
//                (p_x, p_y) - Rz(psi) f in frame 1, with f = (a_4, -s2 s3 sa4 d_5)
//   joint 4      what then remains of psi
//
// det J has the factors g (of the shoulder's planes), sin theta_3 and sin theta_5. Where axis 6 is parallel to axis 4
// only psi +- theta_6 is determined: joint 6 is free, and axis 4 moves on a circle about p as it turns. The member of
// the family given is the one whose elbow is nearest to a right angle. Geometry after K. P. Hawkins, Analytic inverse
// kinematics for the Universal Robots UR-5/UR-10 arms, Georgia Institute of Technology, 2013.
#include "torsor/closed_form_ik/parallel_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/parallel_geometry.hpp"
#include "torsor/closed_form_ik/parallel_nearest.hpp"
#include "torsor/closed_form_ik/shoulder_planes.hpp"
#include "torsor/closed_form_ik/two_bar.hpp"
#include "torsor/closed_form_ik/wrist_family.hpp"

namespace torsor {
namespace {

/// Why joints 1 to 6 are not of the family; empty where they are. The names are those of the robot.
std::string not_parallel(const SixAxis& arm) {
  const auto name = [&](int i) { return arm.backwards ? 7 - i : i; };
  const auto pair = [&](int i) { return std::pair{std::min(name(i), name(i + 1)), std::max(name(i), name(i + 1))}; };
  for (int i = 1; i <= 6; ++i)
    if (arm[i].prismatic) return fmt::format("joint {} is prismatic", name(i));
  for (const int i : {2, 3})
    if (const auto [k, l] = pair(i); arm[i].sa != 0)
      return fmt::format("axes {} and {} are {:.3g} rad from parallel", k, l,
                         std::atan2(abs(arm[i].sa), abs(arm[i].ca)));
  for (const int i : {1, 4, 5})
    if (const auto [k, l] = pair(i); arm[i].sa == 0) return fmt::format("axes {} and {} are parallel", k, l);
  for (const int i : {2, 3})
    if (const auto [k, l] = pair(i); arm[i].a == 0) return fmt::format("axes {} and {} fall together", k, l);
  if (const auto [k, l] = pair(5); arm[5].a != 0)
    return fmt::format("axes {} and {} pass at {:.3g} m", k, l, abs(arm[5].a));
  return "";
}

using detail::length;
using detail::ParallelGeometry;
using detail::Plane;
using detail::turned;

constexpr double same_position = 1e-8;  // rad

/// Solves joints 2 to 6 for one plane of joint 1.
class InPlane {
 public:
  InPlane(const ParallelArm& a, const Transform<double>& X_0_tool, IkAnswer& out)
      : arm(a), tool(X_0_tool), answer(out) {}

  void solve(const ArmPose& first, double aside) {
    for (int i = 0, count = 1; i < count; ++i) {
      Candidate c = candidate(first, i);
      const bool shifted = c.short_by == 0 && c.bars.missing > tolerance && shift(c, i);
      if (shifted) aside = 0;
      count = c.count;
      const double missing = detail::hypotenuse(c.bars.missing, aside);
      const bool reached = missing <= tolerance && c.short_by == 0;
      if (!reached) answer.nearly = std::min(answer.nearly, std::max(missing / arm.size, c.short_by));
      if (!reached && !is_nearer(missing, c.short_by)) continue;
      for (const int elbow : {1, -1}) {
        const IkBranch b = branch(c, elbow);
        if (reached && !(shifted && is_known(b)))
          answer.add(b);
        else if (!reached)
          answer.nearest = b;
        if (c.bars.s == 0 || !reached) break;
      }
    }
  }

  /// Where nothing was reached the nearest with the orientation asked for is sought, and may turn out to be there: several
  /// singular sets at once leave more to rounding than shift() undoes. A place that is reached without it is told as it is.
  void conclude() {
    if (answer.count > 0) return;
    const bool is_place = short_of_place <= tolerance;
    const NearestTurns turns = nearest_turns(arm, tool);
    const bool is_there = turns.distance <= tolerance;
    if (is_there || (!is_place && std::isfinite(turns.distance))) {
      const Candidate c = candidate(turns);
      for (const int elbow : {1, -1}) {
        const IkBranch b = branch(c, elbow);
        if (is_there)
          answer.add(b);
        else
          answer.nearest = b;
        if (c.bars.s == 0 || !is_there) break;
      }
      if (is_there) return;
      answer.status = PoseStatus::unreachable;
      answer.short_by = turns.distance;
      answer.nearest_is_least = turns.is_least;
      return;
    }
    answer.status = is_place ? PoseStatus::orientation_unreachable : PoseStatus::unreachable;
    answer.short_by = is_place ? short_of_turn : short_of_place;
  }

 private:
  /// One wrist for one plane, and what it leaves the bars to reach.
  struct Candidate {
    ArmPose first;
    Mat3<double> W;
    Plane p;
    double along = 0;  // of p, on axis 2
    WristPose wrist;
    detail::TwoBar bars;
    int count = 0;        // of wrists for this plane
    double short_by = 0;  // rad
  };

  Candidate candidate(const ArmPose& first, int i) const {
    const SixAxisJoint& one = arm[1];
    const Mat3<double> R =
        times_rotation_x(times_rotation_z(Mat3<double>::identity(), first.c[0], first.s[0]), one.ca, one.sa);
    const Vec3<double> at = ~R * (tool.p - Vec3<double>{0, 0, one.d});
    WristPoses wrists;
    Candidate c{first, ~R * tool.R, {at.x - one.a, at.y}, at.z, {}, {}, 0, 0};
    solve_wrist(geometry.twists, c.W, wrists);
    c.count = wrists.count;
    c.short_by = wrists.short_by;
    c.wrist = wrists.pose[static_cast<std::size_t>(std::min(i, wrists.count - 1))];
    // the best member of the family, or one that reaches where rounding alone stands between
    if (c.wrist.sign != 0) turn_to(detail::hypotenuse(geometry.a2, geometry.a3), c.p, c.W, c.wrist);
    c.bars = reach(c.p, c.wrist);
    if (c.bars.missing > tolerance) {
      WristPose other = c.wrist;
      turn_to(abs(geometry.a2 + c.bars.c * geometry.a3), c.p, c.W, other);
      // beside theta_5 = 0 an error of W moves theta_5 by its root, and psi of an oblique wrist with it
      if (other.sign == 0) bend_wrist(geometry.twists, c.W, other);
      const bool turned_over = other.wrist * other.s[1] < 0;
      if (const detail::TwoBar reached = reach(c.p, other);
          !turned_over && reached.missing <= tolerance && off(c.W, other) <= singular_distance) {
        c.wrist = other;
        c.bars = reached;
      }
    }
    return c;
  }

  /// Joint 1 and psi given.
  Candidate candidate(const NearestTurns& turns) const {
    ArmPose first;
    first.d = {arm[1].d, arm[2].d, arm[3].d};
    first.c[0] = turns.first.x;
    first.s[0] = turns.first.y;
    const double g = first.c[0] * tool.p.x + first.s[0] * tool.p.y;
    first.shoulder_factor = std::min(1.0, abs(g) / arm.size);
    first.shoulder_singular = abs(g) <= tolerance;
    first.shoulder = first.shoulder_singular ? 0 : g > 0 ? 1 : -1;
    Candidate c = candidate(first, 0);
    c.wrist.c[0] = turns.psi.x;
    c.wrist.s[0] = turns.psi.y;
    bend_wrist(geometry.twists, c.W, c.wrist);
    c.wrist.wrist = c.wrist.singular ? 0 : c.wrist.s[1] > 0 ? 1 : -1;
    c.short_by = 0;
    c.bars = reach(c.p, c.wrist);
    return c;
  }

  /// Beside the shoulder's singular set an error e of p turns joint 1 by e/g, without bound, and all that follows with it.
  /// If p stays in the plane within the tolerance, joint 1 turns to where axis 6 is parallel to axis 4, or to where the
  /// bars reach; else false, and nothing is changed.
  bool shift(Candidate& c, int i) const {
    constexpr double beside = 1e-3, most = 1e-4;  // per arm length
    constexpr int secants = 8;
    if (c.first.shoulder_factor > beside) return false;
    const auto turned_by = [&](double delta) {
      ArmPose first = c.first;
      const Plane x = turned(std::cos(delta), std::sin(delta), {first.c[0], first.s[0]});
      first.c[0] = x.x;
      first.s[0] = x.y;
      return candidate(first, i);
    };
    const auto is_answer = [&](const Candidate& t) {
      const double g = t.first.c[0] * tool.p.x + t.first.s[0] * tool.p.y;
      return t.short_by == 0 && t.bars.missing <= tolerance && abs(t.along - geometry.k) <= tolerance &&
             g * c.first.shoulder >= 0;
    };
    const double far = c.bars.c > 0 ? geometry.a2 + geometry.a3 : abs(geometry.a2 - geometry.a3);
    const auto take = [&](double delta) {
      const Candidate t = turned_by(delta);
      if (is_answer(t)) c = t;
      return is_answer(t);
    };
    // psi is the direction of (z.x, z.y), of which joint 1 turns z.x: by little to any psi where axis 6 is nearly parallel
    // to axis 4, and to where it is
    if (const Vec3<double> z = c.W.z; detail::hypotenuse(z.x, z.y) <= beside) {
      const double per_turn = arm[1].sa * z.z, parallel = z.x / per_turn;
      if (take(parallel + turned_by(parallel).W.z.x / per_turn)) return true;
      for (const double D : {detail::hypotenuse(geometry.a2, geometry.a3), far})
        for (const int way : {1, -1}) {
          WristPose other = c.wrist;
          turn_to(D, c.p, c.W, other, way);
          if (other.s[0] != 0 && take((z.x - z.y * other.c[0] / other.s[0]) / per_turn)) return true;
        }
    }
    const auto excess = [&](const Candidate& t) { return length(axis_4(t.p, t.wrist)) - far; };
    double before = 0, at_before = excess(c), delta = at_before / arm.size * c.wrist.factor;
    for (int k = 0; k < secants && abs(delta) <= most; ++k) {
      const Candidate t = turned_by(delta);
      if (is_answer(t)) {
        c = t;
        return true;
      }
      const double at = excess(t);
      if (at == at_before) break;
      const double next = delta - at * (delta - before) / (at - at_before);
      before = delta;
      at_before = at;
      delta = next;
    }
    return false;
  }

  /// Both wrists may be shifted to one.
  bool is_known(const IkBranch& b) const {
    return std::ranges::any_of(answer.branches(), [&](const IkBranch& other) {
      double apart = 0;
      for (std::size_t i = 0; i < 6; ++i)
        apart = std::max(apart, abs(std::remainder(b.q[i] - other.q[i], 2 * std::numbers::pi)));
      return apart <= same_position;
    });
  }

  /// Remembers the least that was missing: metres first, then radians.
  bool is_nearer(double metres, double radians) {
    const bool nearer =
        metres < short_of_place || (metres <= tolerance && short_of_place <= tolerance && radians < short_of_turn);
    if (nearer) {
      short_of_place = metres;
      short_of_turn = radians;
    }
    return nearer;
  }

  Plane axis_4(const Plane& p, const WristPose& wrist) const {
    const Plane f = turned(wrist.c[0], wrist.s[0], geometry.f);
    return {p.x - f.x, p.y - f.y};
  }

  detail::TwoBar reach(const Plane& p, const WristPose& wrist) const {
    return detail::two_bar(geometry.a2, geometry.a3, length(axis_4(p, wrist)), tolerance);
  }

  /// Turns psi, and theta_6 against it, until axis 4 is at the distance D from axis 2, or as near to it as can be; of the
  /// two ways the nearer (way +1) or the other (-1).
  void turn_to(double D, const Plane& p, const Mat3<double>& W, WristPose& wrist, int way = 1) const {
    const double L = length(p), r = length(geometry.f);
    if (!(L > 0) || !(r > 0)) return;
    const double c = std::clamp((L * L + r * r - D * D) / (2 * L * r), -1.0, 1.0), s = std::sqrt((1 - c) * (1 + c));
    const Plane f = turned(wrist.c[0], wrist.s[0], geometry.f);
    const Plane towards = turned(c, p.x * f.y - p.y * f.x < 0 ? -way * s : way * s, p);
    detail::turn_onto(geometry.f.x, geometry.f.y, towards.x, towards.y, wrist.c[0], wrist.s[0]);
    close_wrist(geometry.twists, W, wrist);
  }

  /// How far a wrist is from W, in the column that is farthest (rad).
  double off(const Mat3<double>& W, const WristPose& wrist) const {
    const WristTwists& t = geometry.twists;
    Mat3<double> R = times_rotation_z(Mat3<double>::identity(), wrist.c[0], wrist.s[0]);
    R = times_rotation_z(times_rotation_x(R, t.ca4, t.sa4), wrist.c[1], wrist.s[1]);
    R = times_rotation_z(times_rotation_x(R, t.ca5, t.sa5), wrist.c[2], wrist.s[2]) - W;
    return std::max({norm(R.x), norm(R.y), norm(R.z)});
  }

  IkBranch branch(const Candidate& c, int elbow) const {
    const auto& [first, W, p, along, wrist, bars, count, short_by] = c;
    const double s2 = geometry.s2, s23 = geometry.s23;
    // lengths may be negative as written: then that bar points the other way
    const double sides = arm[2].a * arm[3].a > 0 ? 1 : -1, cb = sides * bars.c, sb = sides * elbow * bars.s;
    const Plane P = axis_4(p, wrist);
    double c2 = 1, s2_ = 0;
    const bool folded =
        length(P) <= tolerance || !detail::turn_onto(arm[2].a + arm[3].a * cb, arm[3].a * sb, P.x, P.y, c2, s2_);
    // s2 s3 theta_4 = psi - theta_2 - s2 theta_3
    const Plane rest = turned(cb, -sb, turned(c2, -s2_, {wrist.c[0], wrist.s[0]}));

    FoundBranch found;
    found.c = {first.c[0], c2, cb, rest.x, wrist.c[1], wrist.c[2]};
    found.s = {first.s[0], s2_, s2 * sb, s23 * rest.y, wrist.s[1], wrist.s[2]};
    for (std::size_t i = 0; i < 6; ++i) found.d[i] = arm.joint[i].d;
    found.label = {first.shoulder, bars.s == 0 ? 0 : elbow, wrist.wrist, 0};
    found.factor = {first.shoulder_factor, bars.s, wrist.factor};
    found.singular = {first.shoulder_singular, bars.s == 0, wrist.singular};
    found.free = {first.free[0], folded, false, false, false, wrist.sign != 0};
    IkBranch b = measured_branch(arm, tool, found);
    if (wrist.sign != 0) {
      // psi + sign theta_6 less what theta is where q is zero, in the robot's own sense
      const auto q = [&](int i) { return b.q[static_cast<std::size_t>(arm.backwards ? 6 - i : i - 1)]; };
      const double sum = q(2) + s2 * q(3) + s23 * q(4) + wrist.sign * q(6);
      b.wrist_sign = wrist.sign;
      b.wrist_sum = std::remainder(sum, 2 * std::numbers::pi);
      if (std::ranges::any_of(b.beyond_limits, [](double by) { return by != 0; }))
        choose_member(arm, b.q[free_joint(arm)], b);
    }
    return b;
  }

  const ParallelArm& arm;
  const Transform<double>& tool;
  IkAnswer& answer;
  const ParallelGeometry geometry{arm};
  const double tolerance = singular_distance * arm.size;
  double short_of_place = std::numeric_limits<double>::infinity(), short_of_turn = short_of_place;
};

}  // namespace

Result<ParallelArm> parallel_arm(const Description& robot, GeometryTolerance tolerance) {
  const auto axes = six_axis(robot, tolerance);
  if (!axes) return axes.faults();
  return parallel_arm(*axes);
}

Result<ParallelArm> parallel_arm(const SixAxis& axes) {
  ParallelArm arm{axes, {}};
  const std::string forwards = not_parallel(arm);
  if (!forwards.empty()) {
    arm = {reversed(axes), {}};
    const std::string backwards = not_parallel(arm);
    if (!backwards.empty())
      return refusal(
          axes,
          fmt::format("as an arm with axes 2, 3 and 4 parallel: {}; with axes 3, 4 and 5: {}", forwards, backwards),
          "a general numeric solver has no such limit");
  }
  arm.size = 0;
  for (const int i : {1, 2, 3, 4, 5}) arm.size += abs(arm[i].d) + abs(arm[i].a);
  arm.regular = regular_parallel(arm);
  return arm;
}

namespace {

void solve_tool(const ParallelArm& arm, const Transform<double>& tool, IkAnswer& answer) {
  const double o = (arm[1].ca * (tool.p.z - arm[1].d) - ParallelGeometry(arm).k) / arm[1].sa;
  InPlane in_plane(arm, tool, answer);
  detail::for_each_shoulder(arm, tool.p, o, [&](ArmPose first, double, double too_near) {
    const double aside = abs(arm[1].sa) * too_near;  // along axis 2
    in_plane.solve(first, aside);
    // with p on axis 1 every plane is as good, but not every one lets the bars reach
    for (int k = 1; first.free[0] && answer.count == 0 && k < 12; ++k) {
      first.c[0] = std::cos(std::numbers::pi / 6 * k);
      first.s[0] = std::sin(std::numbers::pi / 6 * k);
      in_plane.solve(first, aside);
    }
  });
  in_plane.conclude();
}

}  // namespace

IkAnswer solve_position(const ParallelArm& arm, const Transform<double>& X_world_tool) {
  return solve_tool_pose(arm, X_world_tool, solve_tool);
}

bool solve_position(const ParallelArm& arm, const Transform<double>& X_world_tool, const BranchLabel& label,
                    IkBranch& b) {
  return solve_regular(arm, arm.regular, X_world_tool, label, b) || solve_position(arm, X_world_tool).find(label, b);
}

}  // namespace torsor
