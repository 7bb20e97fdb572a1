#include "torsor/model/dh_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "torsor/model/chain_links.hpp"
#include "torsor/model/common_normal.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/link_length.hpp"

namespace torsor {
namespace {

/// Measures along the axes and the normals between them, one joint after the other. Directions are snapped before
/// lengths are measured: the next axis turns about its own joint's origin, and what follows turns with it. So an axis
/// half a metre out that is a hair off its direction leaves no length of its own, and no joint inherits what was snapped
/// before it.
class Surveyor {
 public:
  struct Joint {
    double theta = 0, d = 0, a = 0, alpha = 0, beta = 0;
  };

  Surveyor(GeometryClassifier& geometry, const Vec3<double>& origin, const Vec3<double>& start, double furthest)
      : classify(geometry), far(furthest), P(origin), x(start) {}

  /// J and L of a joint whose successor is `after`; both as the robot has them, all joints at zero.
  Joint to_next(const AxisLine& at, const AxisLine& after, const std::string& name, const std::string& next_name) {
    const std::string pair = fmt::format("between \"{}\" and \"{}\"", name, next_name);
    const AxisLine line = turned(at);
    AxisLine next = turned(after);
    Joint j;
    Vec3<double> foot = P, next_foot, normal;
    std::optional<Vec3<double>> seen;  // the normal before anything was snapped, where it is another
    if (const double off = classify.between(line.z, next.z); classify.parallel(line.z, next.z)) {
      const bool same = dot(line.z, next.z) > 0;
      const Vec3<double> z = same ? line.z : -line.z, across_both = cross(next.z, z);
      if (norm(across_both) > 0) follow(rotation_about(unit(across_both), off), next);
      next.z = z;
      // any normal will do: the one through the last foot, so that d vanishes
      next_foot = next.at(dot(P - next.p, next.z));
      const Vec3<double> step = across(next_foot - P, line.z);
      j.a = classify.length(norm(step), "the distance " + pair);
      normal = j.a == 0 ? unit(across(x, line.z)) : unit(step);
      classify.assume(fmt::format("the twist {} is {} degrees", pair, same ? 0 : 180), off);
      j.alpha = same ? 0 : std::numbers::pi;
    } else if (off < nearly_parallel || (off < most_tilted && normal_is_far(line, next))) {
      next_foot = next.p + next.z * (dot(P - next.p, line.z) / dot(next.z, line.z));
      const Vec3<double> step = next_foot - P;
      j.a = classify.length(norm(step), "the distance " + pair);
      normal = j.a == 0 ? unit(across(x, line.z)) : unit(across(step, line.z));
      const Vec3<double> y = cross(line.z, normal);
      const Vec3<double> z{dot(next.z, normal), dot(next.z, y), dot(next.z, line.z)};
      j.beta = std::atan2(z.x, std::hypot(z.y, z.z));
      j.alpha = std::atan2(-z.y, z.z);
    } else {
      seen = unit(cross(line.z, next.z));
      const Vec3<double> seen_z = next.z;
      straighten(line, next, *seen);
      normal = unit(cross(line.z, next.z));
      const auto [on_line, on_next] = common_normal(line, next);
      foot = line.at(on_line);
      next_foot = next.at(on_next);
      j.a = classify.length(dot(next_foot - foot, normal), "the distance " + pair);
      // a normal has two senses: lengths are positive, and where there is none the smaller turn is taken
      if (j.a < 0 || (j.a == 0 && dot(normal, x) < -1e-9)) {
        normal = -normal;
        seen = -*seen;
        j.a = abs(j.a);
      }
      j.alpha = classify.angle(turn_about(*seen, line.z, seen_z), "the twist " + pair);
    }
    j.theta = classify.angle(turn_about(line.z, across(x, line.z), seen.value_or(normal)),
                             fmt::format("theta of \"{}\"", name));
    j.d = classify.length(dot(foot - P, line.z), fmt::format("d of \"{}\"", name));

    const Mat3<double> R{normal, cross(line.z, normal), line.z};
    x = (R * across_link(0, j.alpha, j.beta).R).x;
    P = next_foot;
    return j;
  }

