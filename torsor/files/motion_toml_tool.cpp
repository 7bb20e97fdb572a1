// Motions of the tool: a line, an arc, a circle or a rounded polygon of its origin, its orientation along with the way, and the
// pace of both.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/files/motion_toml_blocks.hpp"
#include "torsor/text/number.hpp"
#include "torsor/files/robot_toml_blocks.hpp"
#include "torsor/trajectory/orientation_path.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_limits.hpp"
#include "torsor/trajectory/position_path.hpp"

namespace torsor::detail {
namespace {

enum class Shape { line, arc, polygon, circle };
enum class Attitude { kept, along };

struct ToolPoint {
  Where where;
  Transform<double> X;
  bool turned = false;                          // an orientation is given
  std::optional<std::array<double, 3>> angles;  // given by Euler angles
};

ToolPoint read_tool_point(TomlTable& table) {
  ToolPoint point;
  point.where = table.where();
  if (!table.has("position", units::length))
    table.missing("position", "give x, y, z in the world: position = [...], or position_mm, position_cm");
  const bool euler = table.has("euler", units::angle);
  for (const auto& [key, unit] : {std::pair<const char*, Unit>{"rpy", units::angle},
                                  {"quaternion", units::plain},
                                  {"matrix", units::plain},
                                  {"axis", units::plain}})
    point.turned = point.turned || table.has(key, unit);
  if (!euler) {
    point.X = read_pose(table);
    return point;
  }
  table.at_most_one({{"euler", units::angle},
                     {"rpy", units::angle},
                     {"quaternion", units::plain},
                     {"matrix", units::plain},
                     {"axis", units::plain},
                     {"angle", units::angle}});
  point.turned = true;
  point.X.p = table.vector("position", units::length).value_or(Vec3<double>{});
  if (const auto e = table.vector("euler", units::angle)) {
    point.angles = {e->x, e->y, e->z};
    point.X.R = EulerPath{*point.angles, *point.angles}.at(0.0).R;
  }
  return point;
}

class ToolReader {
 public:
  ToolReader(TomlTable& root, const Model<double>* robot) : root_(root), robot_(robot) {}

  /// False where the path is of no known kind.
  bool read(PlannedMotion& planned) {
    const std::size_t before = root_.fault_count();
    const auto shape = root_.word<Shape>(
        "path", {{"line", Shape::line}, {"arc", Shape::arc}, {"polygon", Shape::polygon}, {"circle", Shape::circle}},
        "motion-path");
    if (!shape && !root_.has("path"))
      root_.missing("path", "write path = \"line\", \"arc\", \"circle\" or \"polygon\"");
    if (!shape) return false;
    shape_ = *shape;
    double rounding = 0;
    Blend blend = Blend::polynomial;
    if (shape_ == Shape::polygon) {
      rounding = root_.number("rounding", units::length).value_or(0);
      if (rounding < 0)
        root_.fault("rounding", "motion-blend", fmt::format("it is {} m", print_number(rounding)),
                    "give a length, not negative", units::length);
      blend = root_.word<Blend>("blend", {{"parabolic", Blend::parabolic}, {"polynomial", Blend::polynomial}})
                  .value_or(Blend::polynomial);
    }
    if (shape_ == Shape::circle) read_circle();
    root_.tables("point", [&](TomlTable& table) { points_.push_back(read_tool_point(table)); });
    check_points();
    PositionPath position;
    OrientationPath orientation;
    // the pace is read whatever the points are: all faults in one run
    if (root_.fault_count() == before) build(position, orientation, rounding, blend);
    const bool sound = root_.fault_count() == before;
    if (sound) planned.notes = cut_roundings(position, rounding);
    const Pace pace = read_pace(sound ? &position : nullptr, sound ? &orientation : nullptr, planned.notes);
    planned.tool_limited = root_.has("limits");
    if (auto limits = read_scaling_limits(root_, robot_))
      planned.tool_scaling = ScalingRequest{*std::move(limits), planned.tool_limited};
    if (root_.fault_count() != before) return true;
    const PathMotion motion(position, orientation, pace);
    planned.motion = motion;
    planned.corners = sharp_corners(motion);
    return true;
  }

 private:
  static double length(const PositionPath& position) {
    return std::visit([](const auto& path) { return path.length(); }, position);
  }

  /// Corners that cannot be rounded as asked for, since a side is shorter.
  static std::vector<std::string> cut_roundings(const PositionPath& position, double rounding) {
    std::vector<std::string> notes;
    const auto* const polygon = std::get_if<PolygonPath>(&position);
    const std::vector<double> widths = polygon ? polygon->schedule().half_widths() : std::vector<double>{};
    for (std::size_t i = 1; i + 1 < widths.size(); ++i)
      if (widths[i] < rounding * (1 - 1e-12))
        notes.push_back(
            fmt::format("the corner at point {} is rounded from {:.4g} m on, half of a side there, not {:.4g} m", i + 1,
                        widths[i], rounding));
    return notes;
  }

  /// The points at which the velocity jumps.
  static std::vector<std::size_t> sharp_corners(const PathMotion& motion) {
    std::vector<std::size_t> points;
    const auto* const polygon = std::get_if<PolygonPath>(&motion.position());
    const std::vector<double> jumps = motion.velocity_jumps();
    for (std::size_t i = 1; polygon && i + 1 < polygon->schedule().size(); ++i) {
      const double t = motion.pace().time_of(polygon->schedule().knots()[i] / polygon->length());
      if (std::any_of(jumps.begin(), jumps.end(),
                      [&](double jump) { return std::abs(jump - t) <= 1e-9 * motion.duration(); }))
        points.push_back(i + 1);
    }
    return points;
  }

  void read_circle() {
    centre_ = root_.vector("centre", units::length).value_or(centre_);
    normal_ = root_.vector("normal").value_or(normal_);
    if (!root_.has("centre", units::length)) root_.missing("centre", "give x, y, z in the world: centre = [...]");
    if (!root_.has("normal")) root_.missing("normal", "give the direction about which the tool goes round");
    angle_ = root_.number("angle", units::angle).value_or(angle_);
    attitude_ = root_.word<Attitude>("orientation", {{"kept", Attitude::kept}, {"along", Attitude::along}})
                    .value_or(Attitude::kept);
  }

  void check_points() {
    const std::size_t count = points_.size();
    const bool fits = shape_ == Shape::line     ? count == 2
                      : shape_ == Shape::arc    ? count == 3
                      : shape_ == Shape::circle ? count == 1
                                                : count >= 2;
    if (!fits) {
      constexpr const char* needed[] = {
          "a line has two: [[point]] for its start and its end", "an arc has three: its start, one on the way, its end",
          "a polygon has two or more", "a circle has one: its start; centre, normal and angle say the rest"};
      root_.fault("point", "motion-points", fmt::format("there {} {}", count == 1 ? "is" : "are", count),
                  needed[static_cast<int>(shape_)]);
      return;
    }
    if (shape_ == Shape::arc && points_[1].turned)
      root_.fault_at(points_[1].where, "point 2", "motion-orientation",
                     "the point on the way of an arc has no orientation of its own", "leave it out");
    // all that may be turned are, or only the first
    const auto may = [&](std::size_t i) { return shape_ != Shape::arc || i != 1; };
    std::size_t turned = 0, possible = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (may(i)) {
        ++possible;
        turned += points_[i].turned;
      }
    turns_ = turned == possible;
    if (!turns_ && turned > (points_.front().turned ? 1 : 0))
      for (std::size_t i = 0; i < count; ++i)
        if (may(i) && !points_[i].turned)
          root_.fault_at(points_[i].where, fmt::format("point {}", i + 1), "motion-orientation",
                         "it has no orientation, others have",
                         "give one at every point, or at the first alone: then the tool keeps it");
    for (std::size_t i = 0; i < count; ++i) euler_ = euler_ && (points_[i].angles || !may(i));
    for (std::size_t i = 0; i < count && turns_; ++i)
      if (points_[i].angles && !euler_)
        root_.fault_at(points_[i].where, fmt::format("point {}", i + 1), "motion-orientation",
                       "Euler angles are proportional to the way only where all points have them",
                       "give all points euler, or none");
    if (shape_ == Shape::polygon && turns_ && euler_ && count > 2)
      root_.fault("path", "motion-orientation", "Euler angles proportional to the way are for lines and arcs",
                  "rotate the tool of a polygon by rpy, quaternion, matrix or axis");
    if (shape_ != Shape::polygon) return;
    for (std::size_t i = 1; i < count; ++i)
      if (norm(points_[i].X.p - points_[i - 1].X.p) == 0)
        root_.fault_at(points_[i].where, fmt::format("point {}", i + 1), "motion-points",
                       "it is where the point before it is", "leave it out");
  }

  void build(PositionPath& position, OrientationPath& orientation, double rounding, Blend blend) {
    const ToolPoint &first = points_.front(), &last = points_.back();
    if (shape_ == Shape::line) position = LinePath{first.X.p, last.X.p};
    if (shape_ == Shape::arc) {
      const auto arc = arc_through(first.X.p, points_[1].X.p, last.X.p);
      if (!arc) return blame(root_, "path", arc.faults());
      position = *arc;
    }
    if (shape_ == Shape::circle) {
      const auto circle = arc_about(first.X.p, centre_, normal_, angle_);
      if (!circle) {
        // by the key that each is about; the start is the point
        for (const Fault& error : circle.faults())
          if (error.offender == "axis")
            root_.fault("normal", error.rule, error.what, error.remedy);
          else if (error.offender == "angle")
            root_.fault("angle", error.rule, error.what, error.remedy, units::angle);
          else
            root_.fault_at(first.where, "point 1", error.rule,
                           error.offender == "start" ? "it lies on the axis of the circle" : error.what, error.remedy);
        return;
      }
      position = *circle;
      TurnPath turn;
      turn.from = first.X.R;
      turn.axis = ~first.X.R * unit(normal_);
      turn.angle = attitude_ == Attitude::along ? angle_ : 0;
      orientation = turn;
      return;
    }
    std::vector<Vec3<double>> corners;
    std::vector<Mat3<double>> orientations;
    for (const ToolPoint& point : points_) {
      corners.push_back(point.X.p);
      orientations.push_back(point.X.R);
    }
    if (shape_ == Shape::polygon) {
      const auto polygon = polygon_path(corners, rounding, blend);
      if (!polygon) return blame(root_, "path", polygon.faults());
      position = *polygon;
    }
    if (!turns_) {
      TurnPath steady;
      steady.from = first.X.R;
      orientation = steady;
    } else if (euler_) {
      orientation = EulerPath{*first.angles, *last.angles};
    } else if (shape_ != Shape::polygon) {
      orientation = slerp(first.X.R, last.X.R);
    } else {
      const auto turns = turns_path(orientations, std::get<PolygonPath>(position).schedule());
      if (!turns) return blame(root_, "path", turns.faults());
      orientation = *turns;
    }
  }