  /// J of the last joint, and L where the row has room for it: the table ends in the tool's frame where it can.
  Joint to_tool(const AxisLine& at, const Transform<double>& tool_at, const std::string& name, bool row_ends_across) {
    const AxisLine line = turned(at);
    const Transform<double> tool = moved * tool_at;
    if (!classify.parallel(line.z, tool.R.z)) {
      if (row_ends_across) return to_next(at, {tool_at.p, tool_at.R.z}, name, "tool");
      return {.d = classify.length(dot(tool.p - P, line.z), fmt::format("d of \"{}\"", name))};
    }
    Joint j;
    const Vec3<double> step = across(tool.p - P, line.z);
    Vec3<double> normal = across(tool.R.x, line.z);
    if (row_ends_across) {
      j.a = classify.length(norm(step), fmt::format("the distance between \"{}\" and the tool", name));
      j.alpha = dot(line.z, tool.R.z) > 0 ? 0 : std::numbers::pi;
      if (j.a != 0) normal = unit(step);
    }
    j.theta = classify.angle(turn_about(line.z, across(x, line.z), normal), fmt::format("theta of \"{}\"", name));
    j.d = classify.length(dot(tool.p - P, line.z), fmt::format("d of \"{}\"", name));
    return j;
  }

 private:
  static constexpr double nearly_parallel = 1e-2;  // below this the common normal is too far away to be of use
  static constexpr double most_tilted = 0.5;       // and above this it is never far for being so

  bool normal_is_far(const AxisLine& line, const AxisLine& next) const {
    const auto [on_line, on_next] = common_normal(line, next);
    return std::abs(on_line) > far || std::abs(on_next) > far;
  }

  AxisLine turned(const AxisLine& line) const { return {moved * line.p, moved.R * line.z}; }

  /// The next axis and all that follows turn about the next joint's own origin.
  void follow(const Mat3<double>& R, const AxisLine& next) {
    moved = Transform<double>{R, next.p - R * next.p} * moved;
  }

  /// Turns the next axis as the special values of theta and the twist will have it.
  void straighten(const AxisLine& line, AxisLine& next, const Vec3<double>& normal) {
    const Vec3<double> start = unit(across(x, line.z));
    const double theta = turn_about(line.z, start, normal), alpha = turn_about(normal, line.z, next.z);
    const double theta_taken = classify.special_angle(theta), alpha_taken = classify.special_angle(alpha);
    if (theta_taken == theta && alpha_taken == alpha) return;
    const Mat3<double> R{start, cross(line.z, start), line.z};
    const auto direction = [&](double about_z, double about_x) {
      return R * along_axis(about_z, 0).R * across_link(0, about_x, 0).R;
    };
    const Mat3<double> taken = direction(theta_taken, alpha_taken);
    follow(taken * ~direction(theta, alpha), next);
    next.z = taken.z;
  }