  /// Without a path (it has faults) what can be said of the keys alone.
  Pace read_pace(const PositionPath* position, const OrientationPath* orientation, std::vector<std::string>& notes) {
    const double way = position ? length(*position) : 1, turning = orientation ? largest_turning(*orientation) : 1;
    const int ways =
        root_.at_most_one({{"duration", units::plain}, {"limits", units::plain}, {"cruise", units::plain}});
    if (ways == 0)
      root_.missing("duration", "give the seconds of the whole path, or limits for the least time, or cruise");
    const bool limited = root_.has("limits"), cruising = root_.has("cruise");
    const std::string law = read_law(root_, cruising ? "smooth-trapezoid" : limited ? "s-curve" : "quintic");
    const std::size_t before = root_.fault_count();
    const auto duration = read_seconds(root_, "duration");
    PathLimits limits;
    root_.table("limits", [&](TomlTable& table) {
      for (const auto& [key, bound] : {std::pair{"velocity", &MotionLimits::velocity},
                                       {"acceleration", &MotionLimits::acceleration},
                                       {"jerk", &MotionLimits::jerk}}) {
        if (const auto x = positive(table, key, units::length)) limits.way.*bound = *x;
        if (const auto x = positive(table, fmt::format("angular_{}", key), units::angle)) limits.turn.*bound = *x;
      }
    });
    std::optional<double> speed, ramp;
    root_.table("cruise", [&](TomlTable& table) {
      speed = positive(table, "speed", units::length);
      ramp = positive(table, "ramp", units::plain);
      if (!table.has("speed", units::length)) table.missing("speed", "give metres per second along the path");
      if (!table.has("ramp")) table.missing("ramp", "give the seconds that speed takes to build up");
    });
    if (root_.fault_count() != before || ways != 1) return {};
    if (!duration && !(way > 0) &&
        (cruising || !(turning > 0) || std::isinf(std::min(limits.turn.acceleration, limits.turn.jerk)))) {
      root_.fault(limited ? "limits" : "cruise", "motion-points", "the tool rotates in place: the path has no length",
                  turning > 0 ? "give a duration, or limits with angular_velocity and angular_acceleration"
                              : "give a duration");
      return {};
    }
    const auto found = duration   ? pace(law, *duration)
                       : cruising ? cruising_pace(law, *speed / way, *ramp)
                                  : within_limits(law, position, orientation, limits, notes);
    if (found) return *found;
    blame(root_, duration ? "duration" : cruising ? "cruise" : "limits", found.faults());
    return {};
  }

  static Result<Pace> within_limits(const std::string& law, const PositionPath* position,
                                    const OrientationPath* orientation,
                                    const PathLimits& limits, std::vector<std::string>& notes) {
    if (!position) return Pace();
    auto found = pace_within(law, *position, *orientation, limits);
    if (!found) return found.faults();
    for (const std::size_t knot : found->stops)
      notes.push_back(fmt::format("the tool stops at point {}: its corner is not rounded", knot + 1));
    return found->pace;
  }

  static std::optional<double> positive(TomlTable& table, std::string_view key, Unit unit) {
    const auto x = table.number(key, unit);
    if (!x || *x > 0) return x;
    table.fault(key, "motion-limit", fmt::format("it is {}", print_number(*x)), "give a number above zero", unit);
    return std::nullopt;
  }

  TomlTable& root_;
  const Model<double>* robot_;
  Shape shape_ = Shape::line;
  Vec3<double> centre_{}, normal_{0, 0, 1};
  double angle_ = 2 * std::numbers::pi;  // of a circle
  Attitude attitude_ = Attitude::kept;
  bool turns_ = false, euler_ = true;
  std::vector<ToolPoint> points_;
};

}  // namespace

bool read_tool_rows(TomlTable& root, const Model<double>* robot, PlannedMotion& planned) {
  return ToolReader(root, robot).read(planned);
}

}  // namespace torsor::detail