  GeometryClassifier& classify;
  double far;                    // m
  Vec3<double> P, x;             // foot of the last normal on the axis at hand, and its direction
  Transform<double> moved = {};  // what was snapped has moved all that follows by this, in the base frame
};

/// Frame 0: z on the first axis, origin where the axis is nearest to the base, x as near to the base's as can be.
Transform<double> first_frame(const AxisLine& axis) {
  const Vec3<double> helper = std::abs(axis.z.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 0, 1};
  const Vec3<double> x = unit(across(helper, axis.z));
  return {{x, cross(axis.z, x), axis.z}, across(axis.p, axis.z)};
}

/// Pose of the body in the row's own joint frame: both have the joint's axis, so it is a turn about it and a shift along
/// it, but for what was snapped.
Transform<double> along_own_axis(const Transform<double>& Y) { return along_axis(std::atan2(Y.R.x.y, Y.R.x.x), Y.p.z); }

/// Length of the way from the first joint to the tool.
double size_of(const Model<double>& model) {
  double size = norm(model.frames.back().X_body_frame.p);
  for (const Body<double>& b : model.bodies) size += norm(b.placement.p);
  return size;
}

}  // namespace

Explained explained_by(const std::vector<Snap>& snaps, const Model<double>& before, const Model<double>& after) {
  const double size_before = size_of(before), size_after = size_of(after), size = std::min(size_before, size_after);
  double slides = 0;
  for (const Body<double>& b : after.bodies) {
    if (b.kind == JointKind::prismatic) slides += sampled_range * abs(b.ratio);
    if (b.kind == JointKind::helical) slides += sampled_range * abs(b.ratio * b.pitch);
  }
  double angles = 0, lengths = 0;
  for (const Snap& snap : snaps) (snap.is_angle ? angles : lengths) += snap.residual;
  constexpr double noise = 1e-11, generous = 2, torques = 1000;
  // whatever was snapped: a robot that is turned, or whose torques differ, by a tenth is another one
  constexpr double most = 0.1;
  const double reach = std::max(size_before, size_after) + slides, turned = std::min(generous * angles, most);
  return {generous * lengths + turned * reach + noise * (1 + reach), turned + noise,
          std::min(torques * (angles + (lengths > 0 ? lengths / size : 0)), most) + noise};
}

Result<DhConversion> to_dh(const Description& robot, Convention convention, GeometryTolerance tolerance) {
  TORSOR_EXPECT(convention != Convention::placement);
  auto links = chain_links(robot);
  if (!links) return links.faults();
  const std::size_t n = links->size();

  // where everything is in the base frame, all joints at zero
  const Transform<double> tool = links->back().X_base_body * links->back().frames.back().X_body_frame;
  std::vector<AxisLine> axes;
  for (const ChainLink& link : *links) axes.push_back({link.X_base_body.p, link.X_base_body.R.z});

  // survey the axes
  GeometryClassifier classifier(tolerance, link_length(robot));
  const Transform<double> start = first_frame(axes[0]);
  double length = norm(tool.p - axes.back().p);
  for (std::size_t i = 1; i < n; ++i) length += norm(axes[i].p - axes[i - 1].p);
  Surveyor surveyor(classifier, start.p, start.R.x, tolerance.far * length);
  std::vector<Surveyor::Joint> joints;
  for (std::size_t i = 0; i < n; ++i)
    joints.push_back(
        i + 1 < n ? surveyor.to_next(axes[i], axes[i + 1], (*links)[i].joint_name, (*links)[i + 1].joint_name)
                  : surveyor.to_tool(axes[i], tool, (*links)[i].joint_name, convention == Convention::standard_dh));

  // write it down
  DhConversion out;
  Description& d = out.description;
  d = robot;
  d.convention = convention;
  d.base = robot.base * start;
  const Transform<double> X_new_base = inverse(start);
  for (Part& part : d.base_parts) {
    const Mat3<double> typed_in = X_new_base.R * part.typed_in;
    part = part_of(inertia_of({part}), part.where, X_new_base);
    part.typed_in = typed_in;
  }
  d.base_urdf_extra.X_link_xml = X_new_base * d.base_urdf_extra.X_link_xml;
  d.links.clear();
  d.tools.clear();
  Transform<double> F = start;  // along the table, in the base frame
  for (std::size_t i = 0; i < n; ++i) {
    const ChainLink& link = (*links)[i];
    const Surveyor::Joint& j = joints[i];
    LinkDescription l = robot.links[link.source];
    l.parent.reset();
    const Transform<double> J = along_axis(j.theta, j.d), L = across_link(j.a, j.alpha, j.beta);
    if (convention == Convention::standard_dh) {
      l.geometry = DhRow{j.theta, j.d, j.a, j.alpha, j.beta};
    } else {
      const Surveyor::Joint before = i == 0 ? Surveyor::Joint{} : joints[i - 1];
      l.geometry = DhRow{j.theta, j.d, before.a, before.alpha, before.beta};
    }
    const Transform<double> F_joint = convention == Convention::standard_dh ? F : F * J;
    const Transform<double> F_link = convention == Convention::standard_dh ? F * J * L : F * J;
    F = F * J * L;
    const Transform<double> X_link_body = ~F_link * link.X_base_body;
    l.parts = {part_of(link.inertia, l.where, X_link_body)};
    l.urdf_extra.X_link_xml = X_link_body * link.X_body_link * l.urdf_extra.X_link_xml;
    for (const Frame<double>& frame : link.frames) {
      // the frame of the link itself stays on the axis, whatever was snapped: so it can be the frame of a link again
      const bool own = frame.name == l.name && norm(across(frame.X_body_frame.p, {0, 0, 1})) < 1e-12;
      const Transform<double> X = own ? ~F_link * (F_joint * along_own_axis(~F_joint * link.X_base_body)) : X_link_body;
      d.tools.push_back({frame.name, l.name, X * frame.X_body_frame, l.where});
    }
    d.links.push_back(std::move(l));
  }
  out.snaps = classifier.snaps();
  out.rounded_away = classifier.rounded_away();

  // the default tool stays the default: the last one
  const auto before = build(robot);
  if (!before) return before.faults();
  std::stable_partition(d.tools.begin(), d.tools.end(),
                        [&](const ToolDescription& t) { return t.name != before->frames.back().name; });

  // how far the table's tool is from the robot's
  const auto after = build(d);
  if (!after) return after.faults();
  compare_tools(*before, *after, out.position_residual, out.angle_residual);
  out.explained = explained_by(out.snaps, *before, *after);
  return out;
}

}  // namespace torsor
